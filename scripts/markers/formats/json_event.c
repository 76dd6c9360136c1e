// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "../base/append.h"
#include "../base/json.h"
#include "../base/put.h"
#include "../events/functions.h"
#include "../events/text.h"
#include "../reader/description.h"
#include "json_event.h"

#define HEAD_ROOM	256	/* constant names, the time and the CPU */

static bool is_number(const struct value *value)
{
	return !value->text && value->field->base == 10 &&
	       (value->field->type == VALUE_SIGNED || value->number <= INT64_MAX);
}

static char *append_value(char *to, const struct value *value)
{
	switch (value->field->type) {
	case VALUE_TEXT:
		return json_append_string(to, value->text, value->size);
	case VALUE_SIGNED:
	case VALUE_UNSIGNED:
		if (is_number(value))
			return append_signed(to, value->number);
		/* fall through */
	default:
		*to++ = '"';
		to = text_append_value(to, value);
		*to = '"';
		return to + 1;
	}
}

static void put_value(FILE *out, const struct value *value)
{
	char *room = put_begin(out, text_room(value));

	put_end(out, room, append_value(room, value));
}

static size_t room_of_members(const struct value *value, unsigned int nr)
{
	const struct value *end = value + nr;
	size_t room = 0;

	for (; value < end; value++)
		room += value->field->member_size + APPEND_BLOCK + text_room(value);
	return room;
}

/* Append values as members of an object, separated by commas. */
static char *append_members(char *to, const struct value *value, unsigned int nr)
{
	const struct value *end = value + nr;

	for (; value < end; value++) {
		to = append_blocks(to, value->field->member, value->field->member_size);
		to = append_value(to, value);
		*to++ = ',';
	}
	return nr ? to - 1 : to;
}

static char *append_host(char *to, const char *host)
{
	to = append_string(to, "\"host\":");
	to = json_append_string(to, host, strlen(host));
	*to = ',';
	return to + 1;
}

/* Write the names of functions that a value has, after @before. Return: what is before the next. */
static const char *put_name(FILE *out, const char *before, const struct value *value, uint64_t time)
{
	size_t size;
	const char *text = functions_text(value, time, &size);

	if (!text)
		return before;
	put_string(out, before);
	json_name(out, value->field->name);
	json_string(out, text, size);
	return ",";
}

/* Write the names of functions, of fields and of the stack. */
static void put_names(FILE *out, const struct event *event)
{
	const struct value *value = event->value, *end = value + event->nr_values;
	const struct value *stack = functions_stack(event);
	static const char first[] = ",\"names\":{";
	const char *before = first;

	for (; value < end; value++)
		if (functions_are_in(value->field))
			before = put_name(out, before, value, event->time);
	if (stack)
		before = put_name(out, before, stack, event->time);
	if (before != first)
		putc_unlocked('}', out);
}

void json_event(FILE *out, const struct event *event, bool has_host)
{
	const char *host = has_host ? event->description->host : "";
	char *room = put_begin(out, HEAD_ROOM + JSON_ROOM(strlen(host)) + event->kind->name_size +
				    room_of_members(event->context, event->nr_contexts) +
				    room_of_members(event->value, event->nr_values));
	char *to = append_string(room, "{");

	if (has_host)
		to = append_host(to, host);
	to = append_string(to, "\"time\":");
	to = text_append_seconds(to, event->time, 9);
	to = append_string(to, ",\"cpu\":");
	to = append_decimal(to, event->cpu);
	to = append_string(to, ",\"marker\":\"");
	to = append_blocks(to, event->kind->name, event->kind->name_size);
	to = append_string(to, "\",\"contexts\":{");
	to = append_members(to, event->context, event->nr_contexts);
	to = append_string(to, "},\"fields\":{");
	to = append_members(to, event->value, event->nr_values);
	*to++ = '}';
	put_end(out, room, to);
	put_names(out, event);
	put_bytes(out, "}\n", 2);
}

void json_named(FILE *out, const char *name, const struct value *value, uint64_t time)
{
	const char *text;
	size_t size;

	json_name(out, name);
	text = functions_text(value, time, &size);
	if (text)
		json_string(out, text, size);
	else
		put_value(out, value);
}
