/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events as lines of text. The heading is the kernel's, see markers/format/print.h.
 */
#ifndef _MARKERS_TEXT_H
#define _MARKERS_TEXT_H

#include <stdio.h>

#include "trace.h"

/**
 * text_escaped() - write text so that it stays one line
 * @out: where to
 * @text: any bytes; control characters and what is no UTF-8 become escapes, as in the
 *	file trace
 * @size: of @text
 */
void text_escaped(FILE *out, const char *text, size_t size);

/**
 * text_value() - write a value
 * @out: where to
 * @value: numbers in their base, bytes as hex digits with colons between them
 */
void text_value(FILE *out, const struct value *value);

/**
 * text_number() - write a number in its base, as in C
 * @out: where to
 * @value: of VALUE_SIGNED or VALUE_UNSIGNED
 */
void text_number(FILE *out, const struct value *value);

/**
 * text_time() - write a time
 * @out: where to
 * @time: in nanoseconds
 *
 * Writes seconds, in five places at least, and nine digits of nanoseconds.
 */
void text_time(FILE *out, uint64_t time);

/**
 * text_heading() - write what stands before the name of an event
 * @out: where to
 * @event: the event; what its contexts have no column for becomes NAME=VALUE
 * @has_others: write these
 */
void text_heading(FILE *out, const struct event *event, bool has_others);

/**
 * text_fields() - write the fields as NAME=VALUE
 * @out: where to
 * @event: the event
 */
void text_fields(FILE *out, const struct event *event);

/**
 * text_parse_time() - read a time
 * @text: seconds, with up to nine digits after the point
 * @time: is set, in nanoseconds
 *
 * Return: whether it is one.
 */
bool text_parse_time(const char *text, uint64_t *time);

#endif /* _MARKERS_TEXT_H */
