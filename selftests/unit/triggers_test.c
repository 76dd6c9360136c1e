// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers become actions of the events that they match, now and when a module comes.  An
 * array of actions is replaced as a whole and freed after a grace period.  A command
 * takes effect completely or not at all.
 */
#include "switch_kit.h"

static struct kit_module a = {
	.mod.name = "a",
	.marker = { { "io", "n %d", 2 }, { "irq", " ", 1 } },
};

static struct kit_module b = {
	.mod.name = "b",
	.marker = { { "io", "n %d s %s", 1 } },
};

static struct kit_module c = {
	.mod.name = "c",
	.marker = { { "end", "n %d", 1 }, { "io", "n %d", 1 } },
};

static struct kit_module d = {
	.mod.name = "d",
	.marker = { { "x", "n %d", 1 } },
};

static struct kit_module notes = {
	.mod.name = "markers",
	.marker = { { "note", "%s", 1 } },
};

/* "traceoff/2 snapshot | stacktrace | traceon": those that run, stacks, those that do not fit. */
static const char *actions(const char *title)
{
	static char text[512];
	const struct marker_actions *actions = NULL;
	struct marker_event *event;
	struct marker_action *action;
	unsigned int i;

	text[0] = '\0';
	for_each_event(event) {
		if (!strcmp(event->title, title))
			actions = marker_program_actions(event);
	}
	for (i = 0; i < marker_actions_nr(actions); i++) {
		action = actions->action[i];
		assert(!action->trigger->is_gone);
		if (i == actions->nr)
			strcat(text, "| ");
		if (i == actions->nr + actions->nr_stacks)
			strcat(text, "| ");
		sprintf(text + strlen(text), "%s", action->trigger->what);
		if (action->limited)
			sprintf(text + strlen(text), "/%ld", atomic_long_read(&action->left));
		strcat(text, " ");
	}
	return text;
}

static u32 state(struct kit_module *kit, unsigned int marker)
{
	return kit->marker[marker].marker.state;
}

static int set(const char *text)
{
	return marker_triggers_set_patterns(&marker_top, text, false);
}

static unsigned int nr_triggers(void)
{
	struct marker_trigger *trigger;
	unsigned int nr = 0;

	for_each_trigger(&marker_top, trigger)
		nr++;
	return nr;
}

static void test_set(void)
{
	is_int(marker_triggers_set(&marker_top, "a", "io", "traceoff:2 if n == 7\n"), 0, "set");
	is_str(actions("a:io"), "traceoff/2 ", "the action");
	is_int(state(&a, 0), MARKER_ACTED, "state");
	is_int(state(&a, 1), 0, "state of the other marker");
	marker_control_set(&marker_top, "a", "io", MARKER_ASK_RECORD);
	is_int(state(&a, 0), MARKER_ACTED | MARKER_RECORD_INTS, "state of what is recorded, too");

	is_int(set("a:* snapshot\n# no command\n\n  *:io traceon:1\n"), 0, "patterns");
	is_str(actions("a:io"), "traceoff/2 snapshot traceon/1 ", "in the order of writing");
	is_str(actions("a:irq"), "snapshot ", "of the other marker");

	marker_program_actions(kit_event(&a, "io"))->action[0]->left.counter = 0;
	is_int(set("a:io traceoff:3 if n == 7"), 0, "the same again");
	is_str(actions("a:io"), "snapshot traceon/1 traceoff/3 ", "it begins again");
	is_int(set("a:io traceoff:3 if n == 8"), 0, "with another filter");
	is_str(actions("a:io"), "snapshot traceon/1 traceoff/3 traceoff/3 ", "it is one more");

	is_int(set("!a:io traceoff if n == 8"), 0, "one is taken away");
	is_str(actions("a:io"), "snapshot traceon/1 traceoff/3 ", "one is left");
	is_int(set("!a:io snapshot"), -ENOENT, "of a wider pattern");
	ok(strstr(kit_log(), "a:io has no trigger snapshot, or one of a wider pattern"), "log");
	is_int(marker_triggers_set(&marker_top, "a", "*", "!traceoff:9"), 0, "of a narrower one");
	is_str(actions("a:io"), "snapshot traceon/1 ", "gone");
	is_int(set("a:irq !snapshot"), -ENOENT, "! before the action");
	is_int(set("!* snapshot\n!* traceon"), 0, "all");
	is_str(actions("a:io"), "", "none is left");
	is_int(state(&a, 0), MARKER_RECORD_INTS, "state");
	is_int(state(&a, 1), 0, "and that of the other one");
	marker_control_set(&marker_top, "a", "io", 0);
	kit_reap();
	is_int(nr_triggers(), 0, "no trigger");
}

