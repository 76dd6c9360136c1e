// SPDX-License-Identifier: GPL-2.0
/* What hits count by key. */
#include <markers/control/filters.h>
#include "actions_kit.h"

/* A hist of a key. */
static void begin_hist(const char *text)
{
	begin(4, RING_DISCARD);
	is_int(trigger(text), 0, "hist: %s", text);
}

static void finish(void)
{
	marker_triggers_set_patterns(&marker_top, "", true);
	kit_reap();
	end();
}

static void hit_five(void)
{
	unsigned int i;

	for (i = 0; i < 5; i++)
		hit(INTS, -(i & 1), 0, 'x');
}

static void test_counted(void)
{
	begin_hist("hist:keys=a:size=64");
	is_int(m.marker[INTS].marker.state, MARKER_ACTED, "hist: it is not recorded");
	hit_five();
	is_str(hist_rows("ints"), "-1*2 0*3 ", "hist: counted");
	ok(marker_program_actions(kit_event(&m, "ints"))->quick, "hist: the quick way");
	marker_control_set(&marker_top, "m", "ints", MARKER_ASK_RECORD | MARKER_ASK_COUNT);
	counts(INTS);
	hit(INTS, 0, 5, 'x');
	is_str(recorded(), "ints: a 0 b 5 c x\n", "hist: recorded, too");
	is_str(counts(INTS), "1: 1 0 0 0 0", "hist: and its hits counted");
	marker_control_set(&marker_top, "m", "ints", 0);
	finish();
}

/* Another action of the marker takes the quick way away. */
static void test_beside(void)
{
	begin_hist("hist:keys=a:size=64");
	hit_five();
	is_int(trigger("snapshot if a == 9"), 0, "hist: not alone");
	ok(!marker_program_actions(kit_event(&m, "ints"))->quick, "hist: not the quick way");
	hit(INTS, 0, 0, 'x');
	hit(INTS, 9, 0, 'x');
	has_acted("snapshot ", "hist: both");
	is_str(hist_rows("ints"), "9*1 -1*2 0*4 ", "hist: counted in both ways");
	trigger("!snapshot");
	clear_hist("ints");
	hit(INTS, 8, 0, 'x');
	is_str(hist_rows("ints"), "8*1 ", "hist: quick again");
	finish();
}

static void test_paused(void)
{
	begin_hist("hist:keys=a:size=64 if a < 1");
	hit_five();
	hit(INTS, 1, 0, 'x');
	marker_hists_pause(hist_of("ints"), true);
	hit(INTS, -7, 0, 'x');
	is_str(hist_rows("ints"), "-1*2 0*3 ", "hist: filtered, paused");
	marker_hists_pause(hist_of("ints"), false);
	hit(INTS, -7, 0, 'x');
	is_str(hist_rows("ints"), "-7*1 -1*2 0*3 ", "hist: goes on");
	trigger("!hist");
	trigger("hist:keys=a:size=64");
	hit_five();
	is_str(hist_rows("ints"), "-1*2 0*3 ", "hist: a new one");
	finish();
}

static void test_cleared(void)
{
	unsigned int graces;

	begin_hist("hist:keys=a:size=64");
	hit_five();
	clear_hist("ints");
	is_str(hist_rows("ints"), "", "hist: cleared");
	hit(INTS, 7, 0, 'x');
	is_str(hist_rows("ints"), "7*1 ", "hist: counted again");
	unit_alloc_fail = 3;
	is_int(clear_hist("ints"), -ENOMEM, "hist: no memory to clear it");
	unit_alloc_fail = 0;
	is_str(hist_rows("ints"), "7*1 ", "hist: it is as it was");
	/* a hit from before the pause may still count */
	marker_hists_pause(hist_of("ints"), true);
	graces = unit_grace_periods;
	is_int(clear_hist("ints"), 0, "hist: paused, cleared");
	is_int(unit_grace_periods - graces, 1, "hist: after a grace period");
	is_str(hist_rows("ints"), "", "hist: nothing is left");
	is_int(trigger("!hist"), 0, "hist: taken away");
	finish();
}

static void test_more_keys(void)
{
	begin_hist("hist:keys=b,cpu:vals=a:size=64:pause if a > 5");
	hit(INTS, 7, 1, 'x');
	is_str(hist_rows("ints"), "", "hist: it begins paused");
	marker_hists_pause(hist_of("ints"), false);
	hit(INTS, 7, 2, 'x');
	hit(INTS, 5, 2, 'x');
	is_str(hist_rows("ints"), "2*1 ", "hist: filtered");
	is_int(trigger("!hist:keys=b,cpu:vals=a:size=64:pause"), 0, "hist: taken away by its text");
	finish();
}

static void test_stack(void)
{
	begin_hist("hist:keys=stack,c:size=64");
	hit(INTS, 7, 2, 'x');
	is_str(hist_rows("ints"), "1*1 ", "hist: of the hit");
	finish();
}

/* One message for all markers that it does not fit. */
static void test_misfits(void)
{
	const char *log;

	begin(4, RING_DISCARD);
	kit_log();
	is_int(marker_triggers_set(&marker_top, "m", "*", "hist:keys=b:size=64"), 0,
	       "hist: fits one");
	log = kit_log();
	ok(strstr(log, "error: trigger of marker m:none and 4 others: no such field"),
	   "hist: log: %s", log);
	is_int(!!strstr(strstr(log, "error: ") + 1, "error: "), 0, "hist: one message");
	marker_triggers_set(&marker_top, "m", "*", "!hist");
	kit_reap();
	is_int(marker_triggers_set(&marker_top, "m", "text", "hist:keys=b"), -EINVAL,
	       "hist: fits none");
	log = kit_log();
	ok(strstr(log, "error: trigger of marker m:text: no such field"), "hist: the one");
	ok(strstr(log, "\n  hist:keys=b\n            ^\n"),
	   "hist: caret: %s", log);
	finish();
}

static void test_refused(void)
{
	begin(4, RING_DISCARD);
	is_int(trigger("hist"), -EINVAL, "hist: without keys");
	is_int(trigger("hist:keys=d"), -EINVAL, "hist: no such field");
	is_int(trigger("hist:keys=a.lag2"), -EINVAL, "hist: no such form");
	unit_ram_pages = 1 << 8;
	is_int(trigger("hist:keys=a"), -ENOSPC, "hist: too large for the machine");
	is_int(trigger("hist:keys=a:size=16"), 0, "hist: a smaller one");
	unit_ram_pages = 1 << 20;
	finish();
}

static void tests(void)
{
	marker_triggers_init(&hist_ops);
	test_counted();
	test_beside();
	test_paused();
	test_cleared();
	test_more_keys();
	test_stack();
	test_misfits();
	test_refused();
}

int main(void)
{
	return kit_run(tests);
}
