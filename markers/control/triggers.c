// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers: the lists of recordings, and the actions of events that they become.  Process
 * context, under the registry mutex.
 *
 * An action stays with its event when the module goes: when the module is loaded again, a
 * count that has run out stays so.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/format/glob.h>
#include <markers/log.h>
#include <markers/model/program.h>
#include <markers/model/registry.h>
#include <markers/model/rules.h>
#include "filters.h"
#include "switch.h"
#include "triggers_internal.h"

/* It is in no list of triggers any more: free it now, or with its last action. */
static void trigger_drop(struct marker_trigger *trigger)
{
	trigger->is_gone = true;
	if (list_empty(&trigger->actions))
		marker_triggers_destroy(trigger);
}

static void action_free(struct marker_action *action)
{
	marker_triggers_ops->destroy(action);
	kfree(action->filter);
	kfree(action);
}

void marker_triggers_free(struct marker_action *action)
{
	struct marker_trigger *trigger = action->trigger;

	marker_registry_assert_locked();
	list_del(&action->of_trigger);
	action_free(action);
	if (trigger->is_gone && list_empty(&trigger->actions))
		marker_triggers_destroy(trigger);
}

/* The end of a pair computes the latency: only actions that run later know it. */
static const char *why_no_latency(const struct marker_trigger *trigger,
				  const struct marker_event *event)
{
	if (trigger->kind == MARKER_ACTION_STACKTRACE)
		return "the stack is taken before the latency is known";
	return marker_triggers_have(event, trigger->recording, MARKER_ACTION_LATENCY) ?
	       NULL : MARKER_NO_LATENCY;
}

static struct marker_action *action_create(struct marker_trigger *trigger,
					   struct marker_event *event,
					   struct marker_format_error *error)
{
	struct marker_action *action;
	int err;

	action = kzalloc(sizeof(*action), GFP_KERNEL_ACCOUNT);
	if (!action)
		return ERR_PTR(-ENOMEM);
	action->kind = trigger->kind;
	action->limited = trigger->count;
	action->after = trigger->after;
	atomic_long_set(&action->left, trigger->count);
	action->event = event;
	action->recording = trigger->recording;
	action->trigger = trigger;
	if (trigger->filter) {
		action->filter = marker_filters_create(&event->format, trigger->filter);
		if (!action->filter) {
			kfree(action);
			return ERR_PTR(-ENOMEM);
		}
		if (action->filter->program.latency && !action->filter->error.why)
			action->filter->error.why = why_no_latency(trigger, event);
		marker_filters_limit(action->filter, marker_program_cost(event, NULL) +
						     marker_triggers_cost(event));
	}
	err = marker_triggers_ops->create(action, error);
	if (!err && action->asks_latency &&
	    !marker_triggers_have(event, trigger->recording, MARKER_ACTION_LATENCY))
		err = marker_format_refuse(error, 0, MARKER_NO_LATENCY);
	if (err) {
		action_free(action);
		return ERR_PTR(err);
	}
	action->asks_latency |= action->filter && action->filter->program.latency;
	list_add_tail(&action->of_trigger, &trigger->actions);
	return action;
}

/**
 * struct attached - the events of loaded modules that a trigger was made an action of
 * @nr:		how many
 * @misfits:	how many of them it does not fit
 * @misfit:	the first of these
 * @filter:	if its filter is what does not fit: the filter
 * @error:	why, and where in the filter or in the text of the trigger
 */
struct attached {
	unsigned int nr;
	unsigned int misfits;
	const struct marker_event *misfit;
	const char *filter;
	struct marker_format_error error;
};

static void note_misfit(struct attached *attached, const struct marker_event *event,
			const char *filter, const struct marker_format_error *error)
{
	if (!event->module || attached->misfits++)
		return;
	attached->misfit = event;
	attached->filter = filter;
	attached->error = *error;
}

static void log_misfits(const struct marker_trigger *trigger, const struct attached *attached)
{
	const unsigned int others = attached->misfits - 1;
	char more[32] = "";

	if (others)
		snprintf(more, sizeof(more), " and %u others", others);
	if (attached->filter)
		marker_log_at(attached->filter, attached->error.column,
			      "trigger %s of marker %s%s, filter: %s", trigger->what,
			      attached->misfit->title, more, attached->error.why);
	else
		marker_log_at(trigger->what, attached->error.column, "trigger of marker %s%s: %s",
			      attached->misfit->title, more, attached->error.why);
}