static void test_errors(void)
{
	set("a:io traceoff:2 if n == 7");
	kit_log();
	is_int(set("a:irq snapshot\na:io snapshoot"), -EINVAL, "no such action");
	ok(strstr(kit_log(), "a:io snapshoot\n       ^\n"), "caret");
	is_int(set("a:irq snapshot\na:i/o snapshot"), -EINVAL, "no pattern");
	is_int(set("a:irq snapshot\na:irq,a:io snapshot"), -EINVAL, "two patterns");
	is_int(set("a:irq+count snapshot"), -EINVAL, "options");
	is_int(set("a:irq enable_marker:a:io,a:b"), -EINVAL, "two targets");
	is_int(set("a:irq enable_marker:!a:io"), -EINVAL, "a target with !");
	is_int(set("a:irq snapshot if n =="), -EINVAL, "no filter");
	is_int(set("a:irq snapshot if n == 1"), -EINVAL, "a filter that fits none");
	ok(strstr(kit_log(), "trigger snapshot of marker a:irq, filter: no such field"), "log");
	is_int(marker_triggers_set(&marker_top, "a", "io", "snapshot if n == 1 &&\n n < 5"), -EINVAL,
	       "a filter of two lines");
	ok(strstr(kit_log(), "filter: more than one line"), "log");
	is_int(set("a:irq stacktrace"), -EINVAL, "no room for stacks");
	is_int(set("!a:irq snapshot"), -ENOENT, "nothing to take away");
	is_int(set("!a:io traceoff\n!a:io traceoff"), -ENOENT, "twice");
	is_str(actions("a:io"), "traceoff/2 ", "nothing was changed");
	is_str(actions("a:irq"), "", "nor here");
	is_int(state(&a, 1), 0, "nor the state");
	kit_patch_error = -ENOMEM;
	is_int(set("a:irq snapshot"), -ENOMEM, "no memory for patching");
	kit_patch_error = 0;
	is_str(actions("a:irq"), "", "no action");
	is_int(state(&a, 1), 0, "no state");
	kit_reap();
	is_int(nr_triggers(), 1, "one trigger");

	kit_log();
	is_int(set("* snapshot if n == 1"), 0, "a filter that fits one of two");
	is_str(actions("a:irq"), "| | snapshot ", "not run");
	is_int(state(&a, 1), 0, "not armed");
	is_str(actions("a:io"), "traceoff/2 snapshot ", "the other");
	is_int(set("!* snapshot\n!* traceoff"), 0, "gone");
	is_int(set("a:irq snapshot\n!a:irq snapshot\na:irq traceon"), 0,
	       "one that comes and goes at once");
	is_str(actions("a:irq"), "traceon ", "the rest");
	is_int(marker_triggers_set_patterns(&marker_top, "a:io traceoff", true), 0, "clear");
	is_str(actions("a:irq"), "", "cleared");
	is_str(actions("a:io"), "traceoff ", "the new one");
	is_int(marker_triggers_set_patterns(&marker_top, "", true), 0, "clear all");
	kit_reap();
	kit_log();
}

