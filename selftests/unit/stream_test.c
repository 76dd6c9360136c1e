// SPDX-License-Identifier: GPL-2.0
/*
 * Readers: streams of items and copies of packets, on clocks that are right and on
 * clocks that are not, and while other threads write.
 *
 * An event has one field, its number.  A test notes which numbers it has seen.
 */
#include <markers/ring/packet.h>
#include <markers/ring/ring_internal.h>
#include <markers/trace/stream.h>
#include "tap.h"

#define SIZE		PAGE_SIZE
#define HEADER		sizeof(struct ctf_packet_header)
#define EVENT		(CTF_COMPACT_SIZE + sizeof(u32))
#define EVENTS		((SIZE - HEADER - 1) / EVENT)	/* in a full packet */

static struct marker_event event = { .title = "m:e" };
static struct marker_buffer *buffer;
static u32 next_nr;

struct marker_event *marker_registry_by_id(u32 id)
{
	return id ? NULL : &event;
}

/* A function that is called on another CPU has its clock. */
static void call_there(int cpu, void (*fn)(void *), void *arg)
{
	int saved = unit_cpu;

	unit_cpu = cpu;
	fn(arg);
	unit_cpu = saved;
}

static void begin(u32 subbuf_size, u32 nr_subbufs, enum ring_mode mode, bool counter)
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

static void end(void)
{
	marker_buffer_put(buffer);
	memset(unit_cycles_ahead, 0, sizeof(unit_cycles_ahead));
}

/*
 * Writers
 */

static bool reserve(struct ring_record *rec)
{
	return packet_reserve(ring_this_cpu(buffer->ring), rec, 0, sizeof(u32));
}

static void commit(struct ring_record *rec)
{
	memcpy(packet_event_header(rec, 0), &next_nr, sizeof(next_nr));
	next_nr++;
	ring_commit(ring_this_cpu(buffer->ring), rec);
}

/* The time goes on with each event. */
static bool record(int cpu)
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

static u64 record_many(u64 nr)
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

static struct seen read_items(struct marker_stream *stream)
{
	const struct marker_stream_item *item;
	struct seen seen = { 0 };
	u64 last = 0;
	u32 nr;

