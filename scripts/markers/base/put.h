/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a few bytes: most names, numbers and texts of an event are so short that a call of the C
 * library takes longer than the bytes. Or all of an event at once: put_begin() asks whether there
 * is room for it, append.h fills the room.
 */
#ifndef _MARKERS_PUT_H
#define _MARKERS_PUT_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

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

/**
 * put_begin() - get room for bytes
 * @out: the output file, which this thread alone writes to, and only by put_end() until then
 * @most: how many bytes there may be
 *
 * Return: the room, for put_end(): that in the buffer of the file, or memory.
 */
static inline char *put_begin(FILE *out, size_t most)
{
#ifdef __GLIBC__
	if ((ptrdiff_t)most < out->_IO_write_end - out->_IO_write_ptr)
		return out->_IO_write_ptr;
#endif
	return (char *)need_memory(malloc(most));
}

/**
 * put_end() - write the bytes in the room
 * @out: the output file
 * @room: from put_begin()
 * @end: the end of the bytes
 */
static inline void put_end(FILE *out, char *room, const char *end)
{
#ifdef __GLIBC__
	if (room == out->_IO_write_ptr) {
		out->_IO_write_ptr += end - room;
		return;
	}
#endif
	fwrite_unlocked(room, 1, end - room, out);
	free(room);
}

#endif /* _MARKERS_PUT_H */
