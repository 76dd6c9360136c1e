// SPDX-License-Identifier: GPL-2.0
/*
 * Commands of operators.  Patterns become rules, and change which of the markers that
 * they match are wanted.  A command takes effect as a whole or not at all.  Process
 * context; takes the registry mutex.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/string.h>

#include <markers/format/glob.h>
#include <markers/log.h>
#include <markers/model/program.h>
#include <markers/model/rules.h>
#include "control.h"
#include "filters.h"
#include "switch.h"

/* The first loaded marker after @event that @rule matches, by name. */
static struct marker_event *next_named(const struct marker_rule *rule,
				       struct marker_event *event)
{
	do {
		event = marker_registry_next(event, rule->name);
	} while (event && !(event->module &&
			    marker_glob_matches(rule->module, event->module_name)));
	return event;
}

/* The same, by a glob: in the order of loading. */
static struct marker_event *next_by_glob(const struct marker_rule *rule,
					 struct marker_event *event)
{
	struct marker_module *module;
	unsigned int site = 0;

	module = list_first_entry(&marker_modules, struct marker_module, list);
	if (event) {
		module = event->module;
		site = event->first_site + event->nr_sites;
	}
	list_for_each_entry_from(module, &marker_modules, list) {
		/* the module of @event does */
		if (!event && !marker_glob_matches(rule->module, module->name))
			continue;
		while ((event = marker_module_event(module, site))) {
			if (marker_glob_matches(rule->name, event->name))
				return event;
			site = event->first_site + event->nr_sites;
		}
		site = 0;
		cond_resched();
	}
	return NULL;
}

struct marker_event *marker_control_next_match(const struct marker_rule *rule,
					       struct marker_event *event)
{
	return rule->is_glob ? next_by_glob(rule, event) : next_named(rule, event);
}

/**
 * struct matched - the loaded markers that a rule matches
 * @nr:		how many
 * @misfits:	how many of them its filter does not fit
 * @misfit:	the first of these
 * @err:	-ENOMEM, or 0
 */
struct matched {
	unsigned int nr;
	unsigned int misfits;
	const struct marker_event *misfit;
	int err;
};

/* Does the newest filter not fit? */
static bool is_misfit(const struct marker_event *event, const struct marker_recording *recording)
{
	const struct marker_event_filter *filter = marker_program_filter(event, recording);

	return filter && filter->error.why;
}

static int change_event(struct marker_event *event, struct marker_recording *recording,
			const struct marker_rule *rule)
{
	const struct marker_take *take = marker_program_take(event, recording);
	struct marker_event_filter *filter = take ? take->filter : NULL;
	u32 asked = rule->asked;

	if (rule->only_filter)
		asked = take ? take->asked : 0;
	if (!rule->keeps_filter) {
		filter = NULL;
		if (rule->filter) {
			filter = marker_filters_of_rule(event, recording, rule->filter);
			if (!filter)
				return -ENOMEM;
		}
	}
	/* there is nothing to take away */
	if (!take && !asked && !filter)
		return 0;
	return marker_program_edit(event, recording, asked, filter);
}

/* Change all loaded markers that @rule, of @recording, matches. */
static void change_all_by_rule(struct marker_recording *recording, struct list_head *changes,
			       const struct marker_rule *rule, struct matched *matched)
{
	struct marker_event *event = NULL;

	memset(matched, 0, sizeof(*matched));
	while (!matched->err && (event = marker_control_next_match(rule, event))) {
		cond_resched();
		matched->nr++;
		marker_switch_add(changes, event);
		matched->err = change_event(event, recording, rule);
		if (!matched->err && !rule->keeps_filter && is_misfit(event, recording) &&
		    !matched->misfits++)
			matched->misfit = event;
	}
}

static void change_all_off(struct marker_recording *recording, struct list_head *changes)
{
	struct marker_event *event;

	for_each_loaded_event(event) {
		if (!marker_program_take(event, recording))
			continue;
		marker_switch_add(changes, event);
		marker_program_edit(event, recording, 0, NULL);
	}
}