	while ((item = marker_stream_current(stream))) {
		seen.bad += item->ts < last || item->kind == MARKER_STREAM_DAMAGED;
		last = item->ts;
		if (item->kind == MARKER_STREAM_LOST) {
			if (!seen.lost)
				seen.before_lost = seen.events;
			seen.lost += item->lost;
		}
		if (item->kind == MARKER_STREAM_EVENT) {
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
static struct seen consume_all(struct marker_stream *stream)
{
	assert(!marker_stream_refresh(stream));
	return read_items(stream);
}

static struct seen rewind_all(struct marker_stream *stream)
{
	assert(!marker_stream_rewind(stream));
	return read_items(stream);
}

/* cat trace */
static struct seen look(void)
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
	u64 gaps;		/* as they were reported */
	u64 end;		/* of the last packet */
	u64 bad;		/* what a reader of CTF would not like */
};

static u64 check_packet(const void *data, const struct ring_packet *packet,
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
static struct copied copy_rest(struct marker_place *place)
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
static struct copied copy(void)
{
	struct marker_place place;

	marker_buffer_rewind(buffer, 0, &place);
	return copy_rest(&place);
}

static u64 in_open(void)
{
	struct ring_stats stats;

	ring_stats(buffer->ring, 0, &stats);
	return stats.open;
}

/*
 * Clocks
 */

/* Suspended: the counter starts again. */
static void test_clock_restarts(void)
{
	struct marker_stream *stream;
	struct seen seen;
	int i, n = 0;

	begin(SIZE, 8, RING_DISCARD, true);
	stream = marker_stream_create(buffer, RING_ALL_CPUS, true);
	unit_cycles = 1000000000000;
	record(0);
	is_int(consume_all(stream).events, 1, "restart: an event before");
	unit_cycles = 1000;
	for (i = 0; i < 5; i++) {
		record(0);
		n += look().events;
		n += consume_all(stream).events;
	}
	is_int(n, 2 * i, "restart: each one is seen, in trace and in trace_pipe");
	record(0);
	record(1);
	seen = consume_all(stream);
	ok(seen.events == 2 || consume_all(stream).events == 1, "restart: and another CPU's");
	marker_stream_destroy(stream);
	end();
}

/* The counter of one CPU is far ahead of that of the reader. */
static void test_clock_ahead(void)
{
	struct marker_stream *stream;
	struct seen seen;

	begin(SIZE, 8, RING_DISCARD, true);
	stream = marker_stream_create(buffer, RING_ALL_CPUS, true);
	unit_cycles_ahead[1] = 1000000000;
	record(1);
	record(0);
	is_int(look().events, 2, "ahead: trace has both");
	seen = consume_all(stream);
	ok(seen.events == 2 && seen.nr[0] == 1 && seen.nr[1] == 0 && !seen.bad,
	   "ahead: trace_pipe has both, by their times");
	record(0);
	is_int(consume_all(stream).nr[0], 2, "ahead: one that is late");
	record(1);
	is_int(consume_all(stream).nr[0], 3, "ahead: one that is ahead");
	marker_stream_destroy(stream);
	end();
}

/* An event is later than any time that the ring and the clock know of. */
static void test_clock_unknown(void)
{
	struct marker_stream *stream;

	begin(SIZE, 8, RING_DISCARD, true);
	stream = marker_stream_create(buffer, RING_ALL_CPUS, true);
	unit_cycles = 1000000000000;
	record(0);
	ring_flush(buffer->ring, 0);
	unit_cycles = 1000;
	local_set(&per_cpu_ptr(buffer->ring->cpus, 0)->last_ts, 5);
	is_int(consume_all(stream).events, 1, "unknown: trace_pipe never waits for a clock");
	marker_stream_destroy(stream);
	end();
}

/* Events come between the look at the clock and the flush. */
static void record_two(void)
{
	record(1);
	record(0);
}

static void test_late_events(void)
{
	struct marker_stream *stream;
	struct seen seen;

	begin(SIZE, 8, RING_DISCARD, false);
	stream = marker_stream_create(buffer, RING_ALL_CPUS, true);
	record(0);
	is_int(consume_all(stream).events, 1, "late: an event");
	unit_after_time = record_two;
	seen = consume_all(stream);
	ok(!unit_after_time, "late: two more in the middle of a refresh");
	is_int(seen.events, 2, "late: no reader sleeps with an event in hand");
	ok(seen.nr[0] == 1 && seen.nr[1] == 2 && !seen.bad, "late: in order");
	ok(!marker_stream_pending(stream) && !ring_readable(buffer->ring, RING_ALL_CPUS),
	   "late: so there is nothing left");
	unit_after_time = record_two;
	seen = look();
	ok(!unit_after_time && !seen.bad, "late: and two more in the middle of a look");
	is_int(look().events, 2, "late: seen by the next look at the latest");
	marker_stream_destroy(stream);
	end();
}

/*
 * An event of a CPU that was flushed already, and then one of a CPU that was not.  The
 * flush of CPU 1, which has an event that is not complete, is in the middle.
 */
static void record_around(int cpu, void (*fn)(void *), void *arg)
{
	unit_call = call_there;
	record(0);
	record(2);
	call_there(cpu, fn, arg);
}

static void test_late_order(void)
{
	struct ring_record open = { };
	struct marker_stream *stream;
	struct seen seen;

	begin(SIZE, 8, RING_DISCARD, false);
	stream = marker_stream_create(buffer, RING_ALL_CPUS, true);
	unit_cpu = 1;
	assert(reserve(&open));
	unit_cpu = 0;
	unit_call = record_around;
	seen = consume_all(stream);
	ok(seen.events == 2 && seen.nr[0] == 0 && seen.nr[1] == 1 && !seen.bad,
	   "late: what was missed comes before what is later");
	unit_cpu = 1;
	commit(&open);
	unit_cpu = 0;
	is_int(consume_all(stream).events, 1, "late: and the one that was not complete");
	marker_stream_destroy(stream);
	end();
}

/*
 * Reading without consuming
 */

static void test_look(void)
{
	struct marker_stream *stream;
	struct ring_stats stats;
	struct copied copied;
	struct seen seen;
	int i, bad = 0;

	begin(32768, 32, RING_DISCARD, false);
	for (i = 1; i <= 100; i++) {
		record(0);
		seen = look();
		copied = copy();
		bad += seen.events != (u64)i || seen.lost || seen.bad;
		bad += copied.events != (u64)i || copied.bad || copied.discarded;
	}
	is_int(bad, 0, "look: after each event, all are there, as text and as packets");
	ring_stats(buffer->ring, 0, &stats);
	is_int(stats.open, 100, "look: and all in the packet that is open");
	is_int(copied.packets, 1, "look: which is one");

	stream = marker_stream_create(buffer, RING_ALL_CPUS, true);
	seen = consume_all(stream);
	is_int(seen.events, 100, "look: a consumer gets all of them");
	is_int(seen.lost + seen.bad, 0, "look: and nothing is missing");
	is_int(look().events, 0, "look: then there is nothing to see");
	marker_stream_destroy(stream);
	end();
}

/* What a stream of packets is like, over several laps. */
static void test_look_long(enum ring_mode mode, const char *name)
{
	u64 i, bad = 0, written = 0, offered = 0;
	struct copied copied;
	struct seen seen;

	begin(SIZE, 4, mode, false);
	for (i = 0; i < 300; i++) {
		offered += 1 + i % 67;
		written += record_many(1 + i % 67);
		copied = copy();
		seen = look();
		bad += copied.bad || seen.bad;
		bad += copied.events != seen.events || copied.gaps != seen.lost;
		bad += copied.discarded != copied.gaps;
		bad += copied.events + copied.discarded != offered;
	}
	is_int(bad, 0, "%s: every look is a whole trace, and what is missing is counted", name);
	ok(copied.packets >= 3 && offered > copied.events, "%s: there were laps", name);
	if (mode == RING_DISCARD)
		is_int(copied.events, written, "%s: nothing was lost by looking", name);
	end();
}

/* Open: everything that is recorded after the opening does not show. */
static void test_look_end(void)
{
	struct marker_place place;
	struct copied copied;

	begin(SIZE, 4, RING_DISCARD, false);
	record_many(10);
	marker_buffer_rewind(buffer, 0, &place);
	record_many(5);
	copied = copy_rest(&place);
	is_int(copied.events, 10, "end: of the packet that is open");
	is_int(copied.bad, 0, "end: which is whole");
	is_int(copy_rest(&place).packets, 0, "end: and nothing after it");

	marker_buffer_rewind(buffer, 0, &place);
	record_many(EVENTS);
	copied = copy_rest(&place);
	is_int(copied.events, 15, "end: of a packet that was open then");
	is_int(copied.bad, 0, "end: which is whole");
	is_int(copy_rest(&place).packets, 0, "end: and nothing after it");

	ring_flush(buffer->ring, 0);
	marker_buffer_rewind(buffer, 0, &place);
	record_many(5);
	copied = copy_rest(&place);
	is_int(copied.packets, 2, "end: no packet was open then");
	is_int(copied.events, 15 + EVENTS, "end: all before");
	end();
}

/*
 * A writer in the middle of a record, which goes on after a few interrupts, or not before
 * all else is done.
 */
static struct ring_record outer;
static int calls, last_call;

static void call_in_the_middle(int cpu, void (*fn)(void *), void *arg)
{
	call_there(cpu, fn, arg);
	if (++calls == last_call) {
		unit_cpu = cpu;
		commit(&outer);
		unit_cpu = 1;
	}
}

static void test_look_busy(void)
{
	begin(SIZE, 4, RING_DISCARD, false);
	record_many(3);
	outer = (struct ring_record) { };
	assert(reserve(&outer));
	record_many(2);
	unit_cpu = 1;
	unit_call = call_in_the_middle;

	calls = 0;
	last_call = 3;
	is_int(copy().events, 6, "busy: all, when the writer is done");
	is_int(calls, 4, "busy: which takes a few looks");
	is_int(in_open(), 6, "busy: and no flush");

	unit_cpu = 0;
	outer = (struct ring_record) { };
	assert(reserve(&outer));
	record_many(2);
	unit_cpu = 1;
	calls = 0;
	last_call = 1000000;
	is_int(copy().events, 0, "busy: a writer that does not go on");
	ok(calls < 1000, "busy: he is not waited for");
	unit_cpu = 0;
	commit(&outer);
	unit_cpu = 1;
	is_int(copy().events, 9, "busy: later it is all there");
	is_int(copy().bad, 0, "busy: and good");
	unit_call = call_there;
	unit_cpu = 0;
	end();
}

/* An NMI in the middle of the look, which may open another sub-buffer. */
static int nmi_events;

static void nmi(void)
{
	record_many(nmi_events);
}

static void test_look_nmi(void)
{
	static const int nr[] = { 1, 20, EVENTS, 2 * EVENTS };
	struct ring_position mark;
	struct copied copied;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(nr); i++) {
		begin(SIZE, 8, RING_DISCARD, false);
		record_many(10);
		nmi_events = nr[i];
		unit_after_time = nmi;
		ring_position(buffer->ring, 0, &mark);
		ok(!unit_after_time, "nmi: %d events in the middle of a look", nr[i]);
		is_int(mark.pos, local_read(&per_cpu_ptr(buffer->ring->cpus, 0)->offset),
		       "nmi: they are part of it");
		unit_after_time = nmi;
		copied = copy();
		is_int(copied.events, 10 + 2 * nr[i], "nmi: the same events");
		is_int(copied.bad, 0, "nmi: and all is good");
		end();
	}
}

static void test_look_offline(void)
{
	struct seen seen;

	begin(SIZE, 4, RING_DISCARD, false);
	record(3);
	record(3);
	unit_cpu_offline[3] = true;
	seen = look();
	is_int(seen.events, 2, "offline: what that CPU recorded");
	is_int(look().events, 2, "offline: and again");
	unit_cpu_offline[3] = false;
	record(3);
	is_int(look().events, 3, "offline: it is back");
	end();
}

/* While the open packet is copied, it is closed, or closed and overwritten. */
static void record_a_packet(void)
{
	record_many(EVENTS);
}

static void record_laps(void)
{
	record_many(6 * EVENTS);
}

static void test_look_race(void)
{
	struct marker_place place;
	struct copied copied;

	begin(SIZE, 4, RING_OVERWRITE, false);
	record_many(10);
	marker_buffer_rewind(buffer, 0, &place);
	unit_before_rmb = record_a_packet;
	copied = copy_rest(&place);
	ok(!unit_before_rmb, "race: closed in the middle of a copy");
	is_int(copied.events, 10, "race: as it was when it began");
	is_int(copied.bad, 0, "race: and whole");

	marker_buffer_rewind(buffer, 0, &place);
	record_many(EVENTS);
	unit_before_rmb = record_laps;
	copied = copy_rest(&place);
	ok(!unit_before_rmb, "race: overwritten in the middle of a copy");
	is_int(copied.packets, 0, "race: then there is nothing");

	record_many(EVENTS / 2);
	marker_buffer_rewind(buffer, 0, &place);
	is_int(place.end.nr_events != 0, 1, "race: a packet is open");
	record_many(4 * EVENTS);
	is_int(copy_rest(&place).packets, 0, "race: overwritten before the copy");
	end();
}

/*
 * Memory
 */

/* A stream of all CPUs has room for a packet of those that have recorded something. */
static void test_memory(bool consume)
{
	const char *name = consume ? "trace_pipe" : "trace";
	struct marker_stream *stream;
	size_t before;

	begin(SIZE, 4, RING_DISCARD, false);
	before = unit_kvmalloced;
	stream = marker_stream_create(buffer, RING_ALL_CPUS, consume);
	is_int(consume ? consume_all(stream).events : rewind_all(stream).events, 0,
	       "memory: %s: nothing yet", name);
	is_int(unit_kvmalloced - before, 0, "memory: %s: so no sub-buffer", name);
	record(5);
	record(5);
	is_int(consume ? consume_all(stream).events : rewind_all(stream).events, 2,
	       "memory: %s: a CPU records", name);
	is_int(unit_kvmalloced - before, SIZE, "memory: %s: one sub-buffer", name);

	record(2);
	unit_alloc_fail = 1;
	is_int(consume ? marker_stream_refresh(stream) : marker_stream_rewind(stream), -ENOMEM,
	       "memory: %s: there is none for another CPU", name);
	unit_alloc_fail = 0;
	is_int(consume ? consume_all(stream).events : rewind_all(stream).events, consume ? 1 : 3,
	       "memory: %s: nothing is lost by that", name);
	is_int(unit_kvmalloced - before, 3 * SIZE, "memory: %s: another try, two sub-buffers", name);
	marker_stream_destroy(stream);
	end();
}

/*
 * Losses are reported once
 */

static void test_look_lost(void)
{
	u64 kept, i, bad = 0;
	struct marker_stream *stream;
	struct copied copied;
	struct seen seen;

	begin(SIZE, 2, RING_DISCARD, false);
	kept = record_many(2 * EVENTS + 100);
	is_int(kept, 2 * EVENTS, "lost: it is full");
	for (i = 0; i < 5; i++) {
		seen = look();
		copied = copy();
		bad += seen.events != kept || seen.lost != 100 || seen.bad;
		bad += copied.events != kept || copied.discarded != 100 || copied.bad;
	}
	is_int(bad, 0, "lost: shown in each look");
	stream = marker_stream_create(buffer, RING_ALL_CPUS, true);
	seen = consume_all(stream);
	is_int(seen.events, kept, "lost: all is there to consume");
	is_int(seen.lost, 100, "lost: and told to the consumer");
	marker_stream_destroy(stream);
	end();
}

/* Nothing is open when events are lost. */
static void test_lost_at_boundary(void)
{
	struct marker_stream *stream;
	struct copied copied;
	struct seen seen;

	begin(SIZE, 2, RING_DISCARD, false);
	record_many(2 * EVENTS);
	ring_flush(buffer->ring, 0);
	is_int(in_open(), 0, "boundary: nothing is open");
	copied = copy();
	is_int(copied.discarded, 0, "boundary: and nothing lost");
	is_int(copied.end, unit_time_ns, "boundary: the end of the last packet");
	is_int(record_many(1000), 0, "boundary: it is full");
	seen = look();
	is_int(seen.lost, 1000, "boundary: trace tells the loss");
	is_int(seen.before_lost, 2 * EVENTS, "boundary: after the last event");
	copied = copy();
	is_int(copied.discarded, 1000, "boundary: so does a copy");
	is_int(copied.bad, 0, "boundary: which is good");
	is_int(copied.end, unit_time_ns, "boundary: the last packet goes on until then");
	ring_stop(buffer->ring);
	copied = copy();
	is_int(copied.discarded, 1000, "boundary: also when it is off");
	is_int(copied.bad, 0, "boundary: and good");
	ring_start(buffer->ring);

	stream = marker_stream_create(buffer, RING_ALL_CPUS, true);
	seen = consume_all(stream);
	is_int(seen.events, 2 * EVENTS, "boundary: a consumer takes all");
	record_many(5);
	seen = look();
	is_int(seen.lost, 1000, "boundary: then the loss is in the next packet");
	is_int(seen.before_lost, 0, "boundary: before its first event");
	is_int(copy().discarded, 1000, "boundary: in a copy as well");
	seen = consume_all(stream);
	is_int(seen.lost, 1000, "boundary: and for the consumer");
	is_int(seen.before_lost, 0, "boundary: at the same place");
	record_many(5);
	is_int(look().lost, 0, "boundary: told once");
	marker_stream_destroy(stream);
	end();
}

/* The count of discarded events in the last of the packets that are taken. */
static u64 take_discarded(u64 last, u64 *bad)
{
	struct ctf_packet_header header;
	struct ring_packet packet;
	struct marker_gap gap;
	static u8 data[SIZE];

	ring_flush(buffer->ring, 0);
	while (!marker_buffer_take(buffer, 0, data, NULL, &packet, &gap)) {
		memcpy(&header, data, sizeof(header));
		*bad += header.events_discarded < last ||
			header.events_discarded != last + gap.before + gap.after;
		last = header.events_discarded;
	}
	return last;
}

/* echo >trace while trace_pipe_raw is open */
static void test_clear_while_taking(void)
{
	u64 told, bad = 0;

	begin(SIZE, 2, RING_DISCARD, false);
	marker_buffer_begin(buffer, 0);
	record_many(2 * EVENTS + 100);
	told = take_discarded(0, &bad);
	is_int(told, 100, "taking: a loss");
	record_many(2 * EVENTS + 30);
	marker_buffer_clear(buffer, 0);
	record_many(2 * EVENTS + 7);
	is_int(copy().discarded, 7, "taking: after a clear, a copy counts from zero");
	told = take_discarded(told, &bad);
	is_int(told, 107, "taking: a reader that is at it goes on");
	is_int(bad, 0, "taking: and its count never goes back");
	marker_buffer_begin(buffer, 0);
	record_many(2 * EVENTS + 5);
	is_int(copy().discarded, 5, "taking: the next reader counts from the clear");
	bad = 0;
	told = take_discarded(0, &bad);
	is_int(told, 5, "taking: as the copy says");
	is_int(bad, 0, "taking: with each gap in the packet where it is");
	marker_buffer_begin(buffer, 0);
	record_many(2 * EVENTS + 2);
	is_int(take_discarded(told, &bad), 7, "taking: without a clear, it goes on");
	is_int(bad, 0, "taking: so the packets of both are one stream");
	end();
}

static u64 taken_gaps;

static void take(void)
{
	static u8 data[SIZE];
	struct ring_packet packet;
	struct marker_gap gap;

	ring_flush(buffer->ring, 0);
	while (!marker_buffer_take(buffer, 0, data, NULL, &packet, &gap))
		taken_gaps += gap.before + gap.after;
}

/* In the middle of a clear, as soon as a reader can take a packet. */
static void lose_and_take(void)
{
	record(0);
	per_cpu_ptr(buffer->ring->cpus, 0)->lost[RING_LOST_BIG].counter += 7;
	take();
}

static void test_clear(void)
{
	struct ring_stats stats;

	begin(SIZE, 4, RING_DISCARD, false);
	record_many(10);
	per_cpu_ptr(buffer->ring->cpus, 0)->lost[RING_LOST_BIG].counter += 3;
	taken_gaps = 0;
	unit_after_unlock = lose_and_take;
	marker_buffer_clear(buffer, 0);
	ok(!unit_after_unlock, "clear: a reader comes as soon as he can");
	record(0);
	take();
	ring_stats(buffer->ring, 0, &stats);
	is_int(taken_gaps, stats.lost[RING_LOST_BIG], "clear: losses are told once");
	end();
}

int main(void)
{
	struct marker_format_error error;

	unit_call = call_there;
	unit_time_ns = 1000;
	assert(!marker_format_parse(&event.format, "nr %u", &error));
	assert(!clock_init("mono") && !ring_init());
	test_clock_restarts();
	test_clock_ahead();
	test_clock_unknown();
	test_late_events();
	test_late_order();
	test_look();
	test_look_long(RING_DISCARD, "discard");
	test_look_long(RING_OVERWRITE, "overwrite");
	test_look_end();
	test_look_busy();
	test_look_nmi();
	test_look_offline();
	test_look_race();
	test_memory(false);
	test_memory(true);
	test_look_lost();
	test_lost_at_boundary();
	test_clear_while_taking();
	test_clear();
	return tap_done();
}
