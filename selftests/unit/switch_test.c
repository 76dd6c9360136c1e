// SPDX-License-Identifier: GPL-2.0
/*
 * From rules and probes to the states of markers and the code of their sites, and
 * back when that fails.
 */
#include "switch_kit.h"

static struct kit_module m = {
	.mod.name = "m",
	.marker = {
		{ "ints", "a %d", 2 },
		{ "ints", "a %d", 1 },
		{ "text", "%s", 1 },
		{ "branch", " ", 2, MARKER_SITE_BRANCH },
		{ "guard", " ", 1, MARKER_SITE_GUARD },
	},
};

static struct marker_event *event(const char *name)
{
	return kit_event(&m, name);
}

static struct marker_site *site(const char *name, unsigned int index)
{
	return marker_event_site(event(name), index);
}

static u32 state(const char *name, unsigned int index)
{
	return site(name, index)->marker->state;
}

static void test_apply(void)
{
	is_int(state("ints", 0), 0, "disabled");
	kit_batches = 0;
	unit_writes = 0;
	is_int(marker_control_set(&marker_top, "m", "*", true), 0, "all on");
	is_int(kit_batches, 1, "batches");
	is_int(unit_writes, 1 + 5, "states, one for each marker, not for each site");
	is_int(state("ints", 2), MARKER_RECORD_INTS, "state of integers");
	is_int(state("text", 0), MARKER_RECORD_STRING, "state of a string");
	is_int(site("ints", 2)->state, MARKER_SITE_JUMP, "code");
	is_int(site("branch", 0)->state, MARKER_SITE_BRANCH, "a branch has no code");
	is_int(state("branch", 0), MARKER_RECORD_NONE, "but a state");
	is_int(kit_guard, 1, "the guard page is away");
	is_int(marker_control_set(&marker_top, "m", "*", true), 0, "once more");
	is_int(kit_batches, 1, "nothing to patch");
	is_int(marker_control_set(&marker_top, "m", "*", false), 0, "all off");
	is_int(state("ints", 0), 0, "state");
	is_int(site("ints", 0)->state, MARKER_SITE_NOP, "code");
	is_int(kit_guard, 0, "the guard page is back");
}

static void test_counted(void)
{
	is_int(marker_control_set(&marker_top, "m", "*", MARKER_ASK_COUNT), 0, "all counted");
	is_int(state("ints", 0), MARKER_COUNTED, "state of what is counted");
	is_int(site("ints", 0)->state, MARKER_SITE_JUMP, "code");
	is_int(kit_guard, 1, "the guard page is away");
	is_int(marker_control_set(&marker_top, "m", "*", MARKER_ASK_COUNT | MARKER_ASK_RECORD), 0,
	       "both");
	is_int(state("ints", 0), MARKER_COUNTED | MARKER_RECORD_INTS, "state of both");
	is_int(marker_control_set(&marker_top, "m", "*", MARKER_ASK_RECORD), 0, "recorded only");
	is_int(state("ints", 0), MARKER_RECORD_INTS, "state");
	ok(event("ints")->counts, "the counts stay");
	is_int(marker_control_set(&marker_top, "m", "*", 0), 0, "all off");
	is_int(site("ints", 0)->state, MARKER_SITE_NOP, "code");
}

static void test_counts_fail(void)
{
	int nr, err;

	for (nr = 1; nr < 20; nr++) {
		unit_alloc_fail = nr;
		err = marker_control_set(&marker_top, "m", "*", MARKER_ASK_COUNT);
		if (!unit_alloc_fail || err)
			is_int(err, -ENOMEM, "no memory, allocation %d", nr);
		if (!err)
			break;
		ok(!state("ints", 0) && !state("text", 0) &&
		   !marker_program_asked(event("ints"), &marker_top) &&
		   !marker_program_asked(event("text"), &marker_top) && site("ints", 0)->state == MARKER_SITE_NOP,
		   "nothing is changed");
	}
	/*
	 * the rule and four programs each time; room for counts; counts that were made stay: one
	 * more each time
	 */
	is_int(nr, 10, "until it is done");
	unit_alloc_fail = 0;
	marker_control_set(&marker_top, "m", "*", 0);
}

static void test_fails(void)
{
	kit_patch_error = -ENOMEM;
	is_int(marker_control_set(&marker_top, "m", "ints", true), -ENOMEM,
	       "no memory for patching");
	is_str(kit_enabled(), "", "nothing is enabled");
	is_int(state("ints", 0), 0, "state");
	is_int(marker_switch_set_site(event("ints"), 1, true), -ENOMEM, "one site");
	ok(!site("ints", 1)->alone && !event("ints")->nr_alone && !state("ints", 1),
	   "is as it was");
	kit_patch_error = 0;
	marker_control_set(&marker_top, "m", "ints", true);
	kit_patch_error = -ENOMEM;
	is_int(marker_switch_set_mode(event("ints"), MARKER_MODE_BREAKPOINT), -ENOMEM, "mode");
	is_int(event("ints")->mode, MARKER_MODE_DEFAULT, "is as it was");
	is_int(marker_switch_set_default_mode(MARKER_MODE_BREAKPOINT), -ENOMEM, "default mode");
	is_int(marker_switch_default_mode(), MARKER_MODE_JUMP, "is as it was");
	kit_patch_error = 0;
	marker_control_set(&marker_top, "m", "*", false);
}

