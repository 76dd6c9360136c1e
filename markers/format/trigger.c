// SPDX-License-Identifier: GPL-2.0
/*
 * The parts of a trigger's text.  Runs when an operator writes one.
 */
#include "text.h"
#include "trigger.h"

enum argument { NO_ARGUMENT, NUMBER, PATTERN, HIST, PAIR };

static const struct {
	const char *name;
	enum argument argument;
	const char *number;	/* what stands before it */
	bool is_deferred;
} actions[NR_MARKER_ACTIONS] = {
	[MARKER_ACTION_TRACEON] = { "traceon" },
	[MARKER_ACTION_TRACEOFF] = { "traceoff", NUMBER, "after=" },
	[MARKER_ACTION_SNAPSHOT] = { "snapshot", .is_deferred = true },
	[MARKER_ACTION_STACKTRACE] = { "stacktrace" },
	[MARKER_ACTION_ENABLE] = { "enable_marker", PATTERN, .is_deferred = true },
	[MARKER_ACTION_DISABLE] = { "disable_marker", PATTERN, .is_deferred = true },
	[MARKER_ACTION_DUMP] = { "dump", NUMBER, "last=" },
	[MARKER_ACTION_HIST] = { "hist", HIST },
	[MARKER_ACTION_BEGIN] = { "begin", PAIR },
	[MARKER_ACTION_LATENCY] = { "latency", PAIR },
};

const char *marker_trigger_name(enum marker_action_kind kind)
{
	return actions[kind].name;
}

bool marker_trigger_is_deferred(enum marker_action_kind kind)
{
	return actions[kind].is_deferred;
}

/**
 * struct parser - a trigger that is being parsed
 * @in:		its text
 * @end:	of the word with the action
 * @parts:	the result
 */
struct parser {
	struct marker_text in;
	unsigned int end;
	struct marker_trigger_text *parts;
};

/* Go to the next colon, or to the end of the word. */
static void skip_part(struct parser *p)
{
	while (p->in.at < p->end && p->in.text[p->in.at] != ':')
		p->in.at++;
}

/* [@at, @end) of the text; 0: it is no number, or too large. */
static u32 number_at(const struct parser *p, unsigned int at, unsigned int end)
{
	return marker_parse_number(p->in.text + at, end - at, MARKER_MAX_AFTER);
}

static bool is_action(const char *text, unsigned int len, enum marker_action_kind kind)
{
	return strlen(actions[kind].name) == len && !memcmp(text, actions[kind].name, len);
}

static int parse_name(struct parser *p)
{
	const unsigned int start = p->in.at;
	unsigned int kind = 0;

	p->parts->name = start;
	skip_part(p);
	while (kind < NR_MARKER_ACTIONS && !is_action(p->in.text + start, p->in.at - start, kind))
		kind++;
	if (kind == NR_MARKER_ACTIONS)
		return marker_refuse(&p->in, start,
				     "no such action, there are: traceon traceoff snapshot stacktrace enable_marker disable_marker dump hist begin latency");
	p->parts->kind = kind;
	return 0;
}

/* ":after=N", if it is next. */
static int parse_after(struct parser *p)
{
	struct marker_trigger_text *parts = p->parts;
	unsigned int start = p->in.at + 1;

	if (p->in.at == p->end)
		return 0;
	p->in.at = start;
	if (!marker_take(&p->in, actions[parts->kind].number)) {
		p->in.at = start - 1;
		return 0;
	}
	start = p->in.at;
	skip_part(p);
	parts->after = number_at(p, start, p->in.at);
	if (!parts->after)
		return marker_refuse(&p->in, start, "not a number of events from 1 to 1000000000");
	if (parts->kind == MARKER_ACTION_DUMP && parts->after > MARKER_MAX_LAST)
		return marker_refuse(&p->in, start, "more than 1000000 events of each CPU");
	return 0;
}

