// SPDX-License-Identifier: GPL-2.0
/*
 * Patterns: parsing, matching, and the list of those in force.  control.c, modules.c and
 * debugfs call this in process context.
 */
#include <linux/ctype.h>
#include <linux/glob.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/format/context.h>
#include <markers/format/filter.h>
#include <markers/log.h>
#include "rules.h"

/*
 * All rules in force are in marker_rules.  A hash finds those of one name, the newest
 * first; those whose name is a glob are in a list of their own.  So ten thousand names in
 * set_marker do not cost each marker ten thousand looks.  Registry mutex.
 */
LIST_HEAD(marker_rules);
static LIST_HEAD(globs);
static DEFINE_HASHTABLE(names, 12);
static u64 last_nr;
static unsigned int nr_rules;

/* In ASCII: isspace() also takes 0xa0, with which many characters of UTF-8 end. */
static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_separator(char c)
{
	return is_blank(c) || c == ',';
}

/*
 * The first of @chars in [@start, @end) of @text, or @end.  Reads no further than the word:
 * a text may have thousands of words.
 */
static size_t find_char(const char *text, size_t start, size_t end, const char *chars)
{
	while (start < end && !strchr(chars, text[start]))
		start++;
	return start;
}

static bool is_pattern_char(char c)
{
	return (isascii(c) && isalnum(c)) || c == '_' || c == '*' || c == '?' || c == '[' ||
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
	INIT_LIST_HEAD(&rule->glob);
	INIT_HLIST_NODE(&rule->node);
	return rule;
}

