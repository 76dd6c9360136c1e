/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values as JSON.
 */
#ifndef _MARKERS_JSON_EVENT_H
#define _MARKERS_JSON_EVENT_H

#include <stdio.h>

#include "trace.h"

/**
 * json_value() - write a value
 * @out: where to
 * @value: a number; as a string: what has another base than 10, from 2^63 up, text, bytes
 *	as hex digits, a number that has a name
 */
void json_value(FILE *out, const struct value *value);

/**
 * json_members() - write values as members of an object, with commas between them
 * @out: where to
 * @value: the first one
 * @nr: how many
 */
void json_members(FILE *out, const struct value *value, unsigned int nr);

#endif /* _MARKERS_JSON_EVENT_H */
