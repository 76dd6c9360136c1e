/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A copy of the fields of an event and of its stack, which outlives the event.
 */
#ifndef _MARKERS_EVENT_COPY_H
#define _MARKERS_EVENT_COPY_H

#include "../events/event.h"

/**
 * struct event_copy - the copy, followed by its texts
 * @room: bytes of this memory
 * @time: time of the event
 * @nr: number of values
 * @value: the values, and the stack
 */
struct event_copy {
	size_t room;
	uint64_t time;
	unsigned int nr;
	struct value value[];
};

/**
 * event_copy_size() - how much memory does a copy need?
 * @event: the event
 *
 * Return: its bytes.
 */
size_t event_copy_size(const struct event *event);

/**
 * event_copy_fill() - copy the fields and the stack of an event
 * @values: has room for event_copy_size()
 * @event: the event
 */
void event_copy_fill(struct event_copy *values, const struct event *event);

#define EVENT_COPY_NAME	256

/**
 * event_copy_name() - name a field of the end of a slice, beside those of its begin
 * @begin: the fields of the begin, or NULL
 * @value: a field of the end
 * @room: for a name that is made
 *
 * Return: the name of the field; "end." and that, if the begin has another value of this name;
 *	NULL, if it has the same.
 */
const char *event_copy_name(const struct event_copy *begin, const struct value *value,
			char room[EVENT_COPY_NAME]);

#endif /* _MARKERS_EVENT_COPY_H */
