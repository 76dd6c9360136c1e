// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "utf8.h"

size_t utf8_size(const char *text, size_t size)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *byte = (const unsigned char *)text;
	uint32_t value;
	size_t n, i;

	if (*byte < 0x80)
		return 1;
	n = *byte >= 0xf0 ? 4 : *byte >= 0xe0 ? 3 : 2;
	if (*byte < 0xc2 || *byte > 0xf4 || n > size)
		return 0;
	value = *byte & (0x7f >> n);
	for (i = 1; i < n; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (byte[i] & 0x3f);
	}
	if (value < least[n] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return 0;
	return n;
}

#define EACH(byte)	((uint64_t)(byte) * 0x0101010101010101u)

static bool is_plain(unsigned char byte)
{
	return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

/*
 * Are all eight bytes plain? A subtraction sets the high bit of the lowest byte that is too
 * small. The addition sets the high bit of the lowest 0x7f. Then the answer is no, so a carry
 * into higher bytes does no harm.
 */
static bool are_plain(uint64_t bytes)
{
	return !((bytes | (bytes + EACH(1)) | (bytes - EACH(' ')) |
		  ((bytes ^ EACH('"')) - EACH(1)) | ((bytes ^ EACH('\\')) - EACH(1))) & EACH(0x80));
}

size_t plain_size(const char *text, size_t size)
{
	uint64_t bytes;
	size_t at = 0;

	for (; at + sizeof(bytes) <= size; at += sizeof(bytes)) {
		memcpy(&bytes, text + at, sizeof(bytes));
		if (!are_plain(bytes))
			break;
	}
	while (at < size && is_plain(text[at]))
		at++;
	return at;
}

/* Copy eight bytes, if all are plain. */
static bool copy_eight(char *to, const char *text)
{
	uint64_t bytes;

	memcpy(&bytes, text, sizeof(bytes));
	if (!are_plain(bytes))
		return false;
	memcpy(to, &bytes, sizeof(bytes));
	return true;
}

/* Copy four bytes to eight, if all are plain: the first four and the last four. */
static bool copy_few(char *to, const char *text, size_t size)
{
	uint32_t first, last;

	memcpy(&first, text, sizeof(first));
	memcpy(&last, text + size - sizeof(last), sizeof(last));
	if (!are_plain((uint64_t)first << 32 | last))
		return false;
	memcpy(to, &first, sizeof(first));
	memcpy(to + size - sizeof(last), &last, sizeof(last));
	return true;
}

size_t plain_copy(char *to, const char *text, size_t size)
{
	size_t at = 0, last;

	while (at + 8 <= size && copy_eight(to + at, text + at))
		at += 8;
	if (size >= 4 && size - at < 8) {
		last = size - at < 4 ? size - 4 : at;	/* some may be copied twice */
		if (copy_few(to + last, text + last, size - last))
			return size;
	}
	for (; at < size && is_plain(text[at]); at++)
		to[at] = text[at];
	return at;
}

char *utf8_append(char *to, const char *text, size_t size,
		  char *(*append)(char *to, const char *text, size_t n))
{
	const char *end = text + size;
	size_t n;

	for (;;) {
		n = plain_copy(to, text, end - text);
		to += n;
		text += n;
		if (text == end)
			return to;
		n = utf8_size(text, end - text);
		to = append(to, text, n);
		text += n ? n : 1;
	}
}
