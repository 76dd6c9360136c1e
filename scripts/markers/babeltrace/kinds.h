/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kinds of events of a trace. libbabeltrace2 gets them from the metadata.
 */
#ifndef _MARKERS_KINDS_H
#define _MARKERS_KINDS_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stddef.h>

#include "../events/event.h"

struct known_class;

/**
 * struct kinds - all kinds of a trace; the caller sets @info, and zeroes the rest
 * @info: publishes the array and its length
 * @kind: the same array
 * @classes: a hash table from event class to kind
 * @nr_classes: number of classes in it
 * @room: entries of @classes, a power of two
 * @part: the class that kinds_add_part() had last
 */
struct kinds {
	struct trace_info *info;
	struct kind **kind;
	struct known_class *classes;
	size_t nr_classes;
	size_t room;
	const bt_stream_class *part;
};

/**
 * kinds_describe() - add the members of a structure to the fields of a kind
 * @kind: the kind
 * @structure: the structure
 *
 * Return: true; or false, with a message, if markers.ko does not write a member's type.
 */
bool kinds_describe(struct kind *kind, const bt_field_class *structure);

/**
 * kinds_add() - make a kind from an event class of the first part of a trace
 * @kinds: the kinds
 * @class: the class
 *
 * Return: true; or false, with a message, if markers.ko does not write such a class.
 */
bool kinds_add(struct kinds *kinds, const bt_event_class *class);

/**
 * kinds_find() - find the kind of an event class
 * @kinds: the kinds
 * @class: the class; a new class gets the kind that has its name and fields, or a new kind
 *
 * So a marker whose fields do not change has one kind in all parts of a recording.
 *
 * Return: the kind; or NULL, with a message.
 */
struct kind *kinds_find(struct kinds *kinds, const bt_event_class *class);

/**
 * kinds_add_part() - add the kinds and contexts of a part of the trace that are not known yet
 * @kinds: the kinds
 * @class: the class of the part's streams
 */
void kinds_add_part(struct kinds *kinds, const bt_stream_class *class);

/**
 * kinds_free() - free all kinds
 * @kinds: the kinds
 */
void kinds_free(struct kinds *kinds);

#endif /* _MARKERS_KINDS_H */