static void test_modes(void)
{
	marker_control_set(&marker_top, "m", "*", true);
	is_int(marker_switch_set_mode(event("ints"), MARKER_MODE_BREAKPOINT), 0, "a marker's mode");
	is_int(site("ints", 0)->state, MARKER_SITE_BREAKPOINT, "its code");
	is_int(site("text", 0)->state, MARKER_SITE_JUMP, "that of others");
	is_int(marker_switch_set_mode(event("text"), MARKER_MODE_JUMP), 0, "another one's");
	is_int(marker_switch_set_default_mode(MARKER_MODE_BREAKPOINT), 0, "the default");
	is_int(site("text", 0)->state, MARKER_SITE_JUMP, "a mode of its own stays");
	marker_switch_set_mode(event("text"), MARKER_MODE_DEFAULT);
	is_int(site("text", 0)->state, MARKER_SITE_BREAKPOINT, "without one");
	/* a mode outlives the module, the code does not */
	kit_unload(&m);
	marker_switch_set_default_mode(MARKER_MODE_JUMP);
	kit_load(&m);
	is_int(site("ints", 0)->state, MARKER_SITE_BREAKPOINT, "a marker's mode, after a reload");
	is_int(site("text", 0)->state, MARKER_SITE_JUMP, "the default, after a reload");
	marker_switch_set_mode(event("ints"), MARKER_MODE_DEFAULT);
	marker_control_set(&marker_top, "m", "*", false);
}

static void test_alone(void)
{
	is_int(marker_switch_set_site(event("ints"), 1, true), 0, "one site alone");
	is_int(site("ints", 1)->state, MARKER_SITE_JUMP, "its code");
	is_int(site("ints", 0)->state, MARKER_SITE_NOP, "that of its neighbour");
	is_int(state("ints", 1), MARKER_RECORD_INTS, "the state of its marker");
	is_int(site("ints", 2)->marker->state, 0, "that of another marker of the name");
	is_int(event("ints")->nr_alone, 1, "sites alone");
	is_int(marker_switch_set_site(event("ints"), 1, true), 0, "once more");
	is_int(event("ints")->nr_alone, 1, "sites alone");
	marker_control_set(&marker_top, "m", "ints", true);
	marker_control_set(&marker_top, "m", "ints", false);
	is_int(site("ints", 1)->state, MARKER_SITE_JUMP, "it is still on after its marker was");
	is_int(site("ints", 0)->state, MARKER_SITE_NOP, "its neighbour is not");
	is_int(marker_switch_set_site(event("ints"), 1, false), 0, "off");
	is_int(state("ints", 1), 0, "state");

	kit_log();
	is_int(marker_switch_set_site(event("ints"), 3, true), -EINVAL, "a site that there is not");
	ok(strstr(kit_log(), "marker m:ints: no site 3, it has 3"), "is explained");
	is_int(marker_switch_set_site(event("branch"), 0, true), -EINVAL, "one of two branches");
	ok(strstr(kit_log(), "cannot be enabled alone"), "is explained");
	is_int(marker_switch_set_site(event("guard"), 0, true), 0, "the only guard");
	is_int(kit_guard, 1, "the guard page is away");
	marker_switch_set_site(event("guard"), 0, false);
	is_int(kit_guard, 0, "the guard page is back");
}

static void test_quarantine(void)
{
	kit_foreign = site("text", 0);
	is_int(marker_control_set(&marker_top, "m", "*", true), 0, "foreign bytes at one site");
	is_int(site("text", 0)->state, MARKER_SITE_QUARANTINED, "it is left alone");
	is_int(site("ints", 0)->state, MARKER_SITE_JUMP, "the others are not held up");
	kit_recovered = 0;
	marker_control_set(&marker_top, "m", "*", true);
	is_int(kit_recovered, 1, "it is looked at again");
	is_int(site("text", 0)->state, MARKER_SITE_QUARANTINED, "still foreign");
	kit_foreign = NULL;
	marker_control_set(&marker_top, "m", "text", true);
	is_int(site("text", 0)->state, MARKER_SITE_JUMP, "ours again");
	marker_control_set(&marker_top, "m", "*", false);
}

static void test_gone(void)
{
	struct marker_event *ints = event("ints");

	kit_unload(&m);
	is_int(marker_switch_set_site(ints, 0, true), -ENOENT, "a site of a module that has gone");
	is_int(marker_switch_set_mode(ints, MARKER_MODE_BREAKPOINT), 0, "its mode can be set");
	marker_switch_set_mode(ints, MARKER_MODE_DEFAULT);
	kit_load(&m);
}

int main(void)
{
	kit_begin();
	kit_load(&m);
	test_apply();
	test_counts_fail();
	test_counted();
	test_fails();
	test_modes();
	test_alone();
	test_quarantine();
	test_gone();
	kit_unload(&m);
	return kit_end();
}
