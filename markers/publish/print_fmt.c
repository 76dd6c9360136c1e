// SPDX-License-Identifier: GPL-2.0
/*
 * The print_fmt of an event: a format of printf() in C and its arguments, as text, which
 * libtraceevent parses for perf, trace-cmd and KernelShark.  The kernel itself prints with
 * print.c instead.
 *
 * libtraceevent knows no %c, %o, no flags "+" and " ", and no sign of a short number without
 * its "hh" or "h".
 */
#include <markers/format/out.h>
#include "layout.h"

/* In a string of C: "\" and '"'; in a format, "%". */
static void quote(struct marker_out *out, const char *text, bool is_format)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			marker_out_char(out, '\\');
		else if (*text == '%' && is_format)
			marker_out_char(out, '%');
		marker_out_char(out, *text);
	}
}

/* Words of the format string, with our escapes. */
static void put_words(struct marker_out *out, const char *words, size_t len)
{
	const char *end = words + len;
	char piece[16];

	while (words < end) {
		struct marker_out one = { piece, piece + sizeof(piece) - 1 };

		if (*words == '%' && words + 1 < end)
			words++;
		words += marker_out_escaped(&one, words);
		*one.at = '\0';
		quote(out, piece, true);
	}
}

static void put_text(struct marker_out *out, const char *text)
{
	marker_out_bytes(out, text, strlen(text));
}

static void put_number(struct marker_out *out, int number)
{
	marker_out_decimal(out, number, 1);
}

/* "%", flags, width and precision, as far as they are known there. */
static void put_spec(struct marker_out *out, const struct marker_conversion *conv,
		     const char *end)
{
	marker_out_char(out, '%');
	if (conv->flags & MARKER_FLAG_LEFT)
		marker_out_char(out, '-');
	if (conv->flags & MARKER_FLAG_ALT)
		marker_out_char(out, '#');
	if (conv->flags & MARKER_FLAG_ZERO)
		marker_out_char(out, '0');
	if (conv->width > 0)
		put_number(out, conv->width);
	if (conv->precision >= 0 && conv->letter != 's') {
		marker_out_char(out, '.');
		put_number(out, conv->precision);
	}
	put_text(out, end);
}

static void put_int(struct marker_out *out, const struct marker_conversion *conv,
		    const struct marker_field *field)
{
	static const char *const lengths[] = { [1] = "hh", [2] = "h", [4] = "", [8] = "l" };
	char end[4] = "";

	if (field->is_char) {
		put_text(out, "%d");
	} else if (field->object == MARKER_OBJECT_ERROR) {
		put_text(out, "%ld");
	} else if (conv->is_symbol) {
		put_text(out, "%pS");
	} else if (conv->letter == 'p') {
		put_spec(out, conv, conv->width > 0 ? "lx" : "016lx");
	} else if (conv->letter == 'o') {
		put_text(out, field->size == 8 ? "0x%lx" : "0x%x");
	} else {
		strcpy(end, lengths[field->size]);
		end[strlen(end)] = conv->letter;
		put_spec(out, conv, end);
	}
}

/* %pM, %pI4, %pU and the like: libtraceevent has them, too. */
static bool is_address(const struct marker_conversion *conv, const char *text)
{
	return conv->extension && strchr("MmIiU", text[conv->extension]) &&
	       text[conv->extension + 1] != 'S';
}

static void put_bytes(struct marker_out *out, const struct marker_conversion *conv,
		      const struct marker_format *format, const struct marker_field *field)
{
	switch (field->object) {
	case MARKER_OBJECT_NUMBER:
		put_text(out, field->size == 8 ? "0x%lx" : "0x%x");
		break;
	case MARKER_OBJECT_SECONDS:
		put_text(out, "%ld");
		break;
	default:
		if (!field->object && is_address(conv, format->text)) {
			put_text(out, "%p");
			marker_out_bytes(out, format->text + conv->extension,
					 conv->end - conv->extension);
			break;
		}
		put_text(out, "%s");
		break;
	}
}

static void put_array(struct marker_out *out, const char *name, unsigned int nr,
		      unsigned int each)
{
	put_text(out, "__print_array(REC->");
	put_text(out, name);
	put_text(out, ", ");
	put_number(out, nr);
	put_text(out, ", ");
	put_number(out, each);
	put_text(out, ")");
}

