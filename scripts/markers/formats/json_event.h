/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes values as JSON. A value is a string if it is text, bytes (hex digits), a number with a
 * name, a number in another base than 10, or a number from 2^63 up.
 */
#ifndef _MARKERS_JSON_EVENT_H
#define _MARKERS_JSON_EVENT_H

#include <stdio.h>

#include "../events/event.h"

/**
 * json_event() - write an event as an object in a line
 * @out: the output file
 * @event: the event
 * @has_host: with the name of its machine
 */
void json_event(FILE *out, const struct event *event, bool has_host);

/**
 * json_named() - write a value as a member, with the names of functions
 * @out: the output file
 * @name: name of the member
 * @value: the value
 * @time: when it was recorded, in nanoseconds of the trace clock
 */
void json_named(FILE *out, const char *name, const struct value *value, uint64_t time);

#endif /* _MARKERS_JSON_EVENT_H */
