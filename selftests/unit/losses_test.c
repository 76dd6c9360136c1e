// SPDX-License-Identifier: GPL-2.0
/*
 * Losses: each is reported once, where it happened, to readers that consume and to those
 * that do not, also after a clear.
 */
#include "stream_kit.h"

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

/* No sub-buffer is open when events are lost. */
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

/* The count of discarded events in the last packet taken. */
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

/* Runs in the middle of a clear, as soon as a reader can take a packet. */
static void lose_and_take(void)
{
	record(0);
	ring_cpu_of(buffer->ring, 0)->lost[RING_LOST_BIG].counter += 7;
	take();
}

static void test_clear(void)
{
	struct ring_stats stats;

	begin(SIZE, 4, RING_DISCARD, false);
	record_many(10);
	ring_cpu_of(buffer->ring, 0)->lost[RING_LOST_BIG].counter += 3;
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

static void take_packets(unsigned int nr)
{
	static u8 data[SIZE];
	struct ring_packet packet;
	struct marker_gap gap;

	while (nr--)
		assert(!marker_buffer_take(buffer, 0, data, NULL, &packet, &gap));
}

/* A reader that does not consume has read three of eight packets. */
static void look_at_three(struct marker_place *place)
{
	static u8 data[SIZE];
	struct ring_packet packet;
	struct marker_gap gap;
	int i;

	begin(SIZE, 8, RING_OVERWRITE, false);
	record_many(8 * EVENTS);
	ring_flush(buffer->ring, 0);
	marker_buffer_rewind(buffer, 0, place);
	for (i = 0; i < 3; i++)
		assert(!marker_buffer_peek(buffer, 0, place, data, &packet, &gap));
}

/* What it is told, if then a consumer takes packets, and a writer fills others. */
static void test_look_consumed(unsigned int taken, unsigned int filled, unsigned int events,
			       unsigned int lost)
{
	struct marker_place place;
	struct copied copied;

	look_at_three(&place);
	take_packets(taken);
	record_many(filled * EVENTS);
	ring_flush(buffer->ring, 0);
	copied = copy_rest(&place);
	is_int(copied.events, events * EVENTS, "%u consumed, %u filled: what is left is read",
	       taken, filled);
	is_int(copied.gaps, lost * EVENTS, "%u consumed, %u filled: %u overwritten", taken,
	       filled, lost);
	is_int(copied.discarded, copied.gaps, "%u consumed, %u filled: so says the packet",
	       taken, filled);
	is_int(copied.bad, 0, "%u consumed, %u filled: which is good", taken, filled);
	end();
}

static void test_look_cleared(void)
{
	struct marker_place place;
	struct copied copied;

	look_at_three(&place);
	marker_buffer_clear(buffer, 0);
	record_many(EVENTS);
	copied = copy_rest(&place);
	is_int(copied.packets, 0, "cleared: then there is nothing");
	marker_buffer_rewind(buffer, 0, &place);
	ok(marker_buffer_peekable(&place), "cleared: but for the next reader");
	marker_buffer_clear(buffer, 0);
	marker_buffer_rewind(buffer, 0, &place);
	ok(!marker_buffer_peekable(&place), "cleared: or not");
	end();
}

int main(void)
{
	start_tests();
	test_look_lost();
	test_lost_at_boundary();
	test_clear_while_taking();
	test_clear();
	test_look_consumed(0, 0, 5, 0);
	test_look_consumed(0, 2, 5, 0);
	test_look_consumed(0, 5, 3, 2);
	test_look_consumed(0, 8, 0, 5);
	test_look_consumed(0, 20, 0, 5);
	test_look_consumed(2, 5, 3, 2);
	test_look_consumed(3, 5, 3, 2);
	test_look_consumed(3, 8, 0, 5);
	test_look_consumed(3, 20, 0, 5);
	test_look_consumed(5, 3, 3, 0);
	test_look_consumed(5, 7, 1, 2);
	test_look_consumed(8, 0, 0, 0);
	test_look_consumed(8, 5, 0, 0);
	test_look_cleared();
	return tap_done();
}
