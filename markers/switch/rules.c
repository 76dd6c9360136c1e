// SPDX-License-Identifier: GPL-2.0
/*
 * Patterns: parsing, matching, and the list of those in force.  control.c, modules.c and
 * debugfs call this in process context.
 */
#include <linux/ctype.h>
#include <linux/glob.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/log.h>
#include "rules.h"

LIST_HEAD(marker_rules);	/* registry mutex */

static unsigned int nr_rules;	/* in marker_rules */

static bool is_separator(char c)
{
	return isspace(c) || c == ',';
}

static bool is_pattern_char(char c)
{
	return isalnum(c) || c == '_' || c == '*' || c == '?' || c == '[' ||
	       c == ']' || c == '-' || c == '!' || c == '^';
}

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

/* Both strings in one allocation with the rule. */
static struct marker_rule *rule_create(const char *module, size_t module_len,
				       const char *name, size_t name_len,
				       u32 asked)
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
	INIT_LIST_HEAD(&rule->list);
	return rule;
}

struct marker_rule *marker_rules_create(const char *module, const char *name,
					u32 asked)
{
	return rule_create(module, strlen(module), name, strlen(name), asked);
}

int marker_rules_parse_options(const char *text, size_t start, size_t end, u32 *asked)
{
	size_t len;

	for (;; start += len + 1) {
		len = min(strcspn(text + start, "+"), end - start);
		if (len != strlen("count") || memcmp(text + start, "count", len)) {
			marker_log_at(text, start, "no such option, there is: count");
			return -EINVAL;
		}
		*asked |= MARKER_ASK_COUNT;
		if (start + len == end)
			return 0;
	}
}

const char *marker_rules_options(char *text, u32 asked)
{
	snprintf(text, MARKER_OPTIONS_SIZE, "%s%s",
		 !(asked & MARKER_ASK_COUNT) ? "" : asked & MARKER_ASK_RECORD ? "+" : "=",
		 asked & MARKER_ASK_COUNT ? "count" : "");
	return text;
}

/* "module:name" or "name", [@start, @end) of @text. */
static int parse_pattern(const char *text, size_t start, size_t end, u32 asked,
			 struct list_head *rules)
{
	size_t colon = end, i;
	struct marker_rule *rule;

	for (i = start; i < end; i++) {
		if (text[i] == ':' && colon == end) {
			colon = i;
		} else if (!is_pattern_char(text[i])) {
			marker_log_at(text, i, "no such character in a marker's name or pattern");
			return -EINVAL;
		}
	}
	if (colon == start || colon == end - 1 || start == end) {
		marker_log_at(text, start, "a pattern is [!][module:]name");
		return -EINVAL;
	}
	if (colon == end)
		rule = rule_create("*", 1, text + start, end - start, asked);
	else
		rule = rule_create(text + start, colon - start,
				   text + colon + 1, end - colon - 1, asked);
	if (!rule)
		return -ENOMEM;
	rule->any_module = colon == end;
	list_add_tail(&rule->list, rules);
	return 0;
}

/* "[!]pattern[options]", [@start, @end) of @text. */
static int parse_rule(const char *text, size_t start, size_t end, struct list_head *rules)
{
	const bool off = text[start] == '!';
	u32 asked = off ? 0 : MARKER_ASK_RECORD;
	size_t stop;
	int err;

	start += off;
	stop = min(start + strcspn(text + start, "+="), end);
	if (stop < end) {
		if (off) {
			marker_log_at(text, stop, "a pattern with ! has no options");
			return -EINVAL;
		}
		if (text[stop] == '=')
			asked = 0;
		err = marker_rules_parse_options(text, stop + 1, end, &asked);
		if (err)
			return err;
	}
	return parse_pattern(text, start, stop, asked, rules);
}

/* From @start on, the next word that is not in a comment, or the end. */
static size_t next_word(const char *text, size_t start)
{
	for (;;) {
		while (is_separator(text[start]))
			start++;
		if (text[start] != '#')
			return start;
		start += strcspn(text + start, "\n");
	}
}

static size_t word_end(const char *text, size_t start)
{
	while (text[start] && !is_separator(text[start]))
		start++;
	return start;
}

size_t marker_rules_whole(const char *text, bool *comment)
{
	size_t start = 0, end;

	for (;;) {
		while (is_separator(text[start]))
			start++;
		*comment = text[start] == '#';
		end = *comment ? start + strcspn(text + start, "\n") :
		      word_end(text, start);
		if (!text[end])
			return start;
		start = end;
	}
}

int marker_rules_parse(const char *text, struct list_head *rules)
{
	size_t start = 0, end, mark;
	int err = 0;

	while (!err) {
		start = next_word(text, start);
		if (!text[start])
			return 0;
		end = word_end(text, start);
		mark = start + strcspn(text + start, "#");
		err = parse_rule(text, start, min(mark, end), rules);
		start = end;
	}
	marker_rules_free(rules);
	return err;
}

void marker_rules_free(struct list_head *rules)
{
	struct marker_rule *rule, *next;

	list_for_each_entry_safe(rule, next, rules, list) {
		list_del(&rule->list);
		kfree(rule);
	}
}

bool marker_rules_match(const struct marker_rule *rule, const char *module,
			const char *name)
{
	return glob_match(rule->module, module) && glob_match(rule->name, name);
}

static bool is_all(const struct marker_rule *rule)
{
	return !strcmp(rule->module, "*") && !strcmp(rule->name, "*");
}

/* True if @rule matches all that @old matches, so that @old decides nothing any more. */
static bool is_void(const struct marker_rule *old,
		    const struct marker_rule *rule)
{
	if (strcmp(rule->module, "*") && strcmp(rule->module, old->module))
		return false;
	return !strcmp(rule->name, "*") || !strcmp(rule->name, old->name);
}

void marker_rules_add(struct marker_rule *rule)
{
	struct marker_rule *old, *next;

	list_for_each_entry_safe(old, next, &marker_rules, list) {
		if (!is_void(old, rule))
			continue;
		list_del(&old->list);
		kfree(old);
		nr_rules--;
	}
	/* without a rule before it, there is nothing to disable */
	if (!rule->asked && list_empty(&marker_rules)) {
		kfree(rule);
		return;
	}
	list_add_tail(&rule->list, &marker_rules);
	nr_rules++;
}

int marker_rules_check_room(const struct list_head *rules, bool clear)
{
	unsigned int nr = clear ? 0 : nr_rules;
	const struct marker_rule *rule;

	list_for_each_entry(rule, rules, list)
		nr = is_all(rule) ? 1 : nr + 1;
	if (nr <= MARKER_MAX_RULES)
		return 0;
	marker_log("set_marker: %u patterns would be in force, at most %u can be: let a glob stand for many",
		   nr, MARKER_MAX_RULES);
	return -ENOSPC;
}

static bool in_common(const char *a, const char *b)
{
	return glob_match(a, b) || glob_match(b, a);
}

bool marker_rules_known(const struct list_head *rules,
			const struct marker_rule *rule)
{
	struct marker_rule *old;

	list_for_each_entry(old, rules, list) {
		if (old == rule)
			break;
		if (old->asked && in_common(old->module, rule->module) &&
		    in_common(old->name, rule->name))
			return true;
	}
	return false;
}

void marker_rules_clear(void)
{
	marker_rules_free(&marker_rules);
	nr_rules = 0;
}

u32 marker_rules_want(const char *module, const char *name)
{
	struct marker_rule *rule;

	list_for_each_entry_reverse(rule, &marker_rules, list) {
		if (marker_rules_match(rule, module, name))
			return rule->asked;
	}
	return 0;
}
