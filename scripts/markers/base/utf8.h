/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MARKERS_UTF8_H
#define _MARKERS_UTF8_H

#include <stddef.h>

/**
 * utf8_size() - bytes of the first character of a text
 * @text: some bytes
 * @size: number of bytes, at least 1
 *
 * Return: 1 to 4; 0 if the bytes are not valid UTF-8: overlong, a surrogate, truncated.
 */
size_t utf8_size(const char *text, size_t size);

/**
 * plain_size() - how many bytes come before the first one that may need an escape?
 * @text: some bytes
 * @size: number of bytes
 *
 * Plain characters are those of ASCII from the blank to the tilde, except the quotation mark and
 * the backslash. All formats write them as they are. The function tests eight bytes at a time.
 *
 * Return: 0 to @size.
 */
size_t plain_size(const char *text, size_t size);

/**
 * plain_copy() - copy the bytes that come before the first one that may need an escape
 * @to: where to, with room for @size bytes
 * @text: some bytes
 * @size: number of bytes
 *
 * Return: as plain_size().
 */
size_t plain_copy(char *to, const char *text, size_t size);

/**
 * utf8_append() - append a text, with other characters in place of special ones
 * @to: the end of a text, with room for what @append makes of each byte
 * @text: any bytes
 * @size: bytes of @text
 * @append: appends a character of @n bytes that may need an escape; 0: a byte that is not valid UTF-8
 *
 * Return: the end of the text then.
 */
char *utf8_append(char *to, const char *text, size_t size,
		  char *(*append)(char *to, const char *text, size_t n));

#endif /* _MARKERS_UTF8_H */
