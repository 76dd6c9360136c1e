// SPDX-License-Identifier: GPL-2.0
/* The time from one marker to another, and triggers that need it. */
#include <markers/control/filters.h>
#include "actions_kit.h"

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

static void begin_case(void)
{
	begin(4, RING_DISCARD);
	marker_triggers_init(&hist_ops);
	unit_time_ns = 1000;
}

static void end_case(void)
{
	marker_triggers_set_patterns(&marker_top, "", true);
	ok(list_empty(&marker_latencies), "latency: all pairs are gone");
	kit_reap();
	unit_time_ns = 0;
	end();
}

static void test_pair(void)
{
	begin_case();
	is_int(trigger("hist:keys=latency"), -EINVAL, "latency: nobody knows it");
	is_int(trigger("snapshot if latency > 5"), -EINVAL, "latency: no filter knows it");
	is_int(marker_control_set_filter(&marker_top, "m", "ints", "latency > 5"), -EINVAL,
	       "latency: nor one of the recording");
	is_int(trigger("latency:io:keys=a"), 0, "latency: the end");
	is_int(marker_triggers_set(&marker_top, "m", "text", "begin:io:keys=n"), 0,
	       "latency: the begin");
	is_int(marker_triggers_set(&marker_top, "m", "text", "begin:io:keys=s"), -EINVAL,
	       "latency: other keys");
	is_int(marker_triggers_set(&marker_top, "m", "text", "begin::keys=n"), -EINVAL,
	       "latency: no name");
	is_int(marker_triggers_set(&marker_top, "m", "text", "begin:io:keys=n:vals=n"), -EINVAL,
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
	marker_triggers_set_patterns(&marker_top, "", true);
	ok(list_empty(&marker_latencies), "latency: the pair is gone");
	/* again, before the old ones are freed */
	is_int(trigger("begin:io:keys=a"), 0, "latency: another one of that name");
	is_str(pair_counts(), "0 0 0 0", "latency: from nothing");
	trigger("!begin");
	kit_reap();
	end_case();
}

/* Both CPUs idle, without keys: the task is the key. */
static void test_idle(void)
{
	begin_case();
	is_int(trigger("latency:idle"), 0, "latency: of the task");
	is_int(marker_triggers_set(&marker_top, "m", "text", "begin:idle"), 0,
	       "latency: its begin");
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
	marker_triggers_set(&marker_top, "m", "text", "!begin");
	kit_reap();
	end_case();
}

/* Two pairs end here, one of them has begun. */
static void test_two_ends(void)
{
	begin_case();
	trigger("latency:one:keys=a");
	trigger("latency:two:keys=a");
	marker_triggers_set(&marker_top, "m", "text", "begin:one:keys=n");
	trigger("snapshot if latency == 400");
	unit_time_ns = 5000;
	hit(TEXT, 1, 0);
	unit_time_ns = 5400;
	hit(INTS, 1, 0, 'x');
	has_acted("snapshot ", "latency: the other one is not known, and takes nothing away");
	end_case();
}

/* Other keys for all of a name, in one command. */
static void test_other_keys(void)
{
	begin_case();
	marker_triggers_set_patterns(&marker_top, "m:text begin:io:keys=n\nm:ints latency:io:keys=a", true);
	is_int(marker_triggers_set_patterns(&marker_top, "m:text begin:io:keys=n,tid", false), -EINVAL,
	       "latency: other keys while the name is in use");
	is_int(marker_triggers_set_patterns(&marker_top, "m:text begin:io:keys=n,tid\n"
					    "m:ints latency:io:keys=a", true), -EINVAL,
	       "latency: one of them with the old keys");
	hit(TEXT, 1, 0);
	is_str(pair_counts(), "1 0 0 0", "latency: nothing has changed");
	is_int(marker_triggers_set_patterns(&marker_top, "m:text begin:io:keys=n,tid\n"
					    "m:ints latency:io:keys=a,tid", true), 0,
	       "latency: other keys for all");
	hit(TEXT, 1, 0);
	hit(INTS, 1, 0, 'x');
	is_str(pair_counts(), "1 0 1 0", "latency: a new pair");
	is_int(marker_triggers_set_patterns(&marker_top, "m:text begin:io:keys=n,cpu\n"
					    "m:ints latency:io:keys=a,cpu", true), 0,
	       "latency: as many bytes");
	is_str(pair_counts(), "1 0 1 0", "latency: the same pair");
	marker_triggers_set_patterns(&marker_top, "", true);
	ok(list_empty(&marker_latencies), "latency: gone");
	kit_reap();
	end_case();
}

/* By the task, which is the default. */
static void test_by_task(void)
{
	begin_case();
	is_int(trigger("begin:io"), 0, "latency: without keys");
	is_int(marker_triggers_set(&marker_top, "m", "text", "latency:io"), 0,
	       "latency: nor at the end");
	hit(INTS, 1, 0, 'x');
	hit(TEXT, 1, 0);
	is_str(pair_counts(), "1 0 1 0", "latency: of a task");
	end_case();
}

static void test_defaults(void)
{
	begin_case();
	is_int(trigger("begin:io:size=16"), 0, "latency: a size without keys");
	is_int(marker_triggers_set(&marker_top, "m", "text", "latency:io:size=16:event"), 0,
	       "latency: and with event");
	is_int(marker_triggers_set(&marker_top, "m", "text", "latency:io:event:sort=tid:size=16"), 0,
	       "latency: in another order");
	is_int(marker_triggers_set(&marker_top, "m", "text", "latency:io:"), -EINVAL,
	       "latency: no part");
	is_int(trigger("begin:io:event"), -EINVAL, "latency: no event of a begin");
	is_int(trigger("hist:size=16"), -EINVAL, "latency: a hist needs keys");
	hit(INTS, 1, 0, 'x');
	hit(TEXT, 1, 0);
	is_str(pair_counts(), "1 0 1 1", "latency: of a task, by both");
	end_case();
}

/* What an instance measures is its own, and so are its names. */
static void test_instance(void)
{
	static struct marker_recording recording;

	begin_case();
	marker_recording_init(&recording, "rules");
	recording.live = MARKER_LIVE_ON;
	marker_recordings_add(&recording);
	trigger("latency:io:keys=a");
	trigger("dump:last=5 if latency >= 0");
	is_int(marker_triggers_set_patterns(&recording, "m:ints snapshot if latency >= 0", false),
	       -EINVAL, "latency: the instance has no pair");
	is_int(marker_triggers_set_patterns(&recording, "m:ints latency:io:keys=a,cpu\n"
					    "m:ints snapshot if latency >= 0", false), 0,
	       "latency: one of the same name, with other keys");
	marker_triggers_set(&marker_top, "m", "text", "begin:io:keys=n");
	hit(TEXT, 1, 0);
	hit(INTS, 1, 1, 'x');
	has_acted("dump=5 ", "latency: the pair of the top");
	marker_triggers_set(&marker_top, "m", "text", "!begin");
	marker_triggers_set_patterns(&recording, "m:text begin:io:keys=n,cpu", false);
	hit(TEXT, 1, 0);
	hit(INTS, 1, 1, 'x');
	has_acted("snapshot ", "latency: the pair of the instance");
	marker_triggers_end(&recording);
	marker_control_end(&recording);
	marker_recordings_remove(&recording);
	end_case();
}

/* Of 64 KiB, one takes 48. */
static void test_size(void)
{
	begin_case();
	unit_ram_pages = 1 << 8;
	is_int(trigger("begin:io:keys=a:size=131072"), -ENOSPC,
	       "latency: too large for the machine");
	is_int(trigger("begin:io:keys=a:size=2048"), 0, "latency: a smaller one");
	is_int(trigger("latency:io:keys=a:size=131072"), 0,
	       "latency: the size is that of the first");
	is_int(trigger("begin:more:keys=a:size=1024"), -ENOSPC,
	       "latency: too much for another one");
	is_int(trigger("hist:keys=a:size=1024"), -ENOSPC, "latency: and for a hist");
	marker_triggers_set_patterns(&marker_top, "", true);
	kit_reap();
	is_int(trigger("begin:more:keys=a:size=1024"), 0, "latency: there is room again");
	unit_ram_pages = 1 << 20;
	end_case();
}

static const struct marker_trigger *trigger_of(enum marker_action_kind kind)
{
	const struct marker_trigger *found = NULL, *at;

	for_each_trigger(&marker_top, at) {
		if (at->kind == kind)
			found = at;
	}
	return found;
}

/* Of the last action that hits run. */
static bool lacks_latency(const struct marker_event *event)
{
	const struct marker_actions *actions = marker_program_actions(event);
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
	is_int(marker_triggers_set_patterns(&marker_top, list, false), -EINVAL,
	       "misfits: no latency");
	trigger("latency:io:keys=a");
	is_int(marker_triggers_set_patterns(&marker_top, list, false), 0, "misfits: a latency");
	ok(!lacks_latency(event), "misfits: which the hist has");
	is_int(trigger("!latency"), 0, "misfits: taken away");
	ok(lacks_latency(event), "misfits: the hist lacks it");
	is_int(marker_triggers_set_patterns(&marker_top, list, true), 0, "misfits: written back");
	marker_registry_lock();
	ok(trigger_of(MARKER_ACTION_HIST) &&
	   marker_triggers_is_misfit(trigger_of(MARKER_ACTION_HIST), event),
	   "misfits: the hist does not fit");
	is_int(marker_triggers_misfits(trigger_of(MARKER_ACTION_HIST)), 1, "misfits: one marker");
	is_str(trigger_of(MARKER_ACTION_HIST)->why.why, MARKER_NO_LATENCY, "misfits: why");
	marker_registry_unlock();
	is_int(marker_triggers_set_patterns(&marker_top, list, true), 0, "misfits: and again");
	is_int(marker_triggers_set_patterns(&marker_top, "m:ints latency:io:keys=a\n"
					    "m:ints snapshot if latency > 5\n"
					    "m:ints hist:keys=latency", true), 0,
	       "misfits: with the latency");
	marker_registry_lock();
	ok(!marker_triggers_is_misfit(trigger_of(MARKER_ACTION_HIST), event),
	   "misfits: they fit again");
	marker_registry_unlock();
	is_int(marker_triggers_set_patterns(&marker_top, list, true), -EINVAL,
	       "misfits: no list takes away what it needs");
	marker_triggers_set_patterns(&marker_top, "", true);

	/* it waits, and its module does not have the field */
	kit_unload(&m);
	is_int(marker_triggers_set_patterns(&marker_top, "m:ints hist:keys=none", false), 0,
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
	marker_triggers_set_patterns(&marker_top, "", true);
	kit_reap();
	end();
}

static void tests(void)
{
	test_misfits();
	test_pair();
	test_idle();
	test_two_ends();
	test_other_keys();
	test_by_task();
	test_defaults();
	test_instance();
	test_size();
}

int main(void)
{
	return kit_run(tests);
}
