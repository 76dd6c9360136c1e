// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "event_copy.h"

static size_t size_of_texts(const struct value *value, unsigned int nr)
{
	const struct value *end = value + nr;
	size_t size = 0;

	for (; value < end; value++)
		size += value->size + !!value->text;
	return size;
}

size_t event_copy_size(const struct event *event, unsigned int nr_contexts)
{
	return sizeof(struct event_copy) +
	       (event->nr_values + nr_contexts) * sizeof(struct value) +
	       size_of_texts(event->value, event->nr_values) +
	       size_of_texts(event->context, nr_contexts);
}

/* Return: where the text of the next value goes. */
static char *copy(struct value *to, const struct value *from, unsigned int nr, char *text)
{
	struct value *end = to + nr;

	memcpy(to, from, nr * sizeof(*to));
	for (; to < end; to++) {
		if (!to->text)
			continue;
		memcpy(text, to->text, to->size);
		text[to->size] = '\0';
		to->text = text;
		text += to->size + 1;
	}
	return text;
}

void event_copy_fill(struct event_copy *values, const struct event *event,
		     unsigned int nr_contexts)
{
	unsigned int nr = event->nr_values;
	char *text = (char *)(values->value + nr + nr_contexts);

	text = copy(values->value, event->value, nr, text);
	copy(values->value + nr, event->context, nr_contexts, text);
	values->time = event->time;
	values->nr = nr;
	values->nr_contexts = nr_contexts;
}

const struct value *event_copy_context(const struct event_copy *values, const char *name)
{
	return values_find(values->value + values->nr, values->nr_contexts, name);
}
