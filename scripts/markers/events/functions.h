/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values that are addresses of functions, with their names. A recording does not say which of
 * its numbers %pS recorded, so each one of 64 bits in base 16 that is such an address has a name.
 */
#ifndef _MARKERS_FUNCTIONS_H
#define _MARKERS_FUNCTIONS_H

#include <stdio.h>

#include "event.h"

/* Are the bytes of a field the addresses of a stack? */
static inline bool functions_is_stack(const struct field *field)
{
	return field->type == VALUE_BYTES && field->bits == 64;
}

/**
 * functions_stack_of() - find the kernel's stack among contexts
 * @context: the contexts of an event: the stack is the last one
 * @nr: number of them
 *
 * Return: its value; NULL if there is none.
 */
static inline const struct value *functions_stack_of(const struct value *context, unsigned int nr)
{
	const struct value *last = nr ? &context[nr - 1] : NULL;

	return last && functions_is_stack(last->field) && last->size ? last : NULL;
}

/**
 * functions_stack() - find the kernel's stack of an event
 * @event: the event
 *
 * Return: its value; NULL if the event has none.
 */
static inline const struct value *functions_stack(const struct event *event)
{
	return functions_stack_of(event->context, event->nr_contexts);
}

/**
 * functions_has_stacks() - may events have stacks?
 * @contexts: of the recording, or of a part
 */
bool functions_has_stacks(const struct kind *contexts);

/* Are its values addresses, one each or many? All others have no names. */
static inline bool functions_are_in(const struct field *field)
{
	return field->bits == 64 && (field->type == VALUE_BYTES ||
				     (field->type == VALUE_UNSIGNED && field->base == 16));
}

/**
 * functions_chain() - a stack in a line
 * @stack: its value
 * @time: when it was recorded, in nanoseconds of the trace clock
 * @size: set to the bytes of the text
 *
 * Return: "function+0x12 [module] <- caller+0x34", with addresses for what has no name, valid
 *	until the next call.
 */
const char *functions_chain(const struct value *stack, uint64_t time, size_t *size);

/**
 * functions_name() - the same as functions_text(), which calls it for what may be addresses
 * @value: a value
 * @time: when it was recorded, in nanoseconds of the trace clock
 * @size: set to the bytes of the text
 *
 * Return: as functions_text().
 */
const char *functions_name(const struct value *value, uint64_t time, size_t *size);

/**
 * functions_text() - the text of a value with names
 * @value: a value
 * @time: when it was recorded, in nanoseconds of the trace clock
 * @size: set to the bytes of the text
 *
 * Return: "0x... (function+0x12 [module])", or of a stack such names or addresses in a line each,
 *	valid until the next call; NULL if the value has no names.
 */
static inline const char *functions_text(const struct value *value, uint64_t time, size_t *size)
{
	return functions_are_in(value->field) ? functions_name(value, time, size) : NULL;
}

/**
 * functions_put_stack() - write the stack of an event
 * @out: the output file
 * @event: the event; if it has no stack, nothing is written
 *
 * Writes a line " => function+offset [module]" for each return address, as the file "trace"
 * does, but without the size of the function; or the address, if symbols.h has no name.
 */
void functions_put_stack(FILE *out, const struct event *event);

#endif /* _MARKERS_FUNCTIONS_H */
