// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of markers that an instance records, with the top and without: by the same ways, with its
 * own contexts, filters, triggers and losses.
 */
#include "dispatch_kit.h"

static struct marker_recording instance;
static struct ring *other;		/* of the instance */
static struct ring_cpu *ring_of_other;
static u32 tag;				/* of that one */

/* Of the instance; NULL: that of the top. */
static const struct marker_clock *clock_of_other;

/* What the instance has recorded. */
static const char *taken(void)
{
	const char *text;

	swap(ring, other);
	text = recorded();
	swap(ring, other);
	return text;
}

/* Nothing is recorded yet. */
static void begin_both(void)
{
	static struct marker_buffer buffer_of_other = { .recording = &instance };

	ring_tag = tag;
	ring_clock = clock_of_other;
	buffer = &buffer_of_other;
	begin(4, RING_DISCARD);
	other = ring;
	ring_of_other = marker_ring_cpu;
	ring_tag = 0;
	ring_clock = NULL;
	buffer = &buffer_of_top;
	begin(4, RING_DISCARD);
}

static void end_both(void)
{
	marker_triggers_set_patterns(&instance, "", true);
	marker_triggers_set_patterns(&marker_top, "", true);
	marker_control_set_patterns(&instance, "", true);
	marker_control_set_patterns(&marker_top, "", true);
	kit_reap();
	acted[0] = '\0';
	instance.live = MARKER_LIVE_ON;
	marker_top.live = MARKER_LIVE_ON;
	ring_destroy(other);
	end();
}

/* Its rules have never changed, and so nothing is known to be as an action wants it. */
static void test_new(void)
{
	begin_both();
	marker_triggers_set_patterns(&instance, "m:ints disable_marker:m:text", true);
	hit(INTS, 1, 2, 'x');
	is_str(acted, "disable_marker ", "the first action of a new instance");
	end_both();
}

/* The time of an event that only the instance records is that of its clock, not of the top's. */
static void test_clock(void)
{
	static const struct marker_clock counting = { .kind = MARKER_CLOCK_COUNT };
	u64 last;

	clock_of_other = &counting;
	begin_both();
	marker_control_set_patterns(&instance, "m:*", true);
	hit(NONE);
	last = local_read(&ring_of_other->last_ts);
	/* near: a time that is far away would not go the quick way */
	unit_time_ns = last + 100;
	hit_all("a string of more than two words");
	is_int(local_read(&ring_of_other->last_ts), last + 6, "six hits, counted");
	unit_time_ns = 0;
	clock_of_other = NULL;
	end_both();
}

static void test_one_or_both(void)
{
	begin_both();
	is_int(marker_control_set_patterns(&instance, "m:*", true), 0, "the instance: all");
	hit_all("one");
	is_str(taken(), all("one"), "the instance has them");
	is_str(recorded(), "", "and only that");
	marker_control_set(&marker_top, "m", "*", MARKER_ASK_RECORD);
	hit_all("a string of more than two words");
	is_str(taken(), all("a string of more than two words"), "both: the instance");
	is_str(recorded(), all("a string of more than two words"), "both: the top");
	marker_control_set(&marker_top, "m", "*", 0);
	marker_control_set_patterns(&instance, "", true);
	hit_all("gone");
	is_str(taken(), "", "nothing is wanted any more");
	end_both();
}

static void test_off(void)
{
	begin_both();
	marker_control_set_patterns(&instance, "m:*", true);
	marker_control_set(&marker_top, "m", "*", MARKER_ASK_RECORD);
	marker_top.live = MARKER_LIVE_OFF;
	ring_stop(ring);
	hit_all("eight888");
	is_str(taken(), all("eight888"), "the top is off");
	marker_top.live = MARKER_LIVE_ON;
	ring_start(ring);
	ring_stop(other);
	hit_all("eight888");
	ring_start(other);
	is_str(recorded(), all("eight888"), "the instance is off");
	is_str(taken(), "", "it has nothing");
	end_both();
}

static void test_filters(void)
{
	begin_both();
	is_int(marker_control_set_patterns(&instance, "m:ints if a > 1\n"
					   "m:text if s == abc && pid >= 0", true), 0,
	       "the instance: filters");
	hit(INTS, 1, 2, 'x');
	hit(INTS, 2, 2, 'x');
	hit(TEXT, 1, ARG("ab"));
	hit(TEXT, 1, ARG("abc"));
	is_str(taken(), "ints: a 2 b 2 c x\ntext: n 1 s abc\n", "what passes");
	end_both();
}

