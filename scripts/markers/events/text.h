/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes values and times as text, of which an event is one line.
 */
#ifndef _MARKERS_TEXT_H
#define _MARKERS_TEXT_H

#include <stdio.h>

#include "../base/append.h"
#include "../base/json.h"
#include "event.h"

/**
 * text_escaped() - write text in a form that stays on one line
 * @out: the output file
 * @text: any bytes; control characters and invalid UTF-8 become escapes, as in the file
 *	"trace"
 * @size: bytes of @text
 */
void text_escaped(FILE *out, const char *text, size_t size);

/**
 * text_value() - write a value
 * @out: the output file
 * @value: the value; numbers appear in their base, bytes as hex digits separated by colons
 */
void text_value(FILE *out, const struct value *value);

/**
 * text_decimal() - write a number in base 10
 * @out: the output file
 * @number: the number
 * @least: the least number of digits, 1 to 20; zeros in front fill it up
 *
 * Return: the number of characters.
 */
int text_decimal(FILE *out, uint64_t number, unsigned int least);

/**
 * text_signed() - write a number in base 10
 * @out: the output file
 * @number: the number
 *
 * Return: the number of characters.
 */
int text_signed(FILE *out, int64_t number);

/**
 * text_seconds() - write a time in seconds
 * @out: the output file
 * @time: the time in nanoseconds
 * @digits: digits after the point, 9 or 6
 */
void text_seconds(FILE *out, uint64_t time, unsigned int digits);

/**
 * text_time() - write a time in seconds, with blanks before it up to five digits
 * @out: the output file
 * @time: the time in nanoseconds
 * @digits: digits after the point, 9 or 6
 */
void text_time(FILE *out, uint64_t time, unsigned int digits);

/**
 * text_fields() - write the fields as NAME=VALUE
 * @out: the output file
 * @event: the event
 * @note: writes more after a value; NULL: nothing
 */
void text_fields(FILE *out, const struct event *event,
		 void (*note)(FILE *out, const struct event *event, const struct value *value));

#define TEXT_TIME_ROOM	(2 * APPEND_NUMBER)

/* Room for a value with its escapes, also as a string of JSON or a cell, and what separates it. */
static inline size_t text_room(const struct value *value)
{
	return JSON_ROOM(value->size) + APPEND_NUMBER + 1;
}

/**
 * text_append_value() - append what text_value() writes
 * @to: the end of a text, with text_room()
 * @value: the value
 *
 * Return: the end of the text then.
 */
char *text_append_value(char *to, const struct value *value);

/**
 * text_append_number() - append a number in its base, in C's notation
 * @to: the end of a text, with room for APPEND_NUMBER
 * @value: a VALUE_SIGNED or VALUE_UNSIGNED
 *
 * Return: the end of the text then.
 */
static inline char *text_append_number(char *to, const struct value *value)
{
	if (value->field->base != 10)
		return append_number(to, value->number, value->field->base);
	if (value->field->type == VALUE_SIGNED)
		return append_signed(to, value->number);
	return append_decimal(to, value->number);
}

/**
 * text_append_seconds() - append what text_seconds() writes
 * @to: the end of a text, with TEXT_TIME_ROOM
 * @time: the time in nanoseconds
 * @digits: digits after the point, 9 or 6
 *
 * Return: the end of the text then.
 */
char *text_append_seconds(char *to, uint64_t time, unsigned int digits);

#endif /* _MARKERS_TEXT_H */