struct marker_rule *marker_rules_create(const char *module, const char *name,
					u32 asked)
{
	struct marker_rule *rule = rule_create(module, strlen(module), name, strlen(name), asked);

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

char *marker_rules_trim(char *text)
{
	char *end = text + strlen(text);

	while (is_blank(*text))
		text++;
	while (end > text && is_blank(end[-1]))
		*--end = '\0';
	return text;
}

/* "=DEPTH" or "", after "stack", [@start, @end) of @text.  0: it is neither. */
static unsigned int parse_depth(const char *text, size_t start, size_t end)
{
	unsigned int depth = 0;
	size_t i;

	if (start == end)
		return MARKER_STACK_DEPTH;
	for (i = start + 1; i < end && isdigit(text[i]) && depth <= MARKER_CALLSTACK_MAX; i++)
		depth = 10 * depth + text[i] - '0';
	return text[start] == '=' && i == end && depth <= MARKER_CALLSTACK_MAX ? depth : 0;
}

/* One option, [@start, @end) of @text. */
static int parse_option(const char *text, size_t start, size_t end, u32 *asked)
{
	size_t name_end = find_char(text, start, end, "=");
	unsigned int depth;

	if (end - start == 5 && !memcmp(text + start, "count", 5)) {
		*asked |= MARKER_ASK_COUNT;
		return 0;
	}
	if (name_end - start != 5 || memcmp(text + start, "stack", 5)) {
		marker_log_at(text, start, "no such option, there are: count stack stack=DEPTH");
		return -EINVAL;
	}
	depth = parse_depth(text, name_end, end);
	if (!depth) {
		marker_log_at(text, name_end, "not a depth from 1 to %u", MARKER_CALLSTACK_MAX);
		return -EINVAL;
	}
	if (!(*asked & MARKER_ASK_RECORD)) {
		marker_log_at(text, start, "a stack is recorded with an event, and none is asked for");
		return -EINVAL;
	}
	*asked = (*asked & (MARKER_ASK_RECORD | MARKER_ASK_COUNT)) | MARKER_ASK_STACK(depth);
	return 0;
}

int marker_rules_parse_options(const char *text, size_t start, size_t end, u32 *asked)
{
	size_t stop;
	int err;

	for (;; start = stop + 1) {
		stop = find_char(text, start, end, "+");
		err = parse_option(text, start, stop, asked);
		if (err || stop == end)
			return err;
	}
}

const char *marker_rules_options(char *text, u32 asked)
{
	const unsigned int depth = marker_rules_stack_depth(asked);
	int len = 0;

	*text = '\0';
	if (asked & MARKER_ASK_COUNT)
		len = snprintf(text, MARKER_OPTIONS_SIZE, "%ccount",
			       asked & MARKER_ASK_RECORD ? '+' : '=');
	if (depth)
		snprintf(text + len, MARKER_OPTIONS_SIZE - len, "+stack=%u", depth);
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
	stop = find_char(text, start, end, "+=");
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

/* The "if" that follows @end, with blanks between, or 0. */
static size_t find_if(const char *text, size_t end)
{
	while (text[end] == ' ' || text[end] == '\t')
		end++;
	if (strncmp(text + end, "if", 2) || (text[end + 2] && !is_blank(text[end + 2])))
		return 0;
	return end;
}

size_t marker_rules_whole(const char *text, bool *comment)
{
	size_t start = 0, end, last = 0;

	for (;;) {
		for (; is_separator(text[start]); start++) {
			if (text[start] == '\n' || text[start] == ',')
				last = start + 1;
		}
		*comment = text[start] == '#';
		if (!text[start])
			return last;
		end = *comment ? start + strcspn(text + start, "\n") :
		      word_end(text, start);
		if (*comment && !text[end])
			return start;
		/* it may be half an "if" */
		if (find_if(text, start) || !strcmp(text + start, "i"))
			end = start + strcspn(text + start, "\n");
		else
			last = start;
		if (!text[end])
			return last;
		start = end;
	}
}

/*
 * The rest of the line after the "if" at @at, as the filter of the last rule, whose mark is
 * at @mark.  *@end moves after it.
 */
static int parse_filter(const char *text, size_t mark, size_t at, size_t *end,
			struct list_head *rules)
{
	struct marker_rule *rule = list_entry(rules->prev, struct marker_rule, list);
	struct marker_format_error error;
	struct marker_filter_work *work;
	size_t len;
	int err;

	if (!rule->asked) {
		marker_log_at(text, at, "a pattern with ! has no filter");
		return -EINVAL;
	}
	at += strlen("if");
	at += strspn(text + at, " \t");
	len = strcspn(text + at, "\n");
	*end = at + len;
	while (len && is_blank(text[at + len - 1]))
		len--;
	rule->may_misfit = !strncmp(text + mark, MARKER_MARK_MISFIT, strlen(MARKER_MARK_MISFIT));
	rule->filter = kmemdup_nul(text + at, len, GFP_KERNEL_ACCOUNT);
	work = kmalloc(sizeof(*work), GFP_KERNEL);
	if (!work || !rule->filter) {
		kfree(work);
		return -ENOMEM;
	}
	err = marker_filter_parse(work, rule->filter, NULL, &error);
	kfree(work);
	if (err)
		marker_log_at(text, at + error.column, "filter: %s", error.why);
	return err;
}

int marker_rules_parse(const char *text, struct list_head *rules)
{
	size_t start = 0, end, mark, at;
	int err = 0;

	while (!err) {
		start = next_word(text, start);
		if (!text[start])
			return 0;
		end = word_end(text, start);
		mark = find_char(text, start, end, "#");
		err = parse_rule(text, start, mark, rules);
		at = find_if(text, end);
		if (!err && at)
			err = parse_filter(text, mark, at, &end, rules);
		start = end;
	}
	marker_rules_free(rules);
	return err;
}

void marker_rules_free(struct list_head *rules)
{
	struct marker_rule *rule, *next;

	list_for_each_entry_safe(rule, next, rules, list)
		marker_rules_destroy(rule);
}

bool marker_rules_is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[");
}

bool marker_rules_match(const struct marker_rule *rule, const char *module,
			const char *name)
{
	return glob_match(rule->module, module) && glob_match(rule->name, name);
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

static bool any_filter(void)
{
	struct marker_rule *rule;

	for_each_rule(rule) {
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

static struct hlist_head *bucket(const char *name)
{
	return &names[hash_min(jhash(name, strlen(name), 0), HASH_BITS(names))];
}

/* The rules that @rule may make void: with its name, or, if that is "*", all. */
#define for_each_older(old, next, rule)						\
	for (old = first_older(rule); old && (next = next_older(old, rule), true); old = next)

static struct marker_rule *rule_of(struct hlist_node *node)
{
	return node ? hlist_entry(node, struct marker_rule, node) : NULL;
}

static struct marker_rule *rule_in(struct list_head *list)
{
	return list == &marker_rules ? NULL : list_entry(list, struct marker_rule, list);
}

static struct marker_rule *first_older(const struct marker_rule *rule)
{
	return strcmp(rule->name, "*") ? rule_of(bucket(rule->name)->first) :
					 rule_in(marker_rules.next);
}

static struct marker_rule *next_older(struct marker_rule *old, const struct marker_rule *rule)
{
	return strcmp(rule->name, "*") ? rule_of(old->node.next) : rule_in(old->list.next);
}

static void drop_void(const struct marker_rule *rule)
{
	const bool filters = rule->keeps_filter && any_filter();
	struct marker_rule *old, *next;

	for_each_older(old, next, rule) {
		if (is_void(old, rule, filters)) {
			marker_rules_destroy(old);
			nr_rules--;
		} else {
			silence(old, rule);
		}
	}
}

/* How many rules in force does @rules make void? */
static unsigned int count_void(const struct list_head *rules)
{
	const bool filters = any_filter();
	struct marker_rule *old, *next;
	const struct marker_rule *rule;
	unsigned int nr = 0;

	for_each_rule(old)
		old->goes = false;
	list_for_each_entry(rule, rules, list) {
		for_each_older(old, next, rule) {
			if (old->goes || !is_void(old, rule, filters))
				continue;
			old->goes = true;
			nr++;
		}
	}
	return nr;
}

void marker_rules_add(struct marker_rule *rule)
{
	drop_void(rule);
	/* without a rule before it, there is nothing to disable */
	if (!rule->asked && !rule->filter && list_empty(&marker_rules)) {
		marker_rules_destroy(rule);
		return;
	}
	rule->nr = ++last_nr;
	list_add_tail(&rule->list, &marker_rules);
	hlist_add_head(&rule->node, bucket(rule->name));
	if (marker_rules_is_glob(rule->name))
		list_add_tail(&rule->glob, &globs);
	nr_rules++;
}

int marker_rules_check_room(const struct list_head *rules, bool clear)
{
	unsigned int old = clear ? 0 : nr_rules, new = 0;
	const struct marker_rule *rule;

	list_for_each_entry(rule, rules, list)
		new = is_all(rule) ? 1 : new + 1;
	if (old + new > MARKER_MAX_RULES && old)
		old -= count_void(rules);
	if (old + new <= MARKER_MAX_RULES)
		return 0;
	marker_log("set_marker: %u patterns would be in force, at most %u can be: let a glob stand for many",
		   old + new, MARKER_MAX_RULES);
	return -ENOSPC;
}

static bool in_common(const char *a, const char *b)
{
	return glob_match(a, b) || glob_match(b, a);
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

bool marker_rules_in_force(const struct marker_rule *rule)
{
	struct marker_rule *old;

	if (marker_rules_is_glob(rule->name))
		return marker_rules_known(&marker_rules, rule);
	hlist_for_each_entry(old, bucket(rule->name), node) {
		if (takes_back(rule, old))
			return true;
	}
	list_for_each_entry(old, &globs, glob) {
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
static bool is_overruled(const struct marker_rule *old)
{
	struct marker_rule *rule;

	list_for_each_entry_reverse(rule, &marker_rules, list) {
		if (rule == old)
			break;
		if (!rule->only_filter && rule->asked != old->asked &&
		    may_meet(rule->module, old->module) && may_meet(rule->name, old->name))
			return true;
	}
	return false;
}

bool marker_rules_has(const struct marker_rule *rule)
{
	struct marker_rule *old;

	hlist_for_each_entry(old, bucket(rule->name), node) {
		if (!old->only_filter && !strcmp(old->name, rule->name) &&
		    !strcmp(old->module, rule->module))
			return old->asked == rule->asked && !is_overruled(old);
	}
	return !rule->asked && !marker_rules_in_force(rule);
}

void marker_rules_clear(void)
{
	marker_rules_free(&marker_rules);
	nr_rules = 0;
}

/* Does @rule say something of filters, or of the rest? */
static bool speaks_of(const struct marker_rule *rule, bool filters)
{
	return filters ? !rule->keeps_filter : !rule->only_filter;
}

/* The last rule that matches, of those that speak of filters, or of the rest; or NULL. */
static const struct marker_rule *find_last(const char *module, const char *name,
					   bool filters)
{
	const struct marker_rule *rule, *last = NULL;

	hlist_for_each_entry(rule, bucket(name), node) {
		if (!strcmp(rule->name, name) && speaks_of(rule, filters) &&
		    glob_match(rule->module, module)) {
			last = rule;
			break;
		}
	}
	list_for_each_entry_reverse(rule, &globs, glob) {
		if (last && rule->nr < last->nr)
			break;
		if (speaks_of(rule, filters) && marker_rules_match(rule, module, name))
			return rule;
	}
	return last;
}

u32 marker_rules_want(const char *module, const char *name)
{
	const struct marker_rule *rule = find_last(module, name, false);

	return rule ? rule->asked : 0;
}

const char *marker_rules_filter(const char *module, const char *name)
{
	const struct marker_rule *rule = find_last(module, name, true);

	return rule ? rule->filter : NULL;
}

int marker_rules_print(char *text, size_t size)
{
	char options[MARKER_OPTIONS_SIZE];
	const struct marker_rule *rule;
	const char *filter, *separator = "";
	size_t len = 0;

	*text = '\0';
	for_each_rule(rule) {
		/* one that disables nothing is there for its filter, and would be refused */
		if (rule->only_filter ||
		    (!rule->asked && !marker_rules_known(&marker_rules, rule)))
			continue;
		filter = !rule->asked ? NULL : !rule->keeps_filter ? rule->filter :
			 marker_rules_filter(rule->module, rule->name);
		len += snprintf(text + len, size - len, "%s%s%s%s%s%s%s%s%s", separator,
				rule->asked ? "" : "!", rule->any_module ? "" : rule->module,
				rule->any_module ? "" : ":", rule->name,
				marker_rules_options(options, rule->asked),
				rule->may_misfit ? MARKER_MARK_MISFIT : "",
				filter ? " if " : "", filter ?: "");
		if (len >= size)
			return -EFBIG;
		/* the filter is the rest of a line */
		separator = filter ? "\n" : ",";
	}
	return len;
}
