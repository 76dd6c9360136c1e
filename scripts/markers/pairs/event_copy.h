/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A copy of the fields and contexts of an event, which outlives the event.
 */
#ifndef _MARKERS_EVENT_COPY_H
#define _MARKERS_EVENT_COPY_H

#include "../events/event.h"

/**
 * struct event_copy - the copy, followed by its texts
 * @room: bytes of this memory
 * @time: time of the event
 * @nr: number of fields
 * @nr_contexts: number of contexts
 * @value: the fields, then the contexts
 */
struct event_copy {
	size_t room;
	uint64_t time;
	unsigned int nr;
	unsigned int nr_contexts;
	struct value value[];
};

/**
 * event_copy_size() - how much memory does a copy need?
 * @event: the event
 * @nr_contexts: how many of its contexts are copied
 *
 * Return: its bytes.
 */
size_t event_copy_size(const struct event *event, unsigned int nr_contexts);

/**
 * event_copy_fill() - copy the fields and contexts of an event
 * @values: has room for event_copy_size()
 * @event: the event
 * @nr_contexts: how many of its contexts are copied
 */
void event_copy_fill(struct event_copy *values, const struct event *event,
		     unsigned int nr_contexts);

/**
 * event_copy_context() - find a context of the event that was copied
 * @values: the copy
 * @name: name of the context
 *
 * Return: the value; NULL if it did not have this context.
 */
const struct value *event_copy_context(const struct event_copy *values, const char *name);

#endif /* _MARKERS_EVENT_COPY_H */
