// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <markers/uapi/text.h>

#include "../base/put.h"
#include "../base/utf8.h"
#include "text.h"

/* Return: bytes of the first character if it needs no escape, else 0. */
static size_t shown_size(const char *text, size_t size)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t n;

	if (*byte < 0x80)
		return *byte >= 0x20 && *byte < 0x7f && *byte != '\\';
	n = utf8_size(text, size);
	return n == 2 && byte[0] == 0xc2 && byte[1] < 0xa0 ? 0 : n;
}

void text_escaped(FILE *out, const char *text, size_t size)
{
	size_t at, n, plain = 0;	/* bytes from @plain to @at need no escape */
	char letter;

	for (at = 0; at < size; at += n) {
		n = plain_size(text + at, size - at);
		if (!n)
			n = shown_size(text + at, size - at);
		if (n)
			continue;
		put_bytes(out, text + plain, at - plain);
		letter = text_escape_letter(text[at]);
		if (letter)
			fprintf(out, "\\%c", letter);
		else
			fprintf(out, "\\x%02X", (unsigned char)text[at]);
		n = 1;
		plain = at + n;
	}
	put_bytes(out, text + plain, size - plain);
}

/* The numbers below 100, two digits each. */
static const char two_digits[] =
	"00010203040506070809101112131415161718192021222324"
	"25262728293031323334353637383940414243444546474849"
	"50515253545556575859606162636465666768697071727374"
	"75767778798081828384858687888990919293949596979899";

int text_decimal(FILE *out, uint64_t number, unsigned int least)
{
	char digits[24], *end = digits + sizeof(digits), *p = end;

	for (; number >= 10; number /= 100)
		p = memcpy(p - 2, two_digits + 2 * (number % 100), 2);
	if (number)
		*--p = '0' + number;
	while (p > end - least)
		*--p = '0';
	put_bytes(out, p, end - p);
	return end - p;
}

int text_signed(FILE *out, int64_t number)
{
	if (number >= 0)
		return text_decimal(out, number, 1);
	putc_unlocked('-', out);
	return text_decimal(out, -(uint64_t)number, 1) + 1;
}

static const char hex[] = "0123456789abcdef";

static void put_hex(FILE *out, uint64_t number)
{
	int shift = 60;

	put_string(out, "0x");
	while (shift && !(number >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		putc_unlocked(hex[number >> shift & 15], out);
}

void text_number(FILE *out, const struct value *value)
{
	const struct field *field = value->field;

	if (field->base == 16)
		put_hex(out, value->number);
	else if (field->base == 8)
		fprintf(out, "0%" PRIo64, value->number);
	else if (field->type == VALUE_SIGNED)
		text_signed(out, value->number);
	else
		text_decimal(out, value->number, 1);
}

/* Write 64-bit words, such as the addresses of a stack. */
static void put_words(FILE *out, const struct value *value)
{
	uint64_t word;
	size_t i;

	for (i = 0; i + sizeof(word) <= value->size; i += sizeof(word)) {
		memcpy(&word, value->text + i, sizeof(word));
		fprintf(out, "%s0x%" PRIx64, i ? " " : "", word);
	}
}

static void put_hex_bytes(FILE *out, const struct value *value)
{
	size_t i;

	for (i = 0; i < value->size; i++) {
		unsigned char byte = value->text[i];

		if (i)
			putc_unlocked(':', out);
		putc_unlocked(hex[byte >> 4], out);
		putc_unlocked(hex[byte & 15], out);
	}
}

void text_value(FILE *out, const struct value *value)
{
	switch (value->field->type) {
	case VALUE_SIGNED:
	case VALUE_UNSIGNED:
		if (value->text)
			text_escaped(out, value->text, value->size);
		else
			text_number(out, value);
		break;
	case VALUE_TEXT:
		text_escaped(out, value->text, value->size);
		break;
	case VALUE_BYTES:
		if (value->field->bits == 64)
			put_words(out, value);
		else
			put_hex_bytes(out, value);
		break;
	}
}

void text_seconds(FILE *out, uint64_t time, unsigned int digits)
{
	uint64_t part = time % 1000000000;

	text_decimal(out, time / 1000000000, 1);
	putc_unlocked('.', out);
	text_decimal(out, digits == 6 ? part / 1000 : part, digits);
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