/* The filter of a rule must fit one of the markers that it matches, if any. */
static int check_filter(const struct marker_recording *recording, const struct marker_rule *rule,
			const struct matched *matched)
{
	if (!matched->misfits || rule->may_misfit)
		return 0;
	marker_filters_log(matched->misfit, marker_program_filter(matched->misfit, recording),
			   matched->misfits - 1, false);
	return matched->misfits == matched->nr ? -EINVAL : 0;
}

/* A refused marker cannot be enabled, but it exists, so a pattern may name it. */
static bool matches_refused(const struct marker_rule *rule)
{
	const struct marker_refusal *refusal;
	const struct marker_module *module;

	for_each_marker_module(module) {
		for_each_refusal(module, refusal) {
			if (marker_rules_match(rule, module->name, refusal->name))
				return true;
		}
	}
	return false;
}

/* Modules have "_" in their names where their files have "-". */
static bool is_name_of(const struct marker_module *module, const char *text)
{
	const char *name = module->name;

	while (*name && (*name == *text || (*name == '_' && *text == '-'))) {
		name++;
		text++;
	}
	return !*name && !*text;
}

/* The loaded module that @rule names where a marker's name should be, or NULL. */
static const struct marker_module *module_meant(const struct marker_rule *rule)
{
	const struct marker_module *module;

	for_each_marker_module(module) {
		if (rule->any_module && is_name_of(module, rule->name))
			return module;
	}
	return NULL;
}

static int check_stack(const struct marker_recording *recording, const struct marker_rule *rule,
		       bool log)
{
	if (!marker_rules_stack_depth(rule->asked) || READ_ONCE(recording->rules.stacks_allowed))
		return 0;
	if (!log)
		return -EINVAL;
	marker_log("%s:%s+stack: events have no room for stacks: add callstack_kernel to contexts first",
		   rule->module, rule->name);
	return -EINVAL;
}

int marker_control_check_match(const struct marker_rules *rules, const struct marker_rule *rule,
			       const struct list_head *command, bool clear)
{
	const struct marker_module *module;

	if (matches_refused(rule))
		return 0;
	if (!rule->asked && ((!clear && marker_rules_in_force(rules, rule)) ||
			     marker_rules_known(command, rule)))
		return 0;
	module = module_meant(rule);
	if (module)
		marker_log("%s%s: a module, not a marker: write '%s%s:*' for all its markers",
			   rule->asked ? "" : "!", rule->name, rule->asked ? "" : "!",
			   module->name);
	else if (!rule->asked)
		marker_log("!%s:%s: no such marker, and none was asked for",
			   rule->module, rule->name);
	else
		return 0;
	return -ENOENT;
}

/**
 * struct how - how a command is carried out
 * @clear:	without the rules in force
 * @strict:	marker_control_check_match()
 * @silent:	without a message about what a trigger asks for again and again
 */
struct how {
	bool clear;
	bool strict;
	bool silent;
};

/* Apply all rules of @command, or none.  Empties the list. */
static int set_rules_locked(struct marker_recording *recording, struct list_head *command,
			    struct how how)
{
	struct marker_rule *rule, *next;
	struct matched matched;
	LIST_HEAD(changes);
	int err;

	if (READ_ONCE(recording->ended))
		return -ENODEV;
	err = marker_rules_check_room(&recording->rules, command, how.clear, !how.silent);
	if (err)
		return err;
	if (how.clear)
		change_all_off(recording, &changes);
	list_for_each_entry(rule, command, list) {
		if (err)
			break;
		cond_resched();
		change_all_by_rule(recording, &changes, rule, &matched);
		err = matched.err ?: check_stack(recording, rule, !how.silent) ?:
		      check_filter(recording, rule, &matched);
		if (!err && how.strict && !matched.nr)
			err = marker_control_check_match(&recording->rules, rule, command,
							 how.clear);
	}
	if (err)
		marker_switch_forget(&changes);
	else
		err = marker_switch_apply(&changes);
	if (!err) {
		if (how.clear)
			marker_rules_clear(&recording->rules);
		list_for_each_entry_safe(rule, next, command, list) {
			cond_resched();
			list_del_init(&rule->list);
			marker_rules_add(&recording->rules, rule);
		}
		WRITE_ONCE(recording->rules.changes, recording->rules.changes + 1);
	}
	return err;
}

