/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which markers an operator wants: an ordered list of patterns.  The last one
 * that matches a marker decides, so an enabled marker stays enabled when its
 * module is loaded again, and a pattern can name a marker that does not exist yet.
 */
#ifndef _MARKERS_RULES_H
#define _MARKERS_RULES_H

#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/types.h>

/* What a rule asks for of the markers that match; nothing: it disables them. */
#define MARKER_ASK_RECORD	BIT(0)	/* that hits are recorded */
#define MARKER_ASK_COUNT	BIT(1)	/* that hits are counted */
#define MARKER_ASK_STACK(depth)	((u32)(depth) << 8)	/* their stacks, at most so deep */

#define MARKER_STACK_DEPTH	16	/* unless it is said */

/* Room for marker_rules_options(). */
#define MARKER_OPTIONS_SIZE	24

/**
 * marker_rules_trim() - cut off the white space around a text
 * @text:	the text; what is after the result becomes NUL
 *
 * White space is that of ASCII: strim() also cuts off 0xa0, with which many characters
 * of UTF-8 end.
 *
 * Context: Any.
 * Return: the first byte that is left.
 */
char *marker_rules_trim(char *text);

/**
 * marker_rules_stack_depth() - how deep the stacks are that a rule asks for
 * @asked:	MARKER_ASK_*
 *
 * Context: Any.
 * Return: return addresses; 0: none
 */
static inline u8 marker_rules_stack_depth(u32 asked)
{
	return asked >> 8;
}

/**
 * struct marker_rule - one pattern
 * @list:	in the list of all, or of those being parsed
 * @glob:	in the list of those that are in force and whose name is a glob
 * @node:	of those in force, by the text of @name
 * @nr:		of those in force: the last one has the greatest
 * @asked:	MARKER_ASK_*
 * @bucket:	its bucket in struct marker_rules.names, by the text of @name
 * @is_glob:	@name is a glob
 * @any_module:	the pattern was written without a module
 * @keeps_filter: it says nothing about filters
 * @only_filter: it says nothing else; @asked does not count
 * @goes:	for marker_rules_check_room()
 * @may_misfit:	it is known that the filter does not fit: the pattern has that mark
 * @filter:	what hits must look like to be recorded, or NULL: all are
 * @module:	glob for the module's name
 * @name:	glob for the marker's name
 */
struct marker_rule {
	struct list_head list;
	struct list_head glob;
	struct hlist_node node;
	u64 nr;
	u32 asked;
	u16 bucket;
	bool is_glob;
	bool any_module;
	bool keeps_filter;
	bool only_filter;
	bool goes;
	bool may_misfit;
	char *filter;
	const char *module;
	const char *name;
};

#define MARKER_RULES_BITS	12

/**
 * struct marker_rules - those of a recording; registry mutex
 * @list:	all, the oldest first
 * @globs:	those whose name is a glob
 * @names:	all, by the text of the name, the newest first
 * @last_nr:	of the newest
 * @nr:		how many
 * @stacks_allowed: the contexts of the recording have room for stacks: commands may ask for them.
 *		Rules that ask for them stay in force in any case.
 * @changes:	goes up with each command that changes them, for marker_control_ask()
 *
 * With the hash ten thousand names in set_marker do not cost each marker ten thousand looks.
 */
struct marker_rules {
	struct list_head list;
	struct list_head globs;
	DECLARE_HASHTABLE(names, MARKER_RULES_BITS);
	u64 last_nr;
	unsigned int nr;
	bool stacks_allowed;
	unsigned long changes;
};

/* No rules. */
#define MARKER_RULES_INIT(rules) {					\
	.list = LIST_HEAD_INIT((rules).list),				\
	.globs = LIST_HEAD_INIT((rules).globs),				\
	.changes = 1 }

/**
 * marker_rules_shown() - what a recording can do of what its rules ask for
 * @rules:	its rules
 * @asked:	MARKER_ASK_*
 *
 * A rule keeps its stacks while contexts has none, but they can be neither recorded nor asked
 * for then.
 *
 * Context: Any.
 * Return: MARKER_ASK_*, without stacks if events have no room for them.
 */
static inline u32 marker_rules_shown(const struct marker_rules *rules, u32 asked)
{
	return READ_ONCE(rules->stacks_allowed) ? asked :
	       asked & (MARKER_ASK_RECORD | MARKER_ASK_COUNT);
}

#define for_each_rule(rules, rule)					\
	list_for_each_entry(rule, &(rules)->list, list)

/* A marker that is not recorded, as its filter does not fit its fields. */
#define MARKER_MARK_MISFIT	"#filter_refused"

