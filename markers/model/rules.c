// SPDX-License-Identifier: GPL-2.0
/*
 * Patterns: matching, and the list of those in force.  control.c, modules.c and debugfs call
 * this in process context.
 */
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/format/glob.h>
#include <markers/log.h>
#include "rules.h"

/* A module has "_" in its name where its file has "-".  In brackets "-" is a range. */
static void use_underscores(char *module)
{
	bool range = false;

	for (; *module; module++) {
		if (*module == '[')
			range = true;
		else if (*module == ']')
			range = false;
		else if (*module == '-' && !range)
			*module = '_';
	}
}

/* Which bucket has the rules of this name? */
static u16 bucket_of(const char *name)
{
	return hash_min(jhash(name, strlen(name), 0), MARKER_RULES_BITS);
}

/* Both strings are in one allocation with the rule. */
struct marker_rule *marker_rules_create_of(const char *module, size_t module_len,
					   const char *name, size_t name_len, u32 asked)
{
	struct marker_rule *rule;
	char *to;

	rule = kzalloc(sizeof(*rule) + module_len + name_len + 2, GFP_KERNEL_ACCOUNT);
	if (!rule)
		return NULL;
	to = (char *)(rule + 1);
	rule->asked = asked;
	rule->module = memcpy(to, module, module_len);
	use_underscores(to);
	rule->name = memcpy(to + module_len + 1, name, name_len);
	rule->is_glob = marker_rules_is_glob(rule->name);
	rule->bucket = bucket_of(rule->name);
	INIT_LIST_HEAD(&rule->list);
	INIT_LIST_HEAD(&rule->glob);
	INIT_HLIST_NODE(&rule->node);
	return rule;
}

struct marker_rule *marker_rules_create(const char *module, const char *name,
					u32 asked)
{
	struct marker_rule *rule;

	rule = marker_rules_create_of(module, strlen(module), name, strlen(name), asked);
	if (rule)
		rule->keeps_filter = true;
	return rule;
}

void marker_rules_destroy(struct marker_rule *rule)
{
	list_del(&rule->list);
	list_del(&rule->glob);
	hash_del(&rule->node);
	kfree(rule->filter);
	kfree(rule);
}

struct marker_rule *marker_rules_create_filter(const char *module, const char *name,
					       const char *filter)
{
	struct marker_rule *rule = marker_rules_create(module, name, 0);

	if (!rule)
		return NULL;
	rule->only_filter = true;
	rule->keeps_filter = false;
	if (!filter)
		return rule;
	rule->filter = kstrdup(filter, GFP_KERNEL_ACCOUNT);
	if (rule->filter)
		return rule;
	marker_rules_destroy(rule);
	return NULL;
}

void marker_rules_free(struct list_head *rules)
{
	struct marker_rule *rule, *next;

	list_for_each_entry_safe(rule, next, rules, list)
		marker_rules_destroy(rule);
}

bool marker_rules_is_glob(const char *pattern)
{
	const char *p;

	for (p = pattern; *p; p++) {
		if (*p == '*' || *p == '?' || *p == '[')
			return true;
	}
	return false;
}

bool marker_rules_match(const struct marker_rule *rule, const char *module,
			const char *name)
{
	return marker_glob_matches(rule->module, module) && marker_glob_matches(rule->name, name);
}

static bool is_all(const struct marker_rule *rule)
{
	return !rule->only_filter && !strcmp(rule->module, "*") && !strcmp(rule->name, "*");
}

/* True if @rule matches all that @old matches. */
static bool rule_covers(const struct marker_rule *rule, const struct marker_rule *old)
{
	if (strcmp(rule->module, "*") && strcmp(rule->module, old->module))
		return false;
	return !strcmp(rule->name, "*") || !strcmp(rule->name, old->name);
}

static bool any_filter(const struct marker_rules *rules)
{
	struct marker_rule *rule;

	for_each_rule(rules, rule) {
		if (rule->filter)
			return true;
	}
	return false;
}

/*
 * @rule comes after @old.  True: @old decides nothing any more.  @filters: some
 * rule has one, so that those without must be kept, too.
 */
static bool is_void(const struct marker_rule *old, const struct marker_rule *rule, bool filters)
{
	if (!rule_covers(rule, old) || (rule->only_filter && !old->only_filter))
		return false;
	return !rule->keeps_filter || old->keeps_filter || !filters;
}

