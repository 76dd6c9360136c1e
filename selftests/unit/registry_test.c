// SPDX-License-Identifier: GPL-2.0
/*
 * Events: the registry makes each once, finds it again when its module comes back, or refuses
 * it with a reason; and modules come, go live and go.
 */
#include <markers/ring/packet.h>
#include "switch_kit.h"

static struct kit_module a = {
	.mod.name = "a",
	.marker = {
		{ "one", "x %d", 2 },
		{ "two", "s %s", 1 },
		{ "one", "x %d", 1 },
	},
};

static struct kit_module b = {
	.mod.name = "b",
	.marker = { { "one", "y %u z %s", 1 } },
};

static unsigned int strangers;

/* A reader that looks an event up by its id finds the event with that id. */
static void look_up(u32 id)
{
	const struct marker_event *event = marker_registry_by_id(id);

	strangers += event && event->id != id;
}

static void test_events(void)
{
	struct marker_event *one, *two, *other, *event;
	struct marker_site *site, *end;
	unsigned int nr = 0;

	is_int(kit_load(&a), 0, "a module comes");
	one = kit_event(&a, "one");
	two = kit_event(&a, "two");
	ok(one && two && one != two, "an event for each name");
	ok(!kit_event(&a, "three"), "none for another name");
	is_str(one->title, "a:one", "title");
	is_int(one->nr_sites, 3, "sites of two markers of one name");
	marker_registry_lock();
	for_each_event_site(one, site, end) {
		ok(site->marker->event == one, "site %u is one of it", nr);
		ok(site == marker_event_site(one, nr), "and has that number");
		nr++;
	}
	is_int(nr, 3, "sites that the iterator found");
	ok(!marker_event_site(one, 3), "no site 3");
	marker_registry_unlock();
	is_int(one->record, MARKER_RECORD_INTS, "integers");
	is_int(two->record, MARKER_RECORD_STRING, "a string");

	is_int(kit_load(&b), 0, "another module with the name");
	other = kit_event(&b, "one");
	ok(other != one, "has an event of its own");
	is_str(other->title, "b:one", "its title");
	ok(marker_registry_by_id(one->id) == one && marker_registry_by_id(other->id) == other,
	   "ids find events");
	ok(!marker_registry_by_id(other->id + 1), "an id that there is not");
	nr = 0;
	marker_registry_lock();
	for_each_named_event(event, "one")
		nr++;
	marker_registry_unlock();
	is_int(nr, 2, "events of the name");
	nr = 0;
	for_each_event(event)
		nr += (uintptr_t)event % SMP_CACHE_BYTES != 0;
	is_int(nr, 0, "events that begin inside a cache line");

	kit_unload(&b);
	ok(!other->module && !other->nr_sites, "an event outlives its module");
	marker_registry_lock();
	for_each_event_site(other, site, end)
		ok(false, "a site of a module that has gone");
	marker_registry_unlock();
	is_int(kit_load(&b), 0, "it comes back");
	ok(kit_event(&b, "one") == other, "and finds its event");
	kit_unload(&b);
	b.marker[0].format = "y %d";
	is_int(kit_load(&b), 0, "it comes back with another format");
	ok(kit_event(&b, "one") != other, "which is another event");
	is_str(other->format.text, "y %u z %s", "the old one keeps its meaning");
	kit_unload(&b);
	kit_unload(&a);
}

static struct kit_module bad = {
	.mod.name = "bad",
	.marker = {
		{ "float", "load %f", 3 },
		{ "half", "v %d", 1 },
		{ "half", "v %u", 1 },
		{ "half", "v %n", 1 },
		{ "good", "v %d", 1 },
	},
};

