// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../base/pattern.h"
#include "../events/text.h"
#include "where.h"

enum operation { OP_OR, OP_AND, OP_NOT, OP_EQ, OP_NE, OP_LE, OP_GE, OP_LT, OP_GT, OP_BITS, OP_GLOB };

#define MAX_DEPTH	100
#define CONTEXT		"$ctx."
#define MAX_ERROR	4095	/* of the kernel's errors */
#define ERROR_LETTERS	"-ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/**
 * struct where - a node of the expression's tree
 * @op: the operator
 * @left: left operand of OP_OR and OP_AND, operand of OP_NOT
 * @right: right operand of OP_OR and OP_AND
 * @name: for comparisons: the name of the field
 * @is_context: it is a context, even if there is such a field
 * @text: the text to compare with
 * @number: the same as a number, if @is_number
 * @is_negative: the number has a minus sign
 * @is_wide: it is a number that no field can have
 */
struct where {
	enum operation op;
	struct where *left, *right;
	char *name;
	bool is_context;
	char *text;
	uint64_t number;
	bool is_number;
	bool is_negative;
	bool is_wide;
};

struct parser {
	const char *text;
	const char *at;
	int depth;
};

static struct where *parse_or(struct parser *parser);

static void skip_blanks(struct parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
}

static bool take(struct parser *parser, const char *word)
{
	skip_blanks(parser);
	if (strncmp(parser->at, word, strlen(word)))
		return false;
	parser->at += strlen(word);
	return true;
}

static struct where *node(enum operation op, struct where *left, struct where *right)
{
	struct where *where = need_memory(calloc(1, sizeof(*where)));

	where->op = op;
	where->left = left;
	where->right = right;
	return where;
}

/* Take a word: up to a blank or an operator, or between quotation marks. */
static char *take_word(struct parser *parser, const char *ends)
{
	const char *begin;
	char quote;
	size_t n;

	skip_blanks(parser);
	begin = parser->at;
	quote = *begin == '"' || *begin == '\'' ? *begin : 0;
	if (quote) {
		const char *end = strchr(++begin, quote);

		if (!end)
			return NULL;
		parser->at = end + 1;
		return need_memory(strndup(begin, end - begin));
	}
	n = strcspn(begin, ends);
	if (!n)
		return NULL;
	parser->at += n;
	return need_memory(strndup(begin, n));
}

/* An unquoted text that looks like the name of an error: -E and capital letters or digits. */
static bool is_error_name(const char *text)
{
	return !strncmp(text, "-E", 2) && text[2] && !text[strspn(text, ERROR_LETTERS)];
}

/* As in C; or the name of an error, as -EIO. Return: false if it is not one of the names. */
static bool parse_number(struct where *where, bool quoted)
{
	char *end;
	int i;

	errno = 0;
	where->number = strtoull(where->text, &end, 0);
	where->is_number = end != where->text && !*end && !isspace((unsigned char)*where->text);
	where->is_negative = *where->text == '-' && (where->number || errno);
	where->is_wide = where->is_number && (errno || (where->is_negative && !(where->number >> 63)));
	if (where->is_number || quoted || !is_error_name(where->text))
		return true;
#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 32)
	for (i = 1; i <= MAX_ERROR && !where->is_number; i++) {
		where->is_number = strerrorname_np(i) && !strcmp(strerrorname_np(i), where->text + 1);
		where->number = -(uint64_t)i;
	}
	where->is_negative = where->is_number;
	return where->is_number;
#else
	(void)i;	/* only fields of %pe have the names then */
	return true;
#endif
}

static bool take_operation(struct parser *parser, const char *word)
{
	skip_blanks(parser);
	/* "a && b" tests nothing of a */
	return strncmp(parser->at, "&&", 2) && take(parser, word);
}

static struct where *parse_comparison(struct parser *parser)
{
	static const struct { const char *word; enum operation op; } operations[] = {
		{ "==", OP_EQ }, { "!=", OP_NE }, { "<=", OP_LE }, { ">=", OP_GE },
		{ "<", OP_LT }, { ">", OP_GT }, { "&", OP_BITS }, { "~", OP_GLOB }, { "=", OP_EQ },
	};
	struct where *where = node(OP_EQ, NULL, NULL);
	size_t i, nr = sizeof(operations) / sizeof(*operations);
	const char *at;

	where->is_context = take(parser, CONTEXT);
	where->name = take_word(parser, " \t\n=!<>~()&|\"'");
	if (!where->name)
		return NULL;
	for (i = 0; i < nr && !take_operation(parser, operations[i].word); i++)
		;
	if (i == nr)
		return NULL;
	where->op = operations[i].op;
	skip_blanks(parser);
	at = parser->at;
	where->text = take_word(parser, " \t\n=<>~()&|\"'");
	if (!where->text)
		return NULL;
	if (!parse_number(where, *at == '"' || *at == '\'') ||
	    (where->op == OP_BITS && (!where->is_number || where->is_wide))) {
		parser->at = at;
		return NULL;
	}
	return where;
}

