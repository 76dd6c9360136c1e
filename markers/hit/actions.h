/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What triggers do at a hit.
 */
#ifndef _MARKERS_ACTIONS_H
#define _MARKERS_ACTIONS_H

#include <markers/model/action.h>

/**
 * marker_actions_run() - run the actions of an event whose filters a hit passes
 * @event:	the event
 * @args:	the arguments of the hit
 *
 * Those of a recording in the order in which their triggers were written; stacks are not among
 * them.
 *
 * Context: Any, NMI too; in the dispatcher: preemption off, recursion is detected.
 */
void marker_actions_run(const struct marker_event *event, const u64 *args);

/**
 * marker_actions_run_of() - run those of one recording only
 * @event:	the event
 * @args:	the arguments of the hit
 * @recording:	the recording
 *
 * Context: as marker_actions_run().
 */
void marker_actions_run_of(const struct marker_event *event, const u64 *args,
			   const struct marker_recording *recording);

/**
 * marker_actions_ask_stack() - does a trigger ask for the stack of this hit?
 * @event:	the event
 * @recording:	the one that asks
 * @args:	the arguments of the hit
 *
 * Context: as marker_actions_run().
 * Return: the first action that asks for the stack: it has taken a turn, and the actions
 * after it take none.  NULL: no action asks.
 */
struct marker_action *marker_actions_ask_stack(const struct marker_event *event,
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
