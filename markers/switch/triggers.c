// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers, and the actions of events that they become.  Process context, under the
 * registry mutex.  Hits read the actions in force under RCU.
 *
 * An action stays with its event when the module goes: when the module is loaded again, a
 * count that has run out stays so.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/glob.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/hist/hist.h>
#include <markers/log.h>
#include "control.h"
#include "filters.h"
#include "registry.h"
#include "rules.h"
#include "switch.h"
#include "triggers.h"

LIST_HEAD(marker_triggers);
static const struct marker_trigger_ops *trigger_ops;

/*
 * Actions
 */

static struct marker_actions *in_force(const struct marker_event *event)
{
	return rcu_dereference_protected(event->actions, true);
}

/* The next actions during a change, else those in force. */
static struct marker_actions *newest_actions(const struct marker_event *event)
{
	return event->actions_change ? event->next_actions : in_force(event);
}

bool marker_triggers_are_armed(const struct marker_event *event)
{
	const struct marker_actions *actions = in_force(event);

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

static bool fits(const struct marker_action *action)
{
	return !action->filter || !action->filter->error.why;
}

/* Which part of struct marker_actions it belongs to. */
static unsigned int *part_of(struct marker_actions *actions,
			     const struct marker_action *action)
{
	if (!fits(action))
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

/* After only_test(). */
static const struct marker_action *quick_action(const struct marker_actions *actions)
{
	const struct marker_action *action = actions->nr == 1 ? actions->action[0] : NULL;

	return action && action->is_quick && (!action->filter || actions->only) ? action : NULL;
}

static const struct marker_filter_test *only_test(const struct marker_actions *actions)
{
	const struct marker_event_filter *filter;

	if (actions->nr != 1)
		return NULL;
	filter = actions->action[0]->filter;
	return filter ? marker_filter_only_test(&filter->program) : NULL;
}

bool marker_triggers_have(const struct marker_event *event, enum marker_action_kind kind)
{
	const struct marker_actions *actions = newest_actions(event);
	unsigned int i;

	for (i = 0; i < marker_triggers_nr(actions); i++) {
		if (actions->action[i]->kind == kind && !actions->action[i]->trigger->is_gone)
			return true;
	}
	return false;
}

/* The actions that may ask for the latency come after it. */
static void move_latencies(struct marker_actions *actions)
{
	unsigned int i, to = 0;

	for (i = 0; i < actions->nr; i++) {
		struct marker_action *action = actions->action[i];

		if (action->kind != MARKER_ACTION_LATENCY)
			continue;
		memmove(&actions->action[to + 1], &actions->action[to],
			(i - to) * sizeof(action));
		actions->action[to++] = action;
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
			trigger_ops->retire(from->action[i]);
	}
}

/* Choose the next actions: the newest without those that are taken away, and @more. */
static int choose_actions(struct marker_event *event, struct marker_action *more)
{
	struct marker_actions *from = newest_actions(event), *actions;

	actions = kzalloc(struct_size(actions, action, marker_triggers_nr(from) + 1), GFP_KERNEL);
	if (!actions)
		return -ENOMEM;
	add_part(actions, &actions->nr, from, more);
	add_part(actions, &actions->nr_stacks, from, more);
	add_part(actions, &actions->nr_misfits, from, more);
	move_latencies(actions);
	actions->only = only_test(actions);
	actions->quick = quick_action(actions);
	if (!marker_triggers_nr(actions)) {
		kfree(actions);
		actions = NULL;
	}
	if (event->actions_change) {
		retire_missing(from, actions, in_force(event));
		kfree(from);
	}
	event->next_actions = actions;
	event->actions_change = true;
	return 0;
}

void marker_triggers_exchange(struct marker_event *event)
{
	struct marker_actions *actions = in_force(event);

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
	retire_missing(actions, in_force(event), NULL);
	if (actions)
		kfree_rcu(actions, rcu);
	event->next_actions = NULL;
	event->actions_change = false;
}

/*
 * Triggers
 */

/* A rule that is in no list, or NULL. */
static void rule_free(struct marker_rule *rule)
{
	LIST_HEAD(rules);

	if (rule)
		list_add(&rule->list, &rules);
	marker_rules_free(&rules);
}

static void trigger_free(struct marker_trigger *trigger)
{
	rule_free(trigger->target);
	kfree(trigger->filter);
	kfree(trigger->what);
	kfree(trigger->name);
	kfree(trigger->module);
	kfree(trigger);
}

/* It is in no list of triggers any more: free it now, or with its last action. */
static void trigger_drop(struct marker_trigger *trigger)
{
	trigger->is_gone = true;
	if (list_empty(&trigger->actions))
		trigger_free(trigger);
}

static void action_free(struct marker_action *action)
{
	trigger_ops->destroy(action);
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
		trigger_free(trigger);
}

static struct marker_action *action_create(struct marker_trigger *trigger,
					   struct marker_event *event,
					   struct marker_format_error *error)
{
	struct marker_action *action;
	int err;

	action = kzalloc(sizeof(*action), GFP_KERNEL);
	if (!action)
		return ERR_PTR(-ENOMEM);
	action->kind = trigger->kind;
	action->limited = trigger->count;
	action->after = trigger->after;
	atomic_long_set(&action->left, trigger->count);
	action->event = event;
	action->trigger = trigger;
	if (trigger->filter) {
		action->filter = marker_filters_create(&event->format, trigger->filter);
		if (!action->filter) {
			kfree(action);
			return ERR_PTR(-ENOMEM);
		}
		if (action->filter->program.latency &&
		    !marker_triggers_have(event, MARKER_ACTION_LATENCY))
			action->filter->error.why = MARKER_NO_LATENCY;
	}
	err = trigger_ops->create(action, error);
	if (err) {
		action_free(action);
		return ERR_PTR(err);
	}
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

	if (marker_triggers_nr(newest_actions(event)) >= MARKER_MAX_ACTIONS) {
		marker_log("trigger %s: marker %s has %u triggers, more are not possible",
			   trigger->what, event->title, MARKER_MAX_ACTIONS);
		return -ENOSPC;
	}
	action = action_create(trigger, event, &error);
	attached->nr += !!event->module;
	if (action == ERR_PTR(-EINVAL)) {
		note_misfit(attached, event, NULL, &error);
		return 0;
	}
	if (IS_ERR(action))
		return PTR_ERR(action);
	if (!fits(action))
		note_misfit(attached, event, trigger->filter, &action->filter->error);
	err = choose_actions(event, action);
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
	return !is_note(event) && glob_match(trigger->name, event->name) &&
	       glob_match(trigger->module, event->module_name);
}

/* The next event that it matches, its module loaded or not; NULL for the first. */
static struct marker_event *next_match(const struct marker_trigger *trigger,
				       struct marker_event *event)
{
	if (!marker_rules_is_glob(trigger->name)) {
		do {
			event = marker_registry_next(event, trigger->name);
		} while (event && !trigger_matches(trigger, event));
		return event;
	}
	event = list_entry(event ? event->list.next : marker_events.next, struct marker_event,
			   list);
	list_for_each_entry_from(event, &marker_events, list) {
		cond_resched();
		if (trigger_matches(trigger, event))
			return event;
	}
	return NULL;
}

/* Make @trigger an action of all events that it matches. */
static int attach(struct marker_trigger *trigger, struct list_head *changes)
{
	struct attached attached = { };
	struct marker_event *event = NULL;
	int err;

	while ((event = next_match(trigger, event))) {
		marker_switch_add(changes, event);
		err = attach_event(trigger, event, &attached);
		if (err)
			return err;
	}
	if (attached.misfit)
		log_misfits(trigger, &attached);
	return attached.nr && attached.misfits == attached.nr ? -EINVAL : 0;
}

/* The action that @trigger has become for @event, or NULL. */
static struct marker_action *find_action(const struct marker_trigger *trigger,
					 const struct marker_event *event)
{
	const struct marker_actions *actions = newest_actions(event);
	unsigned int i;

	for (i = 0; i < marker_triggers_nr(actions); i++) {
		if (actions->action[i]->trigger == trigger)
			return actions->action[i];
	}
	return NULL;
}

/* If there is no room for an action, the module comes without it. */
void marker_triggers_connect(struct marker_event *event)
{
	const struct marker_action *action;
	struct marker_trigger *trigger;

	for_each_trigger(trigger) {
		struct attached attached = { };

		if (!trigger_matches(trigger, event))
			continue;
		if (!find_action(trigger, event) &&
		    attach_event(trigger, event, &attached) == -ENOMEM)
			marker_log("marker %s has no trigger %s: no memory", event->title,
				   trigger->what);
		action = find_action(trigger, event);
		if (action && !fits(action))
			log_refused(action);
		/* a pattern may be meant for others */
		else if (!action && attached.misfit && !marker_rules_is_glob(trigger->name))
			log_misfits(trigger, &attached);
	}
}

/*
 * Commands
 */

/* True if @pattern matches all that @old matches, which is all that is looked at. */
static bool covers(const char *pattern, const char *old)
{
	return !strcmp(pattern, "*") || !strcmp(pattern, old);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_pattern(const struct marker_trigger *a, const struct marker_trigger *b)
{
	return !strcmp(a->module, b->module) && !strcmp(a->name, b->name);
}

/* Does the command @trigger take @old away? */
static bool takes_away(const struct marker_trigger *trigger, const struct marker_trigger *old)
{
	if (old->is_gone || old->remove || old->kind != trigger->kind)
		return false;
	if (!trigger->remove)
		return same_pattern(trigger, old) && !strcmp(trigger->what, old->what) &&
		       same_text(trigger->filter, old->filter);
	if (!covers(trigger->module, old->module) || !covers(trigger->name, old->name))
		return false;
	if (trigger->filter && !same_text(trigger->filter, old->filter))
		return false;
	return !strcmp(trigger->what, marker_trigger_name(trigger->kind)) ||
	       !strcmp(trigger->what, old->what);
}

static int take_away(struct marker_trigger *old, struct list_head *changes)
{
	struct marker_action *action;
	int err;

	old->is_gone = true;
	for_each_trigger_action(old, action) {
		marker_switch_add(changes, action->event);
		err = choose_actions(action->event, NULL);
		if (err)
			return err;
	}
	return 0;
}

static int take_all_away(const struct marker_trigger *trigger, struct list_head *triggers,
			 struct list_head *changes, unsigned int *nr)
{
	struct marker_trigger *old;
	int err;

	list_for_each_entry(old, triggers, list) {
		if (old == trigger)
			break;
		if (trigger && !takes_away(trigger, old))
			continue;
		err = take_away(old, changes);
		if (err)
			return err;
		++*nr;
	}
	return 0;
}

/* One command of @commands. */
static int carry_out(struct marker_trigger *trigger, struct list_head *commands,
		     struct list_head *changes)
{
	unsigned int nr = 0;
	int err;

	err = take_all_away(trigger, &marker_triggers, changes, &nr) ?:
	      take_all_away(trigger, commands, changes, &nr);
	if (err)
		return err;
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
static void forget(struct list_head *changes)
{
	struct marker_event *event, *next;
	struct marker_trigger *trigger;

	list_for_each_entry_safe(event, next, changes, change) {
		list_del_init(&event->change);
		marker_triggers_settle(event);
	}
	for_each_trigger(trigger)
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
	struct list_head *at = &marker_triggers;
	struct marker_trigger *first;

	for_each_trigger(first) {
		if (is_pair(trigger) && !is_pair(first)) {
			at = &first->list;
			break;
		}
	}
	list_add_tail(&trigger->list, at);
}

/* The triggers are those of @commands now, besides those that stayed. */
static void keep(struct list_head *commands)
{
	struct marker_trigger *trigger, *next;

	list_for_each_entry_safe(trigger, next, &marker_triggers, list) {
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
static int set_triggers(struct list_head *commands, bool clear)
{
	struct marker_trigger *trigger;
	LIST_HEAD(changes);
	unsigned int nr = 0;
	int err;

	marker_registry_lock();
	/* refuse thousands before working on them */
	err = check_room(count_triggers(commands));
	if (!err && clear)
		err = take_all_away(NULL, &marker_triggers, &changes, &nr);
	list_for_each_entry(trigger, commands, list) {
		if (err)
			break;
		err = carry_out(trigger, commands, &changes);
	}
	err = err ?: check_room(count_triggers(&marker_triggers) + count_triggers(commands)) ?:
	      marker_switch_apply(&changes);
	if (err)
		forget(&changes);
	else
		keep(commands);
	drop_commands(commands);
	marker_registry_unlock();
	/*
	 * When a command returns, what it has removed changes nothing more, and its memory
	 * is free.
	 */
	trigger_ops->wait();
	return err;
}

/* A rule for one pattern, [@text, @text + @len), or an error that is in error_log. */
static struct marker_rule *parse_pattern(const char *text, unsigned int len)
{
	char *word = kmemdup_nul(text, len, GFP_KERNEL);
	struct marker_rule *rule = NULL;
	LIST_HEAD(rules);
	int err;

	if (!word)
		return ERR_PTR(-ENOMEM);
	err = marker_rules_parse(word, &rules);
	if (!err && !list_empty(&rules))
		rule = list_first_entry(&rules, struct marker_rule, list);
	if (rule && *word != '!' && rule->list.next == &rules) {
		list_del_init(&rule->list);
	} else if (!err) {
		marker_log_at(word, 0, "one pattern of markers is wanted: [module:]name");
		err = -EINVAL;
	}
	marker_rules_free(&rules);
	kfree(word);
	return err ? ERR_PTR(err) : rule;
}

/* Is it a hist at all, whatever the fields are? */
static int check_hist(const char *what, const char *text,
		      const struct marker_trigger_text *parts)
{
	unsigned int skip = parts->arg - parts->name;
	struct marker_format_error error;
	struct marker_hist *hist;
	int err;

	/* a pair has a name, and may have no keys */
	if (parts->kind != MARKER_ACTION_HIST) {
		if (what[skip] == ':') {
			marker_log_at(text, parts->arg, "trigger: the name of the pair is missing");
			return -EINVAL;
		}
		skip += strcspn(what + skip, ":");
		if (!what[skip])
			return 0;
		skip++;
	}

	hist = kmalloc(sizeof(*hist), GFP_KERNEL);
	if (!hist)
		return -ENOMEM;
	err = marker_hist_parse(hist, what + skip, NULL, &error);
	kfree(hist);
	if (err)
		marker_log_at(text, parts->name + skip + error.column, "trigger: %s", error.why);
	return err;
}

/* The parts of @text that are kept. */
static int fill_in(struct marker_trigger *trigger, const char *text,
		   const struct marker_trigger_text *parts)
{
	struct marker_rule *rule;
	int err = 0;

	trigger->what = kmemdup_nul(text + parts->name, parts->what_len, GFP_KERNEL_ACCOUNT);
	if (!trigger->what)
		return -ENOMEM;
	if (parts->filter_len) {
		trigger->filter = kmemdup_nul(text + parts->filter, parts->filter_len,
					      GFP_KERNEL_ACCOUNT);
		if (!trigger->filter)
			return -ENOMEM;
	}
	if (parts->kind >= MARKER_ACTION_HIST) {
		if (parts->arg_len)
			err = check_hist(trigger->what, text, parts);
		if (err)
			return err;
	} else if (parts->arg_len) {
		rule = parse_pattern(text + parts->arg, parts->arg_len);
		if (IS_ERR(rule))
			return PTR_ERR(rule);
		trigger->target = rule;
	}
	if (parts->kind == MARKER_ACTION_STACKTRACE && !trigger->remove &&
	    !marker_control_stacks_allowed()) {
		marker_log_at(text, parts->name,
			      "trigger: events have no room for stacks: add callstack_kernel to contexts first");
		return -EINVAL;
	}
	return trigger->filter ? marker_filters_check(trigger->filter, text, parts->filter) : 0;
}

/* Parse @text, one line from @at on, as a command for @module and @name. */
static int add_command(struct list_head *commands, const char *module, const char *name,
		       const char *text, unsigned int at, bool remove)
{
	struct marker_format_error error;
	struct marker_trigger_text parts;
	struct marker_trigger *trigger;
	int err;

	err = marker_trigger_parse(&parts, text + at, remove, &error);
	if (err) {
		marker_log_at(text, at + error.column, "trigger: %s", error.why);
		return err;
	}
	trigger = kzalloc(sizeof(*trigger), GFP_KERNEL_ACCOUNT);
	if (!trigger)
		return -ENOMEM;
	INIT_LIST_HEAD(&trigger->actions);
	list_add_tail(&trigger->list, commands);
	trigger->kind = parts.kind;
	trigger->remove = parts.remove;
	trigger->after = parts.after;
	trigger->count = parts.count;
	trigger->module = kstrdup(module, GFP_KERNEL_ACCOUNT);
	trigger->name = kstrdup(name, GFP_KERNEL_ACCOUNT);
	if (!trigger->module || !trigger->name)
		return -ENOMEM;
	return fill_in(trigger, text + at, &parts);
}

int marker_triggers_set(const char *module, const char *name, const char *text)
{
	LIST_HEAD(commands);
	int err;

	err = add_command(&commands, module, name, text, 0, false);
	if (err) {
		drop_commands(&commands);
		return err;
	}
	return set_triggers(&commands, false);
}

/* "[!]PATTERN TRIGGER" or nothing: one line, without what is around it. */
static int parse_line(struct list_head *commands, const char *line)
{
	const bool remove = *line == '!';
	struct marker_rule *rule;
	unsigned int end;
	int err;

	if (!*line || *line == '#')
		return 0;
	end = strcspn(line, " \t");
	rule = parse_pattern(line + remove, end - remove);
	if (IS_ERR(rule))
		return PTR_ERR(rule);
	if (rule->asked != MARKER_ASK_RECORD) {
		marker_log_at(line, 0, "trigger: a pattern without options is wanted");
		err = -EINVAL;
	} else {
		err = add_command(commands, rule->module, rule->name, line, end, remove);
	}
	rule_free(rule);
	return err;
}

int marker_triggers_set_patterns(const char *text, bool clear)
{
	char *copy, *line, *rest;
	LIST_HEAD(commands);
	int err = 0;

	copy = kstrdup(text, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	for (rest = copy; !err && (line = strsep(&rest, "\n"));)
		err = parse_line(&commands, marker_rules_trim(line));
	kfree(copy);
	if (err) {
		drop_commands(&commands);
		return err;
	}
	return set_triggers(&commands, clear);
}

/*
 * Module
 */

void marker_triggers_init(const struct marker_trigger_ops *ops)
{
	trigger_ops = ops;
}

void marker_triggers_exit(void)
{
	struct marker_trigger *trigger, *next;
	struct marker_action *action, *after;
	struct marker_event *event;

	for_each_event(event) {
		kfree(in_force(event));
		RCU_INIT_POINTER(event->actions, NULL);
	}
	list_for_each_entry_safe(trigger, next, &marker_triggers, list) {
		list_for_each_entry_safe(action, after, &trigger->actions, of_trigger) {
			list_del(&action->of_trigger);
			action_free(action);
		}
		list_del(&trigger->list);
		trigger_drop(trigger);
	}
}
