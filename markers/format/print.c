// SPDX-License-Identifier: GPL-2.0
/*
 * From recorded bytes to text, for the readers of trace and trace_pipe, and for the last
 * words of a dying kernel.
 *
 * Walks the field table.  It copies the words between the fields from the format
 * string, and parses each conversion again, to know how it prints the recorded bytes.  The
 * precision of a string was applied when it was recorded.  We do not trust the bytes of a
 * trace, except that marker_serialized_size() has found the end of the fields.
 *
 * printf prints only what a kernel alone knows: the extensions of %p.  So user space prints
 * the same as the kernel, whose numbers differ from those of C.
 */
#include "out.h"
#include "print.h"
#include "serialize.h"

#define SPEC_SIZE	32	/* '%', flags, width, '.', precision, "pISpfc" */

/* Characters up to @end, where a NUL is, as %s and %c do with this width. */
static void put_chars(struct marker_out *out, const struct marker_conversion *conv,
		      const char *chars, const char *end)
{
	marker_out_aligned(out, chars, end, conv->width, conv->flags & MARKER_FLAG_LEFT);
}

/* The words of the format string, "%%" and all. */
static void put_words(struct marker_out *out, const char *words, size_t len)
{
	const char *end = words + len;

	for (;;) {
		words += marker_out_run(out, words, end - words, MARKER_OUT_PLAIN);
		if (words >= end)
			return;
		if (*words == '%')
			words++;
		if (*words == '\t')
			marker_out_char(out, *words++);
		else
			words += marker_out_escaped(out, words);
	}
}

/*
 * Put a conversion together again: '%', flags, width, precision, and @end
 * instead of length modifier and letter.
 */
static void make_spec(char *spec, const struct marker_conversion *conv,
		      const char *end, size_t end_len)
{
	static const char flags[] = "-+ #0";
	unsigned int i;

	*spec++ = '%';
	for (i = 0; flags[i]; i++)
		if (conv->flags & BIT(i))
			*spec++ = flags[i];
	if (conv->width >= 0)
		spec += sprintf(spec, "%d", conv->width);
	if (conv->precision >= 0)
		spec += sprintf(spec, ".%d", conv->precision);
	memcpy(spec, end, end_len);
	spec[end_len] = '\0';
}

/* An integer of @size bytes in native order, brought to its full width. */
static u64 load_int(const char *from, u8 size, bool is_signed)
{
	u64 u64_value;
	u32 u32_value;
	u16 u16_value;

	switch (size) {
	case 1:
		return is_signed ? (u64)(s8)*from : (u8)*from;
	case 2:
		memcpy(&u16_value, from, sizeof(u16_value));
		return is_signed ? (u64)(s16)u16_value : u16_value;
	case 4:
		memcpy(&u32_value, from, sizeof(u32_value));
		return is_signed ? (u64)(s32)u32_value : u32_value;
	default:
		memcpy(&u64_value, from, sizeof(u64_value));
		return u64_value;
	}
}

static void put_octal(struct marker_out *out, u64 value)
{
	int shift = 63;

	while (shift && !(value >> shift))
		shift -= 3;
	for (; shift >= 0; shift -= 3)
		marker_out_char(out, '0' + (value >> shift & 7));
}

/* What stands before the digits; up to two characters.  Takes the sign from @value. */
static const char *prefix_of(const struct marker_conversion *conv, u64 *value)
{
	if (conv->letter == 'd') {
		if ((s64)*value < 0) {
			*value = -*value;
			return "-";
		}
		return conv->flags & MARKER_FLAG_PLUS ? "+" :
		       conv->flags & MARKER_FLAG_SPACE ? " " : "";
	}
	if (!(conv->flags & MARKER_FLAG_ALT))
		return "";
	switch (conv->letter) {
	case 'x':
		return "0x";
	case 'X':
		return "0X";
	default:
		return conv->letter == 'o' && *value ? "0" : "";
	}
}

static void put_digits(struct marker_out *out, char letter, u64 value)
{
	if (letter == 'o')
		put_octal(out, value);
	else if (letter == 'x' || letter == 'X')
		marker_out_hex(out, value, letter == 'X');
	else
		marker_out_decimal(out, value, 1);
}

/*
 * A number as printk() prints it.  C would print nothing for 0 with the precision 0, no "0x"
 * before 0, and no zeroes up to the width if there is a precision.
 */
static void put_number(struct marker_out *out, const struct marker_conversion *conv, u64 value)
{
	const char *prefix = prefix_of(conv, &value);
	char text[24];
	struct marker_out digits = { text, text + sizeof(text) };
	int blanks, zeroes;

	put_digits(&digits, conv->letter, value);
	zeroes = max(conv->precision - (int)(digits.at - text), 0);
	blanks = max(conv->width - (int)strlen(prefix) - zeroes - (int)(digits.at - text), 0);
	if (!(conv->flags & (MARKER_FLAG_LEFT | MARKER_FLAG_ZERO)))
		marker_out_blanks(out, blanks);
	marker_out_bytes(out, prefix, strlen(prefix));
	if (conv->flags & MARKER_FLAG_ZERO && !(conv->flags & MARKER_FLAG_LEFT))
		zeroes += blanks;
	while (zeroes-- > 0)
		marker_out_char(out, '0');
	marker_out_bytes(out, text, digits.at - text);
	if (conv->flags & MARKER_FLAG_LEFT)
		marker_out_blanks(out, blanks);
}

