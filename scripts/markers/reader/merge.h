/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merges streams of a trace: its events and losses in the order of time, one after the other.
 */
#ifndef _MARKERS_MERGE_H
#define _MARKERS_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../events/event.h"
#include "opened.h"
#include "record.h"

struct cursor;
struct merge_cpu;

/**
 * struct told - the damaged packets that the user knows of; all zero at first
 * @nr: number of them
 * @packet: the packets
 */
struct told {
	size_t nr;
	struct told_packet {
		const struct trace_stream *stream;
		off_t at;
	} *packet;
};

enum merge_at { MERGE_END, MERGE_EVENT, MERGE_LOSS };

/**
 * struct merge - streams that are read
 * @opened: the trace
 * @cursor: a place in each stream of it
 * @heap: those that have something to tell
 * @nr: number of them
 * @cpus: what is known of each CPU of each trace, across its parts
 * @nr_cpus: number of @cpus
 * @quiet: do not say what is damaged
 * @told: NULL; or damaged events are told once for each packet, in spite of @quiet
 * @at: what merge_next() returned
 * @loss: the loss, after MERGE_LOSS
 */
struct merge {
	const struct opened *opened;
	struct cursor *cursor;
	struct cursor **heap;
	size_t nr;
	struct merge_cpu *cpus;
	size_t nr_cpus;
	bool quiet;
	struct told *told;
	enum merge_at at;
	struct loss loss;
};

/**
 * merge_begin() - prepare to read
 * @merge: gets the streams
 * @opened: the trace
 * @quiet: do not say what is damaged
 */
void merge_begin(struct merge *merge, const struct opened *opened, bool quiet);

/**
 * merge_clear() - read no stream
 * @merge: the streams
 */
void merge_clear(struct merge *merge);

/**
 * merge_add() - read a stream
 * @merge: the streams, after merge_begin() or merge_clear(); merge_next() was not called since
 * @stream: its number in the trace
 * @at: offset of a packet, where to begin
 * @end: packets that begin later are left out, from opened_end_at(); but the loss before the first
 *	of them may have begun earlier, and is told
 */
void merge_add(struct merge *merge, size_t stream, off_t at, uint64_t end);

/**
 * merge_next() - go on to the next event or loss
 * @merge: the streams, after merge_add()
 *
 * It says which packets cannot be read, and goes on behind them.
 *
 * Return: what is there, or MERGE_END.
 */
enum merge_at merge_next(struct merge *merge);

/**
 * merge_record() - the event, after MERGE_EVENT
 * @merge: the streams
 * @stream: set to the stream that it is in
 *
 * Return: the event, up to the next call of merge_next().
 */
const struct record *merge_record(const struct merge *merge, const struct opened_stream **stream);

/**
 * struct event_place - where an event is in a trace
 * @time: its time in ticks
 * @packet: offset of its packet in the file
 * @offset: its offset in the packet
 * @stream: number of its stream in the trace
 */
struct event_place {
	uint64_t time;
	off_t packet;
	uint32_t offset;
	uint32_t stream;
};

/**
 * merge_place() - where is the event? After MERGE_EVENT
 * @merge: the streams
 *
 * Return: the place.
 */
struct event_place merge_place(const struct merge *merge);

/**
 * merge_again() - read an event again
 * @merge: the streams, of which none is read
 * @place: the place of the event
 *
 * It is fast for events that are near each other: the packets stay in memory.
 *
 * Return: the event, up to the next call; NULL, and says why, if it cannot be read.
 */
const struct record *merge_again(struct merge *merge, const struct event_place *place);

/**
 * merge_raw() - read all of the event but its values, after MERGE_EVENT
 * @merge: the streams
 * @event: gets it; record_values() reads the rest
 */
void merge_raw(const struct merge *merge, struct event *event);

/**
 * merge_event() - read the values of the event, after MERGE_EVENT
 * @merge: the streams
 * @event: gets them
 */
void merge_event(const struct merge *merge, struct event *event);

/**
 * merge_end() - free all
 * @merge: the streams
 *
 * Return: STATUS_OK; STATUS_FAILED if some of what was read is damaged.
 */
int merge_end(struct merge *merge);

#endif /* _MARKERS_MERGE_H */
