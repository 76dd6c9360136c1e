// SPDX-License-Identifier: GPL-2.0
/*
 * The actions of an event: which are in force, which come next, and in which order hits run
 * them.  Process context, under the registry mutex.  Hits read the actions in force under RCU.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filters.h"
#include "triggers_internal.h"

const struct marker_trigger_ops *marker_triggers_ops;

void marker_triggers_init(const struct marker_trigger_ops *ops)
{
	marker_triggers_ops = ops;
}

struct marker_actions *marker_triggers_newest(const struct marker_event *event)
{
	return event->actions_change ? event->next_actions : marker_triggers_in_force(event);
}

bool marker_triggers_are_armed(const struct marker_event *event)
{
	const struct marker_actions *actions = marker_triggers_in_force(event);

	return actions && actions->nr;
}

static bool has_action(const struct marker_actions *actions,
		       const struct marker_action *action)
{
	unsigned int i;

	for (i = 0; i < marker_triggers_nr(actions); i++) {
		if (actions->action[i] == action)
			return true;
	}
	return false;
}

bool marker_triggers_fits(const struct marker_action *action)
{
	return !action->filter || !action->filter->error.why;
}

/* Which part of struct marker_actions it belongs to. */
static unsigned int *part_of(struct marker_actions *actions,
			     const struct marker_action *action)
{
	if (!marker_triggers_fits(action))
		return &actions->nr_misfits;
	return action->kind == MARKER_ACTION_STACKTRACE ? &actions->nr_stacks : &actions->nr;
}

/* Add those of @from, and @more, that belong to the part @part and are not taken away. */
static void add_part(struct marker_actions *actions, unsigned int *part,
		     const struct marker_actions *from, struct marker_action *more)
{
	struct marker_action *action;
	unsigned int i;

	for (i = 0; i <= marker_triggers_nr(from); i++) {
		action = i < marker_triggers_nr(from) ? from->action[i] : more;
		if (!action || action->trigger->is_gone || part_of(actions, action) != part)
			continue;
		actions->action[marker_triggers_nr(actions)] = action;
		++*part;
	}
}

static const struct marker_filter_test *only_test(const struct marker_actions *actions)
{
	const struct marker_event_filter *filter;

	if (actions->nr != 1)
		return NULL;
	filter = actions->action[0]->filter;
	return filter ? marker_filter_only_test(&filter->program) : NULL;
}

/* After @only is set. */
static const struct marker_action *quick_action(const struct marker_actions *actions)
{
	const struct marker_action *action = actions->nr == 1 ? actions->action[0] : NULL;

	return action && action->is_quick && (!action->filter || actions->only) ? action : NULL;
}

bool marker_triggers_have(const struct marker_event *event,
			  const struct marker_recording *recording,
			  enum marker_action_kind kind)
{
	const struct marker_actions *actions = marker_triggers_newest(event);
	unsigned int i;

	for (i = 0; i < marker_triggers_nr(actions); i++) {
		if (actions->action[i]->recording == recording &&
		    actions->action[i]->kind == kind &&
		    !actions->action[i]->trigger->is_gone)
			return true;
	}
	return false;
}

unsigned int marker_triggers_count(const struct marker_event *event,
				   const struct marker_recording *recording)
{
	const struct marker_actions *actions = marker_triggers_newest(event);
	unsigned int i, nr = 0;

	for (i = 0; i < marker_triggers_nr(actions); i++)
		nr += actions->action[i]->recording == recording;
	return nr;
}

bool marker_triggers_lacks_latency(const struct marker_action *action)
{
	const struct marker_actions *actions = marker_triggers_in_force(action->event);
	unsigned int i;

	if (!action->asks_latency)
		return false;
	for (i = 0; i < marker_triggers_nr(actions); i++) {
		if (actions->action[i]->recording == action->recording &&
		    actions->action[i]->kind == MARKER_ACTION_LATENCY)
			return false;
	}
	return true;
}

bool marker_triggers_act(const struct marker_trigger *trigger)
{
	const struct marker_action *action;

	for_each_trigger_action(trigger, action) {
		if (marker_triggers_fits(action) && !marker_triggers_lacks_latency(action))
			return true;
	}
	return false;
}

u64 marker_triggers_cost(const struct marker_event *event)
{
	const struct marker_actions *actions = marker_triggers_newest(event);
	const struct marker_action *action;
	unsigned int i;
	u64 cost = 0;

	for (i = 0; i < marker_triggers_nr(actions); i++) {
		action = actions->action[i];
		if (action->filter && !action->trigger->is_gone)
			cost += action->filter->cost;
	}
	return cost;
}

/* Must @action run before @other, which was written before it? */
static bool comes_before(const struct marker_action *action, const struct marker_action *other)
{
	if (action->recording != other->recording)
		return action->recording < other->recording;
	return action->kind == MARKER_ACTION_LATENCY && other->kind != MARKER_ACTION_LATENCY;
}

/*
 * Those of a recording are side by side, and those that may ask for the latency come after
 * it.
 */
static void sort_actions(struct marker_actions *actions)
{
	unsigned int i, to;

	for (i = 1; i < actions->nr; i++) {
		struct marker_action *action = actions->action[i];

		for (to = i; to && comes_before(action, actions->action[to - 1]); to--)
			actions->action[to] = actions->action[to - 1];
		actions->action[to] = action;
	}
}

/* Retire those of @from that are neither in @next nor in @other. */
static void retire_missing(const struct marker_actions *from,
			   const struct marker_actions *next,
			   const struct marker_actions *other)
{
	unsigned int i;

	for (i = 0; i < marker_triggers_nr(from); i++) {
		if (!has_action(next, from->action[i]) && !has_action(other, from->action[i]))
			marker_triggers_ops->retire(from->action[i]);
	}
}

int marker_triggers_choose(struct marker_event *event, struct marker_action *more)
{
	struct marker_actions *from = marker_triggers_newest(event), *actions;

	/* an instance can be removed even if there is no memory */
	actions = kzalloc(struct_size(actions, action, marker_triggers_nr(from) + 1),
			  more ? GFP_KERNEL_ACCOUNT : GFP_KERNEL | __GFP_NOFAIL);
	if (!actions)
		return -ENOMEM;
	add_part(actions, &actions->nr, from, more);
	add_part(actions, &actions->nr_stacks, from, more);
	add_part(actions, &actions->nr_misfits, from, more);
	sort_actions(actions);
	actions->only = only_test(actions);
	actions->quick = quick_action(actions);
	if (!marker_triggers_nr(actions)) {
		kfree(actions);
		actions = NULL;
	}
	if (event->actions_change) {
		retire_missing(from, actions, marker_triggers_in_force(event));
		kfree(from);
	}
	event->next_actions = actions;
	event->actions_change = true;
	return 0;
}

void marker_triggers_exchange(struct marker_event *event)
{
	struct marker_actions *actions = marker_triggers_in_force(event);

	if (!event->actions_change)
		return;
	rcu_assign_pointer(event->actions, event->next_actions);
	event->next_actions = actions;
}

void marker_triggers_settle(struct marker_event *event)
{
	struct marker_actions *actions = event->next_actions;

	if (!event->actions_change)
		return;
	retire_missing(actions, marker_triggers_in_force(event), NULL);
	if (actions)
		kfree_rcu(actions, rcu);
	event->next_actions = NULL;
	event->actions_change = false;
}
