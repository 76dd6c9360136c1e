// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of markers that are recorded, by each way, and of markers with probes; from within a
 * probe and from interrupts; while the ring is full and while nothing is recorded.
 */
#include "dispatch_kit.h"

static void test_record(void)
{
	static const char *const strings[] = {
		"", "1", "seven77", "eight888", "sixteen_16161616", "a string of more than two words",
	};
	unsigned int i;

	begin(4, RING_DISCARD);
	hit_all("off");
	is_str(recorded(), "", "disabled");
	marker_control_set(&marker_top, "m", "*", true);
	for (i = 0; i < ARRAY_SIZE(strings); i++) {
		hit_all(strings[i]);
		is_str(recorded(), all(strings[i]), "recorded, with \"%s\"", strings[i]);
	}
	hit(TEXT, 1, 0);
	is_str(recorded(), "text: n 1 s (null)\n", "a null pointer");
	ring_stop(ring);
	hit_all("stopped");
	ring_start(ring);
	is_str(recorded(), "", "stopped");
	marker_control_set(&marker_top, "m", "*", false);
	hit_all("off");
	is_str(recorded(), "", "disabled again");
	end();
}

/* A gap in time that does not fit a short header. */
static void test_time(void)
{
	char wanted[8192];

	snprintf(wanted, sizeof(wanted), "%s%s", all("gap"), all("gap"));
	unit_time_ns = 1000;
	begin(4, RING_DISCARD);
	marker_control_set(&marker_top, "m", "*", true);
	hit_all("gap");
	unit_time_ns += 1ull << 40;
	hit_all("gap");
	is_str(recorded(), wanted, "events far apart");
	marker_control_set(&marker_top, "m", "*", false);
	end();
	unit_time_ns = 0;
}

/* Writes the records that fit, and counts the others. */
static void test_full(void)
{
	struct ring_stats stats;
	unsigned int i, nr = 0;
	const char *c;

	begin(2, RING_DISCARD);
	marker_control_set(&marker_top, "m", "*", true);
	for (i = 0; i < 1000; i++)
		hit_all("full");
	ring_stats(ring, unit_cpu, &stats);
	is_int(stats.written, 6000, "hits");
	ok(stats.lost[RING_LOST_FULL] > 0, "lost: %llu",
	   (unsigned long long)stats.lost[RING_LOST_FULL]);
	for (c = recorded(); (c = strchr(c, '\n')); c++)
		nr++;
	is_int(nr, 6000 - stats.lost[RING_LOST_FULL], "the others are there");
	marker_control_set(&marker_top, "m", "*", false);
	end();
}

/* Probes. */

static unsigned int calls, others;
static char seen[256];

static void see(void *private, void *call, const char *fmt, va_list *args)
{
	calls++;
	vsnprintf(seen, sizeof(seen), fmt, *args);
	ok(private == &calls && !call, "what the probe is given");
	is_int(unit_preempt_count & 0xff, 1, "preemption is off in a probe, once");
}

static void see_too(void *private, void *call, const char *fmt, va_list *args)
{
	others++;
}

/* A trigger rules the hit out, and what is left is a probe: nothing is recorded. */
static void test_acted_and_probed(void)
{
	struct ring_stats stats;

	calls = 0;
	begin(4, RING_DISCARD);
	marker_probe_register("ints", NULL, see, &calls);
	marker_probe_register("text", NULL, see, &calls);
	is_int(trigger("traceoff if a == 9"), 0, "a trigger beside a probe");
	is_int(marker_triggers_set(&marker_top, "m", "text", "traceoff if n == 9"), 0,
	       "and of another format");
	hit(INTS, 1, 2, 'z');
	hit(TEXT, 1, ARG("abc"));
	hit(INTS, 1, 2, 'z');
	hit(TEXT, 1, ARG("abc"));
	is_int(calls, 4, "calls of the probe");
	ring_stats(ring, unit_cpu, &stats);
	is_int(stats.written, 0, "nothing is recorded");
	is_str(recorded(), "", "nor seen");
	marker_triggers_set_patterns(&marker_top, "", true);
	kit_reap();
	marker_probe_unregister("ints", see, &calls);
	marker_probe_unregister("text", see, &calls);
	end();
}

