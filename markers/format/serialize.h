/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From arguments to bytes, and the length of recorded bytes: walks of a field table.
 *
 * An argument is a u64: an integer as the cast (u64) of the C argument
 * makes it (sign extended when its type is signed), or a pointer.
 *
 * Pure: any context, NMI too, no lock, no allocation.  Pointers are
 * read fault-safe: one that cannot be read records "(efault)", a NULL string
 * "(null)", a %p extension and %*ph zero bytes or an empty sequence.
 */
#ifndef _MARKERS_SERIALIZE_H
#define _MARKERS_SERIALIZE_H

#include "format.h"

#define MARKER_SHORT_SIZE	16	/* bytes of a short string, with the NUL */

/**
 * struct marker_length - the result of the size pass for a field
 * @text:	the whole STRING with its NUL, if it is short, so that its memory
 *		is read once
 * @len:	bytes that a STRING (with its NUL) or a SEQUENCE (without its
 *		length) will take
 */
struct marker_length {
	char text[MARKER_SHORT_SIZE];
	u32 len;
};

/**
 * struct marker_lengths - the result of the size pass, for the copy pass
 * @of:		one STRING or SEQUENCE after another
 *
 * Private to serialize.c.  It is large and only partly written: declare it
 * __marker_uninitialized (compat/uninitialized.h).
 */
struct marker_lengths {
	struct marker_length of[MARKER_MAX_ARGS];
};

/**
 * marker_serialize_size() - bytes that an event's fields will take
 * @format:	its field table
 * @args:	its arguments, format->nr_args of them
 * @lengths:	filled in for marker_serialize()
 *
 * Context: Any, NMI too.  Does not sleep, takes no lock.
 * Return: the bytes.
 */
u32 marker_serialize_size(const struct marker_format *format, const u64 *args,
			  struct marker_lengths *lengths);

/**
 * marker_serialize() - write an event's fields
 * @to:		room for the bytes that marker_serialize_size() returned
 * @format:	the same field table
 * @args:	the same arguments
 * @lengths:	from marker_serialize_size()
 *
 * Writes exactly that number of bytes, even if the strings have changed in between: one
 * that got shorter is padded with blanks, one that got longer is cut, and none has a NUL
 * inside.
 *
 * Context: Any, NMI too.  Does not sleep, takes no lock.
 * Return: the first byte after the fields.
 */
void *marker_serialize(void *to, const struct marker_format *format,
		       const u64 *args, const struct marker_lengths *lengths);

#endif /* _MARKERS_SERIALIZE_H */