/* ":" and what follows up to @end, after which to go on. */
static int parse_argument(struct parser *p, unsigned int end, const char *why)
{
	const unsigned int start = p->in.at + 1;

	if (p->in.at == p->end && p->parts->remove)
		return 0;
	if (start >= end)
		return marker_refuse(&p->in, min(start, p->end), why);
	p->parts->arg = start;
	p->parts->arg_len = end - start;
	p->in.at = end;
	return 0;
}

/* ":PATTERN", up to the count, which consists of digits, as no marker's name does. */
static int parse_pattern(struct parser *p)
{
	const unsigned int start = p->in.at + 1, end = p->end;
	unsigned int last = end;

	while (last > start && p->in.text[last - 1] != ':')
		last--;
	return parse_argument(p, last > start && last < end && number_at(p, last, end) ?
				 last - 1 : end, "which markers? write :[module:]name after it");
}

static int parse_action_argument(struct parser *p)
{
	switch (actions[p->parts->kind].argument) {
	case NUMBER:
		return parse_after(p);
	case PATTERN:
		return parse_pattern(p);
	/* these two have no count */
	case HIST:
		return parse_argument(p, p->end,
				      "what is to be counted? write :keys=FIELD after it");
	case PAIR:
		return parse_argument(p, p->end, "which pair? write :NAME:keys=FIELD after it");
	default:
		return 0;
	}
}

/* ":COUNT", or the end of the word. */
static int parse_count(struct parser *p)
{
	const unsigned int start = p->in.at + 1;

	if (p->in.at == p->end)
		return 0;
	p->parts->count = number_at(p, start, p->end);
	return p->parts->count ? 0 :
	       marker_refuse(&p->in, start, "not a count from 1 to 1000000000");
}

/* "if FILTER", or the end. */
static int parse_if(struct parser *p)
{
	const char *text = p->in.text;
	unsigned int end, at = p->in.at;

	if (!text[at])
		return 0;
	if (!marker_take(&p->in, "if") || !marker_is_blank(text[p->in.at]))
		return marker_refuse(&p->in, at, "after an action, \"if\" and a filter may follow");
	marker_skip_blanks(&p->in);
	at = p->in.at;
	for (end = at + strlen(text + at); end > at && marker_is_blank(text[end - 1]);)
		end--;
	if (end == at)
		return marker_refuse(&p->in, at, "no filter after \"if\"");
	p->parts->filter = at;
	p->parts->filter_len = end - at;
	return 0;
}

/* Check the bytes of the action and its argument, which files and tools show. */
static int check_bytes(const struct parser *p)
{
	const unsigned int name = p->parts->name;
	unsigned int i;

	for (i = 0; i < p->parts->what_len; i++) {
		const char c = p->in.text[name + i];

		if (i == MARKER_MAX_WHAT - 1)
			return marker_refuse(&p->in, name + i,
					     "an action with its argument has more than 2047 bytes");
		if ((c >= 0 && c < ' ') || c == 0x7f)
			return marker_refuse(&p->in, name + i, "a control character in an action");
	}
	return 0;
}

int marker_trigger_parse(struct marker_trigger_text *parts, const char *text, bool remove,
			 struct marker_format_error *error)
{
	struct parser parser = {
		.in = { .text = text, .error = error },
		.parts = parts,
	}, *p = &parser;
	int err;

	memset(parts, 0, sizeof(*parts));
	marker_skip_blanks(&p->in);
	parts->remove = marker_take(&p->in, "!") || remove;
	marker_skip_blanks(&p->in);
	p->end = p->in.at + strcspn(text + p->in.at, " \t\n");
	err = parse_name(p) ?: parse_action_argument(p);
	parts->what_len = p->in.at - parts->name;
	err = err ?: check_bytes(p) ?: parse_count(p);
	if (err)
		return err;
	p->in.at = p->end;
	marker_skip_blanks(&p->in);
	return parse_if(p);
}
