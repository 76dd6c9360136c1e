// SPDX-License-Identifier: GPL-2.0
/* Hits of markers that an instance records, with the top and without. */
#include "dispatch_kit.h"

static struct ring *other;

/* What the instance has recorded. */
static const char *copied(void)
{
	const char *text;

	swap(ring, other);
	text = recorded();
	swap(ring, other);
	return text;
}

/* Its triggers act on it, and those of the top on the top. */
static void test_triggers(struct marker_recording *recording)
{

	marker_control_set_patterns(recording, "m:ints", true);
	is_int(marker_triggers_set_patterns(recording, "m:ints traceoff:1 if a == 1\n"
					    "m:ints traceon if a == 2\n"
					    "m:ints traceoff:after=3 if a == 3", true), 0,
	       "the instance: triggers");
	is_int(trigger("dump:last=2:2 if a == 4"), 0, "the top: a trigger");
	hit(INTS, 1, 2, 'x');
	ok(recording->live == MARKER_LIVE_OFF && marker_top.live == MARKER_LIVE_ON,
	   "the instance is off, the top is on");
	hit(INTS, 2, 2, 'x');
	hit(INTS, 1, 2, 'x');
	ok(recording->live == MARKER_LIVE_ON, "it is on again, and the count has run out");
	hit(INTS, 3, 2, 'x');
	ok(recording->live == MARKER_LIVE_ENDING, "an end is in sight");
	ring_stop(other);
	ring_start_slow(other);
	counted_down = 0;
	hit(INTS, 4, 2, 'x');
	hit(INTS, 4, 2, 'x');
	is_int(counted_down, 2, "events of the instance are counted down");
	ring_start(other);
	recording->live = MARKER_LIVE_ON;
	is_str(acted, "off on ending dump=2 dump=2 ", "all that they did");
	acted[0] = '\0';
	is_str(copied(), "ints: a 1 b 2 c x\nints: a 2 b 2 c x\nints: a 1 b 2 c x\n"
	       "ints: a 3 b 2 c x\nints: a 4 b 2 c x\nints: a 4 b 2 c x\n", "and what it recorded");
	is_int(marker_triggers_set_patterns(recording, "!m:ints dump", false), -ENOENT,
	       "the top's is not the instance's");

	/* each has sixteen */
	for (unsigned int i = 0; i < MARKER_MAX_ACTIONS; i++) {
		char text[64];

		sprintf(text, "m:ints traceon if a == %u", 100 + i);
		is_int(marker_triggers_set_patterns(recording, text, !i), 0, "trigger %u", i);
	}
	is_int(marker_triggers_set_patterns(recording, "m:ints traceoff", false), -ENOSPC, "one more");
	is_int(trigger("traceoff if a == 200"), 0, "of the top");
	marker_triggers_set_patterns(recording, "", true);
	marker_triggers_set_patterns(&marker_top, "", true);

	kit_reap();
	copied();
	recorded();
}

/*
 * The state of a marker and the program of its event change one after the other, so any state may
 * meet any program.  A hit ends, and does what the program says, or, in the state of an event that
 * only the top takes, what that says.
 */