/**
 * marker_rules_parse() - turn text into rules
 * @text:	patterns separated by white space or commas:
 *		"[!][module:]name[OPTIONS]", both may be globs.  A "-" in module, except
 *		in a range, means "_", as for modprobe.  OPTIONS are "=count", to count
 *		hits without recording them, "+count", to do both, "+stack" or
 *		"+stack=DEPTH", to record stacks, too.  "#" ends a pattern, and the rest
 *		of the word is ignored; at the beginning of a word it begins a comment,
 *		up to the end of the line.  The word "if" after a pattern makes the rest
 *		of the line a filter.
 * @rules:	list to which the rules are added, in order
 *
 * Errors are in error_log.
 *
 * Context: Process context; may sleep.
 * Return: 0; -EINVAL for a malformed pattern or -ENOMEM: @rules is empty then.
 */
int marker_rules_parse(const char *text, struct list_head *rules);

/**
 * marker_rules_whole() - find the last pattern if more of it may come
 * @text:	the first part of a longer text, cut off anywhere
 * @comment:	the end is in a comment
 *
 * In a line that does not end, the last pattern may go on with a filter.
 *
 * Context: Any.
 * Return: offset of the last pattern or comment, if it may go on; else the length.
 */
size_t marker_rules_whole(const char *text, bool *comment);

/**
 * marker_rules_create() - a rule that matches one module or one marker
 * @module:	glob for the module's name
 * @name:	glob for the marker's name
 * @asked:	MARKER_ASK_*
 *
 * Context: Process context; may sleep.
 * Return: the rule, or NULL.
 */
struct marker_rule *marker_rules_create(const char *module, const char *name,
					u32 asked);

/**
 * marker_rules_create_of() - a rule, from parts of a text
 * @module:	glob for the module's name; a "-" in it becomes "_", but not in a range
 * @module_len:	its length in bytes
 * @name:	glob for the marker's name
 * @name_len:	its length in bytes
 * @asked:	MARKER_ASK_*
 *
 * Unlike one of marker_rules_create(), it says that there is no filter.
 *
 * Context: Process context; may sleep.
 * Return: the rule, or NULL.
 */
struct marker_rule *marker_rules_create_of(const char *module, size_t module_len,
					   const char *name, size_t name_len, u32 asked);

/**
 * marker_rules_parse_options() - what follows "+" or "=" in a pattern
 * @text:	names with "+" between them
 * @start:	offset of the first one
 * @end:	offset after the last one
 * @asked:	MARKER_ASK_RECORD, or 0; the result is added to it
 *
 * Notes what is wrong in error_log.
 *
 * Context: Process context.
 * Return: 0 or -EINVAL.
 */
int marker_rules_parse_options(const char *text, size_t start, size_t end, u32 *asked);

/**
 * marker_rules_options() - the options of a pattern as text
 * @text:	room for MARKER_OPTIONS_SIZE bytes
 * @asked:	MARKER_ASK_*
 *
 * Context: Any.
 * Return: @text, as it stands after a pattern; "" if it is only recorded.
 */
const char *marker_rules_options(char *text, u32 asked);

/**
 * marker_rules_create_filter() - a rule that only says what hits must look like
 * @module:	glob for the module's name
 * @name:	glob for the marker's name
 * @filter:	a filter, or NULL for none
 *
 * Context: Process context; may sleep.
 * Return: the rule, or NULL.
 */
struct marker_rule *marker_rules_create_filter(const char *module, const char *name,
					       const char *filter);

/**
 * marker_rules_destroy() - free one rule
 * @rule:	the rule; it leaves the list that it is in
 *
 * Context: Any.  Of those in force, only rules.c frees one alone.
 */
void marker_rules_destroy(struct marker_rule *rule);

/**
 * marker_rules_free() - free the rules of a list
 * @rules:	the list; empty on return
 *
 * Context: Any; the registry mutex if it is the list of all.
 */
void marker_rules_free(struct list_head *rules);

/**
 * marker_rules_is_glob() - does a pattern stand for more than one name?
 * @pattern:	the pattern
 *
 * Context: Any.
 * Return: true if it has a character that stands for others.
 */
bool marker_rules_is_glob(const char *pattern);

/**
 * marker_rules_match() - does a rule match a marker?
 * @rule:	the rule
 * @module:	the name of the marker's module
 * @name:	the marker's name
 *
 * Context: Any.
 * Return: true if both globs match.
 */
bool marker_rules_match(const struct marker_rule *rule, const char *module,
			const char *name);

/**
 * marker_rules_add() - append a rule to those in force
 * @rules:	the rules in force
 * @rule:	the rule, in no list; belongs to @rules now
 *
 * Frees rules that the new one overrides completely.
 *
 * Context: Process context; registry mutex held.
 */
