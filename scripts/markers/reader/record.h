/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records: the bytes that an event left in a packet.
 */
#ifndef _MARKERS_READER_RECORD_H
#define _MARKERS_READER_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "description.h"

/**
 * struct record - an event in a packet
 * @class: its class
 * @time: its time in ticks
 * @begin: its first byte, of its header
 * @contexts: the bytes of its contexts
 * @fields: the bytes of its fields, which follow
 * @end: the byte after them
 */
struct record {
	const struct event_class *class;
	uint64_t time;
	const uint8_t *begin;
	const uint8_t *contexts;
	const uint8_t *fields;
	const uint8_t *end;
};

/**
 * record_next() - find the next event of a packet
 * @record: gets it
 * @iter: the place in the packet; moves behind the event
 * @description: the metadata
 *
 * Return: NULL; or what is wrong, up to the next call. At the end of the packet, @record->class is NULL.
 */
struct packet_iter;
const char *record_next(struct record *record, struct packet_iter *iter,
			const struct description *description);

/**
 * record_size() - measure an event
 * @description: the metadata
 * @data: where the event begins, with its header
 * @size: bytes from there to the end of the content
 * @id: set to its number
 *
 * Return: its bytes; 0 if it is unknown or incomplete.
 */
size_t record_size(const struct description *description, const void *data, size_t size,
		   uint32_t *id);

/**
 * record_find_classes() - which events does a packet have?
 * @description: the metadata
 * @packet: the packet
 * @size: its bytes
 * @has: by the number of an event, set to true for those in the packet
 * @at: set to the event that is wrong
 *
 * Return: NULL; or what is wrong, up to the next call.
 */
const char *record_find_classes(const struct description *description, const void *packet,
				size_t size, bool *has, const void **at);

/**
 * record_contexts() - read the contexts of an event
 * @contexts: gets them
 * @record: the record
 * @description: the metadata
 */
struct marker_contexts;
void record_contexts(struct marker_contexts *contexts, const struct record *record,
		     const struct description *description);

/**
 * record_values() - read the values of an event
 * @event: gets them; @event->kind is set
 * @record: the record
 * @description: the metadata
 *
 * The texts are in the packet, or in @event: they stay as long as both.
 */
void record_values(struct event *event, const struct record *record,
		   const struct description *description);

/**
 * record_fields() - read the values of the fields alone, not those of the contexts
 * @event: gets them, as for record_values()
 * @record: the record
 * @description: the metadata
 */
void record_fields(struct event *event, const struct record *record,
		   const struct description *description);

#endif /* _MARKERS_READER_RECORD_H */
