// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "../base/kernel.h"

#include <markers/format/context.h>
#include <markers/format/serialized.h>
#include <markers/ring/packet_read.h>

#include "record.h"

/* Return: bytes of the contexts of an event; -1 if they do not end within @avail. */
static int contexts_length(const struct description *description, const uint8_t *from, uint32_t avail)
{
	uint32_t size = description->context_size;

	if (avail < size)
		return -1;
	if (marker_context_has(description->context_set, MARKER_CONTEXT_CALLSTACK))
		size += from[size - 1] * sizeof(uint64_t);
	return avail < size ? -1 : (int)size;
}

/* Find contexts and fields. Return: their bytes; -1 if they do not end within @avail. */
static int find_parts(struct record *record, const uint8_t *from, uint32_t avail,
		      const struct description *description)
{
	int contexts = contexts_length(description, from, avail), fields;

	if (contexts < 0)
		return -1;
	record->contexts = from;
	record->fields = from + contexts;
	fields = marker_serialized_size(record->class->format, record->fields, avail - contexts);
	record->end = record->fields + fields;
	return fields < 0 ? -1 : contexts + fields;
}

static __thread char unknown[64];	/* what record_next() returned */

const char *record_next(struct record *record, struct packet_iter *iter,
			const struct description *description)
{
	static const char beyond[] = "it goes beyond the end of the content";
	const uint8_t *payload;
	uint32_t id, avail;
	int err, size;

	record->class = NULL;
	record->begin = iter->data + iter->at;
	err = packet_iter_next(iter, &id, &record->time, &payload, &avail);
	if (err == -ENODATA)
		return NULL;
	if (err)
		return "its header is cut off, or its time is not one of the packet";
	record->class = description_class(description, id);
	if (!record->class) {
		snprintf(unknown, sizeof(unknown), "the metadata have no event %u", id);
		return unknown;
	}
	size = find_parts(record, payload, avail, description);
	return size < 0 || packet_iter_advance(iter, size) ? beyond : NULL;
}

const char *record_find_classes(const struct description *description, const void *packet,
				size_t size, bool *has, const void **at)
{
	struct packet_iter iter;
	struct record record;
	const char *wrong;

	*at = packet;
	if (packet_iter_init(&iter, packet, size))
		return "it changed while it was read";
	for (;;) {
		*at = iter.data + iter.at;
		wrong = record_next(&record, &iter, description);
		if (wrong || !record.class)
			return wrong;
		has[record.class - description->class] = true;
	}
}

size_t record_size(const struct description *description, const void *data, size_t size,
		   uint32_t *id)
{
	struct packet_iter iter = {
		.data = data, .end = size, .header.timestamp_end = UINT64_MAX,
	};
	struct record record;
	const uint8_t *payload;
	uint32_t avail;
	uint64_t time;
	int parts;

	*id = UINT32_MAX;
	if (packet_iter_next(&iter, id, &time, &payload, &avail))
		return 0;
	record.class = description_class(description, *id);
	if (!record.class)
		return 0;
	parts = find_parts(&record, payload, avail, description);
	return parts < 0 ? 0 : iter.at + parts;
}

/* The contexts as this version records them: of a task's number, three bytes. */
static void read_old_contexts(struct marker_contexts *contexts, const uint8_t *from,
			      const struct description *description)
{
	uint8_t bytes[MAX_CONTEXTS * sizeof(uint64_t)], *to = bytes;
	const struct context_class *class = description->context;
	unsigned int i, size;

	for (i = 0; i < description->contexts.nr_fields; i++, class++, from += class[-1].size) {
		size = class->size == sizeof(int32_t) ? CTF_TASK_SIZE : class->size;
		memcpy(to, from, size);
		to += size;
	}
	marker_context_read(contexts, description->context_set, bytes);
	contexts->frames = from;
}

void record_contexts(struct marker_contexts *contexts, const struct record *record,
		     const struct description *description)
{
	if (description->old_tasks)
		read_old_contexts(contexts, record->contexts, description);
	else
		marker_context_read(contexts, description->context_set, record->contexts);
}

static uint64_t load_four(const uint8_t *from)
{
	uint32_t number;

	memcpy(&number, from, sizeof(number));
	return number;
}

static uint64_t load_two(const uint8_t *from)
{
	uint16_t number;

	memcpy(&number, from, sizeof(number));
	return number;
}

