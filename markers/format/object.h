/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Objects behind a pointer whose data are elsewhere: the name of a file, the text of a
 * %pV.  serialize.c calls this for fields that marker_object_is_fetched().
 *
 * Like all code at a hit: any context, NMI too, no lock, no allocation, and
 * pointers are read fault-safe.
 */
#ifndef _MARKERS_OBJECT_H
#define _MARKERS_OBJECT_H

#include "format.h"

/**
 * marker_object_width() - the number that goes with "%*ph", "%*pE" and "%*pbl"
 * @field:	a SEQUENCE with a length
 * @args:	the event's arguments
 * @max:	it is cut to that
 *
 * Context: Any, NMI too.
 * Return: bytes, or bits.  As in printk(), the sign says nothing.
 */
static __always_inline u32 marker_object_width(const struct marker_field *field,
					       const u64 *args, u32 max)
{
	int width = (int)args[field->len_arg];

	return min_t(u32, width < 0 ? -(u32)width : (u32)width, max);
}

/**
 * marker_object_measure() - bytes that an object will take
 * @field:	a STRING or SEQUENCE
 * @args:	the event's arguments
 *
 * Context: Any, NMI too; preemption off.
 * Return: the bytes of a STRING with its NUL, or those of a SEQUENCE without its
 * length; at most @field->max.
 */
u32 marker_object_measure(const struct marker_field *field, const u64 *args);

/**
 * marker_object_copy() - write exactly these bytes
 * @to:		room for @len bytes
 * @len:	what marker_object_measure() returned
 * @field:	the same field
 * @args:	the same arguments
 *
 * The object may have changed since: text that got shorter is filled up with
 * blanks, text that got longer is cut, bytes that are gone are zero.
 *
 * Context: Any, NMI too; preemption off.
 */
void marker_object_copy(char *to, u32 len, const struct marker_field *field,
			const u64 *args);

#endif /* _MARKERS_OBJECT_H */