/* A trigger of the top, which does not record the marker. */
static void test_beside_trigger(void)
{
	begin_both();
	marker_control_set_patterns(&instance, "m:ints", true);
	is_int(trigger("traceoff if a == 9"), 0, "a trigger of the same marker");
	hit(INTS, 8, 2, 'x');
	hit(INTS, 9, 2, 'x');
	is_int(marker_top.live, MARKER_LIVE_OFF, "it acts");
	is_str(taken(), "ints: a 8 b 2 c x\nints: a 9 b 2 c x\n", "and the instance records");

	/* a misfit records nothing, whatever else the marker is hit for */
	marker_top.live = MARKER_LIVE_ON;
	is_int(marker_control_set_patterns(&instance, "m:ints#filter_refused if latency < 9",
					   true), 0, "the instance: only triggers know it");
	hit(INTS, 8, 2, 'x');
	hit(INTS, 9, 2, 'x');
	is_str(taken(), "", "the instance records nothing");
	end_both();
}

static void test_stacks(void)
{
	const char *text;

	begin_both();
	instance.rules.stacks_allowed = true;
	marker_control_set_patterns(&instance, "m:ints+stack=1", true);
	hit(INTS, 1, 2, 'x');
	is_str(taken(), "ints: a 1 b 2 c x\n => symbol+0x1\n", "a stack");
	is_int(marker_triggers_set_patterns(&instance, "m:ints stacktrace:1 if a > 1", true), 0,
	       "a stack at times");
	hit(INTS, 1, 2, 'x');
	hit(INTS, 2, 2, 'x');
	is_str(taken(), "ints: a 1 b 2 c x\n => symbol+0x1\nints: a 2 b 2 c x\n => symbol+0x1\n",
	       "whoever has one does not ask for it");
	marker_control_set_patterns(&instance, "m:ints", true);
	hit(INTS, 1, 2, 'x');
	hit(INTS, 2, 2, 'x');
	hit(INTS, 3, 2, 'x');
	text = taken();
	ok(strstr(text, "a 2 b 2 c x\n => symbol+0x1\n") &&
	   !strstr(text, "a 1 b 2 c x\n =>") && !strstr(text, "a 3 b 2 c x\n =>"),
	   "the stack of one: %s", text);
	end_both();
	instance.rules.stacks_allowed = false;
}

/* Its triggers act on it, and those of the top on the top. */
static void test_triggers(void)
{
	begin_both();
	marker_control_set_patterns(&instance, "m:ints", true);
	is_int(marker_triggers_set_patterns(&instance, "m:ints traceoff:1 if a == 1\n"
					    "m:ints traceon if a == 2\n"
					    "m:ints traceoff:after=3 if a == 3", true), 0,
	       "the instance: triggers");
	is_int(trigger("dump:last=2:2 if a == 4"), 0, "the top: a trigger");
	hit(INTS, 1, 2, 'x');
	ok(instance.live == MARKER_LIVE_OFF && marker_top.live == MARKER_LIVE_ON,
	   "the instance is off, the top is on");
	hit(INTS, 2, 2, 'x');
	hit(INTS, 1, 2, 'x');
	ok(instance.live == MARKER_LIVE_ON, "it is on again, and the count has run out");
	hit(INTS, 3, 2, 'x');
	ok(instance.live == MARKER_LIVE_ENDING, "an end is in sight");
	ring_stop(other);
	ring_start_slow(other);
	counted_down = 0;
	hit(INTS, 4, 2, 'x');
	hit(INTS, 4, 2, 'x');
	is_int(counted_down, 2, "events of the instance are counted down");
	is_str(acted, "off on ending dump=2 dump=2 ", "all that they did");
	is_str(taken(), "ints: a 1 b 2 c x\nints: a 2 b 2 c x\nints: a 1 b 2 c x\n"
	       "ints: a 3 b 2 c x\nints: a 4 b 2 c x\nints: a 4 b 2 c x\n", "and what it recorded");
	is_int(marker_triggers_set_patterns(&instance, "!m:ints dump", false), -ENOENT,
	       "the top's is not the instance's");
	end_both();
}

