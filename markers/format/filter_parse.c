// SPDX-License-Identifier: GPL-2.0
/*
 * From the text of a filter to a program, when a filter is set or its module comes.
 *
 * The parser collects the tests and how they are connected.  Then it writes them from the
 * last one to the first, so that each knows which one is next.
 */
#include "filter.h"
#include "filter_tests.h"
#include "text.h"

/* A longer one stands before one that it begins with. */
static const struct {
	const char *text;
	enum marker_filter_op op;
} ops[] = {
	{ "==", MARKER_FILTER_EQ }, { "!=", MARKER_FILTER_NE },
	{ "<=", MARKER_FILTER_LE }, { ">=", MARKER_FILTER_GE },
	{ "<", MARKER_FILTER_LT }, { ">", MARKER_FILTER_GT },
	{ "&", MARKER_FILTER_BITS }, { "~", MARKER_FILTER_LIKE },
};

/*
 * struct parser - what is being parsed
 *
 * A node is meant by its number, and a test by ~ its number; both are doubled, and one
 * more says "not".
 */
struct parser {
	struct marker_text in;
	struct marker_filter_work *work;
	const struct marker_format *format;
	struct marker_filter_compiler *compiler;
	unsigned int depth;
};

/* As marker_take(), after blanks. */
static bool take_text(struct parser *p, const char *what)
{
	marker_skip_blanks(&p->in);
	return marker_take(&p->in, what);
}

/* Can it be in a string without quotes, or in a number? */
static bool is_word_char(char c)
{
	return (u8)c > ' ' && !strchr("()&|!<>=~\"'", c);
}

static int parse_name(struct parser *p, struct marker_filter_words *words)
{
	marker_skip_blanks(&p->in);
	words->name_at = p->in.at;
	words->name = p->in.text + p->in.at;
	marker_take(&p->in, "$ctx.");
	if (!marker_take_name(&p->in))
		return marker_refuse(&p->in, words->name_at, "the name of a field is missing here");
	words->name_len = p->in.at - words->name_at;
	return 0;
}

static int parse_op(struct parser *p, struct marker_filter_words *words)
{
	unsigned int i;

	marker_skip_blanks(&p->in);
	words->op_at = p->in.at;
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		words->op = ops[i].op;
		/* "a && b" tests nothing of a */
		if (words->op == MARKER_FILTER_BITS && p->in.text[p->in.at] == '&' &&
		    p->in.text[p->in.at + 1] == '&')
			continue;
		if (take_text(p, ops[i].text))
			return 0;
	}
	return marker_refuse(&p->in, words->op_at, "one of == != < <= > >= & ~ is missing here");
}

static int parse_value(struct parser *p, struct marker_filter_words *words)
{
	const char *text;
	char quote;

	marker_skip_blanks(&p->in);
	text = p->in.text + p->in.at;
	words->value_at = p->in.at;
	words->value = text;
	words->value_len = 0;
	words->is_quoted = *text == '"' || *text == '\'';
	if (words->is_quoted) {
		quote = *text++;
		words->value = text;
		while (text[words->value_len] && text[words->value_len] != quote)
			words->value_len++;
		if (!text[words->value_len])
			return marker_refuse(&p->in, p->in.at, "this quote is not closed");
		p->in.at += words->value_len + 2;
	} else {
		while (is_word_char(text[words->value_len]))
			words->value_len++;
		if (!words->value_len)
			return marker_refuse(&p->in, p->in.at, "a number or a string is missing here");
		p->in.at += words->value_len;
	}
	if (words->value_len > MARKER_MAX_FILTER_TEXT)
		return marker_refuse(&p->in, words->value_at, "a string of more than 127 bytes");
	return 0;
}

