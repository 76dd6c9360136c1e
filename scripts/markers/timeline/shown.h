/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a viewer shows of an event, or of the two ends of a slice: the fields and the kernel's
 * stack.
 */
#ifndef _MARKERS_SHOWN_H
#define _MARKERS_SHOWN_H

#include "../events/event.h"
#include "../pairs/event_copy.h"

/**
 * typedef shown_put - write a value
 * @ctx: what shown_event() and so on were given
 * @name: under this name
 * @value: the value
 * @time: when it was recorded, in nanoseconds of the trace clock
 */
typedef void shown_put(void *ctx, const char *name, const struct value *value, uint64_t time);

/**
 * shown_event() - show an event
 * @event: the event
 * @put: writes each value
 * @ctx: its first argument
 */
void shown_event(const struct event *event, shown_put *put, void *ctx);

/**
 * shown_begin() - show the begin of a slice
 * @begin: a copy of the event that begins it; NULL: nothing is known
 * @put: writes each value
 * @ctx: its first argument
 */
void shown_begin(const struct event_copy *begin, shown_put *put, void *ctx);

/**
 * shown_end() - show of the end of a slice what its begin did not show
 * @begin: as for shown_begin()
 * @end: the event that ends it; where the begin has another value, the name is "end." and that of
 *	the field
 * @put: writes each value
 * @ctx: its first argument
 */
void shown_end(const struct event_copy *begin, const struct event *end, shown_put *put, void *ctx);

#endif /* _MARKERS_SHOWN_H */
