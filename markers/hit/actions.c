// SPDX-License-Identifier: GPL-2.0
/*
 * What triggers do at a hit, in its context, NMI too: no lock, no allocation.  asks.c
 * queues what needs a task.
 *
 * An action with nothing to do takes no turn: traceoff while tracing is off does not use up
 * ":1".
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>

#include <markers/model/rules.h>
#include <markers/record/channel.h>
#include "actions.h"
#include "asks.h"
#include "hists.h"
#include "latencies.h"
#include "passes.h"

/* May it run once more?  If so, count this run. */
static notrace bool take_turn(struct marker_action *action)
{
	if (action->limited && atomic_long_dec_if_positive(&action->left) < 0)
		return false;
	atomic_long_inc(&action->hits);
	return true;
}
NOKPROBE_SYMBOL(take_turn);

/*
 * Is there nothing for it to do, and nothing queued that could undo what it did?  Look at
 * the queue first.
 */
static notrace bool is_settled(const struct marker_action *action)
{
	return !marker_asks_are_busy() &&
	       READ_ONCE(action->settled) == READ_ONCE(action->recording->rules.changes);
}
NOKPROBE_SYMBOL(is_settled);

/* All kinds but the frequent one. */
static noinline notrace void run_rare_action(struct marker_action *action, const u64 *args,
					     s64 *latency)
{
	struct marker_recording *recording = action->recording;
	s64 known;

	switch (action->kind) {
	case MARKER_ACTION_TRACEON:
		if (!marker_channel_is_recording(recording) && take_turn(action))
			marker_channel_hit_on(recording);
		break;
	case MARKER_ACTION_TRACEOFF:
		if ((action->after ? marker_channel_is_recording(recording) :
				     marker_channel_is_on(recording)) && take_turn(action))
			marker_channel_hit_off(recording, action->after);
		break;
	case MARKER_ACTION_ENABLE:
	case MARKER_ACTION_DISABLE:
		if (!is_settled(action) && take_turn(action))
			marker_asks_queue(action);
		break;
	case MARKER_ACTION_SNAPSHOT:
		if (take_turn(action))
			marker_asks_queue(action);
		break;
	case MARKER_ACTION_DUMP:
		/* Only one of several CPUs asks, and only that one takes a turn. */
		if (!marker_asks_claim_dump(recording, action->after))
			break;
		if (take_turn(action))
			irq_work_queue(&marker_asks_dump);
		else
			marker_asks_end_dump();
		break;
	case MARKER_ACTION_BEGIN:
		marker_latencies_begin(action, args);
		break;
	case MARKER_ACTION_LATENCY:
		known = marker_latencies_end(action, args);
		/* of several pairs, the last one that was begun */
		if (known >= 0)
			*latency = known;
		break;
	case MARKER_ACTION_HIST:	/* see run_action() */
	case MARKER_ACTION_STACKTRACE:	/* see marker_actions_ask_stack() */
	case NR_MARKER_ACTIONS:
		break;
	}
}
NOKPROBE_SYMBOL(run_rare_action);

static __always_inline void run_action(struct marker_action *action, const u64 *args,
				       s64 *latency)
{
	if (likely(action->kind == MARKER_ACTION_HIST))
		marker_hists_hit(action, args, *latency);
	else
		run_rare_action(action, args, latency);
}

static __always_inline bool passes(const struct marker_action *action, const u64 *args,
				   s64 latency)
{
	const struct marker_event_filter *filter = action->filter;

	if (!filter)
		return true;
	return !(filter->program.latency && latency < 0) &&
	       passes_program(&filter->program.cell[0].test, args, latency);
}

/* @only: of one recording, or NULL: of all */
static __always_inline void run_actions(const struct marker_event *event, const u64 *args,
					const struct marker_recording *only)
{
	const struct marker_actions *actions = rcu_dereference_raw(event->actions);
	const struct marker_recording *recording = NULL;
	struct marker_action *action;
	s64 latency = -1;
	unsigned int i;

	/* A command has just removed them. */
	if (unlikely(!actions))
		return;
	for (i = 0; i < actions->nr; i++) {
		action = actions->action[i];
		if (only && action->recording != only)
			continue;
		if (action->recording != recording)
			latency = -1;
		recording = action->recording;
		if (passes(action, args, latency))
			run_action(action, args, &latency);
	}
}

notrace void marker_actions_run(const struct marker_event *event, const u64 *args)
{
	run_actions(event, args, NULL);
}
NOKPROBE_SYMBOL(marker_actions_run);

notrace void marker_actions_run_of(const struct marker_event *event, const u64 *args,
				   const struct marker_recording *recording)
{
	run_actions(event, args, recording);
}
NOKPROBE_SYMBOL(marker_actions_run_of);

notrace struct marker_action *marker_actions_ask_stack(const struct marker_event *event,
						       const struct marker_recording *recording,
						       const u64 *args)
{
	const struct marker_actions *actions = rcu_dereference_raw(event->actions);
	unsigned int i;

	for (i = 0; actions && i < actions->nr_stacks; i++) {
		struct marker_action *action = actions->action[actions->nr + i];

		if (action->recording == recording && passes(action, args, -1) && take_turn(action))
			return action;
	}
	return NULL;
}
NOKPROBE_SYMBOL(marker_actions_ask_stack);

notrace void marker_actions_return_turn(struct marker_action *action)
{
	atomic_long_dec(&action->hits);
	if (action->limited)
		atomic_long_inc(&action->left);
}
NOKPROBE_SYMBOL(marker_actions_return_turn);
