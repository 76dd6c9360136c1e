/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Appends to a text in memory, in which there is room. The functions return where it ends then.
 */
#ifndef _MARKERS_APPEND_H
#define _MARKERS_APPEND_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define APPEND_NUMBER	24	/* room for a number in any base from 8 on, with a sign or a prefix */
#define APPEND_BLOCK	16	/* more room than bytes: append_blocks() copies whole blocks */

/**
 * append_bytes() - append bytes
 * @to: the end of the text
 * @bytes: the bytes
 * @size: how many
 */
static inline char *append_bytes(char *to, const char *bytes, size_t size)
{
	return (char *)memcpy(to, bytes, size) + size;
}

/* Append a string. Of a constant one the compiler knows the size. */
static inline char *append_string(char *to, const char *string)
{
	return append_bytes(to, string, strlen(string));
}

/**
 * append_blocks() - append a few bytes that are written again and again
 * @to: the end of the text, with room for whole blocks
 * @blocks: the bytes, from blocks_of()
 * @size: how many
 */
static inline char *append_blocks(char *to, const char *blocks, size_t size)
{
	size_t at = 0;

	do {
		memcpy(to + at, blocks + at, APPEND_BLOCK);
		at += APPEND_BLOCK;
	} while (at < size);
	return to + size;
}

/**
 * blocks_of() - give a text the room of whole blocks
 * @text: the text, which malloc() returned
 *
 * Return: the text, to be freed, with zeros up to the end of its last block.
 */
char *blocks_of(char *text);

/**
 * append_digits() - append a number in base 10
 * @to: the end of the text
 * @number: the number
 * @nr: its number of digits, with zeros in front
 */
char *append_digits(char *to, uint64_t number, unsigned int nr);

/**
 * decimal_size() - how many digits does a number have in base 10?
 * @number: the number
 *
 * Return: 1 to 20.
 */
unsigned int decimal_size(uint64_t number);

/* Append a number in base 10. */
static inline char *append_decimal(char *to, uint64_t number)
{
	if (number < 10) {
		*to = '0' + number;
		return to + 1;
	}
	return append_digits(to, number, decimal_size(number));
}

static inline char *append_signed(char *to, int64_t number)
{
	if (number >= 0)
		return append_decimal(to, number);
	*to = '-';
	return append_decimal(to + 1, -(uint64_t)number);
}

/* Append a byte as two digits in base 16. */
static inline char *append_hex_byte(char *to, unsigned char byte)
{
	to[0] = "0123456789abcdef"[byte >> 4];
	to[1] = "0123456789abcdef"[byte & 15];
	return to + 2;
}

/**
 * append_number() - append a number in C's notation
 * @to: the end of the text
 * @number: the number
 * @base: 8 or 16
 */
char *append_number(char *to, uint64_t number, unsigned int base);

#endif /* _MARKERS_APPEND_H */
