// SPDX-License-Identifier: GPL-2.0
/*
 * The actions of an event: what they ask for, and which retire.  Process context, under the
 * registry mutex.
 */
#include <markers/model/program.h>
#include "triggers_internal.h"

const struct marker_trigger_ops *marker_triggers_ops;

void marker_triggers_init(const struct marker_trigger_ops *ops)
{
	marker_triggers_ops = ops;
}

static bool has_action(const struct marker_actions *actions,
		       const struct marker_action *action)
{
	unsigned int i;

	for (i = 0; i < marker_actions_nr(actions); i++) {
		if (actions->action[i] == action)
			return true;
	}
	return false;
}

static bool has_kind(const struct marker_actions *actions,
		     const struct marker_recording *recording, enum marker_action_kind kind)
{
	unsigned int i;

	for (i = 0; i < marker_actions_nr(actions); i++) {
		if (actions->action[i]->recording == recording && actions->action[i]->kind == kind)
			return true;
	}
	return false;
}

bool marker_triggers_have(const struct marker_event *event,
			  const struct marker_recording *recording,
			  enum marker_action_kind kind)
{
	return has_kind(marker_program_newest_actions(event), recording, kind);
}

unsigned int marker_triggers_count(const struct marker_event *event,
				   const struct marker_recording *recording)
{
	const struct marker_actions *actions = marker_program_newest_actions(event);
	unsigned int i, nr = 0;

	for (i = 0; i < marker_actions_nr(actions); i++)
		nr += actions->action[i]->recording == recording;
	return nr;
}

bool marker_triggers_lacks_latency(const struct marker_action *action)
{
	return action->asks_latency &&
	       !has_kind(marker_program_actions(action->event), action->recording,
			 MARKER_ACTION_LATENCY);
}

bool marker_triggers_act(const struct marker_trigger *trigger)
{
	const struct marker_action *action;

	for_each_trigger_action(trigger, action) {
		if (marker_action_fits(action) && !marker_triggers_lacks_latency(action))
			return true;
	}
	return false;
}

u64 marker_triggers_cost(const struct marker_event *event)
{
	const struct marker_actions *actions = marker_program_newest_actions(event);
	const struct marker_action *action;
	unsigned int i;
	u64 cost = 0;

	for (i = 0; i < marker_actions_nr(actions); i++) {
		action = actions->action[i];
		if (action->filter)
			cost += action->filter->cost;
	}
	return cost;
}

static void retire_unless_in_force(const struct marker_event *event,
				   struct marker_action *action)
{
	if (!has_action(marker_program_actions(event), action))
		marker_triggers_ops->retire(action);
}

void marker_triggers_remove(struct marker_action *action)
{
	struct marker_event *event = action->event;

	/* it may have retired after a change that failed */
	if (!has_action(marker_program_newest_actions(event), action))
		return;
	marker_program_remove_action(event, action);
	/* if it is, see marker_triggers_settle() */
	retire_unless_in_force(event, action);
}

void marker_triggers_settle(const struct marker_event *event)
{
	const struct marker_actions *actions = marker_actions_of(event->next_program);
	unsigned int i;

	for (i = 0; i < marker_actions_nr(actions); i++)
		retire_unless_in_force(event, actions->action[i]);
}
