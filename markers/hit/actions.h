/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What triggers do at a hit.
 */
#ifndef _MARKERS_ACTIONS_H
#define _MARKERS_ACTIONS_H

#include <markers/model/action.h>

struct marker_follow;

/**
 * marker_actions_run() - run an action whose filter the hit passes
 * @action:	not MARKER_ACTION_HIST, which has marker_hists_hit()
 * @args:	the arguments of the hit
 * @latency:	set by the end of a pair
 * @follow:	see marker_latencies_end()
 *
 * Context: Any, NMI too; in the dispatcher: preemption off, recursion is detected.
 */
void marker_actions_run(struct marker_action *action, const u64 *args, s64 *latency,
			struct marker_follow *follow);

/**
 * marker_actions_ask_stack() - does a trigger ask for the stack of this hit?
 * @program:	of the event
 * @recording:	the one that asks
 * @args:	the arguments of the hit
 *
 * Context: as marker_actions_run().
 * Return: the first action that asks for the stack: it has taken a turn, and the actions
 * after it take none.  NULL: no action asks.
 */
struct marker_action *marker_actions_ask_stack(const struct marker_program *program,
					       const struct marker_recording *recording,
					       const u64 *args);

/**
 * marker_actions_return_turn() - undo the turn of an action whose hit was lost
 * @action:	from marker_actions_ask_stack()
 *
 * Context: as marker_actions_run().
 */
void marker_actions_return_turn(struct marker_action *action);

#endif /* _MARKERS_ACTIONS_H */
