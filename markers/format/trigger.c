// SPDX-License-Identifier: GPL-2.0
/*
 * The parts of a trigger's text.  Runs when an operator writes one.
 */
#include "trigger.h"

enum argument { NO_ARGUMENT, NUMBER, PATTERN, HIST, PAIR };

static const struct {
	const char *name;
	enum argument argument;
	const char *number;	/* what stands before it */
} actions[NR_MARKER_ACTIONS] = {
	[MARKER_ACTION_TRACEON] = { "traceon" },
	[MARKER_ACTION_TRACEOFF] = { "traceoff", NUMBER, "after=" },
	[MARKER_ACTION_SNAPSHOT] = { "snapshot" },
	[MARKER_ACTION_STACKTRACE] = { "stacktrace" },
	[MARKER_ACTION_ENABLE] = { "enable_marker", PATTERN },
	[MARKER_ACTION_DISABLE] = { "disable_marker", PATTERN },
	[MARKER_ACTION_DUMP] = { "dump", NUMBER, "last=" },
	[MARKER_ACTION_HIST] = { "hist", HIST },
	[MARKER_ACTION_BEGIN] = { "begin", PAIR },
	[MARKER_ACTION_LATENCY] = { "latency", PAIR },
};

const char *marker_trigger_name(enum marker_action_kind kind)
{
	return actions[kind].name;
}

