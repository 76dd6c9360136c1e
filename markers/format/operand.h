/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a name means in a filter or a hist: a field of the event, or a context.  A field of
 * the same name comes first; "$ctx.pid" is always the context.
 *
 * Pure: no allocation, no lock, user space too.
 */
#ifndef _MARKERS_OPERAND_H
#define _MARKERS_OPERAND_H

#include "format.h"

/* The contexts that a name can mean: numbers after those of the arguments. */
enum marker_filter_context {
	MARKER_FILTER_TID,
	MARKER_FILTER_PID,
	MARKER_FILTER_CPU,
	MARKER_FILTER_FLAGS,	/* CTF_FLAG_* */
	MARKER_FILTER_PROCNAME,	/* the address of a task's name */
	MARKER_FILTER_LATENCY,	/* the latency in nanoseconds, -1: not known; only for triggers */
	MARKER_FILTER_CGROUP_ID,	/* the task's group in the unified hierarchy */
	MARKER_NR_FILTER_CONTEXTS
};

/* Which contexts a filter or a hist needs.  A group is four loads away, so few hits look for it. */
enum marker_contexts_needed {
	MARKER_NEEDS_NO_CONTEXT,
	MARKER_NEEDS_CONTEXTS,
	MARKER_NEEDS_GROUP,	/* and all others */
};

/**
 * struct marker_operand - where a value is, and what it looks like
 * @type:	MARKER_FIELD_INT or MARKER_FIELD_STRING
 * @size:	bytes of an integer
 * @is_signed:	of an integer
 * @is_char:	of an integer: a character
 * @is_behind_pointer: the argument points to the integer
 * @arg:	which argument, or which enum marker_filter_context
 * @field:	if it is no context: which field of the event
 * @len_arg:	of a string: the argument with its length, or MARKER_NO_ARG
 * @is_context:	it is a context
 * @takes_any:	in a filter, a number that it cannot have is no error
 * @max:	characters of a string at most
 */
struct marker_operand {
	u8 type;
	u8 size;
	bool is_signed;
	bool is_char;
	bool is_behind_pointer;
	u8 arg;
	u8 field;
	u8 len_arg;
	bool is_context;
	bool takes_any;
	u16 max;
};

/**
 * marker_operand_find() - find out what a name means
 * @operand:	the result; undefined after a failure
 * @format:	of the event
 * @name:	begin of the name: of a field or a context, or "$ctx." and a context
 * @len:	its length in bytes
 *
 * Context: Any; takes no lock and allocates nothing.
 * Return: NULL, or why it means nothing: a constant string.
 */
const char *marker_operand_find(struct marker_operand *operand,
				const struct marker_format *format,
				const char *name, unsigned int len);

/**
 * marker_operand_needs() - which contexts a value needs
 * @is_context:	it is a context
 * @arg:	if so, enum marker_filter_context
 *
 * Context: Any.
 * Return: enum marker_contexts_needed.
 */
static inline u8 marker_operand_needs(bool is_context, u8 arg)
{
	if (!is_context)
		return MARKER_NEEDS_NO_CONTEXT;
	return arg == MARKER_FILTER_CGROUP_ID ? MARKER_NEEDS_GROUP : MARKER_NEEDS_CONTEXTS;
}

#endif /* _MARKERS_OPERAND_H */
