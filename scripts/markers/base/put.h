/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a few bytes: most names, numbers and texts of an event are so short that a call of the C
 * library takes longer than the bytes.
 */
#ifndef _MARKERS_PUT_H
#define _MARKERS_PUT_H

#include <stdio.h>
#include <string.h>

#define PUT_FEW	32

/**
 * put_bytes() - write bytes
 * @out: the output file, which this thread alone writes to
 * @bytes: the bytes
 * @size: how many
 */
static inline void put_bytes(FILE *out, const char *bytes, size_t size)
{
	if (size > PUT_FEW) {
		fwrite_unlocked(bytes, 1, size, out);
		return;
	}
	while (size--)
		putc_unlocked(*bytes++, out);
}

/**
 * put_string() - write a string
 * @out: the output file, which this thread alone writes to
 * @string: the string
 */
static inline void put_string(FILE *out, const char *string)
{
	while (*string)
		putc_unlocked(*string++, out);
}

#endif /* _MARKERS_PUT_H */
