/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the packets of a trace are, and of which time: for readers that ask for a part of it
 * again and again.
 */
#ifndef _MARKERS_PACKET_INDEX_H
#define _MARKERS_PACKET_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "opened.h"

/**
 * struct packet_place - a packet
 * @at: its offset
 * @begin: no packet from here on begins earlier, in ticks
 * @end: no packet up to here ends later, in ticks
 */
struct packet_place {
	off_t at;
	uint64_t begin;
	uint64_t end;
};

/**
 * struct packet_index - the packets of a trace
 * @opened: the trace
 * @nr: for each stream, the number of its packets
 * @place: for each stream, its packets
 * @events: events in all of them
 * @lost: events that were lost, by the counts in them
 * @lost_of: for each trace, its part of @lost
 * @begin: the earliest time, in nanoseconds as in events
 * @end: the latest
 * @damaged: packets are left out
 */
struct packet_index {
	const struct opened *opened;
	size_t *nr;
	struct packet_place **place;
	uint64_t events;
	uint64_t lost;
	uint64_t *lost_of;
	uint64_t begin;
	uint64_t end;
	bool damaged;
};

/**
 * packet_index_begin() - find the packets of a trace
 * @index: gets them
 * @opened: the trace; what is damaged is told, with file and byte
 */
void packet_index_begin(struct packet_index *index, const struct opened *opened);

/**
 * packet_index_find() - find the packet where a time begins
 * @index: the packets
 * @stream: number of the stream
 * @ns: the time, in nanoseconds as in events
 *
 * Return: the offset of the first packet that may have events of that time or later; -1 if there
 *	is none.
 */
off_t packet_index_find(const struct packet_index *index, size_t stream, uint64_t ns);

/**
 * packet_index_end() - free the index
 * @index: the packets
 */
void packet_index_end(struct packet_index *index);

#endif /* _MARKERS_PACKET_INDEX_H */
