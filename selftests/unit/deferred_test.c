// SPDX-License-Identifier: GPL-2.0
/*
 * What hits leave to a task: the task does what the last hits asked for, whatever is hit
 * while it runs; and once a command has removed an action, that action changes nothing.
 */
#include <markers/hit/actions.h>
#include <markers/hit/asks.h>
#include <markers/hit/callstack.h>
#include <markers/hit/passes.h>
#include <markers/record/record.h>
#include <markers/control/deferred.h>
#include <markers/record/keeper.h>
#include <markers/after/last_words.h>
#include "switch_kit.h"

/* In place of markers/record. */
static void (*meanwhile)(void);		/* called in the next snapshot */
static unsigned int snapshots, told;
static int snapshot_error;

bool marker_recording_is_on(const struct marker_recording *recording)
{
	(void)recording;
	return true;
}

void marker_recording_hit_on(struct marker_recording *recording)
{
}

void marker_recording_hit_off(struct marker_recording *recording, u32 after)
{
}

int marker_recording_take_snapshot(struct marker_recording *recording, bool log)
{
	(void)recording;
	void (*call)(void) = meanwhile;

	meanwhile = NULL;
	snapshots++;
	told += log;
	if (call)
		call();
	return snapshot_error;
}

/* In place of last_words.c. */
int marker_last_words_prepare(void)
{
	return 0;
}

static void update_notes(void)
{
}

static const struct marker_keeper keeper = { .update = update_notes };
const struct marker_keeper *marker_keeper = &keeper;

/* In place of callstack.c. */
void marker_callstack_take(struct marker_callstack *stack, unsigned int depth)
{
	stack->nr = 0;
}

static struct kit_module m = {
	.mod.name = "m",
	.marker = { { "hit", "n %d", 1 }, { "x", "n %d", 1 } },
};

/* As the triggers of m:hit have them. */
enum { ENABLE = 1, DISABLE, SNAPSHOT };

/* In place of dispatch.c. */
static void run_actions(const struct marker_event *event, const u64 *args)
{
	const struct marker_actions *actions = marker_program_actions(event);
	s64 latency = -1;
	unsigned int i;

	for (i = 0; i < actions->nr; i++) {
		if (passes_action(actions->action[i], args, latency))
			marker_actions_run(actions->action[i], args, &latency, NULL);
	}
}

static void hit(u64 n)
{
	run_actions(m.marker[0].marker.event, &n);
}

static void begin(void)
{
	is_int(marker_triggers_set_patterns(&marker_top, "m:hit enable_marker:m:x if n == 1\n"
					    "m:hit disable_marker:m:x if n == 2\n"
					    "m:hit snapshot if n == 3", true), 0, "triggers");
	marker_control_set(&marker_top, "m", "x", 0);
	snapshots = 0;
	told = 0;
	jiffies += HZ;
}

static struct marker_action *action(unsigned int nr)
{
	return marker_program_actions(m.marker[0].marker.event)->action[nr - 1];
}

static void is_on(bool on, const char *what)
{
	const u32 asked = marker_program_asked(m.marker[1].marker.event, &marker_top);

	is_int(asked & MARKER_ASK_RECORD, on, "%s", what);
}

static void test_order(void)
{
	begin();
	hit(ENABLE);
	is_on(false, "not in the hit");
	unit_run_works();
	is_on(true, "enabled by the task");
	hit(ENABLE);
	is_int(atomic_long_read(&action(ENABLE)->hits), 1, "what is so already does not count");
	hit(DISABLE);
	hit(ENABLE);
	unit_run_works();
	is_on(true, "what was so already when the opposite was queued");
	is_int(atomic_long_read(&action(ENABLE)->hits), 2, "it counts");
	hit(ENABLE);
	hit(DISABLE);
	unit_run_works();
	is_on(false, "the last one decides");
	hit(DISABLE);
	is_int(atomic_long_read(&action(DISABLE)->hits), 2, "nor does it count again");
}

static void disable(void)
{
	hit(DISABLE);
}

static void enable(void)
{
	hit(ENABLE);
}

/* A hit while the task carries out the actions of earlier hits. */
static void test_meanwhile(void)
{
	begin();
	hit(SNAPSHOT);
	hit(DISABLE);
	hit(ENABLE);
	meanwhile = disable;
	unit_run_works();
	unit_run_works();
	is_on(false, "disabled in between, which is the last hit");
	hit(ENABLE);
	unit_run_works();
	is_on(true, "enabled");
	/* the hit asks for the state that the marker has and is about to lose */
	hit(SNAPSHOT);
	hit(DISABLE);
	meanwhile = enable;
	unit_run_works();
	unit_run_works();
	is_on(true, "enabled in between");
}