static void test_any_state(struct marker_recording *recording)
{
	static const u32 states[] = {
		MARKER_RECORD_INTS, MARKER_MORE | MARKER_RECORD_INTS, MARKER_FILTERED,
		MARKER_SHARED | MARKER_FILTERED, MARKER_SHARED, MARKER_COUNTED | MARKER_RECORD_INTS,
		MARKER_COUNTED | MARKER_SHARED, MARKER_PROBED | MARKER_RECORD_INTS,
		MARKER_PROBED | MARKER_SHARED, MARKER_ACTED | MARKER_RECORD_INTS,
		MARKER_ACTED | MARKER_SHARED, MARKER_SHARED | MARKER_NOT_TOP, MARKER_COUNTED,
		MARKER_ONLY_PROBED, MARKER_ACTED, 0,
	};
	static const struct {
		const char *top, *instance;
		unsigned int by_top, by_instance;	/* hits with a == 1 that are recorded */
	} programs[] = {
		{ "", "", 0, 0 },
		{ "m:ints", "", 1, 0 },
		{ "m:ints if a == 1", "", 1, 0 },
		{ "m:ints if a == 2", "", 0, 0 },
		{ "", "m:ints", 0, 1 },
		{ "", "m:ints if a == 1", 0, 1 },
		{ "", "m:ints if a == 2", 0, 0 },
		{ "m:ints", "m:ints", 1, 1 },
		{ "m:ints if a == 2", "m:ints", 0, 1 },
		{ "m:ints", "m:ints if a == 2", 1, 0 },
		{ "m:ints=count", "m:ints", 0, 1 },
	};
	static const char record[] = "ints: a 1 b 2 c x\n";
	struct marker *marker = &m.marker[INTS].marker;
	unsigned int i, j, by_top, by_instance;
	const char *what;
	u32 was;

	/* there are counts, as a state with them says */
	marker_control_set_patterns(&marker_top, "m:ints=count", true);
	for (i = 0; i < ARRAY_SIZE(programs); i++) {
		marker_control_set_patterns(&marker_top, programs[i].top, true);
		marker_control_set_patterns(recording, programs[i].instance, true);
		was = marker->state;
		for (j = 0; j < ARRAY_SIZE(states); j++) {
			marker->state = states[j];
			hit(INTS, 1, 2, 'x');
			by_top = !strcmp(recorded(), record);
			by_instance = !strcmp(copied(), record);
			what = programs[i].top;
			if (!states[j] || states[j] == MARKER_COUNTED ||
			    states[j] == MARKER_ONLY_PROBED) {
				ok(!by_top && !by_instance, "state %x, \"%s\": nothing to record",
				   states[j], what);
				continue;
			}
			if (states[j] == MARKER_RECORD_INTS) {
				ok(by_top && !by_instance, "state %x, \"%s\": only by the top",
				   states[j], what);
				continue;
			}
			is_int(by_top, states[j] & MARKER_NOT_TOP & ~MARKER_MORE ? 0 :
			       programs[i].by_top, "state %x, program %u: the top", states[j], i);
			is_int(by_instance, programs[i].by_instance,
			       "state %x, program %u: the instance", states[j], i);
		}
		marker->state = was;
	}
	marker_control_set_patterns(recording, "", true);
	marker_control_set_patterns(&marker_top, "", true);
	counts(INTS);
}

