// SPDX-License-Identifier: GPL-2.0
/*
 * The actions of a program: in which order hits run them, and which can be ruled out, or run, at
 * once.  Process context, under the registry mutex.
 */
#include "program_internal.h"

/* Which part of the actions it belongs to. */
static u16 *part_of(struct marker_actions *actions, const struct marker_action *action)
{
	if (!marker_action_fits(action))
		return &actions->nr_misfits;
	return action->kind == MARKER_ACTION_STACKTRACE ? &actions->nr_stacks : &actions->nr;
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

/* Add those of the part @part. */
static void add_part(struct marker_actions *actions, u16 *part, const struct marker_actions *from,
		     struct marker_action *more, const struct marker_action *less)
{
	const unsigned int nr = marker_actions_nr(from);
	struct marker_action *action;
	unsigned int i;

	for (i = 0; i <= nr; i++) {
		action = i < nr ? from->action[i] : more;
		if (!action || action == less || part_of(actions, action) != part)
			continue;
		actions->action[marker_actions_nr(actions)] = action;
		++*part;
	}
}

void marker_actions_fill(struct marker_actions *actions, const struct marker_actions *from,
			 struct marker_action *more, const struct marker_action *less)
{
	add_part(actions, &actions->nr, from, more, less);
	add_part(actions, &actions->nr_stacks, from, more, less);
	add_part(actions, &actions->nr_misfits, from, more, less);
	sort_actions(actions);
	actions->only = only_test(actions);
	actions->quick = quick_action(actions);
}
