// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <markers/uapi/text.h>

#include "../base/put.h"
#include "../base/utf8.h"
#include "text.h"

/* Does a character of @n bytes need no escape? */
static bool is_shown(const char *text, size_t n)
{
	const unsigned char *byte = (const unsigned char *)text;

	if (n <= 1)
		return n && *byte >= 0x20 && *byte < 0x7f && *byte != '\\';
	return n > 2 || byte[0] != 0xc2 || byte[1] >= 0xa0;
}

static char *append_escape(char *to, unsigned char byte)
{
	const char letter = text_escape_letter(byte);

	*to++ = '\\';
	*to++ = letter ? letter : 'x';
	if (letter)
		return to;
	*to++ = "0123456789ABCDEF"[byte >> 4];
	*to++ = "0123456789ABCDEF"[byte & 15];
	return to;
}

static char *append_character(char *to, const char *text, size_t n)
{
	const char *end = text + (n ? n : 1);

	if (is_shown(text, n))
		return append_bytes(to, text, n);
	while (text < end)
		to = append_escape(to, *text++);
	return to;
}

static char *append_escaped(char *to, const char *text, size_t size)
{
	return utf8_append(to, text, size, append_character);
}

void text_escaped(FILE *out, const char *text, size_t size)
{
	char *room = put_begin(out, JSON_ROOM(size));

	put_end(out, room, append_escaped(room, text, size));
}

int text_decimal(FILE *out, uint64_t number, unsigned int least)
{
	const unsigned int size = decimal_size(number), nr = size > least ? size : least;
	char *room = put_begin(out, APPEND_NUMBER);

	put_end(out, room, append_digits(room, number, nr));
	return nr;
}

int text_signed(FILE *out, int64_t number)
{
	char *room = put_begin(out, APPEND_NUMBER), *end = append_signed(room, number);
	const int size = end - room;

	put_end(out, room, end);
	return size;
}

/* Append 64-bit words, such as the addresses of a stack. */
static char *append_words(char *to, const struct value *value)
{
	uint64_t word;
	size_t i;

	for (i = 0; i + sizeof(word) <= value->size; i += sizeof(word)) {
		memcpy(&word, value->text + i, sizeof(word));
		if (i)
			*to++ = ' ';
		to = append_number(to, word, 16);
	}
	return to;
}

static char *append_hex_bytes(char *to, const struct value *value)
{
	size_t i;

	for (i = 0; i < value->size; i++) {
		if (i)
			*to++ = ':';
		to = append_hex_byte(to, value->text[i]);
	}
	return to;
}

char *text_append_value(char *to, const struct value *value)
{
	switch (value->field->type) {
	case VALUE_SIGNED:
	case VALUE_UNSIGNED:
		if (!value->text)
			return text_append_number(to, value);
		/* fall through */
	case VALUE_TEXT:
		return append_escaped(to, value->text, value->size);
	case VALUE_BYTES:
		if (value->field->bits == 64)
			return append_words(to, value);
		return append_hex_bytes(to, value);
	}
	return to;
}

void text_value(FILE *out, const struct value *value)
{
	char *room = put_begin(out, text_room(value));

	put_end(out, room, text_append_value(room, value));
}

char *text_append_seconds(char *to, uint64_t time, unsigned int digits)
{
	uint32_t part = time % 1000000000;

	to = append_decimal(to, time / 1000000000);
	*to++ = '.';
	return append_digits(to, digits == 6 ? part / 1000 : part, digits);
}

void text_seconds(FILE *out, uint64_t time, unsigned int digits)
{
	char *room = put_begin(out, TEXT_TIME_ROOM);

	put_end(out, room, text_append_seconds(room, time, digits));
}

void text_time(FILE *out, uint64_t time, unsigned int digits)
{
	uint64_t seconds = time / 1000000000, least;

	for (least = 10000; least > 1 && least > seconds; least /= 10)
		putc_unlocked(' ', out);
	text_seconds(out, time, digits);
}

void text_fields(FILE *out, const struct event *event,
		 void (*note)(FILE *out, const struct event *event, const struct value *value))
{
	const struct value *value = event->value, *end = value + event->nr_values;

	for (; value < end; value++) {
		putc_unlocked(' ', out);
		put_string(out, value->field->name);
		putc_unlocked('=', out);
		text_value(out, value);
		if (note)
			note(out, event, value);
	}
}