/* A module has come: there is no command that could return an error. */
static void log_refused(const struct marker_action *action)
{
	const struct marker_event_filter *filter = action->filter;

	marker_log_refused(filter->text, filter->error.column,
			   "marker %s has no trigger %s, filter, column %u: %s",
			   action->event->title, action->trigger->what, filter->error.column,
			   filter->error.why);
}

static int attach_event(struct marker_trigger *trigger, struct marker_event *event,
			struct attached *attached)
{
	struct marker_format_error error;
	struct marker_action *action;
	int err;

	if (marker_triggers_count(event, trigger->recording) >= MARKER_MAX_ACTIONS) {
		marker_log("trigger %s: marker %s has %u triggers, more are not possible",
			   trigger->what, event->title, MARKER_MAX_ACTIONS);
		return -ENOSPC;
	}
	action = action_create(trigger, event, &error);
	attached->nr += !!event->module;
	if (action == ERR_PTR(-EINVAL)) {
		trigger->misfit = event;
		trigger->why = error;
		note_misfit(attached, event, NULL, &error);
		return 0;
	}
	if (IS_ERR(action))
		return PTR_ERR(action);
	if (!marker_action_fits(action))
		note_misfit(attached, event, trigger->filter, &action->filter->error);
	err = marker_program_add_action(event, action);
	if (err)
		marker_triggers_free(action);
	return err;
}

/* The events of notes have no module that comes, and no hit asks for their actions. */
static bool is_note(const struct marker_event *event)
{
	return !strcmp(event->module_name, KBUILD_MODNAME);
}

static bool trigger_matches(const struct marker_trigger *trigger,
			    const struct marker_event *event)
{
	return !is_note(event) && marker_glob_matches(trigger->name, event->name) &&
	       marker_glob_matches(trigger->module, event->module_name);
}

/* The next event that it matches, its module loaded or not; NULL for the first. */
static struct marker_event *next_trigger_match(const struct marker_trigger *trigger,
					       struct marker_event *event)
{
	if (!marker_rules_is_glob(trigger->name)) {
		do {
			event = marker_registry_next(event, trigger->name);
		} while (event && !trigger_matches(trigger, event));
		return event;
	}
	for (event = event ? event->next : marker_first_event; event; event = event->next) {
		cond_resched();
		if (trigger_matches(trigger, event))
			return event;
	}
	return NULL;
}

/* The action that @trigger has become for @event, or NULL. */
static struct marker_action *find_action(const struct marker_trigger *trigger,
					 const struct marker_event *event)
{
	const struct marker_actions *actions = marker_program_newest_actions(event);
	unsigned int i;

	for (i = 0; i < marker_actions_nr(actions); i++) {
		if (actions->action[i]->trigger == trigger)
			return actions->action[i];
	}
	return NULL;
}

bool marker_triggers_is_misfit(const struct marker_trigger *trigger,
			       const struct marker_event *event)
{
	return trigger->misfit && event->module && trigger_matches(trigger, event) &&
	       !find_action(trigger, event);
}

