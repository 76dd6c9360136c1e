/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a reader of a trace passes on: events and losses, and the markers that they are of.
 */
#ifndef _MARKERS_EVENT_H
#define _MARKERS_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_VALUES	144	/* of an event: 16 arguments of 9 numbers each */
#define EVENT_ROOM	64	/* 16 characters and the name of a task, each with a NUL */

enum value_type {
	VALUE_SIGNED,
	VALUE_UNSIGNED,
	VALUE_TEXT,
	VALUE_BYTES,
};

/**
 * struct field - a field of a kind of event, or a context
 * @name: its name without the underscore of the metadata; "res.start" for a structure's member
 * @member: "NAME": as JSON has it before a value, from blocks_of()
 * @member_size: bytes of @member
 * @type: the type of its values
 * @base: the base in which its numbers are shown: 8, 10 or 16
 * @bits: bits of a number, or of each element of VALUE_BYTES
 * @labels: its values are numbers that may have a name
 */
struct field {
	char *name;
	char *member;
	unsigned int member_size;
	enum value_type type;
	unsigned int base;
	unsigned int bits;
	bool labels;
};

/**
 * struct kind - a marker, as the metadata describes it
 * @name: "module:marker", as blocks_of() returns it
 * @name_size: bytes of @name
 * @marker: what follows the colon
 * @number: numbered from 0, in the order of discovery
 * @nr_fields: number of fields
 * @field: its fields
 */
struct kind {
	const char *name;
	unsigned int name_size;
	const char *marker;
	unsigned int number;
	unsigned int nr_fields;
	struct field *field;
};

/**
 * struct value - the value of a field of an event
 * @field: the field
 * @number: the number of VALUE_SIGNED and VALUE_UNSIGNED
 * @text: the text of VALUE_TEXT, with a NUL; the bytes of VALUE_BYTES; the name of @number; or
 *	NULL
 * @size: bytes of @text, 0 if there is none
 */
struct value {
	const struct field *field;
	uint64_t number;
	const char *text;
	size_t size;
};

struct record;
struct description;

/**
 * struct event - an event, valid until the next one
 * @kind: its marker
 * @record: its bytes (reader/record.h)
 * @description: the metadata that say what they are (reader/description.h)
 * @cpu: the CPU that recorded it
 * @time: nanoseconds of the trace clock
 * @nr_contexts: number of values in @context
 * @nr_values: number of values in @value
 * @context: the values of the recording's contexts
 * @value: the values of its fields
 * @room_used: bytes of @room that are used
 * @room: texts that have no NUL in the packet
 */
struct event {
	const struct kind *kind;
	const struct record *record;
	const struct description *description;
	unsigned int cpu;
	uint64_t time;
	unsigned int nr_contexts;
	unsigned int nr_values;
	struct value context[MAX_VALUES];
	struct value value[MAX_VALUES];
	size_t room_used;
	char room[EVENT_ROOM];
};

/**
 * struct loss - events that a CPU lost between two others
 * @cpu: the CPU
 * @count: number of lost events; 0: packets are missing, and nobody knows
 * @begin: the earliest time of the loss, in nanoseconds of the trace clock
 * @end: the latest time
 * @overwritten: newer events overwrote the packets that held them
 * @host: name of the machine
 */
struct loss {
	unsigned int cpu;
	uint64_t count;
	uint64_t begin;
	uint64_t end;
	bool overwritten;
	const char *host;
};

struct wall;

/**
 * struct trace_place - a directory with streams that are read
 * @path: the directory
 * @description: number of its metadata
 */
struct trace_place {
	const char *path;
	size_t description;
};

/**
 * struct trace_info - facts about the whole trace
 * @host: name of the machine
 * @release: release of its kernel
 * @clock: description of the clock
 * @frequency: ticks of the trace clock in a second
 * @wall: the clock for the time since 1970
 * @nr_kinds: number of @kind; a recording of several parts may add some
 * @kind: all markers of the metadata
 * @contexts: its fields are the contexts; a recording of several parts may add some
 * @nr_descriptions: number of @description
 * @description: the metadata of the parts, equal ones once
 * @nr_parts: number of @part
 * @part: where the streams are
 * @is_joint: the parts have several clocks, those of several machines, so the times of events
 *	are nanoseconds since 1970
 */