/* Each has sixteen triggers. */
static void test_room(void)
{
	unsigned int i;
	char text[64];

	begin_both();
	for (i = 0; i < MARKER_MAX_ACTIONS; i++) {
		sprintf(text, "m:ints traceon if a == %u", 100 + i);
		is_int(marker_triggers_set_patterns(&instance, text, !i), 0, "trigger %u", i);
	}
	is_int(marker_triggers_set_patterns(&instance, "m:ints traceoff", false), -ENOSPC, "one more");
	is_int(trigger("traceoff if a == 200"), 0, "of the top");
	end_both();
}

static void hit_shared(void *private, void *call_private, const char *fmt, va_list *args)
{
	unit_preempt_count += context;
	hit(INTS, 1, 2, 'x');
	unit_preempt_count -= context;
}

/* A hit in a probe of another marker; what both record is recorded in an interrupt only. */
static void test_nested(void)
{
	begin_both();
	marker_control_set_patterns(&instance, "m:ints", true);
	marker_control_set_patterns(&marker_top, "m:ints", true);
	marker_probe_register("text", NULL, hit_shared, NULL);
	context = 0;
	hit(TEXT, 1, ARG("a"));
	is_str(taken(), "", "in a probe: the instance");
	is_str(recorded(), "", "in a probe: the top");
	context = HARDIRQ_OFFSET;
	hit(TEXT, 1, ARG("a"));
	is_str(taken(), "ints: a 1 b 2 c x\n", "in an interrupt: the instance");
	is_str(recorded(), "ints: a 1 b 2 c x\n", "in an interrupt: the top");
	marker_probe_unregister("text", hit_shared, NULL);
	end_both();
}

static unsigned int nr_probed;

static void note_probe(void *private, void *call_private, const char *fmt, va_list *args)
{
	(void)call_private;
	(void)fmt;
	if (va_arg(*args, u64) == 1)
		nr_probed += private ? 1 : 100;
}

/*
 * The state of a marker and the program of its event change one after the other, so any state may
 * meet any program.  A hit ends, and does what the program says, or, in the state of an event that
 * only the top takes, with probes or without, what that says.  It runs an action and a probe once,
 * if the program has them and the state asks for them.
 */
