// SPDX-License-Identifier: GPL-2.0
/*
 * error_log: whom a message is about, and whether a command has had one.
 */
#include "kit_log.h"
#include "tap.h"

static void test_scopes(void)
{
	struct marker_log_scope top, inner;

	marker_log("before");
	marker_log_enter(&top, NULL);
	ok(!marker_log_has_message(&top), "a command has no message at first");
	marker_log_enter(&inner, "a");
	marker_log("one");
	ok(marker_log_has_message(&inner), "until it has one");
	marker_log_leave(&inner);
	ok(marker_log_has_message(&top), "which counts for all around it");
	marker_log("two");
	marker_log_leave(&top);
	is_str(kit_log(), "[    0.000001] error: before\n"
			   "[    0.000001] error: instance a: one\n"
			   "[    0.000001] error: two\n", "only one of them is about an instance");
	marker_log_enter(&top, "a");
	ok(!marker_log_has_message(&top), "the next command begins anew");
	marker_log_enter(&inner, NULL);
	marker_log_at("some text", 5, "three");
	marker_log_leave(&inner);
	marker_log_leave(&top);
	ok(marker_log_has_message(&top), "a message with a text counts, too");
	is_str(kit_log(), "[    0.000001] error: instance a: three\n"
			   "  some text\n"
			   "       ^\n", "the instance is that of the scope around");
	marker_log("after");
	is_str(kit_log(), "[    0.000001] error: after\n", "no scope is left");
}

int main(void)
{
	test_scopes();
	return tap_done();
}
