// SPDX-License-Identifier: GPL-2.0
/*
 * Commands of operators: done completely or not at all, also for modules that come
 * later, and explained if it cannot be.
 */
#include "switch_kit.h"

static struct kit_module a = {
	.mod.name = "mod_a",
	.marker = { { "one", " ", 1 }, { "two", " ", 1 }, { "bad", "%f", 1 } },
};

static struct kit_module b = {
	.mod.name = "b",
	.marker = { { "one", " ", 1 }, { "b", " ", 1 } },
};

/* The enabled markers after @text, which replaces or adds. */
static void enables(const char *text, bool clear, const char *wanted)
{
	is_int(marker_control_set_patterns(text, clear), 0, "\"%s\"", text);
	is_str(kit_enabled(), wanted, "enabled after \"%s\"", text);
}

static void refuses(const char *text, bool clear, int err, const char *message)
{
	char before[256];

	snprintf(before, sizeof(before), "%s", kit_enabled());
	kit_log();
	is_int(marker_control_set_patterns(text, clear), err, "\"%s\"", text);
	is_str(kit_enabled(), before, "nothing is changed");
	ok(strstr(kit_log(), message), "error_log has \"%s\"", message);
}

static void test_patterns(void)
{
	enables("one", true, "mod_a:one b:one");
	enables("mod_a:two", false, "mod_a:one mod_a:two b:one");
	enables("!b:*", false, "mod_a:one mod_a:two");
	enables("t?o", true, "mod_a:two");
	enables("mod_*:* !one", true, "mod_a:two");
	enables("b", true, "b:b");
	enables("", true, "");
	is_int(marker_control_get(NULL), '0', "none");
	enables("b:*", true, "b:one b:b");
	is_int(marker_control_get(NULL), 'X', "some");
	is_int(marker_control_get(b.module), '1', "all of one module");
	is_int(marker_control_get(a.module), '0', "none of the other");
	enables("*", false, "mod_a:one mod_a:two b:one b:b");
	is_int(marker_control_get(NULL), '1', "all that can be");
	enables("!*", false, "");
}

static void test_refused(void)
{
	enables("one", true, "mod_a:one b:one");
	refuses("b:b a/b", false, -EINVAL, "no such character");
	refuses("b:b !b:two", true, -ENOENT, "!b:two: no such marker, and none was asked for");
	refuses("b:b mod_a", true, -ENOENT,
		"mod_a: a module, not a marker: write 'mod_a:*' for all its markers");
	refuses("mod-a", false, -ENOENT, "mod-a: a module, not a marker: write 'mod_a:*'");
	refuses("!mod_a", false, -ENOENT, "!mod_a: a module, not a marker: write '!mod_a:*'");
	kit_patch_error = -ENOMEM;
	refuses("", true, -ENOMEM, "");
	kit_patch_error = 0;
	/* possible and loaded names are accepted */
	enables("*:mod_a", false, "mod_a:one b:one");
	enables("!mod_a:bad", false, "mod_a:one b:one");
	enables("!mod_a:one", false, "b:one");
	enables("nosuch", false, "b:one");
	enables("!nosuch", false, "b:one");
	/* after a clear there are no rules */
	refuses("!nosuch", true, -ENOENT, "!*:nosuch: no such marker");
	enables("nosuch !nosuch", true, "");
}

/* The markers that are counted. */
static const char *counted(void)
{
	static char text[256];
	struct marker_event *event;

	text[0] = '\0';
	for_each_loaded_event(event) {
		if (event->counted)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
				 *text ? " " : "", event->title);
	}
	return text;
}

static void test_counted(void)
{
	enables("one=count mod_a:two+count", true, "mod_a:two");
	is_str(counted(), "mod_a:one mod_a:two b:one", "counted");
	is_int(marker_control_get(NULL), 'X', "what is only counted is not enabled");
	refuses("b:* mod_a:one+coun", false, -EINVAL, "no such option");
	is_str(counted(), "mod_a:one mod_a:two b:one", "counted as before");
	enables("mod_a:*", false, "mod_a:one mod_a:two");
	is_str(counted(), "b:one", "no longer counted");
	kit_unload(&b);
	is_str(counted(), "", "the module goes");
	kit_load(&b);
	is_str(counted(), "b:one", "it comes back");
	ok(kit_event(&b, "one")->counts, "its counts are there");
	ok(!kit_event(&b, "b")->counts, "others have none");
	enables("!b:one", false, "mod_a:one mod_a:two");
	is_str(counted(), "", "taken back");
	enables("b:one=count", true, "");
	enables("", true, "");
	is_str(counted(), "", "cleared");
}

/* "pattern ..." of the pending rules */
static const char *pending(void)
{
	static char text[256];
	struct marker_rule *rule;

	text[0] = '\0';
	marker_registry_lock();
	for_each_rule(rule) {
		if (marker_control_is_pending(rule))
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s:%s",
				 *text ? " " : "", rule->module, rule->name);
	}
	marker_registry_unlock();
	return text;
}

static void test_pending(void)
{
	enables("b:* c:one mod_a:bad !b:b", true, "b:one");
	is_str(pending(), "c:one", "pending");
	kit_unload(&b);
	is_str(kit_enabled(), "", "the module goes");
	is_str(pending(), "b:* c:one", "its pattern waits");
	kit_load(&b);
	is_str(kit_enabled(), "b:one", "it comes back");
	is_int(marker_event_site(kit_event(&b, "one"), 0)->state, MARKER_SITE_JUMP, "and is armed");
	is_str(pending(), "c:one", "pending then");
	/* the name of a module may wait as long as it is not loaded */
	kit_unload(&b);
	enables("b", true, "");
	is_str(pending(), "*:b", "pending");
	kit_load(&b);
	is_str(kit_enabled(), "b:b", "there is a marker of that name");
	enables("", true, "");
}

static void test_no_memory(void)
{
	int nr;

	for (nr = 1;; nr++) {
		unit_alloc_fail = nr;
		if (!marker_control_set_patterns("one b:b", true))
			break;
		ok(!*kit_enabled(), "allocation %d fails: nothing is enabled", nr);
		is_str(pending(), "", "allocation %d fails: nothing is asked for", nr);
	}
	ok(nr > 2, "allocations that failed: %d", nr - 1);
	unit_alloc_fail = 0;
	enables("", true, "");
}

int main(void)
{
	kit_begin();
	kit_load(&a);
	kit_load(&b);
	test_patterns();
	test_refused();
	test_counted();
	test_pending();
	test_no_memory();
	kit_unload(&b);
	kit_unload(&a);
	return kit_end();
}