unsigned int marker_triggers_misfits(const struct marker_trigger *trigger)
{
	struct marker_event *event = NULL;
	unsigned int nr = 0;

	while (trigger->misfit && (event = next_trigger_match(trigger, event)))
		nr += marker_triggers_is_misfit(trigger, event);
	return nr;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_pattern(const struct marker_trigger *a, const struct marker_trigger *b)
{
	return !strcmp(a->module, b->module) && !strcmp(a->name, b->name);
}

static bool same_trigger(const struct marker_trigger *a, const struct marker_trigger *b)
{
	return same_pattern(a, b) && !strcmp(a->what, b->what) && same_text(a->filter, b->filter);
}

/* What it replaces fits nothing either: so a list can be written back. */
static bool was_misfit(const struct marker_trigger *trigger)
{
	const struct marker_trigger *old;

	for_each_trigger(trigger->recording, old) {
		if (old->is_gone && same_trigger(trigger, old))
			return !marker_triggers_act(old);
	}
	return false;
}

/* Make @trigger an action of all events that it matches, but of those that have it. */
static int attach(struct marker_trigger *trigger, struct list_head *changes)
{
	struct attached attached = { };
	struct marker_event *event = NULL;
	int err;

	while ((event = next_trigger_match(trigger, event))) {
		if (find_action(trigger, event))
			continue;
		marker_switch_add(changes, event);
		err = attach_event(trigger, event, &attached);
		if (err)
			return err;
	}
	if (attached.misfit)
		log_misfits(trigger, &attached);
	return attached.nr && attached.misfits == attached.nr && !was_misfit(trigger) ?
	       -EINVAL : 0;
}

/* If there is no room for an action, the module comes without it. */
static void connect_triggers(struct marker_recording *recording, struct marker_event *event)
{
	const struct marker_action *action;
	struct marker_trigger *trigger;

	for_each_trigger(recording, trigger) {
		struct attached attached = { };

		if (!trigger_matches(trigger, event))
			continue;
		if (!find_action(trigger, event) &&
		    attach_event(trigger, event, &attached) == -ENOMEM)
			marker_log("marker %s has no trigger %s: no memory", event->title,
				   trigger->what);
		action = find_action(trigger, event);
		if (action && !marker_action_fits(action))
			log_refused(action);
		/* a pattern may be meant for others */
		else if (!action && attached.misfit && !marker_rules_is_glob(trigger->name))
			log_misfits(trigger, &attached);
	}
}

void marker_triggers_connect(struct marker_event *event)
{
	struct marker_log_scope scope;
	struct marker_recording *recording;

	for_each_recording(recording) {
		if (list_empty(&recording->triggers))
			continue;
		marker_log_enter(&scope, recording->name);
		connect_triggers(recording, event);
		marker_log_leave(&scope);
	}
}

void marker_triggers_retry(void)
{
	struct marker_log_scope scope;
	struct marker_recording *recording;
	struct marker_trigger *trigger;
	LIST_HEAD(changes);
	int err = 0;

	for_each_recording(recording) {
		marker_log_enter(&scope, recording->name);
		for_each_trigger(recording, trigger) {
			if (trigger->misfit && attach(trigger, &changes) == -ENOMEM)
				err = -ENOMEM;
		}
		marker_log_leave(&scope);
	}
	if (marker_switch_apply(&changes) || err)
		marker_log("no memory: triggers that fit their markers now are not in force");
}

/*
 * Commands
 */

/* True if @pattern matches all that @old matches, which is all that is looked at. */
static bool covers(const char *pattern, const char *old)
{
	return !strcmp(pattern, "*") || !strcmp(pattern, old);
}

/* Does the command @trigger take @old away? */
static bool takes_away(const struct marker_trigger *trigger, const struct marker_trigger *old)
{
	if (old->is_gone || old->remove || old->kind != trigger->kind)
		return false;
	if (!trigger->remove)
		return same_trigger(trigger, old);
	if (!covers(trigger->module, old->module) || !covers(trigger->name, old->name))
		return false;
	if (trigger->filter && !same_text(trigger->filter, old->filter))
		return false;
	return !strcmp(trigger->what, marker_trigger_name(trigger->kind)) ||
	       !strcmp(trigger->what, old->what);
}

static void take_away(struct marker_trigger *old, struct list_head *changes)
{
	struct marker_action *action;

	old->is_gone = true;
	for_each_trigger_action(old, action) {
		marker_switch_add(changes, action->event);
		marker_triggers_remove(action);
	}
}

/* Those that @trigger takes away, or all; return how many. */
static unsigned int take_all_away(const struct marker_trigger *trigger,
				  struct list_head *triggers, struct list_head *changes)
{
	struct marker_trigger *old;
	unsigned int nr = 0;

	list_for_each_entry(old, triggers, list) {
		if (old == trigger)
			break;
		if (trigger && !takes_away(trigger, old))
			continue;
		take_away(old, changes);
		nr++;
	}
	return nr;
}

/* One command of @commands. */
static int carry_out(struct marker_trigger *trigger, struct list_head *commands,
		     struct list_head *changes)
{
	unsigned int nr = take_all_away(trigger, &trigger->recording->triggers, changes);

	nr += take_all_away(trigger, commands, changes);
	if (!trigger->remove)
		return attach(trigger, changes);
	if (nr)
		return 0;
	marker_log("%s:%s has no trigger %s%s%s, or one of a wider pattern, see the file triggers",
		   trigger->module, trigger->name, trigger->what,
		   trigger->filter ? " if " : "", trigger->filter ?: "");
	return -ENOENT;
}

/* The triggers that stay, or come. */
static unsigned int count_triggers(const struct list_head *triggers)
{
	const struct marker_trigger *trigger;
	unsigned int nr = 0;

	list_for_each_entry(trigger, triggers, list)
		nr += !trigger->remove && !trigger->is_gone;
	return nr;
}

static int check_room(unsigned int nr)
{
	if (nr <= MARKER_MAX_TRIGGERS)
		return 0;
	marker_log("%u triggers, at most %u are possible: let a pattern stand for many", nr,
		   MARKER_MAX_TRIGGERS);
	return -ENOSPC;
}

/* Nothing changes: what is new retires, and what was to go stays. */
static void forget(struct marker_recording *recording, struct list_head *changes)
{
	struct marker_trigger *trigger;

	marker_switch_forget(changes);
	for_each_trigger(recording, trigger)
		trigger->is_gone = false;
}

static bool is_pair(const struct marker_trigger *trigger)
{
	return trigger->kind == MARKER_ACTION_BEGIN || trigger->kind == MARKER_ACTION_LATENCY;
}

/*
 * Pairs come before all others, which may ask for their latency: so the list can be written
 * again, and is in the right order for a module that comes.
 */
static void insert_trigger(struct marker_trigger *trigger)
{
	struct list_head *at = &trigger->recording->triggers;
	struct marker_trigger *first;

	for_each_trigger(trigger->recording, first) {
		if (is_pair(trigger) && !is_pair(first)) {
			at = &first->list;
			break;
		}
	}
	list_add_tail(&trigger->list, at);
}

/* The triggers of @recording are those of @commands now, besides those that stayed. */
static void keep(struct marker_recording *recording, struct list_head *commands)
{
	struct marker_trigger *trigger, *next;

	list_for_each_entry_safe(trigger, next, &recording->triggers, list) {
		if (!trigger->is_gone)
			continue;
		list_del(&trigger->list);
		trigger_drop(trigger);
	}
	list_for_each_entry_safe(trigger, next, commands, list) {
		if (trigger->remove || trigger->is_gone)
			continue;
		list_del(&trigger->list);
		insert_trigger(trigger);
	}
}

static void drop_commands(struct list_head *commands)
{
	struct marker_trigger *trigger, *next;

	list_for_each_entry_safe(trigger, next, commands, list) {
		list_del(&trigger->list);
		trigger_drop(trigger);
	}
}

/* Empties @commands. */
static int set_triggers(struct marker_recording *recording, struct list_head *commands, bool clear)
{
	struct marker_trigger *trigger;
	LIST_HEAD(changes);
	int err;

	marker_registry_lock();
	/* refuse thousands before working on them */
	err = READ_ONCE(recording->ended) ? -ENODEV : check_room(count_triggers(commands));
	if (!err && clear)
		take_all_away(NULL, &recording->triggers, &changes);
	list_for_each_entry(trigger, commands, list) {
		if (err)
			break;
		err = carry_out(trigger, commands, &changes);
	}
	err = err ?: check_room(count_triggers(&recording->triggers) + count_triggers(commands)) ?:
	      marker_switch_apply(&changes);
	if (err)
		forget(recording, &changes);
	else
		keep(recording, commands);
	drop_commands(commands);
	marker_registry_unlock();
	/*
	 * When a command returns, what it has removed changes nothing more, and its memory
	 * is free.
	 */
	marker_triggers_ops->wait();
	return err;
}

int marker_triggers_set(struct marker_recording *recording, const char *module, const char *name,
			const char *text)
{
	LIST_HEAD(commands);
	int err;

	err = marker_triggers_parse(recording, &commands, module, name, text, 0, false);
	if (err)
		drop_commands(&commands);
	return err ?: set_triggers(recording, &commands, false);
}

int marker_triggers_set_patterns(struct marker_recording *recording, const char *text, bool clear)
{
	LIST_HEAD(commands);
	int err;

	err = marker_triggers_parse_lines(recording, &commands, text);
	if (err)
		drop_commands(&commands);
	return err ?: set_triggers(recording, &commands, clear);
}

void marker_triggers_end(struct marker_recording *recording)
{
	LIST_HEAD(changes);
	LIST_HEAD(none);

	marker_registry_lock();
	take_all_away(NULL, &recording->triggers, &changes);
	marker_switch_take_away(&changes);
	keep(recording, &none);
	marker_registry_unlock();
	marker_triggers_ops->wait();
}

/*
 * Module
 */

void marker_triggers_exit(void)
{
	struct marker_trigger *trigger, *next;
	struct marker_action *action, *after;
	struct marker_event *event;

	for_each_event(event)
		marker_program_end(event);
	list_for_each_entry_safe(trigger, next, &marker_top.triggers, list) {
		list_for_each_entry_safe(action, after, &trigger->actions, of_trigger) {
			list_del(&action->of_trigger);
			action_free(action);
		}
		list_del(&trigger->list);
		trigger_drop(trigger);
	}
}