static void test_probes(void)
{
	calls = 0;
	others = 0;
	begin(4, RING_DISCARD);
	marker_probe_register("ints", NULL, see, &calls);
	marker_probe_register("many", NULL, see, &calls);
	hit(INTS, 1, 2, 'z');
	is_int(calls, 1, "calls");
	is_str(seen, "a 1 b 2 c z", "its arguments");
	is_str(recorded(), "", "probed, not recorded");
	hit(MANY, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
	is_str(seen, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", "16 arguments");
	marker_control_set(&marker_top, "m", "*", true);
	hit(INTS, 3, 4, 'y');
	is_int(calls, 3, "calls");
	is_str(recorded(), "ints: a 3 b 4 c y\n", "probed and recorded");
	ring_stop(ring);
	hit(INTS, 3, 4, 'y');
	is_int(calls, 4, "called while nothing is recorded");
	marker_probe_register("ints", NULL, see_too, NULL);
	hit(INTS, 5, 6, 'x');
	is_int(calls, 5, "calls of the first of two probes");
	is_int(others, 1, "calls of the second");
	marker_probe_unregister("ints", see_too, NULL);
	marker_probe_unregister("ints", see, &calls);
	marker_probe_unregister("many", see, &calls);
	marker_control_set(&marker_top, "m", "*", false);
	end();
}

/* A probe that hits markers: in its own context, and in an interrupt. */

static void hit_again(void *private, void *call, const char *fmt, va_list *args)
{
	if (nested++ > 10)
		return;
	unit_preempt_count += context;
	hit(NONE);
	hit(INTS, 8, 8, '8');
	hit(TEXT, 8, ARG("again"));
	unit_preempt_count -= context;
}

static void test_nested(void)
{
	static const struct {
		const char *name;
		u32 count;
		bool recorded;
	} contexts[] = {
		{ "the same context", 0, false },
		{ "a softirq", SOFTIRQ_OFFSET, true },
		{ "an interrupt", HARDIRQ_OFFSET, true },
		{ "an NMI", 0x100000, true },
	};
	const char *inner = "none: \nints: a 8 b 8 c 8\ntext: n 8 s again\n";
	char wanted[256];
	unsigned int i;
	u64 skipped;

	begin(4, RING_DISCARD);
	marker_control_set(&marker_top, "m", "*", true);
	for (i = 0; i < ARRAY_SIZE(contexts); i++) {
		context = contexts[i].count;
		/* the inner one of a probed marker, too */
		marker_probe_register("ints", NULL, hit_again, NULL);
		nested = 0;
		skipped = marker_dispatch_skipped(0);
		hit(INTS, 1, 1, '1');
		snprintf(wanted, sizeof(wanted), "ints: a 1 b 1 c 1\n%s",
			 contexts[i].recorded ? inner : "");
		is_str(recorded(), wanted, "hits in a probe, in %s", contexts[i].name);
		/* an interrupt calls the probe once more, and skips the hits within that call */
		is_int(marker_dispatch_skipped(0) - skipped, 3, "skipped");
		is_int(nested, contexts[i].recorded ? 2 : 1, "calls of the probe");
		marker_probe_unregister("ints", hit_again, NULL);
		hit(INTS, 2, 2, '2');
		is_str(recorded(), "ints: a 2 b 2 c 2\n", "afterwards all is well");
	}
	marker_control_set(&marker_top, "m", "*", false);
	end();
}

/* Another marker of an event, in an interrupt of its probe; a site of the first is enabled alone. */
static struct marker other_marker;

static void hit_other(void *private, void *call, const char *fmt, va_list *args)
{
	if (nested++)
		return;
	unit_preempt_count += HARDIRQ_OFFSET;
	marker_dispatch(&other_marker, (const u64[]){ 8, 8, '8' });
	unit_preempt_count -= HARDIRQ_OFFSET;
}

static void test_nested_alone(void)
{
	struct marker_event *event = m.marker[INTS].marker.event;

	begin(4, RING_DISCARD);
	nested = 0;
	marker_probe_register("ints", NULL, hit_other, NULL);
	is_int(marker_switch_set_site(event, 0, true), 0, "a site alone");
	other_marker = m.marker[INTS].marker;
	other_marker.state = marker_program_state(event, false);
	is_int(other_marker.state, MARKER_ONLY_PROBED, "state of another marker of the event");
	marker_dispatch(&other_marker, (const u64[]){ 1, 1, '1' });
	is_int(nested, 2, "calls of the probe");
	is_str(recorded(), "", "not recorded, in an interrupt neither");
	marker_switch_set_site(event, 0, false);
	marker_probe_unregister("ints", hit_other, NULL);
	end();
}

static void all_counts(const char *wanted, const char *what)
{
	int nr;

	for (nr = NONE; nr <= MANY; nr++)
		is_str(counts(nr), wanted, "%s: counts of %s", what, m.marker[nr].name);
}

static void test_counts(void)
{
	struct ring_stats stats;
	unsigned int i;
	char text[64];
	int nr;

	for (nr = NONE; nr <= MANY; nr++)
		counts(nr);
	begin(2, RING_DISCARD);
	hit_all("off");
	marker_control_set(&marker_top, "m", "*", MARKER_ASK_COUNT);
	hit_all("counted");
	is_str(recorded(), "", "counted, not recorded");
	all_counts("1: 0 0 0 0 1", "counted");
	marker_control_set(&marker_top, "m", "*", MARKER_ASK_COUNT | MARKER_ASK_RECORD);
	hit_all("both");
	is_str(recorded(), all("both"), "counted and recorded");
	all_counts("1: 1 0 0 0 0", "counted and recorded");
	hit(TEXT, 1, 0);
	hit(TEXT, 1, ARG("a string of more than two words"));
	hit(TEXT, 1, ARG("7"));
	is_str(counts(TEXT), "3: 3 0 0 0 0", "strings");
	ring_stop(ring);
	hit_all("stopped");
	ring_start(ring);
	all_counts("1: 0 0 0 0 1", "stopped");

	end();
	begin(2, RING_DISCARD);
	for (i = 0; i < 1000; i++)
		hit(INTS, 1, 2, 'x');
	ring_stats(ring, unit_cpu, &stats);
	ok(stats.lost[RING_LOST_FULL] > 0, "lost: %llu",
	   (unsigned long long)stats.lost[RING_LOST_FULL]);
	snprintf(text, sizeof(text), "1000: %llu 0 %llu 0 0",
		 (unsigned long long)(1000 - stats.lost[RING_LOST_FULL]),
		 (unsigned long long)stats.lost[RING_LOST_FULL]);
	is_str(counts(INTS), text, "what was recorded and lost");
	marker_control_set(&marker_top, "m", "*", false);
	hit_all("off");
	all_counts("0: 0 0 0 0 0", "disabled");
	end();

	/* a probe that hits markers, in its own context and in an interrupt */
	begin(4, RING_DISCARD);
	marker_control_set(&marker_top, "m", "*", MARKER_ASK_COUNT | MARKER_ASK_RECORD);
	marker_probe_register("ints", NULL, hit_again, NULL);
	context = 0;
	nested = 0;
	hit(INTS, 1, 1, '1');
	is_str(counts(INTS), "2: 1 0 0 1 0", "in a probe");
	is_str(counts(TEXT), "1: 0 0 0 1 0", "in a probe");
	context = HARDIRQ_OFFSET;
	nested = 0;
	hit(INTS, 1, 1, '1');
	is_str(counts(INTS), "3: 2 0 0 1 0", "in an interrupt");
	is_str(counts(TEXT), "2: 1 0 0 1 0", "in an interrupt");
	marker_control_set(&marker_top, "m", "*", MARKER_ASK_COUNT);
	context = 0;
	nested = 0;
	hit(INTS, 1, 1, '1');
	is_str(counts(INTS), "2: 0 0 0 1 1", "counted and probed");
	is_str(counts(TEXT), "1: 0 0 0 0 1", "counted in a probe");
	marker_probe_unregister("ints", hit_again, NULL);
	marker_control_set(&marker_top, "m", "*", false);
	end();
}

/* With each filter, two hits of which the second one passes. */
static void test_filters(void)
{
	static const char bad[] = "a string that is longer than one word";

	begin(4, RING_DISCARD);
	is_int(marker_control_set_patterns(&marker_top, "m:ints if b > 5\n"
					   "m:text if s == abc && n < 0 || $ctx.tid == 9 && n == 8\n"
					   "m:mixed if arg0 ~ a*\nm:many if arg15 != 16", true), 0,
	       "filters");
	is_int(m.marker[INTS].marker.state, MARKER_FILTERED, "state");
	hit(INTS, 1, 5, '1');
	hit(INTS, 1, -1, '1');
	is_str(recorded(), "ints: a 1 b ffffffffffffffff c 1\n", "one comparison, unsigned");
	hit(TEXT, 1, ARG("abc"));
	hit(TEXT, -1, ARG(bad));
	hit(TEXT, -1, ARG("abc"));
	is_str(recorded(), "text: n -1 s abc\n", "two and a string");
	unit_task.pid = 9;
	hit(TEXT, 8, ARG(bad));
	unit_task.pid = 0;
	hit(TEXT, 8, ARG(bad));
	is_str(recorded(), "text: n 8 s a string that is longer than one word\n", "by thread");
	marker_control_set_filter(&marker_top, "m", "text", "$ctx.tid == 0 && $ctx.cgroup_id == 4711");
	hit(TEXT, 8, ARG(bad));
	group = 4711;
	hit(TEXT, 9, ARG("abc"));
	group = 0;
	is_str(recorded(), "text: n 9 s abc\n", "by group");
	hit(MANY, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
	is_str(recorded(), "", "sixteen arguments");

	/* a probe sees every hit */
	marker_probe_register("ints", NULL, see, &calls);
	is_int(m.marker[INTS].marker.state, MARKER_SHARED | MARKER_PROBED, "state with a probe");
	calls = 0;
	hit(INTS, 1, 5, '1');
	hit(INTS, 1, 6, '1');
	is_int(calls, 2, "calls of the probe");
	is_str(recorded(), "ints: a 1 b 6 c 1\n", "with a probe");
	marker_probe_unregister("ints", see, &calls);

	/* within a probe, in its context, only a filter that reads no memory is applied */
	marker_control_set_filter(&marker_top, "m", "ints", "a == 1 && b == 7");
	marker_probe_register("ints", NULL, hit_again, NULL);
	context = 0;
	nested = 0;
	counts(INTS);
	marker_control_set(&marker_top, "m", "ints", MARKER_ASK_RECORD | MARKER_ASK_COUNT);
	hit(INTS, 1, 6, '1');
	is_str(counts(INTS), "2: 0 1 0 1 0", "one is filtered out, and one in its probe skipped");
	is_int(nested, 1, "the probe was called");
	is_str(recorded(), "", "nothing is recorded");
	marker_probe_unregister("ints", hit_again, NULL);

	/* counted, too */
	hit(INTS, 1, 7, '1');
	hit(INTS, 1, 8, '1');
	marker_control_set_filter(&marker_top, "m", "ints", "b >= 8");
	hit(INTS, 1, 7, '1');
	hit(INTS, 1, 8, '1');
	is_str(recorded(), "ints: a 1 b 7 c 1\nints: a 1 b 8 c 1\n", "filtered and counted");
	is_str(counts(INTS), "4: 2 2 0 0 0", "its counts");
	marker_control_set(&marker_top, "m", "ints", MARKER_ASK_RECORD);

	/* a late hit: the filter is gone, the state is not */
	marker_control_set_filter(&marker_top, "m", "*", NULL);
	m.marker[INTS].marker.state = MARKER_FILTERED;
	hit(INTS, 1, 5, '1');
	is_str(recorded(), "ints: a 1 b 5 c 1\n", "a late hit");

	/* ...or it is one that does not fit */
	is_int(marker_control_set_filter(&marker_top, "m", "*", "s == abc"), 0, "fits others");
	m.marker[INTS].marker.state = MARKER_FILTERED;
	hit(INTS, 1, 5, '1');
	m.marker[INTS].marker.state = MARKER_FILTERED | MARKER_PROBED;
	hit(INTS, 1, 5, '1');
	is_str(recorded(), "", "a late hit with a filter that does not fit");

	/* ...or nothing is to be recorded any more */
	marker_control_set_filter(&marker_top, "m", "*", NULL);
	marker_control_set(&marker_top, "m", "ints", false);
	m.marker[INTS].marker.state = MARKER_FILTERED;
	hit(INTS, 1, 5, '1');
	is_str(recorded(), "", "a late hit after the marker was disabled");
	marker_control_set(&marker_top, "m", "*", false);
	end();
}

static u64 lost(void)
{
	struct ring_stats stats;

	ring_stats(ring, unit_cpu, &stats);
	return stats.lost[RING_LOST_FULL];
}

/* There is room for an event, but not for its stack. */
static void test_stack_lost(void)
{
	const struct marker_action *action;
	u64 before;

	ring_tag = marker_context_tag(BIT(MARKER_CONTEXT_CALLSTACK));
	begin(2, RING_DISCARD);
	marker_top.rules.stacks_allowed = true;
	marker_control_set(&marker_top, "m", "ints", MARKER_ASK_RECORD);
	marker_control_set(&marker_top, "m", "text", MARKER_ASK_RECORD | MARKER_ASK_STACK(12));
	is_int(trigger("stacktrace:1 if a == 1"), 0, "a stack, once");
	action = marker_program_actions(m.marker[INTS].marker.event)->action[0];
	while (!lost())
		hit(TEXT, 1, ARG("abc"));
	before = lost();
	hit(INTS, 1, 2, 'x');
	is_int(lost() - before, 1, "no room for the stack");
	is_int(atomic_long_read(&action->left), 1, "its turn is left");
	is_int(atomic_long_read(&action->hits), 0, "it did not act");
	hit(INTS, 0, 2, 'x');
	is_int(lost() - before, 1, "there is room without one");
	recorded();
	hit(INTS, 1, 2, 'y');
	ok(strstr(recorded(), "ints: a 1 b 2 c y\n => symbol+0x1\n"), "the next one has it");
	is_int(atomic_long_read(&action->hits), 1, "it acted");

	/* two triggers ask for the stack of a hit, and only one counts it */
	marker_triggers_set_patterns(&marker_top, "m:ints stacktrace if a > 0\n"
				     "m:ints stacktrace:1 if a == 1", true);
	hit(INTS, 1, 2, 'y');
	action = marker_program_actions(m.marker[INTS].marker.event)->action[1];
	is_int(atomic_long_read(&action->hits), 0, "the other had nothing to do");
	marker_triggers_set_patterns(&marker_top, "", true);
	marker_control_set(&marker_top, "m", "*", 0);
	end();
	ring_tag = 0;
}

static void test_stacks(void)
{
	struct ring_stats stats;
	unsigned int i;

	ring_tag = marker_context_tag(BIT(MARKER_CONTEXT_CALLSTACK));
	begin(4, RING_DISCARD);
	marker_top.rules.stacks_allowed = true;
	marker_control_set(&marker_top, "m", "*", MARKER_ASK_RECORD);
	hit_all("none");
	is_str(recorded(), all("none"), "room for stacks, and none");
	marker_control_set(&marker_top, "m", "ints", MARKER_ASK_RECORD | MARKER_ASK_STACK(2));
	hit(INTS, 1, 2, 'x');
	hit(NONE);
	is_str(recorded(), "ints: a 1 b 2 c x\n => symbol+0x1\n => symbol+0x2\nnone: \n",
	       "one with a stack");
	marker_control_set(&marker_top, "m", "text",
			   MARKER_ASK_RECORD | MARKER_ASK_COUNT | MARKER_ASK_STACK(1));
	counts(TEXT);
	hit(TEXT, 1, ARG("abc"));
	is_str(recorded(), "text: n 1 s abc\n => symbol+0x1\n", "with a string, and counted");
	is_str(counts(TEXT), "1: 1 0 0 0 0", "its counts");
	marker_control_set(&marker_top, "m", "ints", MARKER_ASK_RECORD | MARKER_ASK_STACK(MARKER_CALLSTACK_MAX));
	for (i = 0; i < 1000; i++)
		hit(INTS, 1, 2, 'x');
	ring_stats(ring, unit_cpu, &stats);
	ok(stats.lost[RING_LOST_FULL] > 900, "too many: %llu are lost",
	   (unsigned long long)stats.lost[RING_LOST_FULL]);
	ok(strstr(recorded(), "symbol+0x20\n"), "as deep as can be");
	marker_control_set(&marker_top, "m", "ints", MARKER_ASK_RECORD);
	is_int(trigger("stacktrace:1 if a == 1"), 0, "stacktrace");
	is_int(m.marker[INTS].marker.state, MARKER_RECORD_INTS, "its state");
	hit(INTS, 0, 2, 'x');
	hit(INTS, 1, 2, 'x');
	ok(strstr(recorded(), "a 0 b 2 c x\nints: a 1 b 2 c x\n => symbol+0x1\n"),
	   "the stack of one that passes");
	hit(INTS, 1, 2, 'x');
	is_str(recorded(), "ints: a 1 b 2 c x\n", "once");
	marker_triggers_set_patterns(&marker_top, "", true);
	marker_control_set(&marker_top, "m", "*", 0);
	end();
	ring_tag = 0;
}

static void tests(void)
{
	if (!marker_clock.counter)
		test_time();
	test_record();
	test_full();
	test_acted_and_probed();
	test_probes();
	test_nested_alone();
	test_nested();
	test_counts();
	test_filters();
	test_stacks();
	test_stack_lost();
}

int main(void)
{
	return kit_run(tests);
}
