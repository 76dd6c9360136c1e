// SPDX-License-Identifier: GPL-2.0
/*
 * From the text of a filter to a program, when a filter is set or its module comes.
 *
 * The parser notes the tests and how they are connected.  Then the tests are written from
 * the last one to the first, so that each knows the number of the one to go on with.
 */
#include <markers/uapi/ctf.h>
#include "filter.h"
#include "quick.h"

enum operator { OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_BITS, OP_GLOB, NR_OPS };

/* A longer one stands before one that it begins with. */
static const struct {
	const char *text;
	enum operator op;
} ops[] = {
	{ "==", OP_EQ }, { "!=", OP_NE }, { "<=", OP_LE }, { ">=", OP_GE },
	{ "<", OP_LT }, { ">", OP_GT }, { "&", OP_BITS }, { "~", OP_GLOB },
};

/*
 * struct parser - what is being parsed
 *
 * A node is meant by its number, and a test by ~ its number; both are doubled, and one
 * more says "not".
 */
struct parser {
	struct marker_filter_work *work;
	const struct marker_format *format;
	const char *text;
	unsigned int at;
	unsigned int depth;
	struct marker_format_error *error;
};

/* What a name means. */
struct operand {
	u8 type;		/* MARKER_FIELD_INT, or _STRING */
	u8 size;		/* of an integer */
	bool is_signed;
	bool is_char;
	bool is_behind_pointer;
	u8 arg;
	u8 len_arg;
	bool is_context;
	u16 max;
};

static const struct {
	const char *name;
	struct operand operand;
} known_contexts[MARKER_NR_FILTER_CONTEXTS] = {
	[MARKER_FILTER_TID] = { "tid", { MARKER_FIELD_INT, 4, true } },
	[MARKER_FILTER_PID] = { "pid", { MARKER_FIELD_INT, 4, true } },
	[MARKER_FILTER_CPU] = { "cpu", { MARKER_FIELD_INT, 4, false } },
	[MARKER_FILTER_FLAGS] = { "flags", { MARKER_FIELD_INT, 2, false } },
	[MARKER_FILTER_PROCNAME] = {
		"procname", { .type = MARKER_FIELD_STRING, .max = CTF_PROCNAME_SIZE },
	},
};

static int refuse_filter(struct parser *p, unsigned int at, const char *why)
{
	p->error->column = at;
	p->error->why = why;
	return -EINVAL;
}

static void skip_blanks(struct parser *p)
{
	while (p->text[p->at] == ' ' || p->text[p->at] == '\t' || p->text[p->at] == '\n')
		p->at++;
}

/* Is this next?  Then go on after it. */
static bool take_text(struct parser *p, const char *what)
{
	size_t len = strlen(what);

	skip_blanks(p);
	if (strncmp(p->text + p->at, what, len))
		return false;
	p->at += len;
	return true;
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Of a string without quotes, or a number. */
static bool is_word_char(char c)
{
	return (u8)c > ' ' && !strchr("()&|!<>=~\"'", c);
}

static bool is_name(const char *name, const char *text, unsigned int len)
{
	return strlen(name) == len && !memcmp(name, text, len);
}

static int use_field(struct parser *p, unsigned int at, const struct marker_field *field,
		     struct operand *operand)
{
	*operand = (struct operand) {
		.type = field->type,
		.size = field->size,
		.is_signed = field->is_signed,
		.is_char = field->is_char,
		.arg = field->arg,
		.len_arg = field->len_arg,
		.max = field->max - 1,
	};
	if (field->type == MARKER_FIELD_BYTES &&
	    (field->object == MARKER_OBJECT_NUMBER || field->object == MARKER_OBJECT_SECONDS) &&
	    field->size <= sizeof(u64)) {
		operand->type = MARKER_FIELD_INT;
		operand->is_behind_pointer = true;
		/* as its metadata */
		operand->is_signed = field->object == MARKER_OBJECT_SECONDS;
		return 0;
	}
	if (field->type == MARKER_FIELD_INT ||
	    (field->type == MARKER_FIELD_STRING && !marker_object_is_fetched(field->object)))
		return 0;
	return refuse_filter(p, at, "this field is neither a number nor a string that stands in memory");
}

static int find_operand(struct parser *p, unsigned int at, unsigned int len,
			struct operand *operand)
{
	static const char prefix[] = "$ctx.";
	const char *name = p->text + at;
	unsigned int i;

	if (*name != '$') {
		for (i = 0; i < p->format->nr_fields; i++) {
			if (is_name(p->format->field[i].name, name, len))
				return use_field(p, at, &p->format->field[i], operand);
		}
	} else {
		name += strlen(prefix);
		len -= strlen(prefix);
	}
	for (i = 0; i < MARKER_NR_FILTER_CONTEXTS; i++) {
		if (!is_name(known_contexts[i].name, name, len))
			continue;
		*operand = known_contexts[i].operand;
		operand->arg = i;
		operand->len_arg = MARKER_NO_ARG;
		operand->is_context = true;
		return 0;
	}
	return refuse_filter(p, at, "no such field, nor tid, pid, cpu, flags, procname");
}

/* Its place and its length. */
static int parse_name(struct parser *p, unsigned int *at, unsigned int *len)
{
	skip_blanks(p);
	*at = p->at;
	take_text(p, "$ctx.");
	while (is_name_char(p->text[p->at]))
		p->at++;
	*len = p->at - *at;
	if (!*len || (p->text[*at] >= '0' && p->text[*at] <= '9') || p->text[p->at - 1] == '.')
		return refuse_filter(p, *at, "the name of a field is missing here");
	return 0;
}

static int parse_op(struct parser *p, enum operator *op)
{
	unsigned int i;

	skip_blanks(p);
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		*op = ops[i].op;
		/* "a && b" tests nothing of a */
		if (*op == OP_BITS && p->text[p->at] == '&' && p->text[p->at + 1] == '&')
			continue;
		if (take_text(p, ops[i].text))
			return 0;
	}
	return refuse_filter(p, p->at, "one of == != < <= > >= & ~ is missing here");
}

