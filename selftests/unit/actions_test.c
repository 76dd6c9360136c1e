// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of markers with triggers: which actions run, and in which order with the record and with
 * probes.
 */
#include <markers/control/filters.h>
#include "actions_kit.h"

/* A probe of a marker with triggers, which hits it again. */
static void hit_acted(void *private, void *call_private, const char *fmt, va_list *args)
{
	if (nested++)
		return;
	unit_preempt_count += context;
	hit(INTS, 1, 1, '1');
	unit_preempt_count -= context;
}

/* No triggers, and nothing recorded. */
static void finish(void)
{
	marker_triggers_set_patterns(&marker_top, "", true);
	marker_control_set(&marker_top, "m", "*", 0);
	marker_top.live = MARKER_LIVE_ON;
	end();
}

/* Filters of one comparison, and all others. */
static void test_not_recorded(void)
{
	begin(4, RING_DISCARD);
	is_int(trigger("snapshot if a == 7"), 0, "a trigger");
	is_int(m.marker[INTS].marker.state, MARKER_ACTED, "state");
	hit(INTS, 6, 0, 'x');
	has_acted("", "filtered");
	hit(INTS, 7, 0, 'x');
	has_acted("snapshot ", "hit");
	is_str(recorded(), "", "not recorded");
	trigger("traceoff:1 if b == 5 && c == 'y'");
	hit(INTS, 7, 5, 'x');
	has_acted("snapshot ", "one of two");
	hit(INTS, 7, 5, 'y');
	has_acted("snapshot off ", "both");
	hit(INTS, 7, 5, 'y');
	has_acted("snapshot ", "it has nothing to do");
	marker_top.live = MARKER_LIVE_ON;
	hit(INTS, 7, 5, 'y');
	has_acted("snapshot ", "its count is used up");
	finish();
}

/* The event is in the trace before the action. */
static void test_recorded(void)
{
	begin(4, RING_DISCARD);
	trigger("snapshot if a == 7");
	marker_control_set(&marker_top, "m", "ints", MARKER_ASK_RECORD | MARKER_ASK_COUNT);
	counts(INTS);
	hit(INTS, 6, 0, 'x');
	has_acted("", "recorded and filtered");
	hit(INTS, 7, 0, 'x');
	has_acted("snapshot ", "recorded and hit");
	is_str(recorded(), "ints: a 6 b 0 c x\nints: a 7 b 0 c x\n", "both are recorded");
	is_str(counts(INTS), "2: 2 0 0 0 0", "and counted");
	finish();
}

/* The filter of the recording is not that of an action. */
static void test_filtered(void)
{
	begin(4, RING_DISCARD);
	trigger("snapshot if a == 7");
	marker_control_set(&marker_top, "m", "ints", MARKER_ASK_RECORD);
	marker_control_set_filter(&marker_top, "m", "ints", "a > 6");
	hit(INTS, 6, 0, 'x');
	hit(INTS, 7, 0, 'x');
	has_acted("snapshot ", "with a filter of the recording");
	is_str(recorded(), "ints: a 7 b 0 c x\n", "one is recorded");
	trigger("snapshot:1 if a == 6");
	hit(INTS, 6, 0, 'x');
	has_acted("snapshot ", "what is not recorded");
	is_str(recorded(), "", "nothing is recorded");
	marker_control_set_filter(&marker_top, "m", "ints", NULL);
	finish();
}

/* Of the hits in a probe only those of an interrupt act. */
static void test_in_probe(void)
{
	begin(4, RING_DISCARD);
	marker_probe_register("ints", NULL, hit_acted, NULL);
	trigger("snapshot if a == 1");
	context = 0;
	nested = 0;
	hit(INTS, 1, 1, '1');
	has_acted("snapshot ", "not in a probe");
	context = HARDIRQ_OFFSET;
	nested = 0;
	hit(INTS, 1, 1, '1');
	has_acted("snapshot snapshot ", "in an interrupt");
	nested = 1;
	hit(INTS, 0, 1, '1');
	is_int(nested, 2, "calls of the probe, filtered");
	has_acted("", "filtered");
	marker_probe_unregister("ints", hit_acted, NULL);
	finish();
}