void marker_rules_add(struct marker_rules *rules, struct marker_rule *rule);

/**
 * marker_rules_index() - let the rules of a command be found by name
 * @rules:	none so far; they are not in force
 * @command:	as marker_rules_parse() leaves it; empty on return
 *
 * Context: Process context; sleeps.  marker_rules_clear() frees them.
 */
void marker_rules_index(struct marker_rules *rules, struct list_head *command);

/**
 * marker_rules_move() - append all rules of a command to those in force
 * @rules:	the rules in force
 * @from:	those of marker_rules_index(); empty on return
 *
 * Context: Process context; sleeps.  Registry mutex held.
 */
void marker_rules_move(struct marker_rules *rules, struct marker_rules *from);

#define MARKER_MAX_RULES	16384	/* each costs a look at each marker */

/**
 * marker_rules_check_room() - may rules be added to those in force?
 * @rules:	the rules in force
 * @more:	the new ones
 * @clear:	@rules is emptied before
 * @log:	note a refusal in error_log
 *
 * A rule that makes older ones void takes their room.  Of the new ones, only "*" does so
 * among themselves.
 *
 * Context: Process context; registry mutex held.
 * Return: 0, or -ENOSPC.
 */
int marker_rules_check_room(struct marker_rules *rules, const struct list_head *more, bool clear,
			    bool log);

/**
 * marker_rules_clear() - drop all rules in force
 * @rules:	the rules in force
 *
 * Context: Process context; registry mutex held.
 */
void marker_rules_clear(struct marker_rules *rules);

/**
 * marker_rules_known() - did an earlier rule of a list enable what a rule disables?
 * @rules:	the list
 * @rule:	a rule that disables; if it is in @rules, only those before it count
 *
 * Compares patterns as text, so two globs may have markers in common that this does
 * not see.  It decides on a message only.
 *
 * Context: Process context; registry mutex held.
 * Return: true if @rules has a rule that enables some of the same markers.
 */
bool marker_rules_known(const struct list_head *rules,
			const struct marker_rule *rule);

/**
 * marker_rules_in_force() - do the rules in force enable what a rule disables?
 * @rules:	the rules in force
 * @rule:	a rule that disables, not one of them
 *
 * As marker_rules_known(), without a look at each rule if @rule names one marker.
 *
 * Context: Process context; registry mutex held.
 * Return: true if it has a rule that enables some of the same markers.
 */
bool marker_rules_in_force(const struct marker_rules *rules, const struct marker_rule *rule);

/**
 * marker_rules_has() - is there the same rule in force?
 * @rules:	the rules in force
 * @rule:	a rule without a filter
 *
 * One that asks for nothing is there, too, if none asks for what it takes back.
 *
 * Context: Process context; registry mutex held.
 * Return: true if @rules has a rule of the same pattern, which asks for the same, and no
 * later one may decide about some of the same markers.
 */
bool marker_rules_has(const struct marker_rules *rules, const struct marker_rule *rule);

/**
 * marker_rules_last() - the rule that decides about a marker
 * @rules:	the rules
 * @module:	the name of its module
 * @name:	its name
 *
 * Context: Process context; registry mutex held.
 * Return: the last one that matches it and says more than a filter, or NULL.
 */
const struct marker_rule *marker_rules_last(const struct marker_rules *rules, const char *module,
					    const char *name);

/**
 * marker_rules_want() - what do the rules ask for of a marker?
 * @rules:	the rules in force
 * @module:	the name of its module
 * @name:	its name
 *
 * Context: Process context; registry mutex held.
 * Return: MARKER_ASK_* of the last rule that matches it.
 */
u32 marker_rules_want(const struct marker_rules *rules, const char *module, const char *name);

/**
 * marker_rules_filter() - what must hits of a marker look like, by the rules?
 * @rules:	the rules in force
 * @module:	the name of its module
 * @name:	its name
 *
 * Context: Process context; registry mutex held.
 * Return: the filter of the last rule that matches it and says so, or NULL.
 */
const char *marker_rules_filter(const struct marker_rules *rules, const char *module,
				const char *name);

/**
 * marker_rules_print() - the rules in force as text
 * @rules:	the rules in force
 * @text:	room for it
 * @size:	of @text, in bytes
 *
 * Leaves out the rules that say something about filters only.
 *
 * Context: Process context; registry mutex held.
 * Return: the length; -EFBIG if it does not fit.  marker_rules_parse() reads it.
 */
int marker_rules_print(const struct marker_rules *rules, char *text, size_t size);

#endif /* _MARKERS_RULES_H */