static void disable_and_enable(void)
{
	hit(DISABLE);
	hit(ENABLE);
}

/* Hits interrupt a hit that has its number, but has not queued its action yet. */
static void test_interrupted(void)
{
	begin();
	unit_after_inc_return = disable_and_enable;
	hit(ENABLE);
	unit_run_works();
	unit_run_works();
	is_on(true, "enabled by the newest hit, which an older one asked for, too");
	unit_after_inc_return = disable;
	hit(DISABLE);
	unit_run_works();
	is_on(false, "disabled twice");
}

static void test_taken_away(void)
{
	begin();
	hit(ENABLE);
	marker_triggers_set_patterns(&marker_top, "", true);
	marker_control_set_patterns(&marker_top, "", true);
	unit_run_works();
	is_on(false, "nothing comes after the command");
	begin();
	hit(ENABLE);
	marker_triggers_set(&marker_top, "m", "hit", "!enable_marker");
	is_on(true, "what was hit before it is done");
}

static void snapshot(int error)
{
	snapshot_error = error;
	hit(SNAPSHOT);
	unit_run_works();
}

/* An action that fails a hundred times a second does not fill error_log. */
static void test_failures(void)
{
	begin();
	snapshot(-EBUSY);
	snapshot(-EBUSY);
	snapshot(-EBUSY);
	is_int(told, 1, "the first failure is told");
	is_int(action(SNAPSHOT)->failed, 3, "failed");
	snapshot(0);
	snapshot(-EBUSY);
	is_int(told, 2, "the first one after a success, too");
	is_int(action(SNAPSHOT)->failed, 4, "failed");
	snapshot_error = 0;
}

static unsigned int messages(void)
{
	const char *log = kit_log();
	unsigned int nr = 0;

	for (; (log = strstr(log, "error: ")); log++)
		nr++;
	return nr;
}

static void test_refusals(void)
{
	unsigned int i;

	marker_triggers_set_patterns(&marker_top, "m:* enable_marker:m:x+stack", true);
	kit_log();
	for (i = 0; i < 5; i++) {
		hit(1);
		run_actions(m.marker[1].marker.event, &(u64){ 1 });
		unit_run_works();
	}
	is_int(action(1)->failed, 5, "refused each time");
	is_int(messages(), 1, "one message for all markers of a trigger");
	marker_top.rules.stacks_allowed = true;
	hit(1);
	unit_run_works();
	is_on(true, "once there is room for stacks");
	marker_top.rules.stacks_allowed = false;
	marker_control_set(&marker_top, "m", "x", 0);
	hit(1);
	unit_run_works();
	is_int(messages(), 1, "refused again");
	marker_triggers_set_patterns(&marker_top, "", true);
}

static void test_rate(void)
{
	begin();
	hit(SNAPSHOT);
	is_int(unit_delay, 0, "at once");
	unit_run_works();
	hit(SNAPSHOT);
	hit(SNAPSHOT);
	is_int(unit_delay, 3, "10 ms later, in whole jiffies");
	unit_run_works();
	is_int(snapshots, 2, "one for both hits");
	is_int(action(SNAPSHOT)->done, 2, "done");
}

/* One dump at a time, and none before it is time for the next. */
static void test_dump(void)
{
	struct marker_recording other;

	jiffies += HZ;
	ok(marker_asks_claim_dump(&marker_top, 7), "a dump");
	ok(marker_asked_dump.recording == &marker_top && marker_asked_dump.nr == 7, "of these events");
	ok(!marker_asks_claim_dump(&other, 9), "no second one at the same time");
	ok(marker_asked_dump.recording == &marker_top && marker_asked_dump.nr == 7, "it changes nothing");
	marker_asks_end_dump();
	ok(marker_asks_claim_dump(&other, 0), "after its end");
	ok(marker_asked_dump.recording == &other && marker_asked_dump.nr == MARKER_DUMP_EVENTS,
	   "of as many events as usual");
	marker_asks_end_dump();
	marker_asked_dump.next_time = jiffies + 1;
	ok(!marker_asks_claim_dump(&other, 9), "not yet");
	jiffies++;
	ok(marker_asks_claim_dump(&other, 9), "it is time");
	marker_asks_end_dump();
}

int main(void)
{
	kit_begin();
	marker_top.live = MARKER_LIVE_ON;
	assert(!marker_deferred_init());
	kit_load(&m);
	test_order();
	test_meanwhile();
	test_interrupted();
	test_taken_away();
	test_rate();
	test_failures();
	test_refusals();
	test_dump();
	begin();
	hit(SNAPSHOT);
	marker_deferred_exit();
	ok(list_empty(&marker_top.triggers) && !marker_program_actions(m.marker[0].marker.event),
	   "after the end no trigger is left");
	return kit_end();
}