static void test_any_state_of(const char *trigger, unsigned int probes)
{
	static const u32 states[] = {
		MARKER_RECORD_INTS, MARKER_MORE | MARKER_RECORD_INTS, MARKER_FILTERED,
		MARKER_SHARED | MARKER_FILTERED, MARKER_SHARED, MARKER_COUNTED | MARKER_RECORD_INTS,
		MARKER_COUNTED | MARKER_SHARED, MARKER_PROBED | MARKER_RECORD_INTS,
		MARKER_PROBED | MARKER_SHARED, MARKER_ACTED | MARKER_RECORD_INTS,
		MARKER_ACTED | MARKER_SHARED, MARKER_SHARED | MARKER_NOT_TOP, MARKER_COUNTED,
		MARKER_ONLY_PROBED, MARKER_ACTED, 0,
		MARKER_ACTED | MARKER_PROBED | MARKER_COUNTED | MARKER_SHARED,
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
	char wanted[16], what[64];
	unsigned int data[2];
	u32 was, rest;

	begin_both();
	/* there are counts, as a state with them says */
	marker_control_set_patterns(&marker_top, "m:ints=count", true);
	is_int(marker_triggers_set_patterns(&marker_top, trigger, true), 0, "\"%s\"", trigger);
	for (i = 0; i < probes; i++)
		marker_probe_register("ints", NULL, note_probe, &data[i]);
	snprintf(wanted, sizeof(wanted), "%s", *trigger && !strstr(trigger, "== 2") ? "snapshot " : "");
	for (i = 0; i < ARRAY_SIZE(programs); i++) {
		marker_control_set_patterns(&marker_top, programs[i].top, true);
		marker_control_set_patterns(&instance, programs[i].instance, true);
		was = marker->state;
		for (j = 0; j < ARRAY_SIZE(states); j++) {
			marker->state = states[j];
			acted[0] = '\0';
			nr_probed = 0;
			hit(INTS, 1, 2, 'x');
			by_top = !strcmp(recorded(), record);
			by_instance = !strcmp(taken(), record);
			snprintf(what, sizeof(what), "state %x, \"%s\", \"%s\", %u probes",
				 states[j], programs[i].top, trigger, probes);
			is_str(acted, states[j] & MARKER_ACTED & ~MARKER_MORE ? wanted : "",
			       "%s: the action", what);
			is_int(nr_probed, states[j] & MARKER_PROBED & ~MARKER_MORE ? probes : 0,
			       "%s: the probes", what);
			rest = states[j];
			/* goes on as if there were no trigger */
			if (strstr(trigger, "== 2") &&
			    (rest == MARKER_ACTED || rest == (MARKER_ACTED | MARKER_RECORD_INTS)))
				rest &= ~MARKER_ACTED;
			if (!rest || rest == MARKER_COUNTED || rest == MARKER_ONLY_PROBED) {
				ok(!by_top && !by_instance, "%s: nothing to record", what);
				continue;
			}
			if (rest == MARKER_RECORD_INTS ||
			    rest == (MARKER_PROBED | MARKER_RECORD_INTS)) {
				ok(by_top && !by_instance, "%s: only by the top", what);
				continue;
			}
			is_int(by_top, states[j] & MARKER_NOT_TOP & ~MARKER_MORE ? 0 :
			       programs[i].by_top, "%s: the top", what);
			is_int(by_instance, programs[i].by_instance, "%s: the instance", what);
		}
		marker->state = was;
	}
	for (i = 0; i < probes; i++)
		marker_probe_unregister("ints", note_probe, &data[i]);
	marker_control_set_patterns(&instance, "", true);
	marker_control_set_patterns(&marker_top, "", true);
	counts(INTS);
	end_both();
}

static void test_any_state(void)
{
	test_any_state_of("", 0);
	test_any_state_of("m:ints snapshot", 0);
	test_any_state_of("m:ints snapshot if a == 1", 1);
	test_any_state_of("m:ints snapshot if a == 2", 2);
}

static void hit_again(void *private, void *data, const char *format, va_list *args)
{
	(void)private;
	(void)data;
	(void)format;
	(void)args;
	if (!nested++)
		hit(INTS, 1, 2, 'x');
}

/* Each recording counts what becomes of a hit in it. */
static void test_counts(void)
{
	struct marker *marker = &m.marker[INTS].marker;

	begin_both();
	is_int(marker_control_set_patterns(&instance, "m:ints+count if a > 1", true), 0,
	       "the instance: counted");
	ok(marker->state == (MARKER_SHARED | MARKER_COUNTED), "its state: %x", marker->state);
	hit(INTS, 1, 2, 'x');
	hit(INTS, 2, 2, 'x');
	hit(INTS, 3, 2, 'x');
	is_str(taken(), "ints: a 2 b 2 c x\nints: a 3 b 2 c x\n", "what it records");
	is_str(counts_in(&instance, INTS), "3: 2 1 0 0 0", "and counts");
	is_str(counts(INTS), "0: 0 0 0 0 0", "the top does not");

	/* the top only counts, then does not count, and counts what it records */
	marker_control_set_patterns(&marker_top, "m:ints=count", true);
	hit(INTS, 1, 2, 'x');
	hit(INTS, 2, 2, 'x');
	is_str(counts_in(&instance, INTS), "2: 1 1 0 0 0", "beside the top");
	is_str(counts(INTS), "2: 0 0 0 0 2", "which only counts");
	marker_control_set_patterns(&marker_top, "m:ints if a == 1", true);
	hit(INTS, 1, 2, 'x');
	hit(INTS, 2, 2, 'x');
	is_str(counts_in(&instance, INTS), "2: 1 1 0 0 0", "beside the top");
	is_str(counts(INTS), "0: 0 0 0 0 0", "which does not count");
	marker_control_set_patterns(&marker_top, "m:ints+count if a == 1", true);
	hit(INTS, 1, 2, 'x');
	hit(INTS, 1, 2, 'x');
	hit(INTS, 2, 2, 'x');
	is_str(counts_in(&instance, INTS), "3: 1 2 0 0 0", "what the top records");
	is_str(counts(INTS), "3: 2 1 0 0 0", "counts otherwise there");
	marker_control_set_patterns(&instance, "m:ints=count", true);
	hit(INTS, 1, 2, 'x');
	hit(INTS, 2, 2, 'x');
	is_str(counts_in(&instance, INTS), "2: 0 0 0 0 2", "only counted by the instance");
	is_str(counts(INTS), "2: 1 1 0 0 0", "and recorded by the top");
	marker_control_set_patterns(&marker_top, "", true);
	ok(marker->state == (MARKER_SHARED | MARKER_COUNTED), "only counted: %x", marker->state);
	taken();
	recorded();
	hit(INTS, 1, 2, 'x');
	is_str(counts_in(&instance, INTS), "1: 0 0 0 0 1", "without the top");
	is_str(taken(), "", "nothing is recorded");

	/* of a site that is enabled alone, and of the others */
	is_int(marker_switch_set_site(marker->event, 0, true), 0, "its only site alone");
	hit(INTS, 1, 2, 'x');
	is_str(recorded(), "ints: a 1 b 2 c x\n", "the top records it");
	is_str(counts_in(&instance, INTS), "1: 0 0 0 0 1", "the instance counts it");
	marker_switch_set_site(marker->event, 0, false);

	/* tracing_on=0, a full buffer, and a hit in a hit */
	marker_control_set_patterns(&instance, "m:ints+count", true);
	ring_stop(other);
	hit(INTS, 1, 2, 'x');
	is_str(counts_in(&instance, INTS), "1: 0 0 0 0 1", "the instance is off");
	ring_start(other);
	marker_control_set_patterns(&marker_top, "m:ints=count", true);
	for (unsigned int nr = 0; nr < 3000; nr++)
		hit(INTS, 1, 2, 'x');
	counts_in(&instance, INTS);
	counts(INTS);
	hit(INTS, 1, 2, 'x');
	is_str(counts_in(&instance, INTS), "1: 0 0 1 0 0", "there is no room in it");
	is_str(counts(INTS), "1: 0 0 0 0 1", "the top only counts");
	taken();
	nested = 0;
	marker_probe_register("ints", NULL, hit_again, NULL);
	hit(INTS, 1, 2, 'x');
	marker_probe_unregister("ints", hit_again, NULL);
	is_str(counts_in(&instance, INTS), "2: 1 0 0 1 0", "a hit in a hit is skipped");
	is_str(counts(INTS), "2: 0 0 0 1 1", "for both");
	taken();
	end_both();
}

/* Losses are those of the instance. */
static void test_losses(void)
{
	struct ring_stats stats;
	unsigned int i;

	begin_both();
	marker_control_set_patterns(&instance, "m:many", true);
	for (i = 0; i < 1000; i++)
		hit(MANY, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
	ring_stats(other, unit_cpu, &stats);
	ok(stats.lost[RING_LOST_FULL] > 500, "full: %llu are lost",
	   (unsigned long long)stats.lost[RING_LOST_FULL]);
	ring_stats(ring, unit_cpu, &stats);
	is_int(stats.lost[RING_LOST_FULL], 0, "none at the top");
	end_both();
}

/* Nothing that an instance has needs memory to go. */
static void test_end(void)
{
	struct marker_event *event = m.marker[INTS].marker.event;

	is_int(marker_control_set_patterns(&instance, "m:*", true), 0, "all again");
	marker_registry_lock();
	unit_alloc_fail = 1;
	is_int(marker_program_edit(event, &instance, 0, NULL), 0,
	       "taking the last one away needs no memory");
	unit_alloc_fail = 0;
	marker_program_settle(event);
	marker_registry_unlock();
	marker_triggers_set_patterns(&instance, "m:ints traceoff\nm:* snapshot\nother:x dump", true);
	trigger("traceon if a == 100");
	unit_alloc_fail = 1;
	marker_triggers_end(&instance);
	unit_alloc_fail = 0;
	kit_reap();
	ok(list_empty(&instance.triggers), "its triggers go without memory");
	marker_control_end(&instance);
	hit(INTS, 1, 2, 'x');
	is_str(acted, "", "and none acts");
	trigger("!traceon");
	kit_reap();
}

static void tests(void)
{
	static const u32 tags[] = { 0, BIT(MARKER_CONTEXT_CALLSTACK) };
	unsigned int i;

	memset(&instance, 0, sizeof(instance));
	marker_recording_init(&instance, "instance");
	instance.live = MARKER_LIVE_ON;
	instance.ring = &ring_of_other;
	marker_recordings_add(&instance);
	test_new();
	for (i = 0; i < ARRAY_SIZE(tags); i++) {
		tag = marker_context_tag(tags[i]);
		test_clock();
		test_one_or_both();
		test_off();
		test_filters();
		test_beside_trigger();
		if (tags[i])
			test_stacks();
		test_counts();
		test_any_state();
		test_triggers();
		test_room();
		test_nested();
		test_losses();
	}
	test_end();
	marker_recordings_remove(&instance);
}

int main(void)
{
	return kit_run(tests);
}
