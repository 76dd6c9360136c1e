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
 * json_members() - write values as members of an object, separated by commas
 * @out: the output file
 * @value: the first value
 * @nr: number of values
 */
void json_members(FILE *out, const struct value *value, unsigned int nr);

/**
 * json_named() - write a value as a member, with the names of functions
 * @out: the output file
 * @name: name of the member
 * @value: the value
 * @time: when it was recorded, in nanoseconds of the trace clock
 */
void json_named(FILE *out, const char *name, const struct value *value, uint64_t time);

#endif /* _MARKERS_JSON_EVENT_H */