/* tracing_on, and an end after a number of events. */
static void test_end(void)
{
	begin(4, RING_DISCARD);
	marker_control_set(&marker_top, "m", "*", MARKER_ASK_RECORD);
	trigger("traceoff:after=3 if a == 1");
	hit(INTS, 1, 0, 'x');
	ring_start_slow(ring);
	counted_down = 0;
	hit(INTS, 1, 0, 'x');
	has_acted("ending ", "the second one does nothing");
	is_int(counted_down, 1, "after the first one, events are counted");
	hit_all("slow");
	is_int(counted_down, 7, "all of them");
	marker_top.live = MARKER_LIVE_OFF;
	trigger("traceon:1 if a == 2");
	hit(INTS, 2, 0, 'x');
	hit(INTS, 2, 0, 'x');
	has_acted("on ", "on again");
	ring_start(ring);
	counted_down = 0;
	hit_all("quick");
	is_int(counted_down, 0, "none is counted");
	finish();
}

static void test_full(void)
{
	unsigned int i;

	begin(4, RING_DISCARD);
	marker_control_set(&marker_top, "m", "*", MARKER_ASK_RECORD);
	trigger("snapshot");
	for (i = 0; i < 1000; i++)
		hit(MANY, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
	hit(INTS, 1, 1, '1');
	has_acted("snapshot ", "in a full buffer");
	finish();
}

/* The actions are gone, the state is not. */
static void test_late_hit(void)
{
	begin(4, RING_DISCARD);
	trigger("snapshot");
	trigger("!snapshot");
	m.marker[INTS].marker.state = MARKER_ACTED | MARKER_RECORD_INTS;
	hit(INTS, 1, 5, '1');
	has_acted("", "a late hit");
	m.marker[INTS].marker.state = 0;
	finish();
}

/* What is under way already is not asked for, and takes no turn. */
static void test_dump(void)
{
	begin(4, RING_DISCARD);
	trigger("dump:last=20:1");
	may_dump = false;
	hit(INTS, 1, 5, '1');
	may_dump = true;
	hit(INTS, 1, 5, '1');
	hit(INTS, 1, 5, '1');
	has_acted("dump=20 ", "a dump");
	is_int(dump_claimed, 0, "a trigger whose count has run out claims none");
	finish();
}

/* Actions that change markers, until nothing changes any more. */
static void test_settled(void)
{
	begin(4, RING_DISCARD);
	trigger("enable_marker:m:text:5 if a == 3");
	trigger("disable_marker:m:text if a == 4");
	hit(INTS, 3, 0, 'x');
	hit(INTS, 4, 0, 'x');
	has_acted("enable_marker disable_marker ", "both ask");
	marker_program_actions(kit_event(&m, "ints"))->action[0]->settled = marker_top.rules.changes;
	hit(INTS, 3, 0, 'x');
	hit(INTS, 4, 0, 'x');
	has_acted("disable_marker ", "what is so already");
	marker_control_set(&marker_top, "m", "none", MARKER_ASK_RECORD);
	hit(INTS, 3, 0, 'x');
	has_acted("enable_marker ", "after a change");
	finish();
}

/* An action with nothing to do takes no turn: its count is for when it has. */
static void test_nothing_to_do(void)
{
	static const struct {
		const char *trigger;
		u32 live;	/* when it has nothing to do */
		u32 other;
	} cases[] = {
		{ "traceoff:2", MARKER_LIVE_OFF, MARKER_LIVE_ON },
		{ "traceoff:after=3:2", MARKER_LIVE_OFF, MARKER_LIVE_ON },
		{ "traceoff:after=3:2", MARKER_LIVE_ENDING, MARKER_LIVE_ON },
		{ "traceon:2", MARKER_LIVE_ON, MARKER_LIVE_OFF },
		{ "enable_marker:m:text:2", MARKER_LIVE_ON, MARKER_LIVE_ON },
		{ "disable_marker:m:text:2", MARKER_LIVE_ON, MARKER_LIVE_ON },
		{ "dump:last=20:2", MARKER_LIVE_ON, MARKER_LIVE_ON },
	};
	struct marker_action *action;
	unsigned int i;

	begin(4, RING_DISCARD);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		is_int(trigger(cases[i].trigger), 0, "%s", cases[i].trigger);
		action = marker_program_actions(kit_event(&m, "ints"))->action[0];
		marker_top.live = cases[i].live;
		action->settled = marker_top.rules.changes;
		may_dump = false;
		hit(INTS, 1, 2, 'x');
		has_acted("", "it has nothing to do");
		is_int(atomic_long_read(&action->hits), 0, "no hit");
		is_int(atomic_long_read(&action->left), 2, "no turn");
		marker_top.live = cases[i].other;
		action->settled--;
		may_dump = true;
		hit(INTS, 1, 2, 'x');
		ok(*acted, "then it has: %s", acted);
		acted[0] = '\0';
		is_int(atomic_long_read(&action->hits), 1, "a hit");
		is_int(atomic_long_read(&action->left), 1, "a turn");
		marker_triggers_set_patterns(&marker_top, "", true);
	}
	marker_top.live = MARKER_LIVE_ON;
	end();
}

