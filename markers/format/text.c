// SPDX-License-Identifier: GPL-2.0
/*
 * The words of rules, filters, hists and triggers.  Runs when an operator writes one.
 */
#include "text.h"

static unsigned int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

bool marker_is_digit(char c, unsigned int base)
{
	return digit_of(c) < base;
}

void marker_skip_blanks(struct marker_text *in)
{
	while (marker_is_blank(in->text[in->at]))
		in->at++;
}

bool marker_take(struct marker_text *in, const char *what)
{
	const size_t len = strlen(what);

	if (strncmp(in->text + in->at, what, len))
		return false;
	in->at += len;
	return true;
}

unsigned int marker_take_name(struct marker_text *in)
{
	const unsigned int start = in->at;

	while (marker_is_alnum(in->text[in->at]) || in->text[in->at] == '_')
		in->at++;
	return marker_is_digit(in->text[start], 10) ? 0 : in->at - start;
}

bool marker_take_number(struct marker_text *in, unsigned int base, u64 max, u64 *number)
{
	const unsigned int start = in->at;
	unsigned int digit;

	for (*number = 0; (digit = digit_of(in->text[in->at])) < base; in->at++) {
		if (digit > max || *number > (max - digit) / base)
			return false;
		*number = *number * base + digit;
	}
	return in->at > start;
}

u64 marker_parse_number(const char *text, size_t len, u64 max)
{
	struct marker_text in = { .text = text };
	u64 number;

	return marker_take_number(&in, 10, max, &number) && in.at == len ? number : 0;
}