/* @old no longer says what @rule says, and stays in force for the rest. */
static void silence(struct marker_rule *old, const struct marker_rule *rule)
{
	if (!rule_covers(rule, old))
		return;
	if (rule->keeps_filter) {
		old->only_filter = true;
	} else {
		kfree(old->filter);
		old->filter = NULL;
		old->keeps_filter = true;
	}
}

/* The rules that @rule may make void: with its name, or, if that is "*", all. */
#define for_each_older(rules, old, next, rule)					\
	for (old = first_older(rules, rule);					\
	     old && (next = next_older(rules, old, rule), true); old = next)

static struct marker_rule *rule_of(struct hlist_node *node)
{
	return node ? hlist_entry(node, struct marker_rule, node) : NULL;
}

static struct marker_rule *rule_in(const struct marker_rules *rules, struct list_head *list)
{
	return list == &rules->list ? NULL : list_entry(list, struct marker_rule, list);
}

static struct marker_rule *first_older(const struct marker_rules *rules,
				       const struct marker_rule *rule)
{
	return strcmp(rule->name, "*") ? rule_of(rules->names[rule->bucket].first) :
					 rule_in(rules, rules->list.next);
}

static struct marker_rule *next_older(const struct marker_rules *rules, struct marker_rule *old,
				      const struct marker_rule *rule)
{
	return strcmp(rule->name, "*") ? rule_of(old->node.next) : rule_in(rules, old->list.next);
}

static void drop_void(struct marker_rules *rules, const struct marker_rule *rule)
{
	const bool filters = rule->keeps_filter && any_filter(rules);
	struct marker_rule *old, *next;

	for_each_older(rules, old, next, rule) {
		if (is_void(old, rule, filters)) {
			marker_rules_destroy(old);
			rules->nr--;
		} else {
			silence(old, rule);
		}
	}
}

/* How many rules in force does @more make void? */
static unsigned int count_void(struct marker_rules *rules, const struct list_head *more)
{
	const bool filters = any_filter(rules);
	struct marker_rule *old, *next;
	const struct marker_rule *rule;
	unsigned int nr = 0;

	for_each_rule(rules, old)
		old->goes = false;
	list_for_each_entry(rule, more, list) {
		cond_resched();
		for_each_older(rules, old, next, rule) {
			if (old->goes || !is_void(old, rule, filters))
				continue;
			old->goes = true;
			nr++;
		}
	}
	return nr;
}

static void append(struct marker_rules *rules, struct marker_rule *rule)
{
	rule->nr = ++rules->last_nr;
	list_add_tail(&rule->list, &rules->list);
	hlist_add_head(&rule->node, &rules->names[rule->bucket]);
	if (rule->is_glob)
		list_add_tail(&rule->glob, &rules->globs);
	rules->nr++;
}

void marker_rules_add(struct marker_rules *rules, struct marker_rule *rule)
{
	drop_void(rules, rule);
	/* without a rule before it, there is nothing to disable */
	if (!rule->asked && !rule->filter && list_empty(&rules->list)) {
		marker_rules_destroy(rule);
		return;
	}
	append(rules, rule);
}

void marker_rules_index(struct marker_rules *rules, struct list_head *command)
{
	struct marker_rule *rule, *next;

	list_for_each_entry_safe(rule, next, command, list) {
		cond_resched();
		list_del(&rule->list);
		append(rules, rule);
	}
}

void marker_rules_move(struct marker_rules *rules, struct marker_rules *from)
{
	struct marker_rule *rule, *next;

	list_for_each_entry_safe(rule, next, &from->list, list) {
		cond_resched();
		list_del_init(&rule->list);
		list_del_init(&rule->glob);
		hash_del(&rule->node);
		marker_rules_add(rules, rule);
	}
	from->nr = 0;
}

int marker_rules_check_room(struct marker_rules *rules, const struct list_head *more, bool clear,
			    bool log)
{
	unsigned int old = clear ? 0 : rules->nr, new = 0;
	const struct marker_rule *rule;

	list_for_each_entry(rule, more, list)
		new = is_all(rule) ? 1 : new + 1;
	if (old + new > MARKER_MAX_RULES && old)
		old -= count_void(rules, more);
	if (old + new <= MARKER_MAX_RULES)
		return 0;
	if (log)
		marker_log("%u patterns would be in force, at most %u can be: let a glob stand for many",
			   old + new, MARKER_MAX_RULES);
	return -ENOSPC;
}

