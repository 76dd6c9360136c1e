/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kinds of events of a trace, as libbabeltrace2 has them from the metadata.
 */
#ifndef _MARKERS_KINDS_H
#define _MARKERS_KINDS_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stddef.h>

#include "trace.h"

struct known_class;

/**
 * struct kinds - all kinds of a trace; zeroes but for @info at first
 * @info: has the array and its length for others
 * @kind: the same array
 * @classes: the kind of each event class: a hash table
 * @nr_classes: in it
 * @room: entries of @classes: a power of two
 */
struct kinds {
	struct trace_info *info;
	struct kind **kind;
	struct known_class *classes;
	size_t nr_classes;
	size_t room;
};

/**
 * kinds_describe() - add the members of a structure to the fields of a kind
 * @kind: the kind
 * @structure: its members
 *
 * Return: false, with a message: a member has a type that markers.ko does not write.
 */
bool kinds_describe(struct kind *kind, const bt_field_class *structure);

/**
 * kinds_add() - make a kind of an event class of the first part of a trace
 * @kinds: the kinds
 * @class: the class
 *
 * Return: false, with a message: markers.ko does not write that.
 */
bool kinds_add(struct kinds *kinds, const bt_event_class *class);

/**
 * kinds_find() - the kind of an event class
 * @kinds: the kinds
 * @class: the class; if it is new, it is that of an older kind with the same name and
 *	fields, or else a new kind
 *
 * A marker is the same in all parts of a recording, if its fields are.
 *
 * Return: the kind, or NULL, with a message.
 */
struct kind *kinds_find(struct kinds *kinds, const bt_event_class *class);

/**
 * kinds_free() - free all kinds
 * @kinds: the kinds
 */
void kinds_free(struct kinds *kinds);

#endif /* _MARKERS_KINDS_H */
