/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words that rules, filters, hists and triggers have in common: blanks, names, numbers.
 *
 * Pure: no allocation, no lock, user space too.
 */
#ifndef _MARKERS_TEXT_H
#define _MARKERS_TEXT_H

#include "format.h"

/**
 * struct marker_text - a text that is being parsed
 * @text:	the text
 * @at:		the next byte of it
 * @error:	the caller's
 */
struct marker_text {
	const char *text;
	unsigned int at;
	struct marker_format_error *error;
};

/**
 * marker_is_blank() - is this a blank, in ASCII?
 * @c:		a character
 *
 * isspace() also takes 0xa0, with which many characters of UTF-8 end.
 *
 * Context: Any.
 * Return: true if it is.
 */
static inline bool marker_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/**
 * marker_refuse() - say what is wrong with a text, and where
 * @in:		the text
 * @at:		offset in it
 * @why:	a constant string
 *
 * Context: Any.
 * Return: -EINVAL.
 */
static inline int marker_refuse(const struct marker_text *in, unsigned int at, const char *why)
{
	return marker_format_refuse(in->error, at, why);
}

/**
 * marker_skip_blanks() - go past blanks
 * @in:		the text
 *
 * Context: Any.
 */
void marker_skip_blanks(struct marker_text *in);

/**
 * marker_take() - go past these characters, if they are next
 * @in:		the text
 * @what:	the characters
 *
 * Context: Any.
 * Return: false: something else is next.
 */
bool marker_take(struct marker_text *in, const char *what);

/**
 * marker_take_name() - go past the letters, digits and underscores that are next
 * @in:		the text
 *
 * Context: Any.
 * Return: how many; 0 if the first one is a digit.
 */
unsigned int marker_take_name(struct marker_text *in);

/**
 * marker_is_digit() - is this a digit?
 * @c:		a character
 * @base:	2 to 16
 *
 * Context: Any.
 * Return: true if it is.
 */
bool marker_is_digit(char c, unsigned int base);

/**
 * marker_take_number() - go past the digits that are next
 * @in:		the text; stops at a digit if the number is too large
 * @base:	2 to 16
 * @max:	the largest number
 * @number:	the result
 *
 * Context: Any.
 * Return: false: no digit is next, or the number is too large.
 */
bool marker_take_number(struct marker_text *in, unsigned int base, u64 max, u64 *number);

/**
 * marker_parse_number() - read a whole text as a decimal number
 * @text:	the text
 * @len:	its length in bytes
 * @max:	the largest number
 *
 * Context: Any.
 * Return: the number; 0: it is 0, too large, or none.
 */
u64 marker_parse_number(const char *text, size_t len, u64 max);

#endif /* _MARKERS_TEXT_H */
