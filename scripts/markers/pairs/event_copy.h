/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A copy of the fields of an event and of its stack, which outlives the event.
 */
#ifndef _MARKERS_EVENT_COPY_H
#define _MARKERS_EVENT_COPY_H

#include "../events/event.h"

/**
 * struct values - the copy, followed by its texts
 * @room: bytes of this memory
 * @time: time of the event
 * @nr: number of values
 * @value: the values, and the stack; those of hidden fields are left out
 */
struct values {
	size_t room;
	uint64_t time;
	unsigned int nr;
	struct value value[];
};

/**
 * values_size() - how much memory does a copy need?
 * @event: the event
 *
 * Return: its bytes.
 */
size_t values_size(const struct event *event);

/**
 * values_copy() - copy the fields and the stack of an event
 * @values: has room for values_size()
 * @event: the event
 */
void values_copy(struct values *values, const struct event *event);

#define VALUES_NAME	256

/**
 * values_name() - name a field of the end of a slice, beside those of its begin
 * @begin: the fields of the begin, or NULL
 * @value: a field of the end
 * @room: for a name that is made
 *
 * Return: the name of the field; "end." and that, if the begin has another value of this name;
 *	NULL, if it has the same.
 */
const char *values_name(const struct values *begin, const struct value *value,
			char room[VALUES_NAME]);

#endif /* _MARKERS_EVENT_COPY_H */
