// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of markers with triggers: which actions run, in which order with the record and with
 * probes; what hits count by key, and the time from one marker to another.
 */
#include <markers/switch/copies.h>
#include <markers/switch/filters.h>
#include "dispatch_kit.h"

static void has_acted(const char *wanted, const char *what)
{
	is_str(acted, wanted, "%s", what);
	acted[0] = '\0';
}

/* A probe of a marker with triggers, which hits it again. */
static void hit_acted(void *private, void *call_private, const char *fmt, va_list *args)
{
	if (nested++)
		return;
	unit_preempt_count += context;
	hit(INTS, 1, 1, '1');
	unit_preempt_count -= context;
}

static void test_triggers(void)
{
	unsigned int i;

	begin(4, RING_DISCARD);
	/* not recorded; filters of one comparison, and all others */
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
	marker_live = MARKER_LIVE_ON;
	hit(INTS, 7, 5, 'y');
	has_acted("snapshot ", "its count is used up");
	trigger("!traceoff");

	/* recorded: the event is in the trace before the action */
	marker_control_set("m", "ints", MARKER_ASK_RECORD | MARKER_ASK_COUNT);
	counts(INTS);
	hit(INTS, 6, 0, 'x');
	has_acted("", "recorded and filtered");
	hit(INTS, 7, 0, 'x');
	has_acted("snapshot ", "recorded and hit");
	is_str(recorded(), "ints: a 6 b 0 c x\nints: a 7 b 0 c x\n", "both are recorded");
	is_str(counts(INTS), "2: 2 0 0 0 0", "and counted");
	marker_control_set_filter("m", "ints", "a > 6");
	hit(INTS, 6, 0, 'x');
	hit(INTS, 7, 0, 'x');
	has_acted("snapshot ", "with a filter of the recording");
	is_str(recorded(), "ints: a 7 b 0 c x\n", "one is recorded");
	trigger("snapshot:1 if a == 6");
	hit(INTS, 6, 0, 'x');
	has_acted("snapshot ", "what is not recorded");
	is_str(recorded(), "", "nothing is recorded");
	counts(INTS);
	marker_control_set_filter("m", "ints", NULL);
	marker_control_set("m", "ints", 0);

	/* with a probe; in it, only an interrupt hits */
	marker_probe_register("ints", NULL, hit_acted, NULL);
	trigger("snapshot if a == 1");
	trigger("!snapshot if a == 7");
	trigger("!snapshot if a == 6");
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
	trigger("!snapshot");

	/* tracing_on, and an end after a number of events */
	marker_control_set("m", "*", MARKER_ASK_RECORD);
	trigger("traceoff:after=3 if a == 1");
	hit(INTS, 1, 0, 'x');
	hit(INTS, 1, 0, 'x');
	has_acted("ending ", "the second one does nothing");
	is_int(counted_down, 1, "after the first one, events are counted");
	ring_start_slow(ring);
	hit_all("slow");
	is_int(counted_down, 7, "all of them");
	marker_live = MARKER_LIVE_OFF;
	trigger("traceon:1 if a == 2");
	hit(INTS, 2, 0, 'x');
	hit(INTS, 2, 0, 'x');
	has_acted("on ", "on again");
	ring_start(ring);
	recorded();
	counted_down = 0;
	hit_all("quick");
	is_int(counted_down, 0, "none is counted");
	recorded();

	/* full: an action runs, and the event is lost */
	trigger("snapshot");
	trigger("!traceoff");
	trigger("!traceon");
	for (i = 0; i < 1000; i++)
		hit(MANY, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
	hit(INTS, 1, 1, '1');
	has_acted("snapshot ", "in a full buffer");

	/* a late hit: the actions are gone, the state is not */
	trigger("!snapshot");
	m.marker[INTS].marker.state = MARKER_ACTED | MARKER_RECORD_INTS;
	hit(INTS, 1, 5, '1');
	has_acted("", "a late hit");

	/* what is under way already is not asked for, and takes no turn */
	trigger("dump:last=20:1");
	may_dump = false;
	hit(INTS, 1, 5, '1');
	may_dump = true;
	hit(INTS, 1, 5, '1');
	hit(INTS, 1, 5, '1');
	has_acted("dump=20 ", "a dump");
	is_int(dump_claimed, 0, "a trigger whose count has run out claims none");
	trigger("!dump");

	/* actions that change markers, until nothing changes any more */
	trigger("enable_marker:m:text:5 if a == 3");
	trigger("disable_marker:m:text if a == 4");
	hit(INTS, 3, 0, 'x');
	hit(INTS, 4, 0, 'x');
	has_acted("enable_marker disable_marker ", "both ask");
	kit_event(&m, "ints")->actions->action[0]->settled = marker_rules.changes;
	hit(INTS, 3, 0, 'x');
	hit(INTS, 4, 0, 'x');
	has_acted("disable_marker ", "what is so already");
	marker_control_set("m", "none", 0);
	hit(INTS, 3, 0, 'x');
	has_acted("enable_marker ", "after a change");
	marker_control_set("m", "*", false);
	marker_triggers_set_patterns(&marker_rules, "", true);
	end();
}

/* In place of those of deferred.c. */
static int create_hist(struct marker_action *action, struct marker_format_error *error)
{
	if (action->kind == MARKER_ACTION_BEGIN || action->kind == MARKER_ACTION_LATENCY)
		return marker_latencies_create(action, error);
	return action->kind == MARKER_ACTION_HIST ? marker_hists_create(action, error) : 0;
}

static void destroy_hist(struct marker_action *action)
{
	if (action->kind == MARKER_ACTION_BEGIN || action->kind == MARKER_ACTION_LATENCY)
		marker_latencies_destroy(action);
	if (action->kind == MARKER_ACTION_HIST)
		marker_hists_destroy(action);
}

static void retire_hist(struct marker_action *action)
{
	if (action->kind == MARKER_ACTION_BEGIN || action->kind == MARKER_ACTION_LATENCY)
		marker_latencies_retire(action);
	kit_action_retire(action);
}

static const struct marker_trigger_ops hist_ops = {
	.create = create_hist,
	.retire = retire_hist,
	.destroy = destroy_hist,
	.wait = kit_action_wait,
};

static struct marker_action *hist_of(const char *name)
{
	return kit_event(&m, name)->actions->action[0];
}

/* What the first hist of a marker has counted: "KEY*HITS ", sorted by hits. */
static const char *hist_rows(const char *name)
{
	static char text[1024];
	const struct marker_hist_run *run = hist_of(name)->data;
	struct marker_table *table = marker_table_read(&run->hist, run->map);
	unsigned int i;

	marker_table_sort(table, &run->hist);
	*text = '\0';
	for (i = 0; i < table->nr; i++)
		sprintf(text + strlen(text), "%lld*%llu ",
			(long long)marker_table_row(table, i)[1],
			(unsigned long long)marker_table_row(table, i)[0]);
	kvfree(table);
	return text;
}

static int clear_hist(const char *name)
{
	struct marker_map *old = NULL;
	unsigned long kib = 0;
	int err = marker_hists_clear(hist_of(name), &old, &kib);

	marker_hists_destroy_old(old);
	return err;
}

static void test_hists(void)
{
	unsigned int i, graces;
	const char *log;

	begin(4, RING_DISCARD);
	marker_triggers_init(&hist_ops);
	is_int(trigger("hist:keys=a:size=64"), 0, "hist: one key");
	is_int(m.marker[INTS].marker.state, MARKER_ACTED, "hist: it is not recorded");
	for (i = 0; i < 5; i++)
		hit(INTS, -(i & 1), 0, 'x');
	is_str(hist_rows("ints"), "-1*2 0*3 ", "hist: counted");
	ok(kit_event(&m, "ints")->actions->quick, "hist: the quick way");
	marker_control_set("m", "ints", MARKER_ASK_RECORD | MARKER_ASK_COUNT);
	counts(INTS);
	hit(INTS, 0, 5, 'x');
	is_str(recorded(), "ints: a 0 b 5 c x\n", "hist: recorded, too");
	is_str(counts(INTS), "1: 1 0 0 0 0", "hist: and its hits counted");
	marker_control_set("m", "ints", 0);
	is_int(trigger("snapshot if a == 9"), 0, "hist: not alone");
	ok(!kit_event(&m, "ints")->actions->quick, "hist: not the quick way");
	hit(INTS, 0, 0, 'x');
	hit(INTS, 9, 0, 'x');
	has_acted("snapshot ", "hist: both");
	is_str(hist_rows("ints"), "9*1 -1*2 0*5 ", "hist: counted in both ways");
	trigger("!snapshot");
	clear_hist("ints");
	hit(INTS, 8, 0, 'x');
	is_str(hist_rows("ints"), "8*1 ", "hist: quick again");
	trigger("!hist");
	trigger("hist:keys=a:size=64 if a < 1");
	for (i = 0; i < 5; i++)
		hit(INTS, -(i & 1), 0, 'x');
	hit(INTS, 1, 0, 'x');
	marker_hists_pause(hist_of("ints"), true);
	hit(INTS, -7, 0, 'x');
	is_str(hist_rows("ints"), "-1*2 0*3 ", "hist: filtered, paused");
	/* as a hit finds it that comes while both are taken away, or set */
	marker_hists_pause(hist_of("ints"), false);
	ok(kit_event(&m, "ints")->actions->only, "hist: filtered by one test");
	kit_event(&m, "ints")->actions->only = NULL;
	hit(INTS, 1, 0, 'x');
	hit(INTS, 0, 0, 'x');
	is_str(hist_rows("ints"), "-1*2 0*4 ", "hist: filtered without that test, too");
	trigger("!hist");
	trigger("hist:keys=a:size=64");
	for (i = 0; i < 5; i++)
		hit(INTS, -(i & 1), 0, 'x');
	marker_hists_pause(hist_of("ints"), false);
	hit(INTS, 7, 0, 'x');
	is_str(hist_rows("ints"), "7*1 -1*2 0*3 ", "hist: goes on");
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
	kit_reap();

	is_int(trigger("hist:keys=b,cpu:vals=a:size=64:pause if a > 5"), 0, "hist: more of it");
	hit(INTS, 7, 1, 'x');
	is_str(hist_rows("ints"), "", "hist: it begins paused");
	marker_hists_pause(hist_of("ints"), false);
	hit(INTS, 7, 2, 'x');
	hit(INTS, 5, 2, 'x');
	is_str(hist_rows("ints"), "2*1 ", "hist: filtered");
	is_int(trigger("!hist:keys=b,cpu:vals=a:size=64:pause"), 0, "hist: taken away by its text");
	is_int(trigger("hist:keys=stack,c:size=64"), 0, "hist: stacks");
	hit(INTS, 7, 2, 'x');
	is_str(hist_rows("ints"), "1*1 ", "hist: of the hit");
	trigger("!hist");
	kit_reap();

	/* one message for all markers that it does not fit */
	kit_log();
	is_int(marker_triggers_set("m", "*", "hist:keys=b:size=64"), 0, "hist: fits one");
	log = kit_log();
	ok(strstr(log, "error: trigger of marker m:none and 4 others: no such field"),
	   "hist: log: %s", log);
	is_int(!!strstr(strstr(log, "error: ") + 1, "error: "), 0, "hist: one message");
	marker_triggers_set("m", "*", "!hist");
	kit_reap();
	is_int(marker_triggers_set("m", "text", "hist:keys=b"), -EINVAL, "hist: fits none");
	log = kit_log();
	ok(strstr(log, "error: trigger of marker m:text: no such field"), "hist: the one");
	ok(strstr(log, "\n  hist:keys=b\n            ^\n"),
	   "hist: caret: %s", log);

	/* what is refused */
	is_int(trigger("hist"), -EINVAL, "hist: without keys");
	is_int(trigger("hist:keys=d"), -EINVAL, "hist: no such field");
	is_int(trigger("hist:keys=a.lag2"), -EINVAL, "hist: no such form");
	unit_ram_pages = 1 << 8;
	is_int(trigger("hist:keys=a"), -ENOSPC, "hist: too large for the machine");
	is_int(trigger("hist:keys=a:size=16"), 0, "hist: a smaller one");
	unit_ram_pages = 1 << 20;
	marker_triggers_set_patterns(&marker_rules, "", true);
	kit_reap();
	end();
}

/* the counts begun, again, matched and unmatched of the only pair */
static const char *pair_counts(void)
{
	static char text[100];
	const struct marker_latency *latency =
		list_first_entry(&marker_latencies, struct marker_latency, list);
	struct marker_pairs_stats stats;

	marker_pairs_stats(latency->pairs, &stats);
	sprintf(text, "%llu %llu %llu %llu", (unsigned long long)stats.begun,
		(unsigned long long)stats.again, (unsigned long long)stats.matched,
		(unsigned long long)stats.unmatched);
	return text;
}

static void test_latencies(void)
{
	static u32 wanted = MARKER_LIVE_ON;
	static struct marker_recording recording = { .wanted = &wanted };
	static struct marker_rules rules;

	begin(4, RING_DISCARD);
	marker_triggers_init(&hist_ops);
	is_int(trigger("hist:keys=latency"), -EINVAL, "latency: nobody knows it");
	is_int(trigger("snapshot if latency > 5"), -EINVAL, "latency: no filter knows it");
	is_int(marker_control_set_filter("m", "ints", "latency > 5"), -EINVAL,
	       "latency: nor one of the recording");
	is_int(trigger("latency:io:keys=a"), 0, "latency: the end");
	is_int(marker_triggers_set("m", "text", "begin:io:keys=n"), 0, "latency: the begin");
	is_int(marker_triggers_set("m", "text", "begin:io:keys=s"), -EINVAL,
	       "latency: other keys");
	is_int(marker_triggers_set("m", "text", "begin::keys=n"), -EINVAL, "latency: no name");
	is_int(marker_triggers_set("m", "text", "begin:io:keys=n:vals=n"), -EINVAL,
	       "latency: no values");
	is_int(trigger("hist:keys=latency:vals=latency:size=64"), 0, "latency: a key and a value");
	is_int(trigger("snapshot if latency >= 500"), 0, "latency: a filter");
	unit_time_ns = 1000;
	hit(TEXT, 7, 0);
	hit(TEXT, 8, 0);
	unit_time_ns = 1300;
	hit(INTS, 7, 0, 'x');
	has_acted("", "latency: it took less");
	unit_time_ns = 1600;
	hit(INTS, 8, 0, 'x');
	has_acted("snapshot ", "latency: it took more");
	hit(INTS, 8, 0, 'x');
	has_acted("", "latency: it is not known");
	is_str(pair_counts(), "2 0 2 1", "latency: counted");
	/* the end comes first again, although it was written last */
	is_int(trigger("latency:io:keys=a"), 0, "latency: the same again");
	hit(TEXT, 9, 0);
	unit_time_ns = 2600;
	hit(INTS, 9, 0, 'x');
	has_acted("snapshot ", "latency: first of all");
	is_int(trigger("!latency"), 0, "latency: taken away");
	hit(INTS, 9, 0, 'x');
	has_acted("", "latency: no filter passes without it");
	is_int(trigger("!snapshot"), 0, "latency: taken away");
	is_int(hist_of("ints")->kind, MARKER_ACTION_HIST, "latency: the hist is left");
	is_str(hist_rows("ints"), "300*1 600*1 1000*1 ", "latency: what it has");
	marker_triggers_set_patterns(&marker_rules, "", true);
	ok(list_empty(&marker_latencies), "latency: the pair is gone");
	/* again, before the old ones are freed */
	is_int(trigger("begin:io:keys=a"), 0, "latency: another one of that name");
	is_str(pair_counts(), "0 0 0 0", "latency: from nothing");
	trigger("!begin");
	kit_reap();

	/* both CPUs idle, without keys: the task is the key */
	is_int(trigger("latency:idle"), 0, "latency: of the task");
	is_int(marker_triggers_set("m", "text", "begin:idle"), 0, "latency: its begin");
	for (unit_cpu_number = 0; unit_cpu_number < 2; unit_cpu_number++)
		hit(TEXT, 7, 0);
	for (unit_cpu_number = 0; unit_cpu_number < 2; unit_cpu_number++)
		hit(INTS, 7, 0, 'x');
	unit_cpu_number = 0;
	is_str(pair_counts(), "2 0 2 0", "latency: each CPU has an idle task of its own");
	unit_task.pid = 5;
	hit(TEXT, 7, 0);
	unit_cpu_number = 1;
	hit(INTS, 7, 0, 'x');
	unit_cpu_number = 0;
	unit_task.pid = 0;
	is_str(pair_counts(), "3 0 3 0", "latency: any other is the same on all CPUs");
	trigger("!latency");
	marker_triggers_set("m", "text", "!begin");
	kit_reap();

	/* two pairs end here, one of them has begun */
	trigger("latency:one:keys=a");
	trigger("latency:two:keys=a");
	marker_triggers_set("m", "text", "begin:one:keys=n");
	trigger("snapshot if latency == 400");
	unit_time_ns = 5000;
	hit(TEXT, 1, 0);
	unit_time_ns = 5400;
	hit(INTS, 1, 0, 'x');
	has_acted("snapshot ", "latency: the other one is not known, and takes nothing away");
	marker_triggers_set_patterns(&marker_rules, "", true);
	kit_reap();

	/* other keys for all of a name, in one command */
	marker_triggers_set_patterns(&marker_rules, "m:text begin:io:keys=n\nm:ints latency:io:keys=a", true);
	is_int(marker_triggers_set_patterns(&marker_rules, "m:text begin:io:keys=n,tid", false), -EINVAL,
	       "latency: other keys while the name is in use");
	is_int(marker_triggers_set_patterns(&marker_rules, "m:text begin:io:keys=n,tid\n"
					    "m:ints latency:io:keys=a", true), -EINVAL,
	       "latency: one of them with the old keys");
	hit(TEXT, 1, 0);
	is_str(pair_counts(), "1 0 0 0", "latency: nothing has changed");
	is_int(marker_triggers_set_patterns(&marker_rules, "m:text begin:io:keys=n,tid\n"
					    "m:ints latency:io:keys=a,tid", true), 0,
	       "latency: other keys for all");
	hit(TEXT, 1, 0);
	hit(INTS, 1, 0, 'x');
	is_str(pair_counts(), "1 0 1 0", "latency: a new pair");
	is_int(marker_triggers_set_patterns(&marker_rules, "m:text begin:io:keys=n,cpu\n"
					    "m:ints latency:io:keys=a,cpu", true), 0,
	       "latency: as many bytes");
	is_str(pair_counts(), "1 0 1 0", "latency: the same pair");
	marker_triggers_set_patterns(&marker_rules, "", true);
	ok(list_empty(&marker_latencies), "latency: gone");
	kit_reap();

	/* by the task, which is the default */
	is_int(trigger("begin:io"), 0, "latency: without keys");
	is_int(marker_triggers_set("m", "text", "latency:io"), 0, "latency: nor at the end");
	hit(INTS, 1, 0, 'x');
	hit(TEXT, 1, 0);
	is_str(pair_counts(), "1 0 1 0", "latency: of a task");
	marker_triggers_set_patterns(&marker_rules, "", true);
	kit_reap();
	is_int(trigger("begin:io:size=16"), 0, "latency: a size without keys");
	is_int(marker_triggers_set("m", "text", "latency:io:size=16:event"), 0,
	       "latency: and with event");
	is_int(marker_triggers_set("m", "text", "latency:io:event:sort=tid:size=16"), 0,
	       "latency: in another order");
	is_int(marker_triggers_set("m", "text", "latency:io:"), -EINVAL, "latency: no part");
	is_int(trigger("begin:io:event"), -EINVAL, "latency: no event of a begin");
	is_int(trigger("hist:size=16"), -EINVAL, "latency: a hist needs keys");
	hit(INTS, 1, 0, 'x');
	hit(TEXT, 1, 0);
	is_str(pair_counts(), "1 0 1 1", "latency: of a task, by both");
	marker_triggers_set_patterns(&marker_rules, "", true);
	kit_reap();

	/* what an instance measures is its own, and so are its names */
	marker_rules_init(&rules, "rules", &recording);
	marker_copies_add(&rules);
	trigger("latency:io:keys=a");
	trigger("dump:last=5 if latency >= 0");
	is_int(marker_triggers_set_patterns(&rules, "m:ints snapshot if latency >= 0", false),
	       -EINVAL, "latency: the instance has no pair");
	is_int(marker_triggers_set_patterns(&rules, "m:ints latency:io:keys=a,cpu\n"
					    "m:ints snapshot if latency >= 0", false), 0,
	       "latency: one of the same name, with other keys");
	marker_triggers_set("m", "text", "begin:io:keys=n");
	hit(TEXT, 1, 0);
	hit(INTS, 1, 1, 'x');
	has_acted("dump=5 ", "latency: the pair of the top");
	marker_triggers_set("m", "text", "!begin");
	marker_triggers_set_patterns(&rules, "m:text begin:io:keys=n,cpu", false);
	hit(TEXT, 1, 0);
	hit(INTS, 1, 1, 'x');
	has_acted("snapshot ", "latency: the pair of the instance");
	marker_triggers_end(&rules);
	marker_control_end(&rules);
	marker_copies_remove(&rules);
	marker_triggers_set_patterns(&marker_rules, "", true);
	kit_reap();

	/* of 64 KiB, one takes 48 */
	unit_ram_pages = 1 << 8;
	is_int(trigger("begin:io:keys=a:size=131072"), -ENOSPC,
	       "latency: too large for the machine");
	is_int(trigger("begin:io:keys=a:size=2048"), 0, "latency: a smaller one");
	is_int(trigger("latency:io:keys=a:size=131072"), 0,
	       "latency: the size is that of the first");
	is_int(trigger("begin:more:keys=a:size=1024"), -ENOSPC,
	       "latency: too much for another one");
	is_int(trigger("hist:keys=a:size=1024"), -ENOSPC, "latency: and for a hist");
	marker_triggers_set_patterns(&marker_rules, "", true);
	kit_reap();
	is_int(trigger("begin:more:keys=a:size=1024"), 0, "latency: there is room again");
	unit_ram_pages = 1 << 20;
	marker_triggers_set_patterns(&marker_rules, "", true);
	kit_reap();
	unit_time_ns = 0;
	end();
}

/* What deferred.c does after a command. */
static void update_events(void)
{
	kit_reap();
	marker_registry_lock();
	marker_latency_events_update();
	marker_registry_unlock();
}

/* The one that is there; registry mutex held. */
static const struct marker_event *event_of(const char *name)
{
	struct marker_event *event = NULL;

	while ((event = marker_registry_next(event, name)) && !event->module)
		;
	return event;
}

static const char *format_of(const char *name)
{
	const struct marker_event *event;

	marker_registry_lock();
	event = event_of(name);
	marker_registry_unlock();
	return event ? event->format.text : "none";
}

/* A marker that comes into force while it is hit. */
static struct marker coming = { .state = MARKER_RECORD };

static void come(void)
{
	coming.event = kit_event(&m, "ints");
}

/* Its fields have names that others have, too. */
static struct kit_module namesakes = {
	.mod.name = "namesakes",
	.marker = { { "end", "latency %d tid %d a %d", 1 } },
};

static void test_latency_events(void)
{
	static const char * const clashes[] = {
		"latency", "tid,$ctx.tid", "$ctx.tid,tid",
	};
	static u32 wanted = MARKER_LIVE_ON;
	static struct marker_recording recording = { .wanted = &wanted };
	static struct marker_rules rules;
	unsigned int nr;
	int err;

	begin(4, RING_DISCARD);
	marker_triggers_init(&hist_ops);
	is_int(trigger("hist:keys=a:event"), -EINVAL, "event: no hist has one");
	is_int(trigger("begin:io:keys=a:event"), -EINVAL, "event: nor has a begin");
	is_int(trigger("latency:io:keys=a.log2:event"), -EINVAL, "event: no groups");
	is_int(trigger("latency:i-o:keys=a:event"), -EINVAL, "event: not a name of a marker");
	is_int(trigger("latency:1o:keys=a:event"), -EINVAL, "event: a digit in front");
	update_events();
	is_str(format_of("io"), "none", "event: what is refused leaves none");

	/* a field has its name for itself, above all the latency */
	kit_load(&namesakes);
	for (nr = 0; nr < ARRAY_SIZE(clashes); nr++) {
		char what[64];

		snprintf(what, sizeof(what), "latency:io:keys=%s", clashes[nr]);
		is_int(marker_triggers_set("namesakes", "end", what), 0, "event: none by %s",
		       clashes[nr]);
		marker_triggers_set("namesakes", "end", "!latency");
		kit_reap();
		strcat(what, ":event");
		is_int(marker_triggers_set("namesakes", "end", what), -EINVAL, "event: nor by %s",
		       clashes[nr]);
	}
	ok(strstr(kit_log(), "another field of the event has the name of a key"), "event: why");
	is_int(marker_triggers_set("namesakes", "end", "latency:io:keys=tid,a:event"), 0,
	       "event: names of their own");
	marker_triggers_set("namesakes", "end", "!latency");
	update_events();
	kit_unload(&namesakes);

	/* enabled before it is there */
	marker_control_set_patterns(&marker_rules, "latency:io if latency >= 300", false);
	is_int(trigger("latency:io:keys=a,b,procname:event"), 0, "event: the end");
	is_str(format_of("io"), "none", "event: not within the command");
	update_events();
	is_str(format_of("io"), "a %d b %#llx procname %.15s latency %llu", "event: its fields");
	is_int(marker_triggers_set("m", "mixed", "begin:io:keys=arg0"), -EINVAL, "event: no key");
	strcpy(unit_task.comm, "task");
	marker_control_set("m", "ints", MARKER_ASK_RECORD);
	is_int(marker_triggers_set("m", "many", "begin:io:keys=arg0,arg1,procname"), 0,
	       "event: the begin");
	unit_time_ns = 1000;
	hit(MANY, -5, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	unit_time_ns = 1400;
	hit(INTS, -5, 7, 'x');
	is_str(recorded(), "ints: a -5 b 7 c x\nio: a -5 b 0x7 procname task latency 400\n",
	       "event: after the one that ends the pair");
	hit(INTS, -5, 7, 'x');
	is_str(recorded(), "ints: a -5 b 7 c x\n", "event: none without a begin");
	hit(MANY, -5, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	unit_time_ns = 1500;
	hit(INTS, -5, 7, 'x');
	is_str(recorded(), "ints: a -5 b 7 c x\n", "event: none that its filter drops");

	/* it has triggers as others, but makes no other event */
	is_int(marker_triggers_set("latency", "io", "snapshot if latency == 500"), 0,
	       "event: its trigger");
	is_int(marker_triggers_set("latency", "io", "latency:more:keys=a:event"), -EINVAL,
	       "event: one of an event");
	hit(MANY, -5, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	unit_time_ns = 2000;
	hit(INTS, -5, 7, 'x');
	has_acted("snapshot ", "event: its trigger runs");
	is_str(recorded(), "ints: a -5 b 7 c x\nio: a -5 b 0x7 procname task latency 500\n",
	       "event: and it is recorded");

	/* other keys only if nothing has the old ones any more */
	is_int(trigger("latency:io:keys=b,a,procname:event"), -EINVAL, "event: other keys");
	is_int(marker_triggers_set_patterns(&marker_rules, "m:ints latency:io:keys=b:event\n"
					    "m:text begin:io:keys=n", true), 0,
	       "event: other keys, in one command");
	update_events();
	is_str(format_of("io"), "b %#llx latency %llu", "event: in place of the old one");
	is_int(kit_event(&m, "ints")->actions->nr, 1, "event: and its trigger");
	hit(TEXT, 9, 0);
	unit_time_ns = 3000;
	hit(INTS, 1, 9, 'x');
	is_str(recorded(), "ints: a 1 b 9 c x\nio: b 0x9 latency 1000\n", "event: the new one");
	is_int(marker_triggers_set_patterns(&marker_rules, "m:ints latency:io:keys=a,b:event\n"
					    "m:text begin:io:keys=n", true), -EINVAL,
	       "event: keys of other sizes");
	is_int(marker_triggers_set_patterns(&marker_rules, "m:ints latency:io:keys=a:event\n"
					    "m:text begin:io:keys=n", true), 0,
	       "event: other keys again");
	/* the update of another command, before the old one is free */
	kit_log();
	marker_registry_lock();
	marker_latency_events_update();
	marker_registry_unlock();
	is_str(kit_log(), "", "event: the new one waits for the old one");
	update_events();
	is_str(format_of("io"), "a %d latency %llu", "event: and comes");
	is_int(trigger("!latency"), 0, "event: taken away");
	update_events();
	hit(TEXT, 9, 0);
	hit(INTS, 1, 9, 'x');
	is_str(recorded(), "ints: a 1 b 9 c x\n", "event: and recorded no more");
	marker_triggers_set_patterns(&marker_rules, "", true);
	update_events();
	is_int(trigger("latency:io:event"), 0, "event: by the task");
	update_events();
	is_str(format_of("io"), "tid %d latency %llu", "event: its field");
	marker_triggers_set_patterns(&marker_rules, "", true);

	/* the pair of an instance is an event of that instance only */
	update_events();
	marker_rules_init(&rules, "rules", &recording);
	marker_copies_add(&rules);
	marker_control_set_patterns(&marker_rules, "latency:io+count", true);
	is_int(marker_triggers_set_patterns(&rules, "m:text begin:io:keys=n\n"
					    "m:ints latency:io:keys=a:event\n"
					    "latency:io dump:last=5", false), 0,
	       "event: of an instance");
	is_int(trigger("latency:io:keys=b:event"), -EINVAL, "event: the name is that of all");
	is_int(trigger("latency:io:keys=a:event"), 0, "event: the same at the top");
	marker_triggers_set("latency", "io", "snapshot");
	update_events();
	hit(TEXT, 1, 0);
	hit(INTS, 1, 0, 'x');
	has_acted("dump=5 ", "event: the triggers of the instance run, those of the top do not");
	is_str(recorded(), "", "event: the top has nothing of it");
	marker_triggers_set("m", "text", "begin:io:keys=n");
	hit(TEXT, 1, 0);
	hit(INTS, 1, 0, 'x');
	is_str(recorded(), "io: a 1 latency 0\n", "event: each has its own");
	ok(strstr(acted, "dump=5 ") && strstr(acted, "snapshot "),
	   "event: and the triggers of both run: %s", acted);
	*acted = '\0';
	marker_triggers_end(&rules);
	marker_control_end(&rules);
	marker_copies_remove(&rules);
	marker_triggers_set_patterns(&marker_rules, "", true);
	marker_control_set_patterns(&marker_rules, "", true);

	/* who sees the state of what comes sees the event */
	unit_before_rmb = come;
	marker_dispatch_inside(&coming, (const u64[]){ 1, 2, 'x' }, &marker_rules);
	is_str(recorded(), "ints: a 1 b 2 c x\n", "event: hit while it comes");

	/* no memory, at each place of the command and after it */
	update_events();
	for (nr = 1, err = -ENOMEM; err; nr++) {
		unit_alloc_fail = nr;
		err = trigger("latency:io:keys=a,procname:event");
		unit_alloc_fail = 0;
		if (err && err != -ENOMEM)
			is_int(err, -ENOMEM, "event: no memory");
		kit_reap();
	}
	ok(nr > 5, "event: no memory in %u places", nr - 1);
	for (nr = 1; !strcmp(format_of("io"), "none"); nr++) {
		marker_registry_lock();
		unit_alloc_fail = nr;
		marker_latency_events_update();
		unit_alloc_fail = 0;
		marker_registry_unlock();
	}
	ok(nr > 2, "event: no memory after it in %u places", nr - 2);
	marker_registry_lock();
	is_int(marker_event_site(event_of("io"), 0)->state, MARKER_SITE_BRANCH,
	       "event: its site is not gone");
	marker_registry_unlock();
	marker_triggers_set_patterns(&marker_rules, "", true);
	marker_control_set("m", "*", false);
	marker_control_set_patterns(&marker_rules, "", true);
	update_events();
	ok(list_empty(&marker_latencies), "event: all is freed");
	unit_time_ns = 0;
	end();
}

/* A module with the name that the events of pairs have. */
static struct kit_module latency = {
	.mod.name = "latency",
	.marker = { { "io", "a %d latency %llu", 1 }, { "other", "v %d", 1 } },
};

static void test_name_of_pairs(void)
{
	const struct marker_event *event;

	begin(4, RING_DISCARD);
	marker_triggers_init(&hist_ops);
	is_int(trigger("latency:io:keys=a:event"), 0, "names: the event of a pair");
	update_events();
	marker_registry_lock();
	event = event_of("io");
	marker_registry_unlock();
	kit_log();
	is_int(kit_load(&latency), 0, "names: a module with the same");
	ok(!kit_event(&latency, "io") && !latency.marker[0].marker.event,
	   "names: its marker is refused");
	ok(strstr(kit_log(), "a pair's event and a marker of a module have this name"),
	   "names: why");
	ok(kit_event(&latency, "other"), "names: the other one is not");
	ok(event->module != latency.module && event->nr_sites == 1,
	   "names: the event stays that of the pair");
	is_int(trigger("latency:other:keys=a:event"), -EINVAL, "names: the module is first");
	ok(strstr(kit_log(), "a module has a marker latency:NAME of this name"), "names: why");
	is_int(trigger("!latency"), 0, "names: no pair");
	update_events();
	kit_unload(&latency);
	is_int(kit_load(&latency), 0, "names: the module again");
	ok(kit_event(&latency, "io") == event, "names: now the event is that of its marker");
	is_int(trigger("latency:io:keys=a:event"), -EINVAL, "names: not that of a pair");
	/* it was not there when the trigger was set */
	kit_unload(&latency);
	is_int(trigger("latency:io:keys=a:event"), 0, "names: a pair again");
	is_int(kit_load(&latency), 0, "names: the module before the event");
	update_events();
	ok(kit_event(&latency, "io") == event && event->module == latency.module,
	   "names: the marker has it");
	is_int(trigger("!latency"), 0, "names: no pair");
	update_events();
	kit_unload(&latency);
	end();
}

static const struct marker_trigger *trigger_of(enum marker_action_kind kind)
{
	const struct marker_trigger *found = NULL, *at;

	for_each_trigger(&marker_rules, at) {
		if (at->kind == kind)
			found = at;
	}
	return found;
}

/* Of the last action that hits run. */
static bool lacks_latency(const struct marker_event *event)
{
	const struct marker_actions *actions = event->actions;
	bool lacks;

	marker_registry_lock();
	lacks = marker_triggers_lacks_latency(actions->action[actions->nr - 1]);
	marker_registry_unlock();
	return lacks;
}

/* What does not act says so, and can be written again. */
static void test_misfits(void)
{
	static const char list[] = "m:ints snapshot if latency > 5\nm:ints hist:keys=latency";
	const struct marker_event *event;

	begin(4, RING_DISCARD);
	marker_triggers_init(&hist_ops);
	event = kit_event(&m, "ints");
	is_int(marker_triggers_set_patterns(&marker_rules, list, false), -EINVAL,
	       "misfits: no latency");
	trigger("latency:io:keys=a");
	is_int(marker_triggers_set_patterns(&marker_rules, list, false), 0, "misfits: a latency");
	ok(!lacks_latency(event), "misfits: which the hist has");
	is_int(trigger("!latency"), 0, "misfits: taken away");
	ok(lacks_latency(event), "misfits: the hist lacks it");
	is_int(marker_triggers_set_patterns(&marker_rules, list, true), 0, "misfits: written back");
	marker_registry_lock();
	ok(trigger_of(MARKER_ACTION_HIST) &&
	   marker_triggers_is_misfit(trigger_of(MARKER_ACTION_HIST), event),
	   "misfits: the hist does not fit");
	is_int(marker_triggers_misfits(trigger_of(MARKER_ACTION_HIST)), 1, "misfits: one marker");
	is_str(trigger_of(MARKER_ACTION_HIST)->why.why, MARKER_NO_LATENCY, "misfits: why");
	marker_registry_unlock();
	is_int(marker_triggers_set_patterns(&marker_rules, list, true), 0, "misfits: and again");
	is_int(marker_triggers_set_patterns(&marker_rules, "m:ints latency:io:keys=a\n"
					    "m:ints snapshot if latency > 5\n"
					    "m:ints hist:keys=latency", true), 0,
	       "misfits: with the latency");
	marker_registry_lock();
	ok(!marker_triggers_is_misfit(trigger_of(MARKER_ACTION_HIST), event),
	   "misfits: they fit again");
	marker_registry_unlock();
	is_int(marker_triggers_set_patterns(&marker_rules, list, true), -EINVAL,
	       "misfits: no list takes away what it needs");
	marker_triggers_set_patterns(&marker_rules, "", true);

	/* it waits, and its module does not have the field */
	kit_unload(&m);
	is_int(marker_triggers_set_patterns(&marker_rules, "m:ints hist:keys=none", false), 0,
	       "misfits: pending");
	marker_registry_lock();
	is_int(marker_triggers_misfits(trigger_of(MARKER_ACTION_HIST)), 0, "misfits: none yet");
	marker_registry_unlock();
	is_int(kit_load(&m), 0, "misfits: the module comes");
	marker_registry_lock();
	is_int(marker_triggers_misfits(trigger_of(MARKER_ACTION_HIST)), 1, "misfits: one");
	ok(marker_triggers_is_misfit(trigger_of(MARKER_ACTION_HIST), event) &&
	   strstr(trigger_of(MARKER_ACTION_HIST)->why.why, "no such field"), "misfits: why");
	is_int(trigger_of(MARKER_ACTION_HIST)->why.column, 10, "misfits: where");
	marker_registry_unlock();
	marker_triggers_set_patterns(&marker_rules, "", true);
	kit_reap();
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
	static u32 wanted = MARKER_LIVE_ON;
	static struct marker_recording recording = { .wanted = &wanted };
	const struct marker_event *event;
	static struct marker_rules rules;
	const char *text;

	begin(4, RING_DISCARD);
	event = kit_event(&m, "text");
	memset(&rules, 0, sizeof(rules));
	marker_rules_init(&rules, "rules", &recording);
	marker_copies_add(&rules);
	is_int(marker_control_set_filter("m", "text", patterns("", 9)), 0, "cost: of an event");
	is_int(marker_filters_cost(event), 9 * 1023 * 100, "cost: known");
	is_int(marker_control_set_patterns(&rules, patterns("m:text if ", 9), true), 0,
	       "cost: of an instance");
	is_int(marker_copies_cost(event, NULL), 9 * 1023 * 100, "cost: known");
	is_int(marker_copies_cost(event, &rules), 0, "cost: but for that one");
	kit_log();
	is_int(marker_triggers_set("m", "text", patterns("snapshot if ", 3)), -EINVAL,
	       "cost: no trigger that is too much");
	ok(strstr(kit_log(), "it takes too long"), "cost: why");
	is_int(marker_triggers_set("m", "text", patterns("snapshot if ", 2)), 0,
	       "cost: one that is not");
	is_int(marker_triggers_set("m", "text", patterns("traceon if ", 2)), -EINVAL,
	       "cost: no second one");
	is_int(marker_triggers_set_patterns(&marker_rules, patterns("m:text traceon if ", 2),
					    true), 0, "cost: one in place of it");
	/* what was there makes room for what replaces it */
	is_int(marker_control_set_filter("m", "text", patterns("", 8)), 0, "cost: another filter");
	is_int(marker_control_set_filter("m", "text", patterns("", 9)), 0, "cost: and the old one");
	is_int(marker_control_set_patterns(&rules, patterns("m:text if ", 9), true), 0,
	       "cost: the instance again");
	text = patterns("m:text if s ~ * && ", 9);
	is_int(marker_control_set_patterns(&rules, text, true), 0, "cost: a bit more");
	marker_control_set("m", "text", MARKER_ASK_RECORD);
	hit(TEXT, 1, (uintptr_t)"x");
	is_str(recorded(), "", "cost: the filter works");
	has_acted("", "cost: and the trigger");
	marker_triggers_set_patterns(&marker_rules, "", true);
	marker_control_set_patterns(&marker_rules, "", true);
	marker_control_set_filter("m", "text", NULL);
	marker_control_end(&rules);
	marker_copies_remove(&rules);
	kit_reap();
	end();
}

static void tests(void)
{
	test_latency_events();
	test_cost();
	test_misfits();
	test_name_of_pairs();
	test_triggers();
	test_hists();
	test_latencies();
}

int main(void)
{
	return kit_run(tests);
}
