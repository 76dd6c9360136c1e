/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A CTF trace of markers.ko as a sequence of events and losses, in the order of time. Only
 * trace.c, kinds and graph know libbabeltrace2. Memory does not grow with the trace.
 */
#ifndef _MARKERS_TRACE_H
#define _MARKERS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_VALUES	96	/* of an event: 16 arguments, of 9 numbers at most, are rare */

enum value_type {
	VALUE_SIGNED,
	VALUE_UNSIGNED,
	VALUE_TEXT,
	VALUE_BYTES,
};

/**
 * struct field - a field of a kind of event, or a context
 * @name: without the underscore of the metadata; "res.start" for a part of a structure
 * @type: of its values
 * @base: that its numbers are shown in: 8, 10 or 16
 * @bits: of a number, or of each one of VALUE_BYTES
 * @labels: its values are numbers that may have a name
 * @hidden: it is the length of the next field
 */
struct field {
	char *name;
	enum value_type type;
	unsigned int base;
	unsigned int bits;
	bool labels;
	bool hidden;
};

/**
 * struct kind - a marker, as the metadata describe it
 * @name: "module:marker"
 * @marker: what follows the colon
 * @number: from 0, in the order in which kinds are met
 * @nr_fields: of @field
 * @field: its fields
 */
struct kind {
	const char *name;
	const char *marker;
	unsigned int number;
	unsigned int nr_fields;
	struct field *field;
};

/**
 * struct value - of a field of an event
 * @field: what it is
 * @number: of VALUE_SIGNED and VALUE_UNSIGNED
 * @text: of VALUE_TEXT, with a NUL; of VALUE_BYTES; or the name of @number, or NULL
 * @size: bytes of @text
 */
struct value {
	const struct field *field;
	uint64_t number;
	const char *text;
	size_t size;
};

/**
 * struct event - valid until the next one
 * @kind: its marker
 * @cpu: which recorded it
 * @time: nanoseconds of the trace clock
 * @nr_contexts: of @context
 * @nr_values: of @value
 * @context: the contexts of the recording
 * @value: its fields
 */
struct event {
	const struct kind *kind;
	unsigned int cpu;
	uint64_t time;
	unsigned int nr_contexts;
	unsigned int nr_values;
	struct value context[MAX_VALUES];
	struct value value[MAX_VALUES];
};

/**
 * struct loss - events that were lost between two others of a CPU
 * @cpu: which lost them
 * @count: how many
 * @begin: when it may have begun, nanoseconds of the trace clock
 * @end: and ended
 * @overwritten: by newer ones, with the packets that they were in
 */
struct loss {
	unsigned int cpu;
	uint64_t count;
	uint64_t begin;
	uint64_t end;
	bool overwritten;
};

/**
 * struct trace_info - facts of the whole trace
 * @host: name of the machine
 * @release: of its kernel
 * @clock: the description of the clock
 * @offset: from the trace clock's time to that since 1970, in nanoseconds
 * @nr_kinds: of @kind; may grow with a recording of several parts
 * @kind: all markers of the metadata
 */
struct trace_info {
	const char *host;
	const char *release;
	const char *clock;
	int64_t offset;
	unsigned int nr_kinds;
	struct kind *const *kind;
};

/**
 * struct trace_sink - functions that get the events
 * @begin: called first; may be NULL
 * @event: for each event
 * @lost: for each loss, where it belongs in time
 * @end: called last, if @begin was: after it nothing of what was handed out is there; may be NULL
 *
 * The others return false to end the reading.
 */
struct trace_sink {
	bool (*begin)(void *ctx, const struct trace_info *info);
	bool (*event)(void *ctx, const struct event *event);
	bool (*lost)(void *ctx, const struct loss *loss);
	void (*end)(void *ctx);
};

/**
 * trace_read() - read a trace
 * @path: its directory, or that of a recording with --rotate
 * @sink: gets the events
 * @ctx: the first argument of its functions
 *
 * Packets after one that is damaged or cut off are left out: it says in which file, and where.
 *
 * Return: STATUS_OK; STATUS_FAILED if not everything could be read.
 */
int trace_read(const char *path, const struct trace_sink *sink, void *ctx);

/**
 * event_context() - a context of an event by name
 * @event: the event
 * @name: as "tid"
 *
 * Return: the value, or NULL: the recording does not have it.
 */
const struct value *event_context(const struct event *event, const char *name);

/**
 * event_value() - a field of an event by name, or else a context
 * @event: the event
 * @name: of the field
 *
 * Return: the value, or NULL: there is none.
 */
const struct value *event_value(const struct event *event, const char *name);

#endif /* _MARKERS_TRACE_H */
