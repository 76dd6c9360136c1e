/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last events of each CPU as lines of text, in any context: the kernel may be dying, and
 * other CPUs may be stopped wherever they were.
 */
#ifndef _MARKERS_DUMP_H
#define _MARKERS_DUMP_H

#include <markers/record/buffer.h>

struct marker_dump;

#define MARKER_DUMP_MAX		1000000	/* events of each CPU */

/**
 * marker_dump_create() - all memory that a dump needs
 * @put:	takes a line of text, without a line feed, of less than 960 bytes
 *
 * Context: Process context; allocates.
 * Return: for marker_dump_print(); NULL: no memory.
 */
struct marker_dump *marker_dump_create(void (*put)(const char *line));

/**
 * marker_dump_destroy() - undo marker_dump_create()
 * @dump:	from marker_dump_create(), or NULL
 *
 * Context: Process context.
 */
void marker_dump_destroy(struct marker_dump *dump);

/**
 * marker_dump_print() - print the last events of each CPU, in the order of time
 * @dump:	from marker_dump_create(); the caller is the only one that uses it
 * @name:	of the instance, for the heading; NULL: none
 * @buffer:	whose events; it is not destroyed meanwhile
 * @nr:		events of each CPU, 1 to MARKER_DUMP_MAX
 * @room:	bytes of text, with 3 more for each line; if less fits into it, fewer events of
 *		each CPU are printed, and a line that says so; U32_MAX: all
 *
 * The events are those that trace has, and stay there.  Recording may go on meanwhile: of what
 * comes later, only what fits into the packet that was open may be printed, and what is
 * overwritten before its turn is missing.
 *
 * Context: Any, NMI included.
 */
void marker_dump_print(struct marker_dump *dump, const char *name,
		       const struct marker_buffer *buffer, unsigned int nr, u32 room);

#endif /* _MARKERS_DUMP_H */