static struct where *parse_factor(struct parser *parser)
{
	struct where *inner;

	if (++parser->depth > MAX_DEPTH)
		return NULL;
	if (take(parser, "!")) {
		inner = parse_factor(parser);
		inner = inner ? node(OP_NOT, inner, NULL) : NULL;
	} else if (take(parser, "(")) {
		inner = parse_or(parser);
		if (inner && !take(parser, ")"))
			inner = NULL;
	} else {
		inner = parse_comparison(parser);
	}
	parser->depth--;
	return inner;
}

static struct where *parse_and(struct parser *parser)
{
	struct where *left = parse_factor(parser), *right;

	while (left && take(parser, "&&")) {
		right = parse_factor(parser);
		left = right ? node(OP_AND, left, right) : NULL;
	}
	return left;
}

static struct where *parse_or(struct parser *parser)
{
	struct where *left = parse_and(parser), *right;

	while (left && take(parser, "||")) {
		right = parse_and(parser);
		left = right ? node(OP_OR, left, right) : NULL;
	}
	return left;
}

struct where *where_parse(const char *text, size_t *wrong)
{
	struct parser parser = { .text = text, .at = text };
	struct where *where = parse_or(&parser);

	skip_blanks(&parser);
	*wrong = parser.at - text;
	return *parser.at ? NULL : where;
}

static bool compare(enum operation op, int order)
{
	switch (op) {
	case OP_EQ:
		return !order;
	case OP_NE:
		return order;
	case OP_LE:
		return order <= 0;
	case OP_GE:
		return order >= 0;
	case OP_LT:
		return order < 0;
	case OP_GT:
		return order > 0;
	default:
		return false;
	}
}

static bool compare_text(const struct where *where, const char *text, size_t size)
{
	size_t length = strlen(where->text);
	int order;

	if (where->op == OP_GLOB)
		return glob_matches(where->text, text);
	order = memcmp(text, where->text, size < length ? size : length);
	if (!order)
		order = (size > length) - (size < length);
	return compare(where->op, order);
}

/* Compare 64-bit numbers. A negative number is less than every unsigned one. */
static bool compare_number(const struct where *where, uint64_t number, bool is_signed)
{
	bool is_below = is_signed && (int64_t)number < 0;

	if (where->op == OP_BITS)
		return number & where->number;
	if (where->is_wide)
		return compare(where->op, where->is_negative ? 1 : -1);
	if (is_below != where->is_negative)
		return compare(where->op, is_below ? -1 : 1);
	return compare(where->op, (number > where->number) - (number < where->number));
}

/* Compare bytes as report prints them. */
static bool compare_bytes(const struct where *where, const struct value *value)
{
	static char *text;
	static size_t size;
	static FILE *out;

	if (!out)
		out = need_memory(open_memstream(&text, &size));
	rewind(out);
	text_value(out, value);
	putc('\0', out);	/* a longer text may follow */
	fflush(out);
	return compare_text(where, text, strlen(text));
}

static bool matches_value(const struct where *where, const struct value *value)
{
	switch (value->field->type) {
	case VALUE_SIGNED:
	case VALUE_UNSIGNED:
		if (where->is_number)
			return compare_number(where, value->number,
					      value->field->type == VALUE_SIGNED);
		return value->text && compare_text(where, value->text, value->size);
	case VALUE_TEXT:
		return compare_text(where, value->text, value->size);
	case VALUE_BYTES:
		return compare_bytes(where, value);
	}
	return false;
}

static bool matches(const struct where *where, const struct event *event)
{
	const struct value *value;

	if (!where->is_context && !strcmp(where->name, "marker"))
		return pattern_matches(where->text, event->kind->name) == (where->op != OP_NE);
	if (!strcmp(where->name, "cpu"))
		return where->is_number && compare_number(where, event->cpu, false);
	value = where->is_context ? event_context(event, where->name) :
		event_value(event, where->name);
	return value && matches_value(where, value);
}

bool where_matches(const struct where *where, const struct event *event)
{
	switch (where->op) {
	case OP_OR:
		return where_matches(where->left, event) || where_matches(where->right, event);
	case OP_AND:
		return where_matches(where->left, event) && where_matches(where->right, event);
	case OP_NOT:
		return !where_matches(where->left, event);
	default:
		return matches(where, event);
	}
}

void where_add_names(const struct where *where, struct asked_names *names)
{
	if (where->left)
		where_add_names(where->left, names);
	if (where->right)
		where_add_names(where->right, names);
	if (!where->name)
		return;
	if (!where->is_context && !strcmp(where->name, "marker"))
		asked_names_add(names, "--where: ", where->text, NULL, true);
	else
		asked_names_add(names, "--where: ", NULL, where->name, true);
}
