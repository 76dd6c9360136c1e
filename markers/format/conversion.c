// SPDX-License-Identifier: GPL-2.0
/*
 * From one conversion of a printf format string to its parts: flags, width, precision, type.
 *
 * It refuses every conversion that cannot be recorded faithfully, with the column,
 * so that nothing can go wrong when the marker fires.
 */
#include "format.h"

static u8 flag_of(char c)
{
	switch (c) {
	case '-':
		return MARKER_FLAG_LEFT;
	case '+':
		return MARKER_FLAG_PLUS;
	case ' ':
		return MARKER_FLAG_SPACE;
	case '#':
		return MARKER_FLAG_ALT;
	case '0':
		return MARKER_FLAG_ZERO;
	default:
		return 0;
	}
}

/* A width or precision: a number, '*', or nothing, which is @nothing. */
static int parse_conversion_number(const char *text, unsigned int *at, int nothing)
{
	int number = 0;

	if (text[*at] == '*') {
		++*at;
		return MARKER_FROM_ARG;
	}
	if (!marker_is_decimal(text[*at]))
		return nothing;
	for (; marker_is_decimal(text[*at]); ++*at)
		number = min(number * 10 + text[*at] - '0', 100000);
	return number;
}

/* The bytes of an integer with this length modifier; 0 if there is none. */
static u8 parse_length(const char *text, unsigned int *at)
{
	char first = text[*at];

	switch (first) {
	case 'h':
	case 'l':
		++*at;
		if (text[*at] != first)
			return first == 'h' ? sizeof(short) : sizeof(long);
		++*at;
		return first == 'h' ? sizeof(char) : sizeof(long long);
	case 'z':
		++*at;
		return sizeof(size_t);
	case 't':
		++*at;
		return sizeof(ptrdiff_t);
	case 'j':
	case 'L':
		++*at;
		return sizeof(long long);
	default:
		return 0;
	}
}

/*
 * %ph, %pE, %pb without an argument for their length: as printk has it, the width
 * says how many bytes, or bits.
 */
static void fix_size(struct marker_conversion *conv)
{
	int bytes = conv->width == MARKER_NOT_GIVEN ? 1 : conv->width;

	if (conv->width == MARKER_FROM_ARG)
		return;
	if (conv->object == MARKER_OBJECT_BITMAP)
		bytes = DIV_ROUND_UP(conv->width, 8);
	conv->type = MARKER_FIELD_BYTES;
	conv->size = min(bytes, MARKER_MAX_SEQUENCE);
}

static bool has_length(const struct marker_conversion *conv)
{
	return conv->type == MARKER_FIELD_SEQUENCE &&
	       conv->object != MARKER_OBJECT_SOCKADDR;
}

/* The letter at the end of a conversion; @length is of its modifier, or 0. */
static int parse_letter(struct marker_conversion *conv, const char *text,
			unsigned int at, u8 length,
			struct marker_format_error *error)
{
	const char *why;

	conv->letter = text[at];
	conv->is_symbol = false;
	conv->object = MARKER_OBJECT_NONE;
	conv->depth = 0;
	conv->extension = 0;
	conv->end = at + 1;
	conv->type = MARKER_FIELD_INT;
	switch (text[at]) {
	case 'i':
		conv->letter = 'd';
		fallthrough;
	case 'd':
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		conv->size = length ? length : sizeof(int);
		return 0;
	case 'c':
	case 's':
		if (length)
			return marker_format_refuse(error, at - 1, text[at - 1] == 'l' ?
						    "wide characters cannot be recorded" :
						    "no length modifier is allowed here");
		conv->size = text[at] == 'c';
		if (text[at] == 's')
			conv->type = MARKER_FIELD_STRING;
		return 0;
	case 'p':
		if (length)
			return marker_format_refuse(error, at - 1,
						    "no length modifier is allowed here");
		why = marker_format_parse_pointer(conv, text, at + 1);
		return why ? marker_format_refuse(error, at + 1, why) : 0;
	case 'n':
		return marker_format_refuse(error, at, "%n cannot be recorded");
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
		return marker_format_refuse(error, at, "floating point cannot be recorded");
	case '\0':
		return marker_format_refuse(error, at, "the conversion is not complete");
	default:
		return marker_format_refuse(error, at, "unknown conversion");
	}
}

/* Check width and precision, now that the type is known. */
static int check_numbers(struct marker_conversion *conv, unsigned int width,
			 unsigned int precision,
			 struct marker_format_error *error)
{
	bool is_string = conv->type == MARKER_FIELD_STRING;
	bool is_bitmap = conv->object == MARKER_OBJECT_BITMAP;

	if ((conv->width == MARKER_FROM_ARG && !has_length(conv)) ||
	    (conv->precision == MARKER_FROM_ARG && conv->letter != 's'))
		return marker_format_refuse(error, conv->width == MARKER_FROM_ARG ?
					    width : precision + 1,
					    "'*' can be recorded in %.*s, %*ph, %*pE and %*pbl only");
	if (conv->precision != MARKER_NOT_GIVEN &&
	    (conv->letter == 'c' || conv->letter == 'p'))
		return marker_format_refuse(error, precision,
					    "no precision is allowed here");
	if (is_bitmap && conv->width == MARKER_NOT_GIVEN)
		return marker_format_refuse(error, width, "a bitmap needs its bits: %*pbl");
	if (conv->width > (is_bitmap ? MARKER_MAX_SEQUENCE * 8 : MARKER_MAX_WIDTH))
		return marker_format_refuse(error, width, "the width is too large");
	if (conv->precision > MARKER_MAX_WIDTH && !is_string)
		return marker_format_refuse(error, precision, "the precision is too large");
	if (has_length(conv))
		fix_size(conv);
	return 0;
}

int marker_format_parse_conversion(struct marker_conversion *conv, const char *text,
				   unsigned int at, struct marker_format_error *error)
{
	unsigned int width, precision;
	u8 length;
	int ret;

	conv->flags = 0;
	while (flag_of(text[++at]))
		conv->flags |= flag_of(text[at]);
	width = at;
	conv->width = parse_conversion_number(text, &at, MARKER_NOT_GIVEN);
	precision = at;
	conv->precision = MARKER_NOT_GIVEN;
	if (text[at] == '.') {
		at++;
		conv->precision = parse_conversion_number(text, &at, 0);
	}
	length = parse_length(text, &at);
	ret = parse_letter(conv, text, at, length, error);
	if (ret)
		return ret;
	return check_numbers(conv, width, precision, error);
}