static int parse_test(struct parser *p, int *ref)
{
	struct marker_filter_words words;
	unsigned int nr = p->work->nr_tests;
	bool inverted = false;
	int err;

	err = parse_name(p, &words) ?: parse_op(p, &words) ?: parse_value(p, &words);
	if (err)
		return err;
	if (nr == MARKER_MAX_FILTER_TESTS)
		return marker_refuse(&p->in, words.name_at, "more than 32 tests");
	memset(&p->work->test[nr], 0, sizeof(p->work->test[nr]));
	if (!p->format)
		err = marker_filter_tests_check(&words, p->in.error);
	else if (p->compiler)
		err = p->compiler->compile(p->compiler, &p->work->test[nr], &p->work->string[nr],
					   &inverted, p->format, &words, p->in.error);
	else
		err = marker_filter_tests_compile(&p->work->test[nr], &p->work->string[nr],
						  &inverted, p->format, &words, p->in.error);
	*ref = ~(int)nr * 2 + inverted;
	p->work->nr_tests++;
	return err;
}

static int parse_or(struct parser *p, int *ref);

static int enter_level(struct parser *p, unsigned int at)
{
	if (p->depth == MARKER_MAX_FILTER_DEPTH)
		return marker_refuse(&p->in, at, "more than 16 levels of ( and !");
	p->depth++;
	return 0;
}

static int parse_not(struct parser *p, int *ref)
{
	unsigned int at;
	int err;

	marker_skip_blanks(&p->in);
	at = p->in.at;
	if (take_text(p, "!")) {
		err = enter_level(p, at) ?: parse_not(p, ref);
		*ref ^= 1;
	} else if (take_text(p, "(")) {
		err = enter_level(p, at) ?: parse_or(p, ref);
		if (!err && !take_text(p, ")"))
			err = marker_refuse(&p->in, p->in.at, p->in.text[p->in.at] ?
					    "&&, || or ) is missing here" :
					    ") is missing here");
	} else {
		return parse_test(p, ref);
	}
	p->depth--;
	return err;
}

/* There are fewer of them than tests. */
static void join_nodes(struct parser *p, int *left, int right, bool is_or)
{
	struct marker_filter_node *node = &p->work->node[p->work->nr_nodes];

	node->is_or = is_or;
	node->left = *left;
	node->right = right;
	*left = p->work->nr_nodes++ * 2;
}

static int parse_and(struct parser *p, int *ref)
{
	int right = 0, err = parse_not(p, ref);

	while (!err && take_text(p, "&&")) {
		err = parse_not(p, &right);
		if (!err)
			join_nodes(p, ref, right, false);
	}
	return err;
}

static int parse_or(struct parser *p, int *ref)
{
	int right = 0, err = parse_and(p, ref);

	while (!err && take_text(p, "||")) {
		err = parse_and(p, &right);
		if (!err)
			join_nodes(p, ref, right, true);
	}
	return err;
}

/*
 * Write the tests of a node, the last one first, before test @first, which is what was
 * written before.  Return the first of them.
 */
static unsigned int emit_node(struct marker_filter_work *work, int ref, unsigned int *first,
			      u8 yes, u8 no)
{
	const struct marker_filter_node *node;
	struct marker_filter_test *test;
	unsigned int right;

	if (ref & 1)
		swap(yes, no);
	ref >>= 1;
	if (ref < 0) {
		test = &work->filter.cell[--*first].test;
		*test = work->test[~ref];
		test->yes = yes;
		test->no = no;
		return *first;
	}
	node = &work->node[ref];
	right = emit_node(work, node->right, first, yes, no);
	return emit_node(work, node->left, first, node->is_or ? yes : right,
			 node->is_or ? right : no);
}

/* The text of a string, after all tests. */
static int emit_string(struct parser *p, unsigned int i)
{
	const struct marker_filter_string *string = &p->work->string[i];
	const unsigned int size = sizeof(p->work->filter.cell[0]);
	struct marker_filter *filter = &p->work->filter;
	struct marker_filter_test *test = &p->work->filter.cell[i].test;
	unsigned int nr = DIV_ROUND_UP(string->len + 1, size);
	u8 *to;

	if (filter->nr_cells + nr > MARKER_MAX_FILTER_CELLS)
		return marker_refuse(&p->in, string->text - p->in.text, "too many long strings");
	test->at = filter->nr_cells - i;
	/* by the room: the fortified functions look at the size of a cell */
	to = p->work->room + offsetof(struct marker_filter, cell) + filter->nr_cells * size;
	memset(to, 0, nr * size);
	memcpy(to, string->text, string->len);
	filter->nr_cells += nr;
	return 0;
}

