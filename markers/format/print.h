/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From recorded bytes to text: prints the format string as printk would, with the values
 * from the buffer.
 *
 * Pure, except that the kernel's own printf prints %p extensions.  All else is as printk() has
 * it, in user space, too.
 */
#ifndef _MARKERS_PRINT_H
#define _MARKERS_PRINT_H

#include "context.h"
#include "format.h"

/**
 * marker_print_event() - print the fields of a recorded event
 * @buf:	where to
 * @size:	bytes there; the text is cut to fit, and always ends with a NUL
 * @format:	the event's field table
 * @from:	the event's first field; marker_serialized_size() has found the end of the last one
 *
 * Drops trailing blanks of the format string.  An event is one line, and a backslash
 * always begins an escape: "\\", "\n", "\t", "\r", or "\xHH" for a byte of another
 * control character (C0, DEL, C1) or that is not UTF-8; "\..." follows a string that may
 * have been cut when it was recorded.  Only a tab in the words of the format string stays a
 * tab.  A pointer (%p) prints as printk() prints it with no_hash_pointers, a foreign symbol
 * (%pS) as a number with 0x in front.
 *
 * Context: Any; does not sleep, takes no lock.
 * Return: bytes of text, without the NUL.
 */
size_t marker_print_event(char *buf, size_t size, const struct marker_format *format,
			  const void *from);

/**
 * marker_print_fields() - marker_print_event() for fields that do not lie side by side
 * @buf:	where to
 * @size:	bytes there
 * @format:	the event's field table
 * @from:	where each field begins
 * @full:	bytes: "..." follows a bitmap that has as many, since bits may be missing
 *
 * Context: Any; does not sleep, takes no lock.
 * Return: bytes of text, without the NUL.
 */
size_t marker_print_fields(char *buf, size_t size, const struct marker_format *format,
			   const void *const *from, u32 full);

/**
 * marker_print_columns() - print the columns before the time
 * @buf:	where to
 * @size:	bytes there; the text is cut to fit, and always ends with a NUL
 * @contexts:	of the event
 * @cpu:	the CPU
 *
 * Context: Any.
 * Return: bytes of text, without the NUL.
 */
size_t marker_print_columns(char *buf, size_t size, const struct marker_contexts *contexts,
			    int cpu);

/**
 * marker_print_heading() - print the columns before the fields
 * @buf:	where to
 * @size:	bytes there; the text is cut to fit, and always ends with a NUL
 * @contexts:	of the event
 * @cpu:	the CPU
 * @seconds:	the time
 * @ns:		and the nanoseconds of it
 * @title:	"module:marker"
 *
 * As ftrace does: "procname-tid (pid) [cpu] flags others time: title:", without what
 * is not in the contexts.  Task 0 is called "<idle>".
 *
 * Context: Any.
 * Return: bytes of text, without the NUL.
 */
size_t marker_print_heading(char *buf, size_t size,
			    const struct marker_contexts *contexts, int cpu,
			    u64 seconds, u32 ns, const char *title);

/**
 * marker_print_callstack() - print return addresses
 * @buf:	where to
 * @size:	bytes there; the text is cut to fit, and always ends with a NUL
 * @contexts:	of the event
 * @is_foreign:	see struct marker_format
 *
 * As ftrace does: a line " => function+offset/size [module]" for each, the innermost first.
 *
 * Context: Any; does not sleep, takes no lock.
 * Return: bytes of text, without the NUL.
 */
size_t marker_print_callstack(char *buf, size_t size,
			      const struct marker_contexts *contexts, bool is_foreign);

/**
 * marker_print_legend() - print the names of the columns of marker_print_heading()
 * @buf:	where to
 * @size:	bytes there; the text is cut to fit, and always ends with a NUL
 * @set:	the contexts of the recording
 *
 * Context: Any.
 * Return: bytes of text, without the NUL: lines that begin with "#".
 */
size_t marker_print_legend(char *buf, size_t size, u32 set);

#endif /* _MARKERS_PRINT_H */