/* An integer of @size bytes, brought to its full width: its first and its last bytes. */
static uint64_t load(const uint8_t *from, unsigned int size, bool is_signed)
{
	const unsigned int shift = 64 - 8 * size;
	uint64_t number;

	if (size >= 4)
		number = load_four(from) | load_four(from + size - 4) << 8 * (size - 4);
	else if (size >= 2)
		number = load_two(from) | load_two(from + size - 2) << 8 * (size - 2);
	else
		number = *from;
	return is_signed ? (uint64_t)((int64_t)(number << shift) >> shift) : number;
}

static void set_number(struct value *value, const uint8_t *from, unsigned int size)
{
	value->number = load(from, size, value->field->type == VALUE_SIGNED);
	value->text = NULL;
	value->size = 0;
}

static void set_bytes(struct value *value, const void *bytes, size_t size)
{
	value->text = bytes;
	value->size = size;
}

/* Numbers in a row, each of which is a field. Return: the next value. */
static struct value *set_numbers(struct value *value, const uint8_t *from, unsigned int bytes)
{
	const uint8_t *end = from + bytes;
	unsigned int size;

	for (; from < end; from += size, value++) {
		size = value->field->bits / 8;
		set_number(value, from, size);
	}
	return value;
}

/* As texts, these have no NUL in the packet: they get it in @event->room. */
static void set_text(struct event *event, struct value *value, const uint8_t *from, size_t size)
{
	char *to = event->room + event->room_used;

	memcpy(to, from, size);
	to[size] = '\0';
	event->room_used += size + 1;
	set_bytes(value, to, strlen(to));
}

static void read_contexts(struct event *event, const uint8_t *from,
			  const struct description *description)
{
	const struct kind *contexts = &description->contexts;
	struct value *value = event->context;
	unsigned int i, size;

	for (i = 0; i < contexts->nr_fields; i++, value++, from += size) {
		size = description->context[i].size;
		value->field = &contexts->field[i];
		switch (value->field->type) {
		case VALUE_TEXT:
			set_text(event, value, from, size);
			break;
		case VALUE_BYTES:
			set_bytes(value, from + 1, *from * sizeof(uint64_t));
			break;
		default:
			set_number(value, from, size);
		}
	}
	event->nr_contexts = contexts->nr_fields;
}

static void read_integer(struct event *event, struct value *value, const struct marker_field *field,
			 const uint8_t *from, const struct description *description)
{
	const char *label;

	if (field->is_char) {
		set_text(event, value, from, 1);
		return;
	}
	set_number(value, from, field->size);
	if (!value->field->labels || (int64_t)value->number >= 0 ||
	    (int64_t)value->number < -MAX_ERROR)
		return;
	label = description->error[-(int64_t)value->number];
	if (label)
		set_bytes(value, label, strlen(label));
}

/* Read the fields behind the texts that are in @event->room. */
static void read_fields(struct event *event, const struct record *record, const struct description *description)
{
	const struct marker_format *format = record->class->format;
	const struct marker_field *field = format->field, *end = field + format->nr_fields;
	const uint8_t *from = record->fields;
	struct value *value = event->value;
	unsigned int i;
	uint16_t nr;

	for (i = 0; i < event->kind->nr_fields; i++)
		value[i].field = &event->kind->field[i];
	for (; field < end; field++) {
		switch (field->type) {
		case MARKER_FIELD_INT:
			read_integer(event, value++, field, from, description);
			from += field->size;
			break;
		case MARKER_FIELD_STRING:
			set_bytes(value, from, strlen((const char *)from));
			from += value++->size + 1;
			break;
		case MARKER_FIELD_BYTES:
			if (value->field->type == VALUE_BYTES)
				set_bytes(value++, from, field->size);
			else
				value = set_numbers(value, from, field->size);
			from += field->size;
			break;
		default:
			memcpy(&nr, from, sizeof(nr));
			set_bytes(value++, from + sizeof(nr), nr);
			from += sizeof(nr) + nr;
		}
	}
	event->nr_values = value - event->value;
}

void record_values(struct event *event, const struct record *record,
		   const struct description *description)
{
	event->room_used = 0;
	read_contexts(event, record->contexts, description);
	read_fields(event, record, description);
}

void record_fields(struct event *event, const struct record *record,
		   const struct description *description)
{
	event->room_used = 0;
	event->nr_contexts = 0;
	read_fields(event, record, description);
}
