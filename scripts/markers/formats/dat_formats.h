/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The formats of events in trace.dat: the text in which ftrace describes an event, as its file
 * "format" has it.
 */
#ifndef _MARKERS_DAT_FORMATS_H
#define _MARKERS_DAT_FORMATS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../events/event.h"

#define STACK_ID	998	/* the event markers:stack, with a text */
#define LOST_ID		999	/* the event markers:lost_at_end, with a number of 64 bits */
#define MAX_FORMATS	(UINT16_MAX - LOST_ID)
#define COMMON_SIZE	8	/* what ftrace has before the fields */
#define COMM_SIZE	16

struct format;

/**
 * struct dat_formats - the kinds of events that occur; zeroes at first
 * @format: these kinds, in the order of their ids
 * @nr_formats: number of @format
 * @id_of: the ids of kinds, by their numbers; 0 if the kind did not occur
 * @nr_ids: number of @id_of
 */
struct dat_formats {
	struct format *format;
	unsigned int nr_formats;
	uint16_t *id_of;
	unsigned int nr_ids;
};

static inline void put_u32(FILE *out, uint32_t number)
{
	fwrite(&number, 1, sizeof(number), out);
}

static inline void put_u64(FILE *out, uint64_t number)
{
	fwrite(&number, 1, sizeof(number), out);
}

/**
 * dat_is_comm() - is a field an array of COMM_SIZE characters?
 * @kind: the kind of event
 * @field: its field
 *
 * Return: whether it is: the name of a task in an event of the kernel.
 */
bool dat_is_comm(const struct kind *kind, const struct field *field);

/**
 * dat_size_of() - how many bytes does a field take in the record?
 * @kind: the kind of event
 * @field: its field
 *
 * Return: the bytes, without the text or the bytes that "__data_loc" points to.
 */
unsigned int dat_size_of(const struct kind *kind, const struct field *field);

/**
 * dat_formats_id() - the id of a kind of event
 * @formats: gets the kind, when it occurs for the first time
 * @kind: the kind
 *
 * An id has 16 bits, and a recording may describe more markers. So only those that occur get
 * one.
 *
 * Return: the id; 0 if there is none left.
 */
uint16_t dat_formats_id(struct dat_formats *formats, const struct kind *kind);

/**
 * dat_formats_put() - write the formats by system
 * @out: the file
 * @formats: sorted by this
 */
void dat_formats_put(FILE *out, struct dat_formats *formats);

/**
 * dat_formats_free() - free the memory
 * @formats: the formats
 */
void dat_formats_free(struct dat_formats *formats);

#endif /* _MARKERS_DAT_FORMATS_H */