static int refuse_trigger(struct marker_format_error *error, unsigned int column,
			  const char *why)
{
	error->column = column;
	error->why = why;
	return -EINVAL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static unsigned int skip_blanks(const char *text, unsigned int at)
{
	while (is_blank(text[at]))
		at++;
	return at;
}

/* The end of the part at @at: the next colon, or the end of the word. */
static unsigned int part_end(const char *text, unsigned int at, unsigned int end)
{
	while (at < end && text[at] != ':')
		at++;
	return at;
}

/* A number of digits only, [@at, @end) of @text; 0: it is none, or too large. */
static u32 parse_number(const char *text, unsigned int at, unsigned int end)
{
	u64 number = 0;

	for (; at < end && number <= MARKER_MAX_AFTER; at++) {
		if (!is_digit(text[at]))
			return 0;
		number = 10 * number + text[at] - '0';
	}
	return number <= MARKER_MAX_AFTER ? number : 0;
}

static bool is_action(const char *text, unsigned int len, enum marker_action_kind kind)
{
	return strlen(actions[kind].name) == len && !memcmp(text, actions[kind].name, len);
}

static int parse_name(struct marker_trigger_text *parts, const char *text, unsigned int end,
		      struct marker_format_error *error)
{
	unsigned int len = end - parts->name;
	unsigned int kind = 0;

	while (kind < NR_MARKER_ACTIONS && !is_action(text + parts->name, len, kind))
		kind++;
	if (kind == NR_MARKER_ACTIONS)
		return refuse_trigger(error, parts->name,
				      "no such action, there are: traceon traceoff snapshot stacktrace enable_marker disable_marker dump hist begin latency");
	parts->kind = kind;
	return 0;
}

/* ":after=N", if it is next.  *@at moves after it. */
static int parse_after(struct marker_trigger_text *parts, const char *text,
		       unsigned int *at, unsigned int end,
		       struct marker_format_error *error)
{
	const char *before = actions[parts->kind].number;
	const unsigned int len = strlen(before);
	unsigned int start = *at + 1;

	if (*at == end || strncmp(text + start, before, len))
		return 0;
	*at = part_end(text, start, end);
	parts->after = parse_number(text, start + len, *at);
	if (!parts->after)
		return refuse_trigger(error, start + len,
				      "not a number of events from 1 to 1000000000");
	if (parts->kind == MARKER_ACTION_DUMP && parts->after > MARKER_MAX_LAST)
		return refuse_trigger(error, start + len,
				      "more than 1000000 events of each CPU");
	return 0;
}

/*
 * ":PATTERN", up to the count, which consists of digits, as no marker's name does.  *@at
 * moves after it.
 */
static int parse_pattern(struct marker_trigger_text *parts, const char *text,
			 unsigned int *at, unsigned int end,
			 struct marker_format_error *error)
{
	unsigned int start = *at + 1, last = end;

	if (*at == end && parts->remove)
		return 0;
	while (last > start && text[last - 1] != ':')
		last--;
	*at = last > start && last < end && parse_number(text, last, end) ? last - 1 : end;
	if (start >= *at)
		return refuse_trigger(error, min(start, end),
				      "which markers? write :[module:]name after it");
	parts->arg = start;
	parts->arg_len = *at - start;
	return 0;
}

/* ":" and all that follows, which has no count then.  *@at moves after it. */
static int parse_rest(struct marker_trigger_text *parts, unsigned int *at,
		      unsigned int end, struct marker_format_error *error)
{
	unsigned int start = *at + 1;

	if (*at == end && parts->remove)
		return 0;
	if (start >= end)
		return refuse_trigger(error, min(start, end),
				      actions[parts->kind].argument == HIST ?
				      "what is to be counted? write :keys=FIELD after it" :
				      "which pair? write :NAME:keys=FIELD after it");
	parts->arg = start;
	parts->arg_len = end - start;
	*at = end;
	return 0;
}

/* ":COUNT" at @at, or the end. */
static int parse_count(struct marker_trigger_text *parts, const char *text,
		       unsigned int at, unsigned int end,
		       struct marker_format_error *error)
{
	if (at == end)
		return 0;
	parts->count = parse_number(text, at + 1, end);
	if (!parts->count)
		return refuse_trigger(error, at + 1, "not a count from 1 to 1000000000");
	return 0;
}

/* "if FILTER" at @at, or the end. */
static int parse_if(struct marker_trigger_text *parts, const char *text, unsigned int at,
		    struct marker_format_error *error)
{
	unsigned int end = at + strlen(text + at);

	if (!text[at])
		return 0;
	if (strncmp(text + at, "if", 2) || !is_blank(text[at + 2]))
		return refuse_trigger(error, at, "after an action, \"if\" and a filter may follow");
	at = skip_blanks(text, at + 2);
	while (end > at && is_blank(text[end - 1]))
		end--;
	if (end == at)
		return refuse_trigger(error, at, "no filter after \"if\"");
	parts->filter = at;
	parts->filter_len = end - at;
	return 0;
}

/* Check the bytes of the action and its argument, which files and tools show. */
static int check_bytes(const struct marker_trigger_text *parts, const char *text,
		       struct marker_format_error *error)
{
	unsigned int i;

	for (i = 0; i < parts->what_len; i++) {
		const char c = text[parts->name + i];

		if (i == MARKER_MAX_WHAT - 1)
			return refuse_trigger(error, parts->name + i,
					      "an action with its argument has more than 2047 bytes");
		if ((c >= 0 && c < ' ') || c == 0x7f)
			return refuse_trigger(error, parts->name + i,
					      "a control character in an action");
	}
	return 0;
}

int marker_trigger_parse(struct marker_trigger_text *parts, const char *text, bool remove,
			 struct marker_format_error *error)
{
	unsigned int at = skip_blanks(text, 0), end;
	int err;

	memset(parts, 0, sizeof(*parts));
	parts->remove = remove;
	if (text[at] == '!') {
		parts->remove = true;
		at = skip_blanks(text, at + 1);
	}
	parts->name = at;
	for (end = at; text[end] && !is_blank(text[end]); end++)
		;
	at = part_end(text, at, end);
	err = parse_name(parts, text, at, error);
	if (!err && actions[parts->kind].argument == NUMBER)
		err = parse_after(parts, text, &at, end, error);
	else if (!err && actions[parts->kind].argument == PATTERN)
		err = parse_pattern(parts, text, &at, end, error);
	else if (!err && actions[parts->kind].argument >= HIST)
		err = parse_rest(parts, &at, end, error);
	parts->what_len = at - parts->name;
	if (!err)
		err = check_bytes(parts, text, error);
	if (!err)
		err = parse_count(parts, text, at, end, error);
	return err ?: parse_if(parts, text, skip_blanks(text, end), error);
}
