/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace whose metadata are understood: its markers, and the streams to read.
 */
#ifndef _MARKERS_OPENED_H
#define _MARKERS_OPENED_H

#include <stdbool.h>

#include "../ctf/trace_files.h"
#include "../events/event.h"
#include "description.h"
#include "wall.h"

/**
 * struct opened_stream - a stream to read
 * @stream: the file
 * @description: the metadata of its trace
 * @order: its place in the order of parts
 * @trace: number of its trace: the pieces of one have the same
 * @wall: the clock of its trace
 */
struct opened_stream {
	const struct trace_stream *stream;
	const struct description *description;
	size_t order;
	size_t trace;
	const struct wall *wall;
};

/**
 * struct opened - a trace
 * @info: facts about it
 * @descriptions: the metadata of the traces. Parts whose metadata are equal, or begin in the same
 *	way, are of one trace; it has the longest of these
 * @wall: the clocks of these traces
 * @nr_descriptions: number of them
 * @nr_classes: events of all of them
 * @kinds: all kinds of @info
 * @stream: the streams in the order of their CPUs, of their traces, and of their parts
 * @nr_streams: number of @stream
 * @damaged: parts were left out, as their metadata are not understood
 */
struct opened {
	struct trace_info info;
	struct description **descriptions;
	struct wall *wall;
	size_t nr_descriptions;
	unsigned int nr_classes;
	struct kind **kinds;
	struct opened_stream *stream;
	size_t nr_streams;
	bool damaged;
};

/**
 * opened_begin() - understand the metadata of a trace
 * @opened: all zero; gets the trace
 * @files: its files, which outlive @opened
 *
 * Parts whose metadata are not understood are left out, and it says why.
 *
 * Return: STATUS_OK; STATUS_FAILED if the metadata of no part are understood.
 */
int opened_begin(struct opened *opened, const struct trace_files *files);

/**
 * opened_end() - free what is known of a trace
 * @opened: the trace
 */
void opened_end(struct opened *opened);

/**
 * opened_ns() - convert a time
 * @opened: the trace
 * @stream: the stream that has it
 * @ticks: the time in ticks of its clock
 *
 * Return: in nanoseconds, as in events.
 */
static inline uint64_t opened_ns(const struct opened *opened, const struct opened_stream *stream,
				 uint64_t ticks)
{
	return opened->info.is_joint ? wall_ns(stream->wall, ticks) : trace_ns(&opened->info, ticks);
}

/**
 * opened_end_at() - where reading may end
 * @opened: the trace
 * @ns: a time in nanoseconds, as in events
 *
 * Return: a time that is not earlier, and by which streams are sorted: in ticks, unless they have
 *	several clocks.
 */
static inline uint64_t opened_end_at(const struct opened *opened, uint64_t ns)
{
	const uint64_t second = 1000000000, frequency = opened->info.frequency;

	if (opened->info.is_joint || frequency == second || ns == UINT64_MAX ||
	    frequency > UINT64_MAX / second || ns / second >= UINT64_MAX / frequency - 1)
		return ns;
	return ns / second * frequency + (ns % second + 1) * frequency / second + 1;
}

/**
 * opened_kind() - the kind of the events of a class
 * @opened: the trace
 * @class: a class of one of its descriptions
 *
 * Return: the kind, the same one for all parts of a recording.
 */
static inline const struct kind *opened_kind(const struct opened *opened,
					     const struct event_class *class)
{
	return opened->kinds[class->kind->number];
}

#endif /* _MARKERS_OPENED_H */