/* A filter of patterns, which cost @nr times 1023 times 100 steps at most. */
static const char *patterns(const char *before, unsigned int nr)
{
	static char text[MARKER_MAX_FILTER + 64];
	char *end = text + sprintf(text, "%s", before);
	unsigned int i;

	for (i = 0; i < nr; i++)
		end += sprintf(end, "%ss ~ *%098d", i ? " || " : "", 0);
	return text;
}

/* Each filter ends soon; all that a hit runs do so, too. */
static void test_cost(void)
{
	const struct marker_event *event;
	static struct marker_recording recording;
	const char *text;

	begin(4, RING_DISCARD);
	event = kit_event(&m, "text");
	memset(&recording, 0, sizeof(recording));
	marker_recording_init(&recording, "rules");
	recording.live = MARKER_LIVE_ON;
	marker_recordings_add(&recording);
	is_int(marker_control_set_filter(&marker_top, "m", "text", patterns("", 9)), 0,
	       "cost: of an event");
	is_int(marker_program_cost(event, NULL), 9 * 1023 * 100, "cost: known");
	is_int(marker_control_set_patterns(&recording, patterns("m:text if ", 9), true), 0,
	       "cost: of an instance");
	is_int(marker_program_cost(event, NULL), 2 * 9 * 1023 * 100, "cost: known");
	is_int(marker_program_cost(event, &recording), 9 * 1023 * 100, "cost: but for that one");
	kit_log();
	is_int(marker_triggers_set(&marker_top, "m", "text", patterns("snapshot if ", 3)), -EINVAL,
	       "cost: no trigger that is too much");
	ok(strstr(kit_log(), "it takes too long"), "cost: why");
	is_int(marker_triggers_set(&marker_top, "m", "text", patterns("snapshot if ", 2)), 0,
	       "cost: one that is not");
	is_int(marker_triggers_set(&marker_top, "m", "text", patterns("traceon if ", 2)), -EINVAL,
	       "cost: no second one");
	is_int(marker_triggers_set_patterns(&marker_top, patterns("m:text traceon if ", 2),
					    true), 0, "cost: one in place of it");
	/* what was there makes room for what replaces it */
	is_int(marker_control_set_filter(&marker_top, "m", "text", patterns("", 8)), 0,
	       "cost: another filter");
	is_int(marker_control_set_filter(&marker_top, "m", "text", patterns("", 9)), 0,
	       "cost: and the old one");
	is_int(marker_control_set_patterns(&recording, patterns("m:text if ", 9), true), 0,
	       "cost: the instance again");
	text = patterns("m:text if s ~ * && ", 9);
	is_int(marker_control_set_patterns(&recording, text, true), 0, "cost: a bit more");
	marker_control_set(&marker_top, "m", "text", MARKER_ASK_RECORD);
	hit(TEXT, 1, (uintptr_t)"x");
	is_str(recorded(), "", "cost: the filter works");
	has_acted("", "cost: and the trigger");
	marker_triggers_set_patterns(&marker_top, "", true);
	marker_control_set_patterns(&marker_top, "", true);
	marker_control_set_filter(&marker_top, "m", "text", NULL);
	marker_control_end(&recording);
	marker_recordings_remove(&recording);
	kit_reap();
	end();
}

static void tests(void)
{
	test_cost();
	test_not_recorded();
	test_recorded();
	test_filtered();
	test_in_probe();
	test_end();
	test_full();
	test_late_hit();
	test_dump();
	test_settled();
	test_nothing_to_do();
}

int main(void)
{
	return kit_run(tests);
}
