// SPDX-License-Identifier: GPL-2.0
/*
 * From a test as it is written to a comparison, see filter.h.
 */
#include "filter_tests.h"
#include "text.h"
#include "word.h"

/* "-EIO", the name that %pe has for it; without the minus sign it would be another number. */
static bool parse_error(const struct marker_filter_words *words, u64 *number)
{
	char name[24];
	long error;

	if (words->is_quoted || words->value_len < 3 || words->value_len >= sizeof(name) ||
	    words->value[0] != '-' || words->value[1] != 'E')
		return false;
	for (error = 1; error <= MARKER_LAST_ERROR; error++) {
		marker_print_extension(name, sizeof(name), "%pe", (void *)-error);
		if (strlen(name) != words->value_len ||
		    memcmp(name, words->value, words->value_len))
			continue;
		*number = error;
		return true;
	}
	return false;
}

/* As in C: 10, 0xa, 012, -1; or -EIO. */
static int parse_constant(const struct marker_filter_words *words, u64 *number,
			  bool *is_negative, struct marker_format_error *error)
{
	const char *c = words->value, *end = c + words->value_len;
	struct marker_text in = { };
	unsigned int base = 10;

	*is_negative = !words->is_quoted && words->value_len && *c == '-';
	c += *is_negative;
	if (*is_negative && parse_error(words, number))
		return 0;
	if (end - c > 1 && *c == '0') {
		base = (c[1] | 0x20) == 'x' ? 16 : 8;
		c += base == 16 ? 2 : 1;
	}
	in.text = c;
	if (!words->is_quoted && marker_take_number(&in, base, U64_MAX, number) &&
	    c + in.at == end)
		return 0;
	return marker_format_refuse(error, words->value_at, in.at && c + in.at < end &&
				    marker_is_digit(c[in.at], base) ?
				    "no number has more than 64 bits" :
				    "not a number, which this test needs");
}

static const char *range_of(const struct marker_operand *operand)
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
static void limits_of(const struct marker_operand *operand, u64 *min, u64 *max)
{
	unsigned int bits = operand->size * 8;
	u64 half = 1ull << (bits - 1);

	*min = operand->is_signed ? -half : 0;
	*max = operand->is_signed ? half - 1 : half - 1 + half;
}

