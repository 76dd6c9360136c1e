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

#include <markers/model/rules.h>
#include <markers/record/record.h>
#include "actions.h"
#include "asks.h"
#include "latencies.h"
#include "passes.h"

/* May it run once more?  If so, count this run. */
static bool take_turn(struct marker_action *action)
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
static bool is_settled(const struct marker_action *action)
{
	return !marker_asks_are_busy() &&
	       READ_ONCE(action->settled) == READ_ONCE(action->recording->rules.changes);
}
NOKPROBE_SYMBOL(is_settled);

void marker_actions_run(struct marker_action *action, const u64 *args, s64 *latency,
			struct marker_follow *follow)
{
	struct marker_recording *recording = action->recording;
	s64 known;

	switch (action->kind) {
	case MARKER_ACTION_TRACEON:
		if (!marker_recording_is_recording(recording) && take_turn(action))
			marker_recording_hit_on(recording);
		break;
	case MARKER_ACTION_TRACEOFF:
		if ((action->after ? marker_recording_is_recording(recording) :
				     marker_recording_is_on(recording)) && take_turn(action))
			marker_recording_hit_off(recording, action->after);
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
		known = marker_latencies_end(action, args, follow);
		/* of several pairs, the last one that was begun */
		if (known >= 0)
			*latency = known;
		break;
	case MARKER_ACTION_HIST:	/* see marker_hists_hit() */
	case MARKER_ACTION_STACKTRACE:	/* see marker_actions_ask_stack() */
	case NR_MARKER_ACTIONS:
		break;
	}
}
NOKPROBE_SYMBOL(marker_actions_run);

struct marker_action *marker_actions_ask_stack(const struct marker_program *program,
					       const struct marker_recording *recording,
					       const u64 *args)
{
	const struct marker_actions *actions = marker_actions_of(program);
	unsigned int i;

	for (i = 0; actions && i < actions->nr_stacks; i++) {
		struct marker_action *action = actions->action[actions->nr + i];

		if (action->recording == recording && passes_action(action, args, -1) &&
		    take_turn(action))
			return action;
	}
	return NULL;
}
NOKPROBE_SYMBOL(marker_actions_ask_stack);

void marker_actions_return_turn(struct marker_action *action)
{
	atomic_long_dec(&action->hits);
	if (action->limited)
		atomic_long_inc(&action->left);
}
NOKPROBE_SYMBOL(marker_actions_return_turn);