static void test_limits(void)
{
	unsigned int i, err;
	char line[64];

	for (i = 0; i < MARKER_MAX_ACTIONS; i++) {
		sprintf(line, "a:io traceoff if n == %u", i);
		if (set(line))
			ok(false, "%u", i);
	}
	is_int(set("a:io snapshot"), -ENOSPC, "too many for a marker");
	is_int(set("!a:io traceoff if n == 3\na:io snapshot"), 0, "in place of another one");
	marker_triggers_set_patterns(&marker_top, "", true);
	for (err = 0, i = 0; i < MARKER_MAX_TRIGGERS; i++) {
		sprintf(line, "none%u traceoff", i);
		err |= set(line);
	}
	is_int(err, 0, "as many as can be");
	is_int(set("one_more traceoff"), -ENOSPC, "too many");
	is_int(set("none3 traceoff"), 0, "one of them again");
	is_int(set("!none3 traceoff\none_more traceoff"), 0, "another in place of one");
	is_int(nr_triggers(), MARKER_MAX_TRIGGERS, "as many as before");
	is_int(marker_triggers_set_patterns(&marker_top, "one_more traceoff", true), 0, "alone");
	is_int(nr_triggers(), 1, "one is left");
	marker_triggers_set_patterns(&marker_top, "", true);
	kit_reap();
	kit_log();
}

static void test_modules(void)
{
	const char *log;

	set("b:io traceoff:5 if n == 7 && s == x\n* snapshot");
	is_str(actions("a:io"), "snapshot ", "before the other module");
	kit_load(&b);
	is_str(actions("b:io"), "traceoff/5 snapshot ", "when it comes");
	is_int(state(&b, 0), MARKER_ACTED, "state");
	marker_program_actions(kit_event(&b, "io"))->action[0]->left.counter = 3;
	kit_unload(&b);
	is_str(actions("b:io"), "traceoff/3 snapshot ", "they stay when it goes");
	set("b:io traceon");
	set("!* snapshot");
	kit_load(&b);
	is_str(actions("b:io"), "traceoff/3 traceon ", "when it comes again");
	kit_unload(&b);
	is_int(marker_triggers_set_patterns(&marker_top, "", true), 0,
	       "cleared while it is not there");
	is_str(actions("b:io"), "", "none");
	kit_load(&b);
	is_int(state(&b, 0), 0, "no state");

	/* the end of a character of UTF-8 is no blank */
	set("b:io traceoff if s == \xc3\xa0 ");
	is_str(marker_program_actions(kit_event(&b, "io"))->action[0]->trigger->filter, "s == \xc3\xa0", "UTF-8");
	marker_triggers_set_patterns(&marker_top, "", true);

	/* a message says that a filter does not fit, and the module comes */
	kit_unload(&b);
	set("b:* traceoff if t == 1");
	kit_log();
	is_int(kit_load(&b), 0, "load");
	is_str(actions("b:io"), "| | traceoff ", "it does not fit");
	ok(strstr(kit_log(), "marker b:io has no trigger traceoff, filter, column 0: no such field"),
	   "log");
	kit_unload(&b);
	marker_triggers_set_patterns(&marker_top, "", true);
	kit_reap();

	/* no action either; for a pattern that is expected, and there is no message */
	kit_create_error = -EINVAL;
	is_int(set("b:io snapshot\nb:* traceon"), 0, "they may fit when it comes");
	kit_log();
	is_int(kit_load(&b), 0, "load");
	kit_create_error = 0;
	is_str(actions("b:io"), "", "they do not");
	log = kit_log();
	ok(strstr(log, "error: trigger of marker b:io: it does not fit\n  snapshot\n") &&
	   !strstr(log, "traceon"), "the one that names it is told: %s", log);
	kit_unload(&b);
	marker_triggers_set_patterns(&marker_top, "", true);
	kit_reap();
}