static void put_arg_of_bytes(struct marker_out *out, const struct marker_conversion *conv,
			     const struct marker_format *format, const struct marker_field *field,
			     const struct publish_field *as)
{
	if (field->object == MARKER_OBJECT_RESOURCE || field->object == MARKER_OBJECT_TIME) {
		put_array(out, as->name, as->len, as->align);
	} else if ((field->object && field->object != MARKER_OBJECT_BITMAP) ||
		   is_address(conv, format->text)) {
		put_text(out, "REC->");
		put_text(out, as->name);
	} else {
		put_text(out, "__print_hex(REC->");
		put_text(out, as->name);
		put_text(out, ", ");
		put_number(out, as->len);
		put_text(out, ")");
	}
}

/* A mark after bits that may have been cut, as call.c has it. */
static void put_mark(struct marker_out *out, const struct publish_field *as,
		     const struct publish_layout *layout)
{
	put_text(out, ", (__get_dynamic_array_len(");
	put_text(out, as->name);
	put_text(out, ") >= ");
	put_number(out, layout->bitmap_max);
	put_text(out, ") ? \"...\" : \"\"");
}

static void put_arg(struct marker_out *out, const struct marker_conversion *conv,
		    const struct marker_format *format, const struct marker_field *field,
		    const struct publish_field *as)
{
	put_text(out, ", ");
	switch (field->type) {
	case MARKER_FIELD_INT:
		if (conv->letter == 'p' && field->object != MARKER_OBJECT_ERROR)
			put_text(out, conv->is_symbol ? "(void *)" : "(unsigned long)");
		put_text(out, "REC->");
		put_text(out, as->name);
		break;
	case MARKER_FIELD_BYTES:
		put_arg_of_bytes(out, conv, format, field, as);
		break;
	case MARKER_FIELD_STRING:
		put_text(out, "__get_str(");
		put_text(out, as->name);
		put_text(out, ")");
		break;
	default:
		put_text(out, "__print_hex(__get_dynamic_array(");
		put_text(out, as->name);
		put_text(out, "), __get_dynamic_array_len(");
		put_text(out, as->name);
		put_text(out, "))");
		break;
	}
}

static void put_spec_of(struct marker_out *out, const struct marker_conversion *conv,
			const struct marker_format *format, const struct marker_field *field)
{
	struct marker_conversion wide = *conv;

	switch (field->type) {
	case MARKER_FIELD_INT:
		put_int(out, conv, field);
		break;
	case MARKER_FIELD_BYTES:
		put_bytes(out, conv, format, field);
		break;
	default:
		/* the width of a string only: that of other conversions is a length */
		wide.letter = 's';
		if (field->type != MARKER_FIELD_STRING)
			wide.width = MARKER_NOT_GIVEN;
		put_spec(out, &wide, "s");
		break;
	}
}

/* The words after the last field, without the blanks at their end, as print.c has them. */
static size_t tail_len(const char *tail)
{
	size_t len = strlen(tail);

	while (len && strchr(" \t\n\r", tail[len - 1]))
		len--;
	return len;
}

int marker_publish_print_fmt(char *text, const struct marker_format *format,
			     const struct publish_field *fields,
			     const struct publish_layout *layout)
{
	struct marker_out out = { text, text + PUBLISH_FMT_SIZE - 1 };
	const char *tail = format->text + format->tail;
	const struct marker_field *field;
	struct marker_format_error error;
	struct marker_conversion conv;
	unsigned int i;

	marker_out_char(&out, '"');
	for (i = 0; i < format->nr_fields; i++) {
		field = &format->field[i];
		put_words(&out, format->text + field->lit, field->lit_len);
		marker_format_parse_conversion(&conv, format->text, field->spec, &error);
		put_spec_of(&out, &conv, format, field);
		if (publish_is_short(layout, field))
			put_text(&out, "%s");
	}
	put_words(&out, tail, tail_len(tail));
	marker_out_char(&out, '"');
	for (i = 0; i < format->nr_fields; i++) {
		field = &format->field[i];
		marker_format_parse_conversion(&conv, format->text, field->spec, &error);
		put_arg(&out, &conv, format, field, &fields[i]);
		if (publish_is_short(layout, field))
			put_mark(&out, &fields[i], layout);
	}
	*out.at = '\0';
	return out.at == out.last ? -E2BIG : 0;
}
