// SPDX-License-Identifier: GPL-2.0
/*
 * The ring, interrupted after each instruction of a write, or after some.
 */
#include "ring_kit.h"

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#include "single_step.h"

static int step_puts;
static u64 set_back;

static void step_put(void)
{
	int i;

	for (i = 0; i < step_puts; i++)
		put(hook_ring, 96, 50);
}

static void step_put_flush(void)
{
	step_put();
	ring_flush(hook_ring, 0);
}

static void step_take(void)
{
	struct ring_packet packet;

	take(hook_ring, &packet);
}

static int nr_known, nr_wrong;

/* A position knows as many events as a reader finds up to it. */
static void step_position(void)
{
	struct ring_packet packet;
	struct ring_position end;
	static u8 copy[SIZE];
	u64 seq = 0, n = 0;

	ring_position(hook_ring, 0, &end);
	if (end.recorded == U64_MAX)
		return;
	ring_reader_lock(hook_ring, 0);
	while (!ring_peek(hook_ring, 0, &seq, &end, copy, &packet))
		n += packet.nr_events;
	ring_reader_unlock(hook_ring, 0);
	nr_known++;
	nr_wrong += end.recorded != n;
}

/* Is the slot of the newest sub-buffer the one that the fast path looks at? */
static bool knows_newest(struct ring *ring)
{
	struct ring_cpu *rc = ring_this_cpu(ring);
	u64 seq = (local_read(&rc->offset) - 1ul) >> rc->subbuf_shift;

	return rc->recent == ring_slot(rc, seq);
}

/* put() without the bytes of the record, which would take most of the steps. */
static void put_in_steps(struct ring *ring)
{
	struct ring_cpu *rc = ring_this_cpu(ring);
	struct ring_record rec = { };
	bool kept;

	single_step(true);
	kept = ring_reserve(rc, &rec, 96, SHORT, LONG, false);
	single_step(false);
	if (!kept)
		return;
	rec.data[0] = rec.is_long;
	memcpy(rec.data + rec.len - sizeof(rec.ts), &rec.ts, sizeof(rec.ts));
	single_step(true);
	ring_commit(rc, &rec);
	single_step(false);
}

static void flush_in_steps(struct ring *ring)
{
	single_step(true);
	ring_flush(ring, 0);
	single_step(false);
}

static void do_in_steps(struct points *points, bool flush)
{
	point_begin(points);
	if (flush)
		flush_in_steps(hook_ring);
	else
		put_in_steps(hook_ring);
	point_end(points, 1);
}

static void test_step(enum ring_mode mode, int before, int puts, void (*hook)(void),
		      bool flush, const char *what)
{
	struct points points = { };
	int wrong = 0, i;
	u64 written;
	bool knew;

	steps_begin(hook);
	step_puts = puts;
	for_each_point(points) {
		hook_ring = new_ring(4, mode);
		marker_clock.counter = true;
		for (i = 0; i < before; i++)
			put(hook_ring, 96, 1);
		do_in_steps(&points, flush);
		/*
		 * A gap in time, while the host runs something else, makes a write longer.  If the
		 * counted write had one, this write ends before its hook.
		 */
		written = before + !flush;
		if (was_interrupted(&points) && hook != step_take)
			written += puts;
		knew = knows_newest(hook_ring);
		put(hook_ring, 96, 3);
		ring_flush(hook_ring, 0);
		if (!knew || !balanced(hook_ring, 0, written + 1) || !in_order(hook_ring)) {
			if (!wrong++)
				printf("# step %ld of %ld\n", points.at, points.total);
		}
		marker_clock.counter = false;
		ring_destroy(hook_ring);
	}
	steps_end();
	ok(!wrong && points.nr >= 1, "step: %s: at %ld of %ld points", what,
	   points.nr, points.total);
}