/* %p: all digits of the number, or as wide as it is told to be. */
static void put_pointer(struct marker_out *out, const struct marker_conversion *conv,
			u64 value)
{
	struct marker_conversion number = *conv;

	number.letter = 'x';
	if (number.width == MARKER_NOT_GIVEN) {
		number.width = 2 * sizeof(void *);
		number.flags |= MARKER_FLAG_ZERO;
	}
	put_number(out, &number, value);
}

/* A symbol that nobody can look up: a number with 0x in front. */
static void put_address(struct marker_out *out, const struct marker_conversion *conv,
			u64 value)
{
	char number[24];

	snprintf(number, sizeof(number), "0x%llx", (unsigned long long)value);
	put_chars(out, conv, number, number + strlen(number));
}

/* %pe of what is no error is a plain pointer. */
static bool is_other_pointer(const struct marker_field *field, u64 value)
{
	return field->object == MARKER_OBJECT_ERROR && value < (u64)-MAX_ERRNO;
}

static void put_int(struct marker_out *out, const struct marker_conversion *conv,
		    const struct marker_field *field, const struct marker_format *format,
		    const char *from)
{
	const bool is_error = field->object == MARKER_OBJECT_ERROR;
	const char *text = format->text;
	u64 value = load_int(from, field->size, field->is_signed);
	char spec[SPEC_SIZE];
	char c[] = { value, '\0' };
	int len;

	if (field->is_char) {
		put_chars(out, conv, c, c + 1);
	} else if (conv->is_symbol && !is_error && format->is_foreign) {
		put_address(out, conv, value);
	} else if (conv->is_symbol && !is_other_pointer(field, value)) {
		make_spec(spec, conv, text + conv->extension - 1,
			  conv->end - conv->extension + 1);
		len = marker_print_extension(out->at, marker_out_room(out),
					     spec, (void *)(uintptr_t)value);
		marker_out_printed(out, len);
	} else if (conv->letter == 'p') {
		put_pointer(out, conv, value);
	} else {
		put_number(out, conv, value);
	}
}

/* "%*ph" and "%4ph": bytes with what the letter says between them. */
static void put_hex_dump(struct marker_out *out, const struct marker_conversion *conv,
			 const char *text, const char *from, unsigned int nr)
{
	static const char digits[] = "0123456789abcdef";
	char between = text[conv->end - 1];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (i && between != 'N')
			marker_out_char(out, between == 'C' ? ':' :
				 between == 'D' ? '-' : ' ');
		marker_out_char(out, digits[(u8)from[i] >> 4]);
		marker_out_char(out, digits[from[i] & 15]);
	}
}

/*
 * "%*pE" and "%*pbl": as wide as they are long, in bytes or bits.  "%2000pE" reads as many bytes as
 * it is wide: no more than are recorded.
 */
static int width_of(const struct marker_conversion *conv, char extension, unsigned int nr)
{
	if (conv->width == MARKER_FROM_ARG)
		return conv->object == MARKER_OBJECT_BITMAP ? nr * 8 : nr;
	return extension == 'E' ? min_t(int, conv->width, nr) : conv->width;
}

/* Bytes that mean something.  printf gets a copy, with zeroes after it. */
static void put_extension(struct marker_out *out, struct marker_conversion *conv,
			  const char *text, const char *from, unsigned int nr)
{
	char copy[MARKER_MAX_BITMAP] __aligned(8);
	char spec[SPEC_SIZE];
	int len;

	if (text[conv->extension] == 'h') {
		put_hex_dump(out, conv, text, from, nr);
		return;
	}
	if (!nr) {
		if (conv->object == MARKER_OBJECT_SOCKADDR)
			put_words(out, "(efault)", 8);
		return;
	}
	memset(copy, 0, sizeof(copy));
	memcpy(copy, from, min_t(size_t, nr, sizeof(copy)));
	conv->width = width_of(conv, text[conv->extension], nr);
	make_spec(spec, conv, text + conv->extension - 1,
		  conv->end - conv->extension + 1);
	len = marker_print_extension(out->at, marker_out_room(out), spec, copy);
	marker_out_printed(out, len);
}

/* Nothing between '%' and the length modifier or the letter. */
static bool is_plain(const char *text, const struct marker_field *field)
{
	char next = text[field->spec + 1];

	return (next >= 'a' && next != 'p') || next == 'X';
}

/*
 * A plain integer.  Return: false if it is another one.
 */
