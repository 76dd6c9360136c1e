// SPDX-License-Identifier: GPL-2.0
/*
 * Patterns as text: from what an operator writes to rules, and back.  Process context.
 */
#include <linux/ctype.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/format/context.h>
#include <markers/format/filter.h>
#include <markers/format/text.h>
#include <markers/log.h>
#include "rules.h"

static bool is_separator(char c)
{
	return marker_is_blank(c) || c == ',';
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

char *marker_rules_trim(char *text)
{
	char *end = text + strlen(text);

	while (marker_is_blank(*text))
		text++;
	while (end > text && marker_is_blank(end[-1]))
		*--end = '\0';
	return text;
}

/* "=DEPTH" or "", after "stack", [@start, @end) of @text.  0: it is neither. */
static unsigned int parse_depth(const char *text, size_t start, size_t end)
{
	if (start == end)
		return MARKER_STACK_DEPTH;
	if (text[start] != '=')
		return 0;
	return marker_parse_number(text + start + 1, end - start - 1, MARKER_CALLSTACK_MAX);
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

/* With a "[", each character of each name may be compared with all of a pattern. */
#define MAX_WITH_CLASS	512

/* "module:name" or "name", [@start, @end) of @text. */
static int parse_pattern(const char *text, size_t start, size_t end, u32 asked,
			 struct list_head *rules)
{
	size_t colon = end, i;
	struct marker_rule *rule;

	if (end - start > MAX_WITH_CLASS && memchr(text + start, '[', end - start)) {
		marker_log_at(text, start, "a pattern with [ has 512 characters at most");
		return -EINVAL;
	}
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
		rule = marker_rules_create_of("*", 1, text + start, end - start, asked);
	else
		rule = marker_rules_create_of(text + start, colon - start,
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
	if (strncmp(text + end, "if", 2) || (text[end + 2] && !marker_is_blank(text[end + 2])))
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
	while (len && marker_is_blank(text[at + len - 1]))
		len--;
	rule->may_misfit = !strncmp(text + mark, MARKER_MARK_MISFIT, strlen(MARKER_MARK_MISFIT));
	rule->filter = kmemdup_nul(text + at, len, GFP_KERNEL_ACCOUNT);
	work = kmalloc(sizeof(*work), GFP_KERNEL_ACCOUNT);
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

int marker_rules_print(const struct marker_rules *rules, char *text, size_t size)
{
	char options[MARKER_OPTIONS_SIZE];
	const struct marker_rule *rule;
	const char *filter, *separator = "";
	size_t len = 0;

	*text = '\0';
	for_each_rule(rules, rule) {
		/* one that disables nothing is there for its filter, and would be refused */
		if (rule->only_filter ||
		    (!rule->asked && !marker_rules_known(&rules->list, rule)))
			continue;
		filter = !rule->asked ? NULL : !rule->keeps_filter ? rule->filter :
			 marker_rules_filter(rules, rule->module, rule->name);
		len += snprintf(text + len, size - len, "%s%s%s%s%s%s%s%s%s", separator,
				rule->asked ? "" : "!", rule->any_module ? "" : rule->module,
				rule->any_module ? "" : ":", rule->name,
				marker_rules_options(options,
						     marker_rules_shown(rules, rule->asked)),
				rule->may_misfit ? MARKER_MARK_MISFIT : "",
				filter ? " if " : "", filter ?: "");
		if (len >= size)
			return -EFBIG;
		/* the filter is the rest of a line */
		separator = filter ? "\n" : ",";
	}
	return len;
}