static void test_step_position(int before, bool flush, const char *what)
{
	struct points points = { };
	int i;

	nr_known = 0;
	nr_wrong = 0;
	steps_begin(step_position);
	for_each_point(points) {
		hook_ring = new_ring(4, RING_DISCARD);
		for (i = 0; i < before; i++)
			put(hook_ring, 96, 1);
		point_begin(&points);
		if (flush)
			flush_in_steps(hook_ring);
		else
			put_in_steps(hook_ring);
		point_end(&points, 0);
		ring_destroy(hook_ring);
	}
	steps_end();
	ok(nr_known > 10 && !nr_wrong, "step: a look in %s: %d know the events, of %ld", what,
	   nr_known, points.nr);
}

/*
 * A record in a record, and then the counter is set back.  The interrupt comes after
 * each instruction: at one of them the outer record has its place, but has not stored
 * its time yet.
 */
static void test_step_set_back(void)
{
	struct points points = { };
	int wrong = 0;

	steps_begin(step_put);
	step_puts = 1;
	for_each_point(points) {
		hook_ring = new_ring(4, RING_DISCARD);
		marker_clock.counter = true;
		put(hook_ring, 96, 1);
		point_begin(&points);
		put_in_steps(hook_ring);
		point_end(&points, 0);
		unit_set_back = 10000000000;
		put(hook_ring, 96, 3);
		ring_flush(hook_ring, 0);
		if (!in_order(hook_ring) && !wrong++)
			printf("# step %ld of %ld\n", points.at, points.total);
		unit_set_back = 0;
		marker_clock.counter = false;
		ring_destroy(hook_ring);
	}
	steps_end();
	ok(!wrong && points.nr > 10, "step: the counter is set back after it: at %ld points",
	   points.nr);
}

/* The same after each instruction, with the clock set back before the interrupt. */
static void step_back_put(void)
{
	unit_time_ns -= set_back;
	step_put();
}

static void test_step_back(int before, u64 ahead, u64 by, bool flush, const char *what)
{
	struct points points = { };
	int wrong = 0, i;

	steps_begin(step_back_put);
	step_puts = 1;
	set_back = by;
	for_each_point(points) {
		hook_ring = new_ring(4, RING_DISCARD);
		for (i = 0; i < before; i++)
			put(hook_ring, 96, 1);
		unit_time_ns += ahead;
		do_in_steps(&points, flush);
		put(hook_ring, 96, 3);
		ring_flush(hook_ring, 0);
		if (!knows_newest(hook_ring) || !in_order(hook_ring)) {
			if (!wrong++)
				printf("# step %ld of %ld\n", points.at, points.total);
		}
		unit_time_ns += ahead;
		ring_destroy(hook_ring);
	}
	steps_end();
	ok(!wrong && points.nr >= 1, "step: set back in %s: at %ld of %ld points", what,
	   points.nr, points.total);
}

/* Reads two sub-buffers, then fills two. */
static void step_turn(void)
{
	struct ring_packet packet;
	int i;

	take(hook_ring, &packet);
	take(hook_ring, &packet);
	for (i = 0; i < step_puts; i++)
		put(hook_ring, 96, 50);
}

/* Read a sub-buffer, open the next one, and refuse a large record that does not fit there. */
static void step_open_refuse(void)
{
	struct ring_packet packet;
	int i;

	take(hook_ring, &packet);
	for (i = 0; i < step_puts; i++)
		put(hook_ring, 96, 50);
	put(hook_ring, SIZE - HEADER - 100, 50);
}

/* The same after a lap: the slot that was open before is opened again. */
static void step_lap_refuse(void)
{
	step_turn();
	step_puts = 3;
	step_open_refuse();
}

/* Fill three sub-buffers and a part of the fourth, and refuse a large record. */
static int fill_and_refuse(int per_packet)
{
	int i;

	for (i = 0; i < 3 * per_packet + 5; i++)
		put(hook_ring, 96, 1);
	return put(hook_ring, SIZE - HEADER - 100, 1);
}

/* Fill all four sub-buffers, and read the first one. */
static int fill_and_read(int per_packet)
{
	struct ring_packet packet;
	int i;

	for (i = 0; i < 4 * per_packet; i++)
		put(hook_ring, 96, 1);
	return put(hook_ring, 96, 1) || take(hook_ring, &packet) != per_packet;
}