/* For "&" a signed field also takes a number that would fit if it were unsigned. */
static int check_number(const struct marker_operand *operand,
			const struct marker_filter_words *words, u64 *number,
			bool is_negative, struct marker_format_error *error)
{
	struct marker_operand wider = *operand;
	u64 min, max;

	if (words->op == MARKER_FILTER_BITS && !is_negative)
		wider.is_signed = false;
	limits_of(&wider, &min, &max);
	if (is_negative) {
		/* as the magnitude of @min */
		if (!wider.is_signed ? *number : *number > -min)
			return marker_format_refuse(error, words->value_at, range_of(operand));
		*number = -*number;
	} else if (*number > max) {
		return marker_format_refuse(error, words->value_at, range_of(operand));
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
static bool compile_number(struct marker_filter_test *test, const struct marker_operand *operand,
			   enum marker_filter_op op, u64 number)
{
	u64 min, max;

	limits_of(operand, &min, &max);
	test->mask = U64_MAX;
	test->shift = 64 - 8 * operand->size;
	/* A range cannot be empty. */
	if ((op == MARKER_FILTER_LT && number == min) ||
	    (op == MARKER_FILTER_GT && number == max)) {
		set_range(test, min, max);
		return true;
	}
	switch (op) {
	case MARKER_FILTER_NE:
		/* from the next value around to the one before it */
		set_range(test, number + 1, number - 1);
		break;
	case MARKER_FILTER_LT:
		set_range(test, min, number - 1);
		break;
	case MARKER_FILTER_LE:
		set_range(test, min, number);
		break;
	case MARKER_FILTER_GT:
		set_range(test, number + 1, max);
		break;
	case MARKER_FILTER_GE:
		set_range(test, number, max);
		break;
	case MARKER_FILTER_BITS:
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

/* Does a test hold for each value of a field if its number is beyond all of them? */
static bool holds_beyond(enum marker_filter_op op, bool is_negative)
{
	switch (op) {
	case MARKER_FILTER_NE:
		return true;
	case MARKER_FILTER_LT:
	case MARKER_FILTER_LE:
		return !is_negative;
	case MARKER_FILTER_GT:
	case MARKER_FILTER_GE:
		return is_negative;
	default:
		return false;
	}
}

void marker_filter_tests_never(struct marker_filter_test *test)
{
	test->kind = MARKER_FILTER_INT;
	test->arg = 0;
	test->is_context = false;
	test->mask = 0;
	test->shift = 0;
	test->low = 1;
	test->span = 0;
}

static int add_number(struct marker_filter_test *test, bool *inverted,
		      const struct marker_operand *operand, const struct marker_filter_words *words,
		      struct marker_format_error *error)
{
	bool is_negative = false;
	u64 number;
	int err;

	if (words->op == MARKER_FILTER_LIKE)
		return marker_format_refuse(error, words->op_at,
					    "~ is for strings, and this field has numbers");
	if (operand->is_char && words->is_quoted && words->value_len == 1) {
		number = (u8)*words->value;
	} else {
		err = parse_constant(words, &number, &is_negative, error);
		if (err)
			return err;
		err = check_number(operand, words, &number, is_negative, error);
		if (err && operand->takes_any) {
			marker_filter_tests_never(test);
			*inverted = holds_beyond(words->op, is_negative);
			return 0;
		}
		if (err)
			return err;
	}
	test->kind = operand->is_behind_pointer ? MARKER_FILTER_NUMBER : MARKER_FILTER_INT;
	test->bytes = operand->size;
	*inverted = compile_number(test, operand, words->op, number);
	return 0;
}

/* A string and its NUL in one word. */
static void compile_word(struct marker_filter_test *test, const struct marker_filter_words *words)
{
	u64 word = 0;

	memcpy(&word, words->value, words->value_len);
	test->kind = MARKER_FILTER_WORD;
	test->shift = 56 - 8 * words->value_len;
	test->word = word << test->shift;
}

static int add_text(struct marker_filter_test *test, struct marker_filter_string *string,
		    bool *inverted, const struct marker_operand *operand,
		    const struct marker_filter_words *words, struct marker_format_error *error)
{
	const bool is_glob = words->op == MARKER_FILTER_LIKE;

	if (words->op != MARKER_FILTER_EQ && words->op != MARKER_FILTER_NE && !is_glob)
		return marker_format_refuse(error, words->op_at,
					    "this is for numbers, and this field has strings: == != ~");
	test->kind = is_glob ? MARKER_FILTER_GLOB : MARKER_FILTER_EQUAL;
	if (!is_glob && words->value_len < sizeof(u64) && words->value_len < operand->max &&
	    operand->len_arg == MARKER_NO_ARG && IS_LITTLE_ENDIAN)
		compile_word(test, words);
	test->len_arg = operand->len_arg;
	test->len = words->value_len;
	test->max = operand->max;
	string->text = words->value;
	string->len = words->value_len;
	*inverted = words->op == MARKER_FILTER_NE;
	return 0;
}

int marker_filter_tests_compare(struct marker_filter_test *test,
				struct marker_filter_string *string, bool *inverted,
				const struct marker_operand *operand,
				const struct marker_filter_words *words,
				struct marker_format_error *error)
{
	test->arg = operand->arg;
	test->is_context = operand->is_context;
	if (operand->type == MARKER_FIELD_INT)
		return add_number(test, inverted, operand, words, error);
	return add_text(test, string, inverted, operand, words, error);
}

int marker_filter_tests_compile(struct marker_filter_test *test,
				struct marker_filter_string *string, bool *inverted,
				const struct marker_format *format,
				const struct marker_filter_words *words,
				struct marker_format_error *error)
{
	struct marker_operand operand;
	const char *why;

	why = marker_operand_find(&operand, format, words->name, words->name_len);
	if (why)
		return marker_format_refuse(error, words->name_at, why);
	return marker_filter_tests_compare(test, string, inverted, &operand, words, error);
}

int marker_filter_tests_check(const struct marker_filter_words *words,
			      struct marker_format_error *error)
{
	bool is_negative;
	u64 number;

	switch (words->op) {
	case MARKER_FILTER_EQ:
	case MARKER_FILTER_NE:
	case MARKER_FILTER_LIKE:
		return 0;
	default:
		/* a character can be less than another one */
		if (words->is_quoted && words->value_len == 1)
			return 0;
		return parse_constant(words, &number, &is_negative, error);
	}
}
