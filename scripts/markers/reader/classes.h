/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events and contexts of a trace, from the lines of its metadata, and as users see them.
 */
#ifndef _MARKERS_READER_CLASSES_H
#define _MARKERS_READER_CLASSES_H

#include "description.h"

/**
 * contexts_parse() - parse the lines of the contexts
 * @description: gets them
 * @begin: the first line
 * @end: the newline after the last one
 *
 * Return: NULL; or the first line that this version does not know.
 */
const char *contexts_parse(struct description *description, const char *begin, const char *end);

/**
 * class_format() - make a format for an event whose metadata have none
 * @begin: the first line of the event
 * @end: the newline after the last one
 *
 * Return: a format that records the same fields, without words, to be freed; NULL if it has a
 *	field that no format records.
 */
char *class_format(const char *begin, const char *end);

/**
 * class_kind() - describe an event for users
 * @name: its name
 * @format: its format
 *
 * Return: the kind, for kind_free().
 */
struct kind *class_kind(const char *name, const struct marker_format *format);

void kind_free(struct kind *kind);

/* Free the fields of a kind that is part of something else, such as the contexts. */
void kind_free_fields(struct kind *kind);

/**
 * kind_add() - add a field
 * @kind: the kind
 * @name: name of the field, which is copied
 * @member: name of a member, or NULL
 * @field: the rest
 */
void kind_add(struct kind *kind, const char *name, const char *member, struct field field);

#endif /* _MARKERS_READER_CLASSES_H */
