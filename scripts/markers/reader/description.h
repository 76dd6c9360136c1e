/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The description of a trace: what its metadata say of the clock, the contexts and the events.
 *
 * markers.ko writes the metadata of an event from the fields of its format. So the reader takes
 * name, number and format of the event, lets the module's own code (markers/format/metadata.c)
 * write the metadata again, and compares: if both are equal, it knows how each byte was recorded;
 * if not, it refuses the event by its name. Metadata without formats, as older versions wrote
 * them, get formats that record the same fields.
 */
#ifndef _MARKERS_READER_DESCRIPTION_H
#define _MARKERS_READER_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <markers/uapi/ctf.h>

#include "../events/event.h"

#define MAX_ERROR	4095	/* errors are numbers from -MAX_ERROR to -1 */
#define MAX_CONTEXTS	16

struct marker_format;

/**
 * struct event_class - an event of the metadata
 * @kind: its name and its fields, for users
 * @format: how its fields were recorded
 * @text: the format; without words between the fields if the metadata do not have it
 * @has_words: the metadata have the format
 * @number: numbered from 0 in all parts of the recording
 */
struct event_class {
	struct kind *kind;
	struct marker_format *format;
	char *text;
	bool has_words;
	unsigned int number;
};

/**
 * struct context_class - a context of the metadata
 * @context: which one, enum marker_context
 * @size: its bytes in an event; those of a stack's length
 */
struct context_class {
	unsigned int context;
	unsigned int size;
};

/**
 * struct description - the metadata of a trace
 * @number: its place in trace_info.description
 * @uuid: of the trace
 * @frequency: ticks of the clock in a second
 * @offset: nanoseconds to add to the clock to get the time since 1970
 * @host: name of the machine
 * @release: release of its kernel
 * @clock: description of the clock
 * @contexts: its fields are the contexts
 * @context: how each of them was recorded
 * @context_size: bytes of all of them, without return addresses
 * @context_set: a bit for each of them
 * @old_tasks: a bit for each of them that is the number of a task and has four bytes
 * @nr_classes: number of @class
 * @class: the events by their numbers; the first member is NULL where there is none
 * @error: names of errors by their numbers, or NULL
 */
struct description {
	size_t number;
	uint8_t uuid[CTF_UUID_SIZE];
	uint64_t frequency;
	int64_t offset;
	char *host;
	char *release;
	char *clock;
	struct kind contexts;
	struct context_class context[MAX_CONTEXTS];
	unsigned int context_size;
	uint32_t context_set;
	uint32_t old_tasks;
	unsigned int nr_classes;
	struct event_class *class;
	char *error[MAX_ERROR + 1];
};

/**
 * description_parse() - parse metadata
 * @text: the text, with a NUL
 * @wrong: set to what is wrong with it, to be freed
 *
 * The head must be as the module writes it, but for what a trace says of itself. @wrong has the line.
 * An event at the end that is not whole is left out: the file may be growing.
 *
 * Return: the description; or NULL with @wrong.
 */
struct description *description_parse(const char *text, char **wrong);

void description_free(struct description *description);

/**
 * description_class() - find an event by its number
 * @description: the metadata
 * @id: the number
 *
 * Return: the event; NULL if there is none.
 */
static inline const struct event_class *description_class(const struct description *description,
							   uint32_t id)
{
	const struct event_class *class = description->class + id;

	return id < description->nr_classes && class->kind ? class : NULL;
}

#endif /* _MARKERS_READER_DESCRIPTION_H */