static void test_refused(void)
{
	struct marker_refusal *refusal;
	unsigned int nr = 0;

	unit_kernel_log[0] = '\0';
	kit_log();
	is_int(kit_load(&bad), 0, "a module with bad formats comes");
	ok(!kit_event(&bad, "float"), "no event for a bad format");
	ok(!bad.marker[0].marker.event, "its marker has none");
	is_int(bad.module->nr_sites, 2, "sites that are left");
	ok(kit_event(&bad, "good") && kit_event(&bad, "half"), "the good ones have theirs");
	for_each_refusal(bad.module, refusal)
		nr++;
	is_int(nr, 2, "names that have something refused");
	refusal = marker_registry_refusal(bad.module, "float");
	is_str(refusal->why,
	       "format, column 6: floating point cannot be recorded\n  load %f\n        ^\n",
	       "the reason");
	refusal = marker_registry_refusal(bad.module, "half");
	is_str(refusal->why,
	       "format, column 3: another place of the module has it with \"v %d\"\n  v %u\n     ^\n"
	       "format, column 3: another place of the module has it with \"v %d\"\n  v %n\n     ^\n",
	       "two reasons");
	ok(!marker_registry_refusal(bad.module, "good"), "no reason");
	/* one text in both logs, once for any number of sites */
	is_str(unit_kernel_log,
	       "marker bad:float refused, format, column 6: floating point cannot be recorded: \"load %f\"\n"
	       "marker bad:half refused, format, column 3: another place of the module has it with \"v %d\": \"v %u\"\n"
	       "marker bad:half refused, format, column 3: another place of the module has it with \"v %d\": \"v %n\"\n",
	       "the kernel's log");
	ok(strstr(kit_log(), "error: marker bad:float refused, format, column 6: floating point cannot be recorded\n  load %f\n        ^\n"),
	   "error_log");
	kit_unload(&bad);
}

static struct kit_module miscounted = {
	.mod.name = "miscounted",
	.marker = {
		{ "none", NULL, 2 },
		{ "missing", "a %d b %s", 1, .more_args = -1 },
		{ "star", "a %d b %.*s c", 1, .more_args = -1 },
		{ "surplus", "a %d b", 1, .more_args = 1 },
		{ "twice", "v %d", 1 },
		{ "twice", "v %d", 1, .more_args = -1 },
		{ "twice", NULL, 1 },
		{ "good", "a %.*s", 1 },
	},
};

/* A hit reads the memory of a pointer that nobody passed, so the marker is not connected. */
static void test_miscounted(void)
{
	static const char * const refused[][2] = {
		{ "none", "format, column 0: there is no format string\n  \n  ^\n" },
		{ "missing", "format, column 7: there is no argument for this conversion\n"
			     "  a %d b %s\n         ^\n" },
		{ "star", "format, column 7: this conversion takes two arguments, and one is missing\n"
			  "  a %d b %.*s c\n         ^\n" },
		{ "surplus", "format, column 6: there are more arguments than conversions\n"
			     "  a %d b\n        ^\n" },
		{ "twice", "format, column 2: there is no argument for this conversion\n"
			   "  v %d\n    ^\n"
			   "format, column 0: there is no format string\n  \n  ^\n" },
	};
	struct marker_refusal *refusal;
	unsigned int i;

	is_int(kit_load(&miscounted), 0, "a module with too few or too many arguments comes");
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		refusal = marker_registry_refusal(miscounted.module, refused[i][0]);
		is_str(refusal ? refusal->why : NULL, refused[i][1], "%s: the reason", refused[i][0]);
	}
	for (i = 0; i < 4; i++)
		ok(!miscounted.marker[i].marker.event, "%s: no event", refused[i][0]);
	is_int(miscounted.module->nr_sites, 2, "sites that are left");
	ok(kit_event(&miscounted, "good") && kit_event(&miscounted, "twice"),
	   "the good ones have theirs");
	ok(!marker_registry_refusal(miscounted.module, "good"), "and no reason");
	kit_unload(&miscounted);
}

#define FIFTY		"a123456789b123456789c123456789d123456789e123456789"
#define HUNDRED		FIFTY FIFTY

static struct kit_module names = {
	.mod.name = "names",
	.marker = {
		{ HUNDRED "a12345678901234567890123456", "v %d", 1 },
		{ HUNDRED "a123456789012345678901234567", "v %d", 1 },
		{ HUNDRED FIFTY "one", "v %d", 1, .line = 16777215 },
		{ HUNDRED FIFTY "two", "w %d", 1, .line = 16777215 },
	},
};

static void test_names(void)
{
	kit_log();
	is_int(kit_load(&names), 0, "a module with long names comes");
	is_int(names.module->nr_sites, 3, "sites that are left");
	ok(kit_event(&names, names.marker[0].name), "127 characters");
	ok(!names.marker[1].marker.event, "one more is refused");
	ok(strstr(kit_log(), "marker names:" "a123456789b123456789... refused: its name has more than 127 characters\n"),
	   "with a message");
	ok(kit_event(&names, HUNDRED "_16777215"), "the name of a function is cut");
	ok(kit_event(&names, HUNDRED "_16777215_2"), "and the next one gets a number");
	kit_unload(&names);
}