/* Store the next test as a distance, so that a hit finds it without a multiplication. */
static void finish_test(struct marker_filter_test *test, unsigned int i)
{
	const unsigned int size = sizeof(union marker_filter_cell) / sizeof(u64);

	if (test->yes < MARKER_FILTER_DROP)
		test->yes = (test->yes - i) * size;
	if (test->no < MARKER_FILTER_DROP)
		test->no = (test->no - i) * size;
}

/* A hit checks for two kinds first, and those test arguments. */
static void set_context_kind(struct marker_filter_test *test)
{
	if (test->kind == MARKER_FILTER_INT)
		test->kind = MARKER_FILTER_CONTEXT;
	else if (test->kind == MARKER_FILTER_WORD)
		test->kind = MARKER_FILTER_EQUAL;
}

static int emit_all(struct parser *p, int ref)
{
	struct marker_filter_work *work = p->work;
	struct marker_filter *filter = &work->filter;
	unsigned int i, first = work->nr_tests;
	struct marker_filter_test *test;
	u8 contexts = MARKER_NEEDS_NO_CONTEXT;
	int err = 0;

	emit_node(work, ref, &first, MARKER_FILTER_PASS, MARKER_FILTER_DROP);
	filter->nr_tests = work->nr_tests;
	filter->nr_cells = work->nr_tests;
	filter->latency = false;
	for (i = work->nr_tests; i--;) {
		test = &filter->cell[i].test;
		finish_test(test, i);
		contexts = max(contexts, marker_operand_needs(test->is_context, test->arg));
		filter->latency |= test->is_context && test->arg == MARKER_FILTER_LATENCY;
		test->contexts = contexts;
		if (test->is_context)
			set_context_kind(test);
	}
	for (i = 0; i < work->nr_tests && !err; i++) {
		if (filter->cell[i].test.kind >= MARKER_FILTER_WORD)
			err = emit_string(p, i);
	}
	return err;
}

int marker_filter_parse_by(struct marker_filter_work *work, const char *text,
			   const struct marker_format *format,
			   struct marker_filter_compiler *compiler,
			   struct marker_format_error *error)
{
	struct parser parser = {
		.in = { .text = text, .error = error },
		.work = work,
		.format = format,
		.compiler = compiler,
	}, *p = &parser;
	int err, ref = 0;

	BUILD_BUG_ON(sizeof(union marker_filter_cell) != 32);

	if (strnlen(text, MARKER_MAX_FILTER) == MARKER_MAX_FILTER)
		return marker_refuse(&p->in, MARKER_MAX_FILTER - 1, "a filter has less than 1024 bytes");
	work->nr_tests = 0;
	work->nr_nodes = 0;
	err = parse_or(p, &ref);
	if (err)
		return err;
	marker_skip_blanks(&p->in);
	if (text[p->in.at])
		return marker_refuse(&p->in, p->in.at, "&& or || is missing here");
	return format ? emit_all(p, ref) : 0;
}

int marker_filter_parse(struct marker_filter_work *work, const char *text,
			const struct marker_format *format,
			struct marker_format_error *error)
{
	return marker_filter_parse_by(work, text, format, NULL, error);
}

/* As filter.c runs it: a glob may look at each character for each of its own. */
static u32 test_cost(const struct marker_filter_test *test)
{
	switch (test->kind) {
	case MARKER_FILTER_GLOB:
		return test->max * (test->len + 1);
	case MARKER_FILTER_EQUAL:
		return 1 + test->len / sizeof(u64);
	default:
		/* @len is part of the mask of a number */
		return 1;
	}
}

u32 marker_filter_cost(const struct marker_filter *filter)
{
	u32 cost = 0;
	u8 i;

	for (i = 0; i < filter->nr_tests; i++)
		cost += test_cost(&filter->cell[i].test);
	return cost;
}