/* A value as it is written. */
struct value {
	unsigned int column;
	const char *text;
	unsigned int len;
	bool is_quoted;
};

static int parse_value(struct parser *p, struct value *value)
{
	const char *text;
	char quote;

	skip_blanks(p);
	text = p->text + p->at;
	value->column = p->at;
	value->text = text;
	value->len = 0;
	value->is_quoted = *text == '"' || *text == '\'';
	if (value->is_quoted) {
		quote = *text++;
		value->text = text;
		while (text[value->len] && text[value->len] != quote)
			value->len++;
		if (!text[value->len])
			return refuse_filter(p, p->at, "this quote is not closed");
		p->at += value->len + 2;
	} else {
		while (is_word_char(text[value->len]))
			value->len++;
		if (!value->len)
			return refuse_filter(p, p->at, "a number or a string is missing here");
		p->at += value->len;
	}
	if (value->len > MARKER_MAX_FILTER_TEXT)
		return refuse_filter(p, value->column, "a string of more than 127 bytes");
	return 0;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* As in C: 10, 0xa, 012, -1. */
static int parse_number(struct parser *p, const struct value *value, u64 *number,
			bool *is_negative)
{
	const char *c = value->text, *end = c + value->len;
	unsigned int base = 10, digit;
	u64 n = 0;

	*is_negative = !value->is_quoted && value->len && *c == '-';
	c += *is_negative;
	if (end - c > 1 && *c == '0') {
		base = (c[1] | 0x20) == 'x' ? 16 : 8;
		c += base == 16 ? 2 : 1;
	}
	if (value->is_quoted || c == end)
		return refuse_filter(p, value->column, "not a number, which this test needs");
	for (; c < end; c++) {
		digit = digit_of(*c);
		if (digit >= base)
			return refuse_filter(p, value->column,
					     "not a number, which this test needs");
		if (n > (U64_MAX - digit) / base)
			return refuse_filter(p, value->column, "no number has more than 64 bits");
		n = n * base + digit;
	}
	*number = n;
	return 0;
}

static const char *range_of(const struct operand *operand)
{
	switch (operand->size * 2 + operand->is_signed) {
	case 2:
		return "not a value of this field: it is a u8, 0 to 255";
	case 3:
		return "not a value of this field: it is an s8, -128 to 127";
	case 4:
		return "not a value of this field: it is a u16, 0 to 65535";
	case 5:
		return "not a value of this field: it is an s16, -32768 to 32767";
	case 8:
		return "not a value of this field: it is a u32, 0 to 4294967295";
	case 9:
		return "not a value of this field: it is an s32, -2147483648 to 2147483647";
	case 17:
		return "not a value of this field: it is an s64, -2^63 to 2^63 - 1";
	default:
		return "not a value of this field: it is a u64, 0 to 2^64 - 1";
	}
}

/* All values that an integer can have, as an s64 or a u64. */
static void limits_of(const struct operand *operand, u64 *min, u64 *max)
{
	unsigned int bits = operand->size * 8;
	u64 half = 1ull << (bits - 1);

	*min = operand->is_signed ? -half : 0;
	*max = operand->is_signed ? half - 1 : half - 1 + half;
}

/* Bits are those of the value; what a signed field has is written either way. */
static int check_number(struct parser *p, const struct operand *operand, enum operator op,
			const struct value *value, u64 *number, bool is_negative)
{
	struct operand wider = *operand;
	u64 min, max;

	if (op == OP_BITS && !is_negative)
		wider.is_signed = false;
	limits_of(&wider, &min, &max);
	if (is_negative) {
		/* as the magnitude of @min */
		if (!wider.is_signed ? *number : *number > -min)
			return refuse_filter(p, value->column, range_of(operand));
		*number = -*number;
	} else if (*number > max) {
		return refuse_filter(p, value->column, range_of(operand));
	}
	return 0;
}

/* From @low to @high, as values of the field. */
static void set_range(struct marker_filter_test *test, u64 low, u64 high)
{
	test->low = low << test->shift;
	test->span = (high - low) << test->shift;
}

/* Return: the test is to be inverted. */
static bool compile_number(struct marker_filter_test *test, const struct operand *operand,
			   enum operator op, u64 number)
{
	u64 min, max;

	limits_of(operand, &min, &max);
	test->mask = U64_MAX;
	test->shift = 64 - 8 * operand->size;
	/* There is no empty range. */
	if ((op == OP_LT && number == min) || (op == OP_GT && number == max)) {
		set_range(test, min, max);
		return true;
	}
	switch (op) {
	case OP_NE:
		/* from the next value around to the one before it */
		set_range(test, number + 1, number - 1);
		break;
	case OP_LT:
		set_range(test, min, number - 1);
		break;
	case OP_LE:
		set_range(test, min, number);
		break;
	case OP_GT:
		set_range(test, number + 1, max);
		break;
	case OP_GE:
		set_range(test, number, max);
		break;
	case OP_BITS:
		/* any value but zero */
		test->mask = number & (U64_MAX >> test->shift);
		test->shift = 0;
		set_range(test, 1, U64_MAX);
		break;
	default:
		set_range(test, number, number);
		break;
	}
	return false;
}

static int add_number(struct parser *p, struct marker_filter_test *test,
		      const struct operand *operand, unsigned int op_at, enum operator op,
		      const struct value *value, bool *inverted)
{
	bool is_negative = false;
	u64 number;
	int err;

	if (op == OP_GLOB)
		return refuse_filter(p, op_at, "~ is for strings, and this field has numbers");
	if (operand->is_char && value->is_quoted && value->len == 1) {
		number = (u8)*value->text;
	} else {
		err = parse_number(p, value, &number, &is_negative);
		if (!err)
			err = check_number(p, operand, op, value, &number, is_negative);
		if (err)
			return err;
	}
	test->kind = operand->is_behind_pointer ? MARKER_FILTER_NUMBER : MARKER_FILTER_INT;
	test->bytes = operand->size;
	*inverted = compile_number(test, operand, op, number);
	return 0;
}

/* A string and its NUL in one word. */
static void compile_word(struct marker_filter_test *test, const struct value *value)
{
	u64 word = 0;

	memcpy(&word, value->text, value->len);
	test->kind = MARKER_FILTER_WORD;
	test->shift = 56 - 8 * value->len;
	test->word = word << test->shift;
}

static int add_text(struct parser *p, struct marker_filter_test *test,
		    const struct operand *operand, unsigned int op_at, enum operator op,
		    const struct value *value, bool *inverted)
{
	struct marker_filter_string *string = &p->work->string[p->work->nr_tests];

	if (op != OP_EQ && op != OP_NE && op != OP_GLOB)
		return refuse_filter(p, op_at, "this is for numbers, and this field has strings: == != ~");
	test->kind = op == OP_GLOB ? MARKER_FILTER_GLOB : MARKER_FILTER_EQUAL;
	if (op != OP_GLOB && value->len < sizeof(u64) && value->len < operand->max &&
	    operand->len_arg == MARKER_NO_ARG && IS_LITTLE_ENDIAN)
		compile_word(test, value);
	test->len_arg = operand->len_arg;
	test->len = value->len;
	test->max = operand->max;
	string->text = value->text;
	string->len = value->len;
	*inverted = op == OP_NE;
	return 0;
}

/* A test of the event's fields. */
static int add_test(struct parser *p, unsigned int at, unsigned int len, unsigned int op_at,
		    enum operator op, const struct value *value, bool *inverted)
{
	struct marker_filter_test *test = &p->work->test[p->work->nr_tests];
	struct operand operand;
	int err;

	err = find_operand(p, at, len, &operand);
	if (err)
		return err;
	test->arg = operand.arg;
	test->is_context = operand.is_context;
	if (operand.type == MARKER_FIELD_INT)
		return add_number(p, test, &operand, op_at, op, value, inverted);
	return add_text(p, test, &operand, op_at, op, value, inverted);
}

/* Could it be a test, whatever the fields are? */
static int check_test(struct parser *p, const struct value *value, enum operator op)
{
	bool is_negative;
	u64 number;

	if (op == OP_EQ || op == OP_NE || op == OP_GLOB || (value->is_quoted && value->len == 1))
		return 0;
	return parse_number(p, value, &number, &is_negative);
}

static int parse_test(struct parser *p, int *ref)
{
	unsigned int at, len, op_at, nr = p->work->nr_tests;
	bool inverted = false;
	struct value value;
	enum operator op = OP_EQ;
	int err;

	err = parse_name(p, &at, &len);
	if (err)
		return err;
	skip_blanks(p);
	op_at = p->at;
	err = parse_op(p, &op) ?: parse_value(p, &value);
	if (err)
		return err;
	if (nr == MARKER_MAX_FILTER_TESTS)
		return refuse_filter(p, at, "more than 32 tests");
	memset(&p->work->test[nr], 0, sizeof(p->work->test[nr]));
	if (p->format)
		err = add_test(p, at, len, op_at, op, &value, &inverted);
	else
		err = check_test(p, &value, op);
	*ref = ~(int)nr * 2 + inverted;
	p->work->nr_tests++;
	return err;
}

static int parse_or(struct parser *p, int *ref);

static int enter_level(struct parser *p, unsigned int at)
{
	if (p->depth == MARKER_MAX_FILTER_DEPTH)
		return refuse_filter(p, at, "more than 16 levels of ( and !");
	p->depth++;
	return 0;
}

static int parse_not(struct parser *p, int *ref)
{
	unsigned int at;
	int err;

	skip_blanks(p);
	at = p->at;
	if (take_text(p, "!")) {
		err = enter_level(p, at) ?: parse_not(p, ref);
		*ref ^= 1;
	} else if (take_text(p, "(")) {
		err = enter_level(p, at) ?: parse_or(p, ref);
		if (!err && !take_text(p, ")"))
			err = refuse_filter(p, p->at, p->text[p->at] ?
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

	if (filter->nr_cells + nr > MARKER_MAX_FILTER_CELLS)
		return refuse_filter(p, string->text - p->text, "too many long strings");
	test->at = filter->nr_cells;
	memset(&p->work->filter.cell[test->at], 0, nr * size);
	memcpy(p->work->filter.cell[test->at].text, string->text, string->len);
	filter->nr_cells += nr;
	return 0;
}

static int emit_all(struct parser *p, int ref)
{
	struct marker_filter_work *work = p->work;
	struct marker_filter *filter = &work->filter;
	unsigned int i, first = work->nr_tests;
	struct marker_filter_test *test;
	int err = 0;

	emit_node(work, ref, &first, MARKER_FILTER_PASS, MARKER_FILTER_DROP);
	filter->nr_tests = work->nr_tests;
	filter->nr_cells = work->nr_tests;
	filter->contexts = false;
	for (i = 0; i < work->nr_tests && !err; i++) {
		test = &work->filter.cell[i].test;
		filter->contexts |= test->is_context;
		if (test->kind >= MARKER_FILTER_WORD)
			err = emit_string(p, i);
	}
	test = &work->filter.cell[0].test;
	filter->is_single = work->nr_tests == 1 && test->kind == MARKER_FILTER_INT &&
			    !test->is_context && test->yes == MARKER_FILTER_PASS;
	return err;
}

int marker_filter_parse(struct marker_filter_work *work, const char *text,
			const struct marker_format *format,
			struct marker_format_error *error)
{
	struct parser parser = {
		.work = work,
		.format = format,
		.text = text,
		.error = error,
	}, *p = &parser;
	int err, ref = 0;

	BUILD_BUG_ON(sizeof(union marker_filter_cell) != 32);

	if (strnlen(text, MARKER_MAX_FILTER) == MARKER_MAX_FILTER)
		return refuse_filter(p, MARKER_MAX_FILTER - 1, "a filter has less than 1024 bytes");
	work->nr_tests = 0;
	work->nr_nodes = 0;
	err = parse_or(p, &ref);
	if (err)
		return err;
	skip_blanks(p);
	if (text[p->at])
		return refuse_filter(p, p->at, "&& or || is missing here");
	return format ? emit_all(p, ref) : 0;
}