/* In a header that two objects have; then in another file, on another line, with another text. */
static struct kit_module places = {
	.mod.name = "places",
	.marker = {
		{ "run", "v %d", 1, .line = 7, .file = "a.h" },
		{ "run", "v %d", 1, .line = 7, .file = "a.h" },
		{ "run", "v %d", 1, .line = 7, .file = "b.c" },
		{ "run", "v %d", 1, .line = 8, .file = "a.h" },
		{ "run", "w %d", 1, .line = 7, .file = "a.h" },
	},
};

static void test_places(void)
{
	const struct kit_marker *at = places.marker;

	is_int(kit_load(&places), 0, "debug statements of one function");
	ok(at[0].marker.event == kit_event(&places, "run_7"), "function and line");
	ok(at[1].marker.event == at[0].marker.event, "the same place in another object");
	ok(at[2].marker.event == kit_event(&places, "run_7_2"), "the same line of another file");
	ok(at[3].marker.event == kit_event(&places, "run_8"), "another line");
	ok(at[4].marker.event == kit_event(&places, "run_7_3"), "another text");
	kit_unload(&places);
}

static struct kit_module life = {
	.mod.name = "life",
	.marker = {
		{ "start", " ", 2, .init = true },
		{ "guard", " ", 1, MARKER_SITE_GUARD, .init = true },
		{ "work", " ", 1 },
	},
};

static unsigned int sleeps;

/* Some memory is free again at the second time; others may change markers meanwhile. */
static void sleep_without_memory(void)
{
	marker_registry_lock();
	marker_registry_unlock();
	if (++sleeps % 2 == 0)
		kit_patch_error = 0;
}

/* A breakpoint must go before its site is forgotten, however long that takes. */
static void test_breakpoints_no_memory(void)
{
	unit_on_sleep = sleep_without_memory;
	kit_load(&life);
	kit_patched = 0;
	kit_patch_error = -ENOMEM;
	kit_notify(&life, MODULE_STATE_LIVE);
	is_int(sleeps, 2, "without memory to patch, going live waits for some");
	is_int(kit_patched, 2, "then the breakpoints are taken out of init text");
	unit_alloc_fail = 1;
	kit_unload(&life);
	unit_alloc_fail = 0;
	is_int(sleeps, 3, "so does going, without memory for the list of sites");
	is_int(kit_patched, 3, "then those of all text");
	marker_switch_set_default_mode(MARKER_MODE_JUMP);
	kit_load(&life);
	kit_patch_error = -ENOMEM;
	kit_unload(&life);
	is_int(sleeps, 3, "with none of them, nothing waits");
	kit_patch_error = 0;
	unit_on_sleep = NULL;
}

/* Init text goes when the module goes live. */
static void test_live(void)
{
	struct marker_event *start, *work;

	marker_control_set_patterns(&marker_top, "life:*", true);
	is_int(kit_load(&life), 0, "a module with markers in init text comes");
	start = kit_event(&life, "start");
	work = kit_event(&life, "work");
	is_int(marker_event_site(start, 0)->state, MARKER_SITE_JUMP, "it is enabled before init runs");
	is_int(kit_guard, 1, "the guard page is away");
	kit_notify(&life, MODULE_STATE_LIVE);
	is_int(marker_event_site(start, 1)->state, MARKER_SITE_GONE, "gone with init text");
	is_int(kit_guard, 0, "the guard page is back");
	is_int(marker_event_site(work, 0)->state, MARKER_SITE_JUMP, "others stay");
	kit_unload(&life);

	/* a jump that stays does no harm, a breakpoint would */
	marker_switch_set_default_mode(MARKER_MODE_BREAKPOINT);
	kit_load(&life);
	kit_batches = kit_patched = 0;
	kit_notify(&life, MODULE_STATE_LIVE);
	is_int(kit_patched, 2, "breakpoints that were taken out of init text");
	kit_unload(&life);
	is_int(kit_patched, 3, "and of all text, when the module goes");
	kit_load(&life);
	work = kit_event(&life, "work");
	marker_event_site(work, 0)->state = MARKER_SITE_QUARANTINED;
	kit_recover_to = MARKER_SITE_BREAKPOINT;
	kit_patched = 0;
	kit_unload(&life);
	is_int(kit_patched, 3, "and one that other code had overwritten, and put back");
	kit_recover_to = MARKER_SITE_NOP;
	test_breakpoints_no_memory();
	marker_switch_set_default_mode(MARKER_MODE_JUMP);
	marker_control_set_patterns(&marker_top, "", true);
}

