/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MARKERS_JSON_H
#define _MARKERS_JSON_H

#include <stddef.h>
#include <stdio.h>

/**
 * json_string() - write a string in quotation marks
 * @out: the output file
 * @text: any bytes; each byte that is not valid UTF-8 becomes U+FFFD
 * @size: bytes of @text
 */
void json_string(FILE *out, const char *text, size_t size);

#define JSON_ROOM(size)	(6 * (size) + 2)	/* the most that a string of @size bytes takes */

/**
 * json_append_string() - append what json_string() writes
 * @to: the end of a text, with JSON_ROOM()
 * @text: any bytes
 * @size: bytes of @text
 *
 * Return: the end of the text then.
 */
char *json_append_string(char *to, const char *text, size_t size);

/**
 * json_name() - write the name of a member, and the colon
 * @out: the output file, which this thread alone writes to
 * @name: a name without characters that need an escape, as those of fields and contexts are
 */
void json_name(FILE *out, const char *name);

#endif /* _MARKERS_JSON_H */
