// SPDX-License-Identifier: GPL-2.0
/*
 * Streams: the order of time, on clocks that are right and on clocks that are not, while
 * other threads write; and the memory of streams.
 */
#include "stream_kit.h"

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

/* An event is later than all times that the ring and the clock know. */
static void test_clock_unknown(void)
{
	struct marker_stream *stream;

	begin(SIZE, 8, RING_DISCARD, true);
	stream = marker_stream_create(buffer, RING_ALL_CPUS, true);
	unit_cycles = 1000000000000;
	record(0);
	ring_flush(buffer->ring, 0);
	unit_cycles = 1000;
	local_set(&ring_cpu_of(buffer->ring, 0)->last_ts, 5);
	is_int(consume_all(stream).events, 1, "unknown: trace_pipe never waits for a clock");
	marker_stream_destroy(stream);
	end();
}

/* Events come between the read of the clock and the flush. */
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
 * An event of a CPU that the stream has flushed already, and then one of a CPU that it has
 * not.  Between them comes the flush of CPU 1, which has an incomplete event.
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

/* Two CPUs record at one time: the lower comes first, whoever came before. */
static void test_same_time(void)
{
	struct seen seen;

	begin(SIZE, 8, RING_DISCARD, false);
	record(1);
	record(1);
	unit_time_ns -= 10;
	record(0);
	seen = look();
	ok(seen.events == 3 && seen.nr[0] == 0 && seen.nr[1] == 2 && seen.nr[2] == 1,
	   "same time: the lower CPU comes first");
	end();
}

/*
 * Memory
 */

/* A stream of all CPUs allocates a sub-buffer only for CPUs that have recorded something. */
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

/* Events that are nothing but a header, and one with a field after them. */
static void test_no_fields(void)
{
	struct marker_format_error error;
	struct marker_stream *stream;
	struct seen seen;
	int i;

	begin(SIZE, 4, RING_DISCARD, false);
	assert(!marker_format_parse(&event.format, "no field", &error));
	for (i = 0; i < 3; i++) {
		struct ring_record rec = { };

		unit_time_ns += 10;
		assert(packet_reserve(ring_this_cpu(buffer->ring), &rec, next_id, 0));
		packet_event_header(&rec, next_id);
		ring_commit(ring_this_cpu(buffer->ring), &rec);
	}
	stream = marker_stream_create(buffer, RING_ALL_CPUS, true);
	seen = consume_all(stream);
	is_int(seen.events, 3, "no fields: events");
	is_int(seen.bad + seen.lost, 0, "no fields: in order, none is damaged");
	assert(!marker_format_parse(&event.format, "nr %u", &error));
	record(0);
	seen = consume_all(stream);
	is_int(seen.events, 1, "no fields: and one with a field");
	is_int(seen.nr[0], 0, "no fields: which it has");
	marker_stream_destroy(stream);
	end();
}

/* The line of an event in a buffer of any size: nothing is written behind it. */
static void test_room_for_line(void)
{
	struct marker_stream *stream;
	const struct marker_item *item;
	size_t size, wrong = 0;
	char line[200];

	begin(SIZE, 4, RING_DISCARD, false);
	record(0);
	stream = marker_stream_create(buffer, RING_ALL_CPUS, true);
	assert(!marker_stream_refresh(stream));
	item = marker_stream_current(stream);
	assert(item && item->kind == MARKER_ITEM_EVENT);
	for (size = 1; size < sizeof(line); size++) {
		memset(line, 0x5a, sizeof(line));
		marker_item_print_event(&buffer->clock, 0, item, line, size);
		wrong += line[size] != 0x5a;
	}
	is_int(wrong, 0, "line: sizes of the buffer that are exceeded");
	marker_stream_destroy(stream);
	end();
}

int main(void)
{
	start_tests();
	test_clock_restarts();
	test_clock_ahead();
	test_clock_unknown();
	test_late_events();
	test_late_order();
	test_same_time();
	test_no_fields();
	test_room_for_line();
	test_memory(false);
	test_memory(true);
	return tap_done();
}