/* Each allocation fails once: the load fails, and leaves nothing. */
static void test_no_memory(void)
{
	struct kit_module *kit[] = { &a, &bad };
	struct marker_module *module;
	unsigned int i, left;
	int nr, err;

	marker_control_set_patterns(&marker_top, "*", true);
	for (i = 0; i < ARRAY_SIZE(kit); i++) {
		for (nr = 1;; nr++) {
			unit_alloc_fail = nr;
			err = kit_load(kit[i]);
			if (!err)
				break;
			left = 0;
			for_each_marker_module(module)
				left++;
			ok(err == -ENOMEM && !left && !*kit_enabled(),
			   "%s, allocation %d: nothing is left", kit[i]->mod.name, nr);
		}
		ok(nr > 4, "%s: allocations that failed: %d", kit[i]->mod.name, nr - 1);
		unit_alloc_fail = 0;
		kit_unload(kit[i]);
	}
	marker_control_set_patterns(&marker_top, "", true);
}

static struct kit_module driver = {
	.mod.name = "driver",
	.marker = { { "work", "x %d", 2, MARKER_SITE_NOP } },
};

static bool driver_is_connected(void)
{
	struct marker_module *module;

	for_each_marker_module(module) {
		if (module->mod == &driver.mod)
			return true;
	}
	return false;
}

/* A client that needs no markers.ko is loaded whatever happens, and may be there before it. */
static void test_optional(void)
{
	kit_bridges = 1;
	marker_control_set_patterns(&marker_top, "driver:*", true);
	is_int(kit_load(&driver), 0, "an optional client comes");
	ok(driver_is_connected() && kit_bridges_opened == 1, "is connected");
	is_str(kit_enabled(), "driver:work", "its marker is enabled");
	kit_notify(&driver, MODULE_STATE_LIVE);
	is_int(kit_bridges_opened, 1, "once");
	kit_unload(&driver);
	ok(!driver_is_connected() && !kit_bridges_closed, "when it goes, its code goes");

	kit_bridges_read_error = -ENOEXEC;
	is_int(kit_load(&driver), 0, "one that cannot be read is loaded");
	ok(!driver_is_connected(), "and not connected");
	kit_bridges_read_error = -ENOMEM;
	is_int(kit_load(&driver), 0, "without memory, too");
	kit_bridges_read_error = 0;
	kit_notify(&driver, MODULE_STATE_LIVE);
	ok(driver_is_connected(), "and connected later");
	kit_unload(&driver);

	marker_modules_exit();
	is_int(kit_waits, 0, "nothing to wait for");
	marker_modules_init(&kit_ops);
	kit_bridges_open_error = -EBUSY;
	is_int(kit_load(&driver), 0, "one with foreign code is loaded");
	ok(!driver_is_connected() && kit_bridges_closed == 1, "and its bridges are closed");
	kit_bridges_open_error = 0;

	marker_modules_exit();
	is_int(kit_waits, 1, "a hit may be behind one of them");
	kit_coming = kit_found = &driver;
	marker_modules_init(&kit_ops);
	ok(driver_is_connected(), "one that was there first is connected");
	is_str(kit_enabled(), "driver:work", "and its marker enabled");
	marker_modules_exit();
	ok(!driver_is_connected() && kit_bridges_closed == 2, "it is left behind silent");
	is_int(kit_waits, 2, "when its hits have ended");
	kit_found = NULL;
	kit_bridges = 0;
	marker_modules_init(&kit_ops);
}

int main(void)
{
	unit_on_publish = look_up;
	kit_begin();
	test_events();
	test_refused();
	test_miscounted();
	test_names();
	test_places();
	test_live();
	test_no_memory();
	test_optional();
	is_int(strangers, 0, "events that were found before they had their id");
	return kit_end();
}
