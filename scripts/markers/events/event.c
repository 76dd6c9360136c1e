// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "event.h"

/* Compare the first letter first: few names share it. */
static bool is_named(const struct value *value, const char *name)
{
	return *value->field->name == *name && !strcmp(value->field->name, name);
}

const struct value *values_find(const struct value *value, unsigned int nr, const char *name)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (is_named(&value[i], name))
			return &value[i];
	return NULL;
}

int kind_find_field(const struct kind *kind, const char *name)
{
	unsigned int i;

	for (i = 0; i < kind->nr_fields; i++)
		if (!strcmp(kind->field[i].name, name))
			return i;
	return -1;
}

const struct value *event_context(const struct event *event, const char *name)
{
	return values_find(event->context, event->nr_contexts, name);
}

static const struct value *find_field(const struct event *event, const char *name)
{
	return values_find(event->value, event->nr_values, name);
}

const struct value *event_value(const struct event *event, const char *name)
{
	const struct value *value = find_field(event, name);

	return value ? value : event_context(event, name);
}

static const struct value *take_place(struct value_place *place, const struct event *event,
				      const struct value *value, bool is_context)
{
	if (value)
		*place = (struct value_place){ event->kind, value->field, is_context,
					 value - (is_context ? event->context : event->value) };
	return value;
}

const struct value *place_find_value(struct value_place *place, const struct event *event, const char *name)
{
	const struct value *value = find_field(event, name);

	return value ? take_place(place, event, value, false) : place_find_context(place, event, name);
}

const struct value *place_find_context(struct value_place *place, const struct event *event,
				       const char *name)
{
	return take_place(place, event, event_context(event, name), true);
}