struct trace_info {
	const char *host;
	const char *release;
	const char *clock;
	uint64_t frequency;
	const struct wall *wall;
	unsigned int nr_kinds;
	struct kind *const *kind;
	struct kind contexts;
	size_t nr_descriptions;
	struct description *const *description;
	size_t nr_parts;
	struct trace_place *part;
	bool is_joint;
};

/**
 * trace_ns() - convert a time
 * @info: the trace
 * @ticks: the time in ticks of its clock
 *
 * Return: in nanoseconds, as in events.
 */
static inline uint64_t trace_ns(const struct trace_info *info, uint64_t ticks)
{
	const uint64_t second = 1000000000;

	if (info->frequency == second)
		return ticks;
	return ticks / info->frequency * second +
	       ticks % info->frequency * second / info->frequency;
}

/**
 * kind_find_field() - find a field of a kind by name
 * @kind: the kind
 * @name: name of the field
 *
 * Return: its number; -1 if there is none.
 */
int kind_find_field(const struct kind *kind, const char *name);

static inline bool kind_has_field(const struct kind *kind, const char *name)
{
	return kind_find_field(kind, name) >= 0;
}

/**
 * values_find() - find a value by the name of its field
 * @value: the values
 * @nr: number of them
 * @name: name of the field
 *
 * Return: the first value of this name; NULL if there is none.
 */
const struct value *values_find(const struct value *value, unsigned int nr, const char *name);

/**
 * event_context() - find a context of an event by name
 * @event: the event
 * @name: name of the context, such as "tid"
 *
 * Return: the value; NULL if the recording does not have this context.
 */
const struct value *event_context(const struct event *event, const char *name);

/**
 * event_value() - find a field of an event by name, or else a context
 * @event: the event
 * @name: name of the field
 *
 * Return: the value; NULL if there is none.
 */
const struct value *event_value(const struct event *event, const char *name);

/**
 * struct value_place - where the last event had the value of a name; all zero at first
 * @kind: the kind of that event; NULL: none had it yet
 * @field: the field
 * @is_context: it is a context
 * @at: which value it was
 */
struct value_place {
	const struct kind *kind;
	const struct field *field;
	bool is_context;
	unsigned int at;
};

/* The same as place_value() and place_context(), which call these where the place is another one. */
const struct value *place_find_value(struct value_place *place, const struct event *event, const char *name);
const struct value *place_find_context(struct value_place *place, const struct event *event,
				       const char *name);

/**
 * place_value() - find a field of an event by name, or else a context
 * @place: of the same name in all calls with it, and of one trace
 * @event: the event
 * @name: name of the field
 *
 * Events of a kind have the same fields in the same places. So it compares names only if the
 * last event with the field was of another kind.
 *
 * Return: as event_value().
 */
static inline const struct value *place_value(struct value_place *place, const struct event *event,
					      const char *name)
{
	const struct value *value = place->is_context ? event->context : event->value;
	unsigned int nr = place->is_context ? event->nr_contexts : event->nr_values;

	value += place->at;
	return place->kind == event->kind && place->at < nr && value->field == place->field ?
	       value : place_find_value(place, event, name);
}

/**
 * place_context() - find a context of an event by name
 * @place: of the same name in all calls with it, and of one trace
 * @event: the event
 * @name: name of the context
 *
 * Return: as event_context().
 */
static inline const struct value *place_context(struct value_place *place, const struct event *event,
						const char *name)
{
	const struct value *value = &event->context[place->at];

	return place->at < event->nr_contexts && value->field == place->field ?
	       value : place_find_context(place, event, name);
}

#endif /* _MARKERS_EVENT_H */