/* The actions of notes never run. */
static void test_notes(void)
{
	is_int(set("* traceoff"), 0, "all markers");
	kit_load(&notes);
	is_str(actions("markers:note"), "", "a note has none when it comes");
	is_int(set("m[a]rkers:* traceoff"), 0, "a pattern for nothing");
	is_str(actions("markers:note"), "", "nor later");
	kit_log();
	is_int(set("markers:note traceoff"), -EINVAL, "what can only mean notes");
	ok(strstr(kit_log(), "error: trigger: notes have no triggers, and markers has no other markers\n"),
	   "log");
	kit_unload(&notes);
	marker_triggers_set_patterns(&marker_top, "", true);
	kit_reap();
}

/* A trigger that uses a latency comes after the latency's own, here and in the list. */
static void test_pairs(void)
{
	struct marker_trigger *trigger;
	char list[256] = "";
	const char *log;

	set("c:end latency:p:keys=n\nc:end snapshot if latency > 5\nc:end traceon");
	set("c:io begin:p:keys=n");
	set("c:end latency:p:keys=n");
	for_each_trigger(&marker_top, trigger)
		sprintf(list + strlen(list), "%s ", trigger->what);
	is_str(list, "begin:p:keys=n latency:p:keys=n snapshot traceon ", "pairs are first");
	kit_load(&c);
	is_str(actions("c:end"), "latency:p:keys=n snapshot traceon ", "all fit");
	kit_log();
	marker_top.rules.stacks_allowed = true;
	is_int(set("c:end stacktrace if n == 1 || latency > 5"), -EINVAL,
	       "a stack comes before the latency");
	log = kit_log();
	ok(strstr(log, "error: trigger stacktrace of marker c:end, filter: the stack is taken before "
		  "the latency is known\n  n == 1 || latency > 5\n"), "log: %s", log);
	is_str(actions("c:end"), "latency:p:keys=n snapshot traceon ", "it is not there");
	marker_top.rules.stacks_allowed = false;
	kit_unload(&c);
	marker_triggers_set_patterns(&marker_top, "", true);
	kit_reap();
}

/* Each allocation fails once. */
static void test_memory(void)
{
	int i, err = -ENOMEM;

	set("a:io traceoff:2 if n == 7");
	for (i = 1; err; i++) {
		unit_alloc_fail = i;
		err = set("!a:io traceoff\na:* enable_marker:b:io:4\n* snapshot if n == 1");
		unit_alloc_fail = 0;
		if (err && err != -ENOMEM)
			ok(false, "allocation %d: error %d", i, err);
		if (err && strcmp(actions("a:io"), "traceoff/2 "))
			ok(false, "allocation %d: it has %s", i, actions("a:io"));
		kit_reap();
		kit_log();
	}
	ok(i > 10, "%d allocations failed", i - 2);
	is_str(actions("a:io"), "enable_marker:b:io/4 snapshot ", "with enough memory");
	for (i = 1, err = -ENOMEM; err; i++) {
		unit_alloc_fail = i;
		err = kit_load(&b);
		unit_alloc_fail = 0;
		kit_reap();
	}
	is_str(actions("b:io"), "snapshot ", "of a module that came");
	kit_unload(&b);
	/* a hist may be too large: a driver is loaded nevertheless */
	kit_create_error = -ENOMEM;
	is_int(kit_load(&d), 0, "load");
	kit_create_error = 0;
	is_str(actions("d:x"), "", "without what there is no memory for");
	ok(strstr(kit_log(), "marker d:x has no trigger snapshot: no memory"), "log");
	kit_unload(&d);
	kit_load(&d);
	is_str(actions("d:x"), "snapshot ", "the next time there is");
	kit_unload(&d);
	marker_triggers_set_patterns(&marker_top, "", true);
	kit_reap();
	is_int(nr_triggers(), 0, "no trigger is left");
	kit_log();
}

int main(void)
{
	kit_begin();
	kit_load(&a);
	test_set();
	test_errors();
	test_limits();
	test_modules();
	test_notes();
	test_pairs();
	test_memory();
	set("a:io traceoff:2 if n == 7\nb:io enable_marker:x");
	return kit_end();
}
