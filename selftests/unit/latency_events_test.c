// SPDX-License-Identifier: GPL-2.0
/* Events of pairs of markers: what is recorded, and which name each has. */
#include <markers/control/filters.h>
#include "actions_kit.h"

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
	.marker = { { "end", "latency %d tid %d a %d", 1 }, { "done", "tid %d", 1 } },
};

static void begin_case(void)
{
	begin(4, RING_DISCARD);
	marker_triggers_init(&hist_ops);
	strcpy(unit_task.comm, "task");
	unit_time_ns = 1000;
}

static void end_case(void)
{
	marker_triggers_set_patterns(&marker_top, "", true);
	marker_control_set(&marker_top, "m", "*", false);
	marker_control_set_patterns(&marker_top, "", true);
	update_events();
	ok(list_empty(&marker_latencies), "event: all is freed");
	unit_time_ns = 0;
	end();
}

static void hit_many(void)
{
	hit(MANY, -5, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* From "many" to "ints", whose event is enabled by patterns. */
static void make_pair(const char *patterns)
{
	marker_control_set_patterns(&marker_top, patterns, false);
	is_int(trigger("latency:io:keys=a,b,procname:event"), 0, "event: the end");
	update_events();
	is_int(marker_triggers_set(&marker_top, "m", "many", "begin:io:keys=arg0,arg1,procname"), 0,
	       "event: the begin");
	marker_control_set(&marker_top, "m", "ints", MARKER_ASK_RECORD);
}

static void test_refused(void)
{
	begin_case();
	is_int(trigger("hist:keys=a:event"), -EINVAL, "event: no hist has one");
	is_int(trigger("begin:io:keys=a:event"), -EINVAL, "event: nor has a begin");
	is_int(trigger("latency:io:keys=a.log2:event"), -EINVAL, "event: no groups");
	is_int(trigger("latency:i-o:keys=a:event"), -EINVAL, "event: not a name of a marker");
	is_int(trigger("latency:1o:keys=a:event"), -EINVAL, "event: a digit in front");
	update_events();
	is_str(format_of("io"), "none", "event: what is refused leaves none");
	end_case();
}

/* A field has its name for itself, above all the latency. */
static void test_clashes(void)
{
	static const char * const clashes[] = {
		"latency", "tid,$ctx.tid", "$ctx.tid,tid",
	};
	unsigned int nr;

	begin_case();
	kit_load(&namesakes);
	for (nr = 0; nr < ARRAY_SIZE(clashes); nr++) {
		char what[64];

		snprintf(what, sizeof(what), "latency:io:keys=%s", clashes[nr]);
		is_int(marker_triggers_set(&marker_top, "namesakes", "end", what), 0, "event: none by %s",
		       clashes[nr]);
		marker_triggers_set(&marker_top, "namesakes", "end", "!latency");
		kit_reap();
		strcat(what, ":event");
		is_int(marker_triggers_set(&marker_top, "namesakes", "end", what), -EINVAL, "event: nor by %s",
		       clashes[nr]);
	}
	ok(strstr(kit_log(), "another field of the event has the name of a key"), "event: why");
	is_int(marker_triggers_set(&marker_top, "namesakes", "end", "latency:io:keys=tid,a:event"), 0,
	       "event: names of their own");
	marker_triggers_set(&marker_top, "namesakes", "end", "!latency");
	update_events();
	kit_unload(&namesakes);
	end_case();
}

static void test_comes(void)
{
	begin_case();
	is_int(trigger("latency:io:keys=a,b,procname:event"), 0, "event: a pair");
	is_str(format_of("io"), "none", "event: not within the command");
	update_events();
	is_str(format_of("io"), "a %d b %#llx procname %.15s latency %llu", "event: its fields");
	is_int(marker_triggers_set(&marker_top, "m", "mixed", "begin:io:keys=arg0"), -EINVAL,
	       "event: no key");
	end_case();
}

static void test_recorded(void)
{
	begin_case();
	make_pair("latency:io if latency >= 300");	/* enabled before it is there */
	hit_many();
	unit_time_ns = 1400;
	hit(INTS, -5, 7, 'x');
	is_str(recorded(), "ints: a -5 b 7 c x\nio: a -5 b 0x7 procname task latency 400\n",
	       "event: after the one that ends the pair");
	hit(INTS, -5, 7, 'x');
	is_str(recorded(), "ints: a -5 b 7 c x\n", "event: none without a begin");
	hit_many();
	unit_time_ns = 1500;
	hit(INTS, -5, 7, 'x');
	is_str(recorded(), "ints: a -5 b 7 c x\n", "event: none that its filter drops");
	end_case();
}

/* It has triggers as others, but makes no other event. */
static void test_triggers(void)
{
	begin_case();
	make_pair("latency:io");
	is_int(marker_triggers_set(&marker_top, "latency", "io", "snapshot if latency == 500"), 0,
	       "event: its trigger");
	is_int(marker_triggers_set(&marker_top, "latency", "io", "latency:more:keys=a:event"), -EINVAL,
	       "event: one of an event");
	hit_many();
	unit_time_ns = 1500;
	hit(INTS, -5, 7, 'x');
	has_acted("snapshot ", "event: its trigger runs");
	is_str(recorded(), "ints: a -5 b 7 c x\nio: a -5 b 0x7 procname task latency 500\n",
	       "event: and it is recorded");
	end_case();
}

/* Other keys only if nothing has the old ones any more. */
static void test_other_keys(void)
{
	begin_case();
	make_pair("latency:io");
	is_int(trigger("latency:io:keys=b,a,procname:event"), -EINVAL, "event: other keys");
	is_int(marker_triggers_set_patterns(&marker_top, "m:ints latency:io:keys=b:event\n"
					    "m:text begin:io:keys=n", true), 0,
	       "event: other keys, in one command");
	update_events();
	is_str(format_of("io"), "b %#llx latency %llu", "event: in place of the old one");
	is_int(marker_program_actions(kit_event(&m, "ints"))->nr, 1, "event: and its trigger");
	hit(TEXT, 9, 0);
	unit_time_ns = 2000;
	hit(INTS, 1, 9, 'x');
	is_str(recorded(), "ints: a 1 b 9 c x\nio: b 0x9 latency 1000\n", "event: the new one");
	is_int(marker_triggers_set_patterns(&marker_top, "m:ints latency:io:keys=a,b:event\n"
					    "m:text begin:io:keys=n", true), -EINVAL,
	       "event: keys of other sizes");
	end_case();
}

/* The update of another command, before the old event is free. */
static void test_waits(void)
{
	begin_case();
	make_pair("latency:io");
	is_int(marker_triggers_set_patterns(&marker_top, "m:ints latency:io:keys=a:event\n"
					    "m:text begin:io:keys=n", true), 0,
	       "event: other keys again");
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
	end_case();
}

static void test_by_task(void)
{
	begin_case();
	is_int(trigger("latency:io:event"), 0, "event: by the task");
	update_events();
	is_str(format_of("io"), "tid %d latency %llu", "event: its field");
	end_case();
}

/* The pair of an instance is an event of that instance only. */
static void test_instance(void)
{
	static struct marker_recording recording;

	begin_case();
	marker_recording_init(&recording, "rules");
	recording.live = MARKER_LIVE_ON;
	marker_recordings_add(&recording);
	marker_control_set_patterns(&marker_top, "latency:io+count", true);
	is_int(marker_triggers_set_patterns(&recording, "m:text begin:io:keys=n\n"
					    "m:ints latency:io:keys=a:event\n"
					    "latency:io dump:last=5", false), 0,
	       "event: of an instance");
	is_int(trigger("latency:io:keys=b:event"), -EINVAL, "event: the name is that of all");
	is_int(trigger("latency:io:keys=a:event"), 0, "event: the same at the top");
	marker_triggers_set(&marker_top, "latency", "io", "snapshot");
	update_events();
	hit(TEXT, 1, 0);
	hit(INTS, 1, 0, 'x');
	has_acted("dump=5 ", "event: the triggers of the instance run, those of the top do not");
	is_str(recorded(), "", "event: the top has nothing of it");
	marker_triggers_set(&marker_top, "m", "text", "begin:io:keys=n");
	hit(TEXT, 1, 0);
	hit(INTS, 1, 0, 'x');
	is_str(recorded(), "io: a 1 latency 0\n", "event: each has its own");
	ok(strstr(acted, "dump=5 ") && strstr(acted, "snapshot "),
	   "event: and the triggers of both run: %s", acted);
	*acted = '\0';
	marker_triggers_end(&recording);
	marker_control_end(&recording);
	marker_recordings_remove(&recording);
	end_case();
}

/* Who sees the state of what comes sees the event. */
static void test_hit_while_it_comes(void)
{
	begin_case();
	marker_control_set(&marker_top, "m", "ints", MARKER_ASK_RECORD);
	unit_before_rmb = come;
	marker_dispatch_inside(&coming, (const u64[]){ 1, 2, 'x' }, &marker_top);
	is_str(recorded(), "ints: a 1 b 2 c x\n", "event: hit while it comes");
	end_case();
}

/* At each place of the command and after it. */
static void test_no_memory(void)
{
	unsigned int nr;
	int err;

	begin_case();
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
	end_case();
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
	kit_log();
	update_events();
	is_str(kit_log(), "", "names: the pair waits, and says so once");
	kit_unload(&latency);
	update_events();
	ok(event->module && event->nr_sites == 1, "names: now the pair has it");
	is_int(trigger("!latency"), 0, "names: no pair");
	update_events();
	end();
}

static void retry(unsigned long alloc_fail)
{
	marker_registry_lock();
	unit_alloc_fail = alloc_fail;
	marker_triggers_retry();
	unit_alloc_fail = 0;
	marker_registry_unlock();
	kit_reap();
}

/* A pair comes while a module has the name of its event, which then goes. */
static void test_waits_for_name(void)
{
	static struct marker_recording recording;
	unsigned int nr;

	begin_case();
	marker_recording_init(&recording, "rules");
	marker_recordings_add(&recording);
	is_int(kit_load(&latency), 0, "name: of a module");
	is_int(marker_triggers_set_patterns(&recording, "namesakes:done latency:io:keys=tid:event\n"
					    "namesakes:done hist:keys=latency", false), 0,
	       "name: a pair that is pending");
	kit_load(&namesakes);
	ok(!marker_program_actions(kit_event(&namesakes, "done")), "name: its module comes without it");
	retry(0);
	ok(!marker_program_actions(kit_event(&namesakes, "done")), "name: it is still that of the module");
	kit_unload(&latency);
	kit_log();
	for (nr = 1; !marker_program_actions(kit_event(&namesakes, "done")); nr++)
		retry(nr);
	ok(nr > 5, "name: no memory in %u places", nr - 2);
	ok(strstr(kit_log(), "no memory"), "name: it says so");
	retry(0);
	update_events();
	is_int(marker_program_actions(kit_event(&namesakes, "done"))->nr, 2, "name: it is free, for pair and hist");
	is_str(format_of("io"), "tid %d latency %llu", "name: the pair's event has it");
	marker_triggers_end(&recording);
	marker_control_end(&recording);
	marker_recordings_remove(&recording);
	kit_unload(&namesakes);
	end_case();
}

static void tests(void)
{
	test_refused();
	test_clashes();
	test_comes();
	test_recorded();
	test_triggers();
	test_other_keys();
	test_waits();
	test_by_task();
	test_instance();
	test_hit_while_it_comes();
	test_no_memory();
	test_name_of_pairs();
	test_waits_for_name();
}

int main(void)
{
	return kit_run(tests);
}
