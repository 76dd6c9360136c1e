/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the tests of readers: a buffer on CPUs that the test writes to, and readers of it
 * as the files have them.
 *
 * An event has one field, its number.  A test notes which numbers it has seen.
 */
#ifndef _UNIT_STREAM_KIT_H
#define _UNIT_STREAM_KIT_H

#include <markers/ring/packet.h>
#include <markers/ring/packet_read.h>
#include <markers/ring/ring_internal.h>
#include <markers/read/stream.h>
#include "tap.h"

#define SIZE		PAGE_SIZE
#define HEADER		sizeof(struct ctf_packet_header)
#define EVENT		(CTF_COMPACT_SIZE + sizeof(u32))
#define EVENTS		((SIZE - HEADER - 1) / EVENT)	/* in a full packet */

static struct marker_event event = { .title = "m:e" };
static u32 next_id;		/* of the events that are recorded */
static u32 nr_ids = 1;		/* all are as @event */
static struct marker_buffer *buffer;
static u32 next_nr;

struct marker_event *marker_registry_by_id(u32 id)
{
	return id < nr_ids ? &event : NULL;
}

/* A function called on another CPU reads that CPU's clock. */
static inline void call_there(int cpu, void (*fn)(void *), void *arg)
{
	int saved = unit_cpu;

	unit_cpu = cpu;
	fn(arg);
	unit_cpu = saved;
}

static inline void begin(u32 subbuf_size, u32 nr_subbufs, enum ring_mode mode, bool counter)
{
	struct ring_config config = {
		.subbuf_size = subbuf_size,
		.nr_subbufs = nr_subbufs,
		.mode = mode,
	};

	marker_clock.counter = counter;
	unit_time_ns += 1000;
	buffer = marker_buffer_create(&config);
	assert(!IS_ERR(buffer));
	buffer->clock = marker_clock;
	ring_start(buffer->ring);
	next_nr = 0;
}

static inline void end(void)
{
	marker_buffer_put(buffer);
	memset(unit_cycles_ahead, 0, sizeof(unit_cycles_ahead));
}

/*
 * Writers
 */

static inline bool reserve(struct ring_record *rec)
{
	return packet_reserve(ring_this_cpu(buffer->ring), rec, next_id, sizeof(u32));
}

static inline void commit(struct ring_record *rec)
{
	memcpy(packet_event_header(rec, next_id), &next_nr, sizeof(next_nr));
	next_nr++;
	ring_commit(ring_this_cpu(buffer->ring), rec);
}

/* The time goes on with each event. */
static inline bool record(int cpu)
{
	int saved = unit_cpu;
	struct ring_record rec = { };
	bool done;

	unit_time_ns += 10;
	unit_cpu = cpu;
	done = reserve(&rec);
	if (done)
		commit(&rec);
	unit_cpu = saved;
	return done;
}

static inline u64 record_many(u64 nr)
{
	u64 done = 0;

	while (nr--)
		done += record(0);
	return done;
}

/*
 * Readers
 */

struct seen {
	u64 events;
	u64 lost;
	u64 before_lost;	/* events before the first loss */
	u32 nr[16];		/* the numbers of the first ones */
	u64 bad;		/* not in the order of their times */
};

static inline struct seen read_items(struct marker_stream *stream)
{
	const struct marker_item *item;
	struct seen seen = { 0 };
	u64 last = 0;
	u32 nr;

	while ((item = marker_stream_current(stream))) {
		seen.bad += item->ts < last || item->kind == MARKER_ITEM_DAMAGED;
		last = item->ts;
		if (item->kind == MARKER_ITEM_LOST) {
			if (!seen.lost)
				seen.before_lost = seen.events;
			seen.lost += item->lost;
		}
		if (item->kind == MARKER_ITEM_EVENT) {
			memcpy(&nr, item->payload, sizeof(nr));
			if (seen.events < ARRAY_SIZE(seen.nr))
				seen.nr[seen.events] = nr;
			seen.events++;
		}
		marker_stream_next(stream);
	}
	return seen;
}

/* A read() of trace_pipe that finds nothing to wait for. */
static inline struct seen consume_all(struct marker_stream *stream)
{
	assert(!marker_stream_refresh(stream));
	return read_items(stream);
}

static inline struct seen rewind_all(struct marker_stream *stream)
{
	assert(!marker_stream_rewind(stream));
	return read_items(stream);
}

/* cat trace */
static inline struct seen look(void)
{
	struct marker_stream *stream;
	struct seen seen;

	stream = marker_stream_create(buffer, RING_ALL_CPUS, false);
	assert(!IS_ERR(stream));
	seen = rewind_all(stream);
	marker_stream_destroy(stream);
	return seen;
}

struct copied {
	u64 packets;
	u64 events;
	u64 discarded;		/* as the last packet says */
	u64 gaps;		/* as the stream reported them */
	u64 end;		/* of the last packet */
	u64 bad;		/* errors that a reader of CTF would find */
};

static inline u64 check_packet(const void *data, const struct ring_packet *packet,
			const struct ctf_packet_header *before, u64 nr)
{
	struct packet_iter iter;
	const u8 *payload;
	u32 id, avail;
	u64 ts, n = 0;
	int err;

	if (packet_iter_init(&iter, data, packet->size))
		return 1;
	while (!(err = packet_iter_next(&iter, &id, &ts, &payload, &avail))) {
		packet_iter_advance(&iter, sizeof(u32));
		n++;
	}
	if (err != -ENODATA || n != iter.header.nr_events || n != packet->nr_events ||
	    iter.header.packet_size / 8 != packet->size ||
	    iter.header.packet_seq_num != packet->seq)
		return 1;
	/* from packet to packet */
	if (nr && (iter.header.packet_seq_num <= before->packet_seq_num ||
		   iter.header.timestamp_begin < before->timestamp_end ||
		   iter.header.events_discarded < before->events_discarded))
		return 1;
	return 0;
}

/* The rest of an open ctf/stream_0. */
static inline struct copied copy_rest(struct marker_place *place)
{
	struct ctf_packet_header before = { 0 };
	struct copied copied = { 0 };
	struct ring_packet packet;
	static u8 data[32768];
	struct marker_gap gap;

	memset(data, 0xaa, sizeof(data));
	while (!marker_buffer_peek(buffer, 0, place, data, &packet, &gap)) {
		copied.bad += check_packet(data, &packet, &before, copied.packets);
		memcpy(&before, data, sizeof(before));
		copied.packets++;
		copied.events += packet.nr_events;
		copied.gaps += gap.before + gap.after;
		copied.discarded = before.events_discarded;
		copied.end = before.timestamp_end;
		memset(data, 0xaa, sizeof(data));
	}
	return copied;
}

/* cp ctf/stream_0 */
static inline struct copied copy(void)
{
	struct marker_place place;

	marker_buffer_rewind(buffer, 0, &place);
	return copy_rest(&place);
}

static inline u64 in_open(void)
{
	struct ring_stats stats;

	ring_stats(buffer->ring, 0, &stats);
	return stats.open;
}

static inline void start_tests(void)
{
	struct marker_format_error error;

	unit_call = call_there;
	unit_time_ns = 1000;
	assert(!marker_format_parse(&event.format, "nr %u", &error));
	assert(!clock_init("mono") && !ring_init());
}

#endif /* _UNIT_STREAM_KIT_H */
