// SPDX-License-Identifier: GPL-2.0
/*
 * Reading without consuming, as trace and ctf/stream_N do: streams and copies of packets,
 * while writers are in the middle of a record or interrupt the reader.
 */
#include "stream_kit.h"

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

/* What a stream of packets has, over several laps. */
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

/* A stream that is open: records written after the opening do not show. */
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
 * A writer in the middle of a record, which goes on after a few interrupts, or only when
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

/* An NMI in the middle of the reading, which may open another sub-buffer. */
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
		is_int(mark.pos, local_read(&ring_cpu_of(buffer->ring, 0)->offset),
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

/* While a reader copies the open packet, a writer closes it, or closes and overwrites it. */
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
	u64 all;

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
	is_int(copied.events, 0, "race: then there is nothing");
	is_int(copied.discarded, 10 + EVENTS, "race: and all that there was is told as lost");
	is_int(copied.gaps, copied.discarded, "race: to trace as well");
	is_int(copied.bad, 0, "race: by a packet that is good");

	record_many(EVENTS / 2);
	marker_buffer_rewind(buffer, 0, &place);
	is_int(place.end.nr_events != 0, 1, "race: a packet is open");
	all = next_nr;
	record_many(4 * EVENTS);
	copied = copy_rest(&place);
	is_int(copied.events, 0, "race: overwritten before the copy");
	is_int(copied.discarded, all, "race: and told as lost");
	is_int(copied.packets, 1, "race: once");
	is_int(copy_rest(&place).packets, 0, "race: and not again");
	end();
}

/* A reader of text that is slow: a writer overwrites what is before its end. */
static void test_look_slow(u64 tail, u64 fast, const char *name)
{
	struct marker_stream *stream;
	struct seen seen;
	u64 all, i;

	begin(SIZE, 4, RING_OVERWRITE, false);
	record_many(3 * EVENTS + tail);
	/* After the time of the rewind: they are not printed, but may be overwritten. */
	nmi_events = fast;
	if (fast)
		unit_after_unlock = nmi;
	stream = marker_stream_create(buffer, RING_ALL_CPUS, false);
	assert(!marker_stream_rewind(stream));
	assert(!unit_after_unlock);
	all = next_nr;
	for (i = 0; i < 5; i++)
		marker_stream_next(stream);
	record_many(9 * EVENTS);
	seen = read_items(stream);
	is_int(seen.events, EVENTS - 5, "slow, %s: the packet that it has", name);
	is_int(seen.lost, all - EVENTS, "slow, %s: and how many events are missing after it", name);
	is_int(seen.before_lost, EVENTS - 5, "slow, %s: at the end", name);
	is_int(seen.bad, 0, "slow, %s: in order", name);
	marker_stream_destroy(stream);
	end();
}

/*
 * As above, while a record in the third packet is not complete: the writer cannot go beyond
 * it, and what is in it is not lost.
 */
static void test_look_slow_busy(void)
{
	struct ring_record rec = { };
	struct marker_place place;
	struct ring_packet packet;
	struct copied copied;
	struct marker_gap gap;
	static u8 data[SIZE];

	begin(SIZE, 4, RING_OVERWRITE, false);
	record_many(2 * EVENTS + 3);
	assert(reserve(&rec));
	marker_buffer_rewind(buffer, 0, &place);
	assert(!marker_buffer_peek(buffer, 0, &place, data, &packet, &gap));
	record_many(9 * EVENTS);
	copied = copy_rest(&place);
	is_int(copied.events, 0, "slow, busy: no packet can be read any more");
	is_int(copied.gaps, EVENTS, "slow, busy: the second one was overwritten");
	is_int(copied.bad, 0, "slow, busy: it is told by a packet that is good");
	is_int(copy_rest(&place).packets, 0, "slow, busy: once");
	commit(&rec);
	end();
}

int main(void)
{
	start_tests();
	test_look();
	test_look_long(RING_DISCARD, "discard");
	test_look_long(RING_OVERWRITE, "overwrite");
	test_look_end();
	test_look_busy();
	test_look_nmi();
	test_look_offline();
	test_look_race();
	test_look_slow(0, 0, "closed");
	test_look_slow(5, 0, "open");
	test_look_slow(5, 7, "younger");
	test_look_slow_busy();
	return tap_done();
}
