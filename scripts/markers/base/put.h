/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a few bytes: most names, numbers and texts of an event are so short that a call of the C
 * library takes longer than the bytes.
 */
#ifndef _MARKERS_PUT_H
#define _MARKERS_PUT_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/**
 * put_bytes() - write bytes
 * @out: the output file, which this thread alone writes to
 * @bytes: the bytes
 * @size: how many
 */
static inline void put_bytes(FILE *out, const char *bytes, size_t size)
{
#ifdef __GLIBC__
	/* as its putc_unlocked() does with one byte; without a buffer there is never room */
	if ((ptrdiff_t)size < out->_IO_write_end - out->_IO_write_ptr) {
		memcpy(out->_IO_write_ptr, bytes, size);
		out->_IO_write_ptr += size;
		return;
	}
#endif
	fwrite_unlocked(bytes, 1, size, out);
}

/**
 * put_string() - write a string
 * @out: the output file, which this thread alone writes to
 * @string: the string
 */
static inline void put_string(FILE *out, const char *string)
{
	put_bytes(out, string, strlen(string));
}

#endif /* _MARKERS_PUT_H */
