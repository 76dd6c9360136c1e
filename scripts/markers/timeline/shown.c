// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "../events/functions.h"
#include "names.h"
#include "shown.h"

#define END_SIZE	256

static void put_all(const struct value *value, unsigned int nr, const struct value *stack,
		    uint64_t time, shown_put *put, void *ctx)
{
	const struct value *end = value + nr;

	for (; value < end; value++)
		put(ctx, value->field->name, value, time);
	if (stack)
		put(ctx, stack->field->name, stack, time);
}

void shown_event(const struct event *event, shown_put *put, void *ctx)
{
	put_all(event->value, event->nr_values, functions_stack(event), event->time, put, ctx);
}

static const struct value *stack_of(const struct event_copy *begin)
{
	return functions_stack_of(begin->value + begin->nr, begin->nr_contexts);
}

void shown_begin(const struct event_copy *begin, shown_put *put, void *ctx)
{
	if (begin)
		put_all(begin->value, begin->nr, stack_of(begin), begin->time, put, ctx);
}

static bool is_same(const struct value *a, const struct value *b)
{
	if (a->field->type != b->field->type)
		return false;
	if (a->field->type == VALUE_TEXT || a->field->type == VALUE_BYTES)
		return a->size == b->size && !memcmp(a->text, b->text, a->size);
	return a->number == b->number;
}

/* Does the field say how the event draws itself? Its values differ at both ends. */
static bool is_direction(const char *name)
{
	return !strcmp(name, "track_event_type") || !strcmp(name, "slice_name") ||
	       !strcmp(name, "track_name") || !strncmp(name, "scope_", strlen("scope_"));
}

/* Show a value of the end. @before: what the begin has under this name, or NULL. */
static void put_rest(const struct value *before, const struct value *value, uint64_t time,
		     shown_put *put, void *ctx)
{
	char name[END_SIZE];

	if (before && (is_same(before, value) || is_direction(before->field->name)))
		return;
	if (before)
		name_add(name, name_add(name, 0, END_SIZE, "end."), END_SIZE, value->field->name);
	put(ctx, before ? name : value->field->name, value, time);
}

void shown_end(const struct event_copy *begin, const struct event *end, shown_put *put, void *ctx)
{
	const struct value *value = end->value, *last = value + end->nr_values;
	const struct value *stack = functions_stack(end);

	for (; value < last; value++)
		put_rest(begin ? values_find(begin->value, begin->nr, value->field->name) : NULL,
			 value, end->time, put, ctx);
	if (stack)
		put_rest(begin ? stack_of(begin) : NULL, stack, end->time, put, ctx);
}