static bool in_common(const char *a, const char *b)
{
	return marker_glob_matches(a, b) || marker_glob_matches(b, a);
}

static bool takes_back(const struct marker_rule *rule, const struct marker_rule *old)
{
	return old->asked && !old->only_filter && in_common(old->module, rule->module) &&
	       in_common(old->name, rule->name);
}

bool marker_rules_known(const struct list_head *rules,
			const struct marker_rule *rule)
{
	struct marker_rule *old;

	list_for_each_entry(old, rules, list) {
		if (old == rule)
			break;
		if (takes_back(rule, old))
			return true;
	}
	return false;
}

bool marker_rules_in_force(const struct marker_rules *rules, const struct marker_rule *rule)
{
	struct marker_rule *old;

	if (rule->is_glob)
		return marker_rules_known(&rules->list, rule);
	hlist_for_each_entry(old, &rules->names[rule->bucket], node) {
		if (takes_back(rule, old))
			return true;
	}
	list_for_each_entry(old, &rules->globs, glob) {
		if (takes_back(rule, old))
			return true;
	}
	return false;
}

/* May they match the same?  Of two globs that is not known. */
static bool may_meet(const char *a, const char *b)
{
	return in_common(a, b) || (marker_rules_is_glob(a) && marker_rules_is_glob(b));
}

/* Does a later rule than @old, which is in force, ask for something else of the same? */
static bool is_overruled(const struct marker_rules *rules, const struct marker_rule *old)
{
	struct marker_rule *rule;

	list_for_each_entry_reverse(rule, &rules->list, list) {
		if (rule == old)
			break;
		if (!rule->only_filter && rule->asked != old->asked &&
		    may_meet(rule->module, old->module) && may_meet(rule->name, old->name))
			return true;
	}
	return false;
}

bool marker_rules_has(const struct marker_rules *rules, const struct marker_rule *rule)
{
	struct marker_rule *old;

	hlist_for_each_entry(old, &rules->names[rule->bucket], node) {
		if (!old->only_filter && !strcmp(old->name, rule->name) &&
		    !strcmp(old->module, rule->module))
			return old->asked == rule->asked && !is_overruled(rules, old);
	}
	return !rule->asked && !marker_rules_in_force(rules, rule);
}

void marker_rules_clear(struct marker_rules *rules)
{
	marker_rules_free(&rules->list);
	rules->nr = 0;
}

/* Does @rule say something of filters, or of the rest? */
static bool speaks_of(const struct marker_rule *rule, bool filters)
{
	return filters ? !rule->keeps_filter : !rule->only_filter;
}

/* The last rule that matches, of those that speak of filters, or of the rest; or NULL. */
static const struct marker_rule *find_last(const struct marker_rules *rules, const char *module,
					   const char *name, bool filters)
{
	const struct marker_rule *rule, *last = NULL;

	hlist_for_each_entry(rule, &rules->names[bucket_of(name)], node) {
		if (!strcmp(rule->name, name) && speaks_of(rule, filters) &&
		    marker_glob_matches(rule->module, module)) {
			last = rule;
			break;
		}
	}
	list_for_each_entry_reverse(rule, &rules->globs, glob) {
		if (last && rule->nr < last->nr)
			break;
		if (speaks_of(rule, filters) && marker_rules_match(rule, module, name))
			return rule;
	}
	return last;
}

const struct marker_rule *marker_rules_last(const struct marker_rules *rules, const char *module,
					    const char *name)
{
	return find_last(rules, module, name, false);
}

u32 marker_rules_want(const struct marker_rules *rules, const char *module, const char *name)
{
	const struct marker_rule *rule = marker_rules_last(rules, module, name);

	return rule ? rule->asked : 0;
}

const char *marker_rules_filter(const struct marker_rules *rules, const char *module,
				const char *name)
{
	const struct marker_rule *rule = find_last(rules, module, name, true);

	return rule ? rule->filter : NULL;
}