/*
 * The early test for a full ring.  A record fits before the interrupt and after it.  The test
 * would say that it does not fit if it loaded its values in another order, or if it took an old
 * position for one in a sub-buffer that was opened later.
 */
static void test_step_full(int (*fill)(int per_packet), void (*hook)(void), int puts,
			   const char *what)
{
	struct points points = { };
	struct ring_spot spot;
	struct ring_cpu *rc;
	int wrong = 0;
	bool full;

	steps_begin(hook);
	for_each_point(points) {
		hook_ring = new_ring(4, RING_DISCARD);
		rc = ring_this_cpu(hook_ring);
		marker_clock.counter = true;
		step_puts = puts;
		wrong += fill(PER_PACKET);
		point_begin(&points);
		single_step(true);
		ring_look(rc, &spot, SHORT + 96);
		full = ring_is_full(rc, &spot, SHORT + 96);
		single_step(false);
		point_end(&points, 0);
		if (full || !put(hook_ring, 96, 3)) {
			if (!wrong++)
				printf("# step %ld of %ld\n", points.at, points.total);
		}
		marker_clock.counter = false;
		ring_destroy(hook_ring);
	}
	steps_end();
	ok(!wrong && points.nr > 10, "step: full or not, %s in an interrupt: at %ld points",
	   what, points.nr);
}

static void test_steps(void)
{
	leave_cpus_out(true);
	test_step(RING_DISCARD, 3, 1, step_put, false, "a record in a record");
	test_step(RING_DISCARD, 3, 50, step_put, false, "a new sub-buffer in a record");
	test_step(RING_DISCARD, PER_PACKET, 1, step_put, false, "a record in a switch");
	test_step(RING_DISCARD, PER_PACKET, 200, step_put, false, "a full ring in a switch");
	test_step(RING_DISCARD, PER_PACKET, 2, step_put_flush, false, "a flush in a switch");
	test_step(RING_DISCARD, 4 * PER_PACKET, 0, step_take, false, "a reader in a loss");
	test_step(RING_DISCARD, 5, 1, step_put, true, "a record in a flush");
	test_step(RING_DISCARD, 5, 200, step_put, true, "a full ring in a flush");
	test_step(RING_OVERWRITE, 4 * PER_PACKET, 1, step_put, false, "a record in an overwrite");
	test_step(RING_OVERWRITE, 4 * PER_PACKET, 200, step_put, false, "laps in an overwrite");
	test_step(RING_OVERWRITE, 4 * PER_PACKET, 0, step_take, false, "a reader in an overwrite");
	test_step(RING_OVERWRITE, 4 * PER_PACKET, 3, step_put_flush, false, "a flush in an overwrite");
	test_step(RING_OVERWRITE, 4 * PER_PACKET, 200, step_put, true, "laps in a flush");
	test_step_position(3, false, "a record");
	test_step_position(PER_PACKET, false, "a switch");
	test_step_position(5, true, "a flush");
	test_step_set_back();
	test_step_back(3, 1000, 500, false, "a record");
	test_step_back(PER_PACKET, 1000, 500, false, "a switch");
	test_step_back(3, RING_TIME_STEP + 100, 500, false, "a long header");
	test_step_back(3, 3 * RING_TIME_STEP, RING_TIME_STEP, false, "a longer gap");
	test_step_back(3, 1000, 500, true, "a flush");
	test_step_full(fill_and_refuse, step_turn, 2 * PER_PACKET - 5, "two sub-buffers");
	test_step_full(fill_and_refuse, step_open_refuse, PER_PACKET - 5 + 3,
		       "one opened and a refusal");
	test_step_full(fill_and_read, step_lap_refuse, 3 * PER_PACKET, "a lap and a refusal");
	leave_cpus_out(false);
}
#else
static void test_steps(void)
{
	skip("no single step here", "step: a write is interrupted everywhere");
}
#endif

int main(void)
{
	unit_time_ns = 1000;
	clock_init("mono");
	ring_init();

	test_steps();

	ring_exit();
	return tap_done();
}