/* An instance records by the same ways, with its own contexts, filters and losses. */
static void tests(void)
{
	static struct ring_cpu *ring_of_other;
	static struct marker_recording recording;
	static struct marker_buffer buffer_of_other = { .recording = &recording };
	static const u32 tags[] = { 0, BIT(MARKER_CONTEXT_CALLSTACK) };
	struct ring_stats stats;
	const char *text;
	unsigned int i;

	marker_recording_init(&recording, "rules");
	recording.live = MARKER_LIVE_ON;
	recording.ring = &ring_of_other;
	marker_recordings_add(&recording);
	for (i = 0; i < ARRAY_SIZE(tags); i++) {
		ring_tag = marker_context_tag(tags[i]);
		buffer = &buffer_of_other;
		begin(4, RING_DISCARD);
		buffer = &buffer_of_top;
		other = ring;
		ring_of_other = marker_ring_cpu;
		ring_tag = 0;
		begin(4, RING_DISCARD);
		is_int(marker_control_set_patterns(&recording, "m:*", true), 0, "the instance: all");
		hit_all("one");
		is_str(copied(), all("one"), "the instance has them");
		is_str(recorded(), "", "and only that");
		marker_control_set("m", "*", MARKER_ASK_RECORD);
		hit_all("a string of more than two words");
		is_str(copied(), all("a string of more than two words"), "both: the instance");
		is_str(recorded(), all("a string of more than two words"), "both: the top");
		marker_top.live = MARKER_LIVE_OFF;
		ring_stop(ring);
		hit_all("eight888");
		is_str(copied(), all("eight888"), "the top is off");
		marker_top.live = MARKER_LIVE_ON;
		ring_start(ring);
		ring_stop(other);
		hit_all("eight888");
		ring_start(other);
		is_str(recorded(), all("eight888"), "the instance is off");
		is_str(copied(), "", "it has nothing");

		is_int(marker_control_set_patterns(&recording, "m:ints if a > 1\n"
						   "m:text if s == abc && pid >= 0", true), 0,
		       "the instance: filters");
		marker_control_set("m", "*", 0);
		hit(INTS, 1, 2, 'x');
		hit(INTS, 2, 2, 'x');
		hit(TEXT, 1, ARG("ab"));
		hit(TEXT, 1, ARG("abc"));
		is_str(copied(), "ints: a 2 b 2 c x\ntext: n 1 s abc\n", "what passes");

		/* a trigger loses its short cut, and finds it again */
		is_int(trigger("traceoff if a == 9"), 0, "a trigger of the same marker");
		hit(INTS, 8, 2, 'x');
		hit(INTS, 9, 2, 'x');
		is_int(marker_top.live, MARKER_LIVE_OFF, "it acts");
		acted[0] = '\0';
		marker_top.live = MARKER_LIVE_ON;
		is_str(copied(), "ints: a 8 b 2 c x\nints: a 9 b 2 c x\n", "and the instance records");

		/* a misfit records nothing, whatever else the marker is hit for */
		is_int(marker_control_set_patterns(&recording, "m:ints#filter_refused if latency < 9",
						   true), 0, "the instance: only triggers know it");
		hit(INTS, 8, 2, 'x');
		hit(INTS, 9, 2, 'x');
		is_str(copied(), "", "the instance records nothing");
		acted[0] = '\0';
		marker_top.live = MARKER_LIVE_ON;
		marker_triggers_set_patterns(&marker_top, "", true);
		kit_reap();

		if (tags[i] == BIT(MARKER_CONTEXT_CALLSTACK)) {
			recording.rules.stacks_allowed = true;
			marker_control_set_patterns(&recording, "m:ints+stack=1", true);
			hit(INTS, 1, 2, 'x');
			is_str(copied(), "ints: a 1 b 2 c x\n => symbol+0x1\n", "a stack");
			marker_control_set_patterns(&recording, "m:ints", true);
			is_int(marker_triggers_set_patterns(&recording, "m:ints stacktrace:1 if a > 1",
							    true), 0, "a stack at times");
			hit(INTS, 1, 2, 'x');
			hit(INTS, 2, 2, 'x');
			hit(INTS, 3, 2, 'x');
			text = copied();
			ok(strstr(text, "a 2 b 2 c x\n => symbol+0x1\n") &&
			   !strstr(text, "a 1 b 2 c x\n =>") && !strstr(text, "a 3 b 2 c x\n =>"),
			   "the stack of one: %s", text);
			marker_triggers_set_patterns(&recording, "", true);
			kit_reap();
			recording.rules.stacks_allowed = false;
		}
		test_any_state(&recording);
		test_triggers(&recording);
		/* full: losses are those of the instance */
		marker_control_set_patterns(&recording, "m:many", true);
		for (unsigned int nr = 0; nr < 1000; nr++)
			hit(MANY, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
		ring_stats(other, unit_cpu, &stats);
		ok(stats.lost[RING_LOST_FULL] > 500, "full: %llu are lost",
		   (unsigned long long)stats.lost[RING_LOST_FULL]);
		copied();
		ring_stats(ring, unit_cpu, &stats);
		is_int(stats.lost[RING_LOST_FULL], 0, "none at the top");
		marker_control_set_patterns(&recording, "", true);
		hit_all("gone");
		is_str(copied(), "", "nothing is wanted any more");
		ring_destroy(other);
		end();
	}
	is_int(marker_control_set_patterns(&recording, "m:*", true), 0, "all again");
	marker_registry_lock();
	unit_alloc_fail = 1;
	is_int(marker_program_edit(m.marker[INTS].marker.event, &recording, 0, NULL), 0,
	       "taking the last one away needs no memory");
	unit_alloc_fail = 0;
	marker_program_settle(m.marker[INTS].marker.event);
	marker_registry_unlock();
	marker_triggers_set_patterns(&recording, "m:ints traceoff\nm:* snapshot\nother:x dump", true);
	trigger("traceon if a == 100");
	unit_alloc_fail = 1;
	marker_triggers_end(&recording);
	unit_alloc_fail = 0;
	kit_reap();
	ok(list_empty(&recording.triggers), "its triggers go without memory");
	marker_control_end(&recording);
	hit(INTS, 1, 2, 'x');
	is_str(acted, "", "and none acts");
	trigger("!traceon");
	kit_reap();
	marker_recordings_remove(&recording);
}

int main(void)
{
	return kit_run(tests);
}
