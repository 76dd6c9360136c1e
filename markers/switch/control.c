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

#include <markers/log.h>
#include "control.h"
#include "rules.h"
#include "switch.h"

static bool is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[");
}

/* Change the marker if @rule matches it.  Return whether it does. */
static bool change_by_rule(struct list_head *changes, const struct marker_rule *rule,
			   struct marker_event *event)
{
	if (!event->module ||
	    !marker_rules_match(rule, event->module_name, event->name))
		return false;
	marker_switch_add(changes, event);
	marker_switch_want(event, rule->asked);
	return true;
}

/* Change all loaded markers that @rule matches.  Return their number. */
static unsigned int change_all_by_rule(struct list_head *changes,
				       const struct marker_rule *rule)
{
	struct marker_event *event;
	unsigned int nr = 0;

	if (is_glob(rule->name)) {
		for_each_event(event)
			nr += change_by_rule(changes, rule, event);
	} else {
		for_each_named_event(event, rule->name)
			nr += change_by_rule(changes, rule, event);
	}
	return nr;
}

static void change_all_off(struct list_head *changes)
{
	struct marker_event *event;

	for_each_loaded_event(event) {
		if (!event->wanted && !event->counted)
			continue;
		marker_switch_add(changes, event);
		marker_switch_want(event, 0);
	}
}

static void change_forget(struct list_head *changes)
{
	struct marker_event *event, *next;

	list_for_each_entry_safe(event, next, changes, change) {
		list_del_init(&event->change);
		event->wanted = event->was_wanted;
		event->counted = event->was_counted;
	}
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

/*
 * A rule that disables must match something: a loaded marker, or an enabling rule,
 * earlier or in the same command.  A rule that enables may name a marker that comes
 * later, but not a module.
 */
static int check_rule(const struct marker_rule *rule,
		      const struct list_head *rules, bool clear,
		      unsigned int matched)
{
	const struct marker_module *module;

	if (matched || matches_refused(rule))
		return 0;
	if (!rule->asked && (marker_rules_known(rules, rule) ||
			     (!clear && marker_rules_known(&marker_rules, rule))))
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

/* Empties @rules. */
static int set_rules(struct list_head *rules, bool clear, bool strict)
{
	struct marker_rule *rule, *next;
	LIST_HEAD(changes);
	unsigned int nr;
	int err;

	marker_registry_lock();
	err = marker_rules_check_room(rules, clear);
	if (err)
		goto out;
	if (clear)
		change_all_off(&changes);
	list_for_each_entry(rule, rules, list) {
		cond_resched();
		nr = change_all_by_rule(&changes, rule);
		err = strict ? check_rule(rule, rules, clear, nr) : 0;
		if (err)
			break;
	}
	if (err)
		change_forget(&changes);
	else
		err = marker_switch_apply(&changes);
	if (!err) {
		if (clear)
			marker_rules_clear();
		list_for_each_entry_safe(rule, next, rules, list) {
			cond_resched();
			list_del(&rule->list);
			marker_rules_add(rule);
		}
	}
out:
	marker_registry_unlock();
	marker_rules_free(rules);
	return err;
}

int marker_control_set_patterns(const char *text, bool clear)
{
	LIST_HEAD(rules);
	int err;

	err = marker_rules_parse(text, &rules);
	return err ?: set_rules(&rules, clear, true);
}

int marker_control_set(const char *module, const char *name, u32 asked)
{
	struct marker_rule *rule;
	LIST_HEAD(rules);

	rule = marker_rules_create(module, name, asked);
	if (!rule)
		return -ENOMEM;
	list_add(&rule->list, &rules);
	return set_rules(&rules, false, false);
}

bool marker_control_is_pending(const struct marker_rule *rule)
{
	struct marker_event *event;

	if (!rule->asked)
		return false;
	for_each_loaded_event(event) {
		if (marker_rules_match(rule, event->module_name, event->name))
			return false;
		cond_resched();
	}
	return !matches_refused(rule);
}

char marker_control_get(const struct marker_module *module)
{
	unsigned int on = 0, off = 0;
	struct marker_event *event;

	marker_registry_lock();
	for_each_loaded_event(event) {
		if (module && event->module != module)
			continue;
		if (event->wanted)
			on++;
		else
			off++;
	}
	marker_registry_unlock();
	return !on ? '0' : off ? 'X' : '1';
}
