/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of tracks, slices and counters, put together from texts and values.
 */
#ifndef _MARKERS_NAMES_H
#define _MARKERS_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "../events/event.h"

#define NAME_SIZE	128	/* of a value in a name, with the NUL */

/**
 * name_of() - write a value as part of a name
 * @value: the value; of a text that is too long, a hash replaces the end
 * @name: gets it
 */
void name_of(const struct value *value, char name[NAME_SIZE]);

/**
 * name_of_number() - write a number as part of a name
 * @number: the number
 * @name: gets it
 */
void name_of_number(uint64_t number, char name[NAME_SIZE]);

/**
 * name_add() - append a text to a name
 * @to: the name
 * @at: its length
 * @room: bytes at @to: the text is cut to fit
 * @text: the text
 *
 * Return: the length of the name then.
 */
size_t name_add(char *to, size_t at, size_t room, const char *text);

/* Append a text and a blank, as name_add() does. */
size_t name_add_word(char *to, size_t at, size_t room, const char *text);

#endif /* _MARKERS_NAMES_H */
