// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "event_copy.h"

size_t event_copy_size(const struct event *event)
{
	const struct value *stack = event_context(event, "callstack_kernel");
	size_t size = sizeof(struct event_copy) + (event->nr_values + 1) * sizeof(struct value);
	unsigned int i;

	for (i = 0; i < event->nr_values; i++)
		if (event->value[i].text)
			size += event->value[i].size + 1;
	return size + (stack ? stack->size + 1 : 0);
}

/* Return: where the text of the next value goes. */
static char *copy_value(struct value *to, const struct value *from, char *text)
{
	*to = *from;
	if (!from->text)
		return text;
	memcpy(text, from->text, from->size);
	text[from->size] = '\0';
	to->text = text;
	return text + from->size + 1;
}

void event_copy_fill(struct event_copy *values, const struct event *event)
{
	const struct value *from = event->value, *end = from + event->nr_values;
	const struct value *stack = event_context(event, "callstack_kernel");
	struct value *to = values->value;
	char *text = (char *)(to + event->nr_values + 1);

	for (; from < end; from++)
		text = copy_value(to++, from, text);
	if (stack && stack->size)
		copy_value(to++, stack, text);
	values->nr = to - values->value;
	values->time = event->time;
}

static bool is_same(const struct value *a, const struct value *b)
{
	if (a->field->type != b->field->type)
		return false;
	if (a->field->type == VALUE_TEXT || a->field->type == VALUE_BYTES)
		return a->size == b->size && !memcmp(a->text, b->text, a->size);
	return a->number == b->number;
}

const char *event_copy_name(const struct event_copy *begin, const struct value *value,
			char room[EVENT_COPY_NAME])
{
	const char *name = value->field->name;
	unsigned int i;

	for (i = 0; begin && i < begin->nr; i++) {
		if (strcmp(begin->value[i].field->name, name))
			continue;
		if (is_same(&begin->value[i], value))
			return NULL;
		snprintf(room, EVENT_COPY_NAME, "end.%s", name);
		return room;
	}
	return name;
}
