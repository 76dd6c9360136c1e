/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which markers an operator wants: an ordered list of patterns.  The last one
 * that matches a marker decides, so an enabled marker stays enabled when its
 * module is loaded again, and one that does not exist yet can be wished for.
 */
#ifndef _MARKERS_RULES_H
#define _MARKERS_RULES_H

#include <linux/list.h>
#include <linux/types.h>

/**
 * struct marker_rule - one pattern
 * @list:	in the list of all, or of those being parsed
 * @on:		enable what matches, or disable it
 * @any_module:	the pattern was written without a module
 * @module:	glob for the module's name
 * @name:	glob for the marker's name
 */
struct marker_rule {
	struct list_head list;
	bool on;
	bool any_module;
	const char *module;
	const char *name;
};

/**
 * marker_rules_parse() - turn text into rules
 * @text:	patterns separated by white space or commas:
 *		"[!][module:]name", both may be globs.  "#" ends a pattern, and what
 *		follows it in the word is a mark; at the beginning of a word it begins a
 *		comment, up to the end of the line.
 * @rules:	list to which the rules are added, in order
 *
 * Notes what is wrong in error_log.
 *
 * Context: Process context; may sleep.
 * Return: 0; -EINVAL for a malformed pattern or -ENOMEM: @rules is empty then.
 */
int marker_rules_parse(const char *text, struct list_head *rules);

/**
 * marker_rules_whole() - where the last word ends for which more may come
 * @text:	the first part of a longer text, cut off anywhere
 * @comment:	the end is in a comment
 *
 * Context: Any.
 * Return: offset of the last word or comment, if it may go on; else the length.
 */
size_t marker_rules_whole(const char *text, bool *comment);

/**
 * marker_rules_create() - a rule that matches one module or one marker
 * @module:	glob for the module's name
 * @name:	glob for the marker's name
 * @on:		enable or disable
 *
 * Context: Process context; may sleep.
 * Return: the rule, or NULL.
 */
struct marker_rule *marker_rules_create(const char *module, const char *name,
					bool on);

void marker_rules_free(struct list_head *rules);

/* Does the rule speak of this marker? */
bool marker_rules_match(const struct marker_rule *rule, const char *module,
			const char *name);

/* The following ones work on the list of all; registry mutex held. */

/**
 * marker_rules_add() - append a rule
 * @rule:	the rule; belongs to the list now
 *
 * Rules that it makes void are dropped.
 */
void marker_rules_add(struct marker_rule *rule);
void marker_rules_clear(void);

/**
 * marker_rules_known() - does a rule against something speak of what was asked for
 * @rules:	the list of all, or those being parsed
 * @rule:	the rule; if it is in @rules, only those before it count
 *
 * Patterns are compared as text, so this is for a message to a person.
 *
 * Return: true if there is a rule that enables and has markers in common with it.
 */
bool marker_rules_known(const struct list_head *rules,
			const struct marker_rule *rule);

/* What the list says of a marker. */
bool marker_rules_want(const char *module, const char *name);

/* The list, oldest first. */
extern struct list_head marker_rules;

#define for_each_rule(rule)						\
	list_for_each_entry(rule, &marker_rules, list)

#endif /* _MARKERS_RULES_H */