static int set_rules(struct marker_recording *recording, struct list_head *command, struct how how)
{
	int err;

	marker_registry_lock();
	err = set_rules_locked(recording, command, how);
	marker_registry_unlock();
	marker_rules_free(command);
	return err;
}

int marker_control_set_patterns(struct marker_recording *recording, const char *text, bool clear)
{
	LIST_HEAD(command);
	int err;

	err = marker_rules_parse(text, &command);
	return err ?: set_rules(recording, &command,
				(struct how){ .clear = clear, .strict = true });
}

void marker_control_end(struct marker_recording *recording)
{
	LIST_HEAD(changes);

	marker_registry_lock();
	change_all_off(recording, &changes);
	marker_switch_take_away(&changes);
	marker_rules_clear(&recording->rules);
	marker_registry_unlock();
}

int marker_control_set(struct marker_recording *recording, const char *module, const char *name,
		       u32 asked)
{
	struct marker_rule *rule;
	LIST_HEAD(command);

	rule = marker_rules_create(module, name, asked);
	if (!rule)
		return -ENOMEM;
	list_add(&rule->list, &command);
	return set_rules(recording, &command, (struct how){ });
}

/* Would @rule change nothing, neither now nor for modules that come later? */
static bool is_so(const struct marker_recording *recording, const struct marker_rule *rule)
{
	struct marker_event *event = NULL;

	while ((event = marker_control_next_match(rule, event))) {
		if (marker_program_asked(event, recording) != rule->asked)
			return false;
	}
	return marker_rules_has(&recording->rules, rule);
}

int marker_control_ask(struct marker_recording *recording, const char *module, const char *name,
		       u32 asked, bool log, unsigned long *changes)
{
	struct marker_rule *rule;
	LIST_HEAD(command);
	int err = 0;

	rule = marker_rules_create(module, name, asked);
	if (!rule)
		return -ENOMEM;
	list_add(&rule->list, &command);
	marker_registry_lock();
	if (!is_so(recording, rule))
		err = set_rules_locked(recording, &command, (struct how){ .silent = !log });
	if (!err)
		WRITE_ONCE(*changes, recording->rules.changes);
	marker_registry_unlock();
	marker_rules_free(&command);
	return err;
}

int marker_control_set_filter(struct marker_recording *recording, const char *module,
			      const char *name, const char *filter)
{
	struct marker_rule *rule;
	LIST_HEAD(command);
	int err;

	err = filter ? marker_filters_check(filter, filter, 0) : 0;
	if (err)
		return err;
	rule = marker_rules_create_filter(module, name, filter);
	if (!rule)
		return -ENOMEM;
	list_add(&rule->list, &command);
	return set_rules(recording, &command, (struct how){ });
}

bool marker_control_is_pending(const struct marker_rule *rule)
{
	if (!rule->asked && !rule->filter)
		return false;
	return !marker_control_next_match(rule, NULL) && !matches_refused(rule);
}

char marker_control_get(const struct marker_recording *recording,
			const struct marker_module *module)
{
	const struct marker_module *each;
	unsigned int on = 0, off = 0;
	struct marker_event *event;

	marker_registry_lock();
	for_each_marker_module(each) {
		if (module && each != module)
			continue;
		for_each_module_event(each, event) {
			if (marker_program_asked(event, recording) & MARKER_ASK_RECORD &&
			    !is_misfit(event, recording))
				on++;
			else
				off++;
		}
	}
	marker_registry_unlock();
	return !on ? '0' : off ? 'X' : '1';
}