static bool put_plain_int(struct marker_out *out, const char *text,
			  const struct marker_field *field, const char *from)
{
	u64 value = load_int(from, field->size, field->is_signed);

	switch (text[field->spec + field->spec_len - 1]) {
	case 'd':
	case 'i':
		if ((s64)value < 0) {
			marker_out_char(out, '-');
			value = -value;
		}
		fallthrough;
	case 'u':
		marker_out_decimal(out, value, 1);
		return true;
	case 'x':
		marker_out_hex(out, value, false);
		return true;
	case 'X':
		marker_out_hex(out, value, true);
		return true;
	}
	return false;
}

/* A plain string; returns its length. */
static size_t put_plain_string(struct marker_out *out, const char *from)
{
	const char *p = from, *end = from + strlen(from);

	for (;;) {
		p += marker_out_run(out, p, end - p, MARKER_OUT_PLAIN | MARKER_OUT_PERCENT);
		if (p == end)
			return p - from;
		p += marker_out_escaped(out, p);
	}
}

/*
 * A mark after a string of as many characters as can be recorded, unless the format asks for no
 * more: there may have been others.
 */
static void put_cut(struct marker_out *out, int precision, size_t len)
{
	const size_t most = MARKER_MAX_STRING - 1;

	if (unlikely(len == most) && precision != (int)most)
		marker_out_bytes(out, "\\...", 4);
}

/* Print a field whose bytes are known to be all there; return the next one. */
static const char *put_field(struct marker_out *out, const struct marker_format *format,
			     const struct marker_field *field, const char *from)
{
	const char *text = format->text;
	struct marker_conversion conv;
	struct marker_format_error error;
	size_t len;
	u16 nr;

	if (is_plain(text, field)) {
		if (field->type == MARKER_FIELD_STRING) {
			len = put_plain_string(out, from);
			put_cut(out, MARKER_NOT_GIVEN, len);
			return from + len + 1;
		}
		if (field->type == MARKER_FIELD_INT &&
		    put_plain_int(out, text, field, from))
			return from + field->size;
	}
	/* It was parsed before, so it is right. */
	marker_format_parse_conversion(&conv, text, field->spec, &error);
	switch (field->type) {
	case MARKER_FIELD_INT:
		put_int(out, &conv, field, format, from);
		return from + field->size;
	case MARKER_FIELD_STRING:
		len = strlen(from);
		put_chars(out, &conv, from, from + len);
		put_cut(out, conv.precision, len);
		return from + len + 1;
	case MARKER_FIELD_BYTES:
		put_extension(out, &conv, text, from, field->size);
		return from + field->size;
	default:
		memcpy(&nr, from, sizeof(nr));
		put_extension(out, &conv, text, from + sizeof(nr), nr);
		return from + sizeof(nr) + nr;
	}
}

/* The words after the last field, without the blanks at their end. */
static size_t tail_len(const char *tail)
{
	size_t len = strlen(tail);

	while (len && strchr(" \t\n\r", tail[len - 1]))
		len--;
	return len;
}

static size_t finish(struct marker_out *out, char *buf, const struct marker_format *format)
{
	const char *tail = format->text + format->tail;

	if (*tail)
		put_words(out, tail, tail_len(tail));
	*out->at = '\0';
	return out->at - buf;
}

/* The words before a field. */
static void put_before(struct marker_out *out, const struct marker_format *format,
		       const struct marker_field *field)
{
	const char *words = format->text + field->lit;

	if (field->lit_plain)
		marker_out_bytes(out, words, field->lit_len);
	else
		put_words(out, words, field->lit_len);
}

size_t marker_print_event(char *buf, size_t size, const struct marker_format *format,
			  const void *from)
{
	struct marker_out out = { buf, buf + size - 1 };
	const struct marker_field *field;
	const char *at = from;
	unsigned int i;

	if (!size)
		return 0;
	for (i = 0; i < format->nr_fields; i++) {
		field = &format->field[i];
		put_before(&out, format, field);
		at = put_field(&out, format, field, at);
	}
	return finish(&out, buf, format);
}

/* Is the field a bitmap of @full bytes or more? */
static bool is_full(const struct marker_field *field, const void *from, u32 full)
{
	u16 nr;

	if (field->object != MARKER_OBJECT_BITMAP || field->type != MARKER_FIELD_SEQUENCE)
		return false;
	memcpy(&nr, from, sizeof(nr));
	return nr >= full;
}

size_t marker_print_fields(char *buf, size_t size, const struct marker_format *format,
			   const void *const *from, u32 full)
{
	struct marker_out out = { buf, buf + size - 1 };
	const struct marker_field *field;
	unsigned int i;

	if (!size)
		return 0;
	for (i = 0; i < format->nr_fields; i++) {
		field = &format->field[i];
		put_before(&out, format, field);
		put_field(&out, format, field, from[i]);
		if (is_full(field, from[i], full))
			marker_out_bytes(&out, "...", 3);
	}
	return finish(&out, buf, format);
}
