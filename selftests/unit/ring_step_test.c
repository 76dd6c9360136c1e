// SPDX-License-Identifier: GPL-2.0
/*
 * The ring, interrupted: between reserve and commit, at critical places, and after each
 * instruction of a write.
 */
#include "ring_kit.h"

/* A writer that is interrupted between reserve and commit. */
static void test_interrupted(enum ring_mode mode, const char *name)
{
	struct ring *ring = new_ring(4, mode);
	struct ring_cpu *rc = ring_this_cpu(ring);
	struct ring_record outer = { }, inner = { };
	struct ring_packet packet;
	struct ring_stats s;
	int n, m, i;

	ring_reserve(rc, &outer, 96, SHORT, LONG, false);
	n = fill_ring(ring, 96);
	ok(n > 0, "%s: nested records are kept", name);
	ok(balanced(ring, 0, n + 1), "%s: balanced but for the open one", name);
	ring_stats(ring, 0, &s);
	is_int(s.overwritten, 0, "%s: nothing is overwritten by them", name);
	is_int(s.lost[RING_LOST_FULL], 1, "%s: the ring ends at the open one", name);
	is_int(take(ring, &packet), -EAGAIN, "%s: nothing can be read", name);
	ok(nr_delivered == 2, "%s: though there are packets", name);

	memset(outer.data, 7, outer.len);
	ring_commit(rc, &outer);
	ok(nr_delivered == 3, "%s: the outer writer delivers its packet", name);
	m = take(ring, &packet);
	is_int(packet.seq, 0, "%s: it is the first", name);
	ok(balanced(ring, 0, n + 2), "%s: balanced", name);

	/* Now the flush comes in the middle. */
	while (take(ring, &packet) >= 0)
		;
	unit_clear(ring, 0);
	ok(balanced(ring, 0, 0), "%s: cleared", name);
	ring_reserve(rc, &outer, 96, SHORT, LONG, false);
	ring_reserve(rc, &inner, 10, SHORT, LONG, true);
	ok(inner.is_long && inner.data == outer.data + outer.len, "%s: nested", name);
	ring_flush(ring, 0);
	ring_commit(rc, &inner);
	is_int(take(ring, &packet), -EAGAIN, "%s: flushed, not complete", name);
	ring_commit(rc, &outer);
	is_int(take(ring, &packet), 2, "%s: complete", name);
	ok(balanced(ring, 0, 2), "%s: balanced", name);

	/* And a clear. */
	ring_reserve(rc, &outer, 96, SHORT, LONG, false);
	for (i = 0; i < 50; i++)
		put(ring, 96, 1);
	unit_clear(ring, 0);
	ring_commit(rc, &outer);
	ring_flush(ring, 0);
	for (i = 0; (m = take(ring, &packet)) >= 0;)
		i += m;
	is_int(i, 51, "%s: what was open survives a clear", name);
	ok(balanced(ring, 0, 51), "%s: balanced", name);
	ring_destroy(ring);
}

static int hook_got;

static void hook_take(void)
{
	struct ring_packet packet;

	hook_got = take(hook_ring, &packet);
}

/* The same at the critical places, where the hooks are called. */
static void test_between(void)
{
	const int per_packet = (SIZE - 1 - HEADER) / (SHORT + 96);
	struct ring_packet packet;
	struct ring_record rec = { };
	struct ring_spot spot;
	struct ring_cpu *rc;
	struct ring_stats s;
	u64 ts;
	int i;

	/* After the clock was read: in the fast path, then in the slow one. */
	hook_ring = new_ring(4, RING_OVERWRITE);
	rc = ring_this_cpu(hook_ring);
	put(hook_ring, 96, 1);
	hook_puts = 1;
	unit_after_time = hook_put;
	ts = unit_time_ns;
	ok(ring_reserve(rc, &rec, 96, SHORT, LONG, false) && rec.ts > ts,
	   "between: interrupted after the clock, the time is read again");
	ring_commit(rc, &rec);
	ring_flush(hook_ring, 0);
	hook_puts = 1;
	unit_after_time = hook_put;
	ts = unit_time_ns;
	ok(ring_reserve(rc, &rec, 96, SHORT, LONG, false) && rec.ts > ts &&
	   last_open_ts <= rec.ts, "between: the same when a sub-buffer is opened");
	ring_commit(rc, &rec);
	hook_puts = 3 * per_packet;
	unit_after_time = hook_put;
	ring_flush(hook_ring, 0);
	ok(balanced(hook_ring, 0, 5 + 3 * per_packet), "between: and when it is flushed");
	ring_destroy(hook_ring);

	/* The CPU's counter gets no correction, unlike the other clock. */
	hook_ring = new_ring(4, RING_DISCARD);
	rc = ring_this_cpu(hook_ring);
	marker_clock.counter = true;
	put(hook_ring, 96, 1);
	put(hook_ring, 96, 1);
	hook_puts = 1;
	after_cycles = hook_put;
	ok(ring_reserve(rc, &rec, 96, SHORT, LONG, false) && rec.ts >= last_put_ts,
	   "between: the same with the counter of the CPU");
	ring_commit(rc, &rec);
	marker_clock.counter = false;
	ring_destroy(hook_ring);

	/* The writer has looked at the next slot, and then an interrupt claims it. */
	hook_ring = new_ring(4, RING_OVERWRITE);
	for (i = 0; i < 4 * per_packet; i++)
		put(hook_ring, 96, 1);
	hook_puts = 2;
	unit_before_cmpxchg = hook_put;
	ok(put(hook_ring, 96, 1), "between: claimed by an interrupt");
	ring_stats(hook_ring, 0, &s);
	is_int(s.overwritten, per_packet, "between: overwritten once");
	is_int(s.open, 3, "between: one sub-buffer opened");
	ok(balanced(hook_ring, 0, 4 * per_packet + 3), "between: balanced");

	/* The same, a lap later. */
	while (s.open < (u64)per_packet) {
		put(hook_ring, 96, 1);
		ring_stats(hook_ring, 0, &s);
	}
	hook_puts = 9 * per_packet;
	unit_before_cmpxchg = hook_put;
	ok(put(hook_ring, 96, 1), "between: laps by an interrupt");
	ok(balanced(hook_ring, 0, 14 * per_packet + 1), "between: balanced");
	ring_destroy(hook_ring);

	/* The oldest packet: a reader gets it before the writer overwrites it. */
	hook_ring = new_ring(4, RING_OVERWRITE);
	for (i = 0; i < 4 * per_packet; i++)
		put(hook_ring, 96, i / per_packet);
	unit_before_cmpxchg = hook_take;
	ok(put(hook_ring, 96, 4), "between: read, not overwritten");
	is_int(hook_got, per_packet, "between: it was a whole one");
	ok(balanced(hook_ring, 0, 4 * per_packet + 1), "between: balanced");
	ring_stats(hook_ring, 0, &s);
	is_int(s.overwritten, 0, "between: nothing was overwritten");

	/* And the other way round. */
	hook_puts = per_packet;
	unit_before_cmpxchg = hook_put;
	is_int(take(hook_ring, &packet), per_packet, "between: overwritten, not read");
	is_int(packet.seq, 2, "between: so the next one is read");
	ok(balanced(hook_ring, 0, 5 * per_packet + 1), "between: balanced");
	ring_destroy(hook_ring);

	/* Losses after the writer has left the old sub-buffer count for the next one. */
	hook_ring = new_ring(2, RING_DISCARD);
	for (i = 0; i < per_packet; i++)
		put(hook_ring, 96, 1);
	hook_puts = 4 * per_packet;
	in_close = hook_put;
	ok(put(hook_ring, 96, 1), "between: interrupted while it closes");
	take(hook_ring, &packet);
	is_int(packet.lost, 0, "between: nothing was lost before that");
	ring_destroy(hook_ring);

	/* And an interrupt leaves the next one while the writer closes the old one. */
	hook_ring = new_ring(8, RING_DISCARD);
	rc = ring_this_cpu(hook_ring);
	for (i = 0; i < per_packet; i++)
		put(hook_ring, 96, 1);
	hook_puts = per_packet + 3;
	in_close = hook_put;
	ok(put(hook_ring, 96, 1), "between: an interrupt opens the one after the next");
	ok(ring_look(rc, &spot, SHORT + 96) < rc->room,
	   "between: that one is known to be open");
	ring_destroy(hook_ring);
}

/* Are all records that can be read in order and intact? */
static bool in_order(struct ring *ring)
{
	struct ring_packet packet;
	u64 last = 0, lost = 0, ts;
	struct head head;
	u32 at, n;

	while (take(ring, &packet) >= 0) {
		memcpy(&head, packet_copy, sizeof(head));
		if (head.begin < last || head.end < head.begin ||
		    packet.lost_before < lost || packet.lost < packet.lost_before)
			return false;
		last = head.begin;
		lost = packet.lost;
		for (at = HEADER, n = 0; at < packet.size; n++) {
			at += 96 + (packet_copy[at] ? LONG : SHORT);
			memcpy(&ts, packet_copy + at - sizeof(ts), sizeof(ts));
			if (ts < last || ts > head.end)
				return false;
			last = ts;
		}
		if (at != packet.size || n != packet.nr_events || head.nr_events != n)
			return false;
		last = head.end;
	}
	return true;
}

/*
 * The clock is set back after the slow path has moved the offset and before it stores its
 * time; then a record comes.  Its time is still later than that of the last record, which
 * was @ahead before.
 */
static u64 set_back;

static void hook_back_put(void)
{
	unit_time_ns -= set_back;
	put(hook_ring, 96, 50);
}

static void test_back(int before, u64 ahead, u64 by, bool flush, const char *what)
{
	int i;

	hook_ring = new_ring(4, RING_DISCARD);
	for (i = 0; i < before; i++)
		put(hook_ring, 96, 1);
	unit_time_ns += ahead;
	set_back = by;
	unit_after_try = hook_back_put;
	if (flush)
		ring_flush(hook_ring, 0);
	else
		put(hook_ring, 96, 2);
	ok(!unit_after_try && balanced(hook_ring, 0, before + 1 + !flush),
	   "back: the clock is set back in %s", what);
	put(hook_ring, 96, 3);
	ring_flush(hook_ring, 0);
	ok(in_order(hook_ring), "back: in order after %s", what);
	unit_time_ns += ahead;
	ring_destroy(hook_ring);
}

/*
 * A record each time that the clock is read, as by a kprobe there; or a sub-buffer each time that
 * the next one is claimed, as by a watchpoint.
 */
static int nr_trapped;

static void trap(void (**hook)(void), void (*again)(void))
{
	put(hook_ring, 96, 50);
	/* for ever would be too long */
	if (++nr_trapped < 10000)
		*hook = again;
}

static void hook_clock(void)
{
	trap(&unit_after_time, hook_clock);
}

static void hook_claim(void)
{
	hook_puts = (SIZE - 1 - HEADER) / (SHORT + 96) - 1;
	nr_trapped += hook_puts;
	hook_put();
	trap(&unit_before_cmpxchg, hook_claim);
}

static struct ring_position trapped_position;

static bool trapped_put(void)
{
	return put(hook_ring, 96, 2);
}

static bool trapped_flush(void)
{
	ring_flush(hook_ring, 0);
	return false;
}

static bool trapped_ask(void)
{
	ring_position(hook_ring, 0, &trapped_position);
	return false;
}

static void test_trapped(int before, bool (*act)(void), const char *what)
{
	bool put_one;
	int i;

	hook_ring = new_ring(4, RING_OVERWRITE);
	for (i = 0; i < before; i++)
		put(hook_ring, 96, 1);
	nr_trapped = 0;
	unit_after_time = hook_clock;
	put_one = act();
	unit_after_time = NULL;
	ok(nr_trapped && nr_trapped < 20 && put_one == (act == trapped_put),
	   "trapped: %s ends: %d records by the clock", what, nr_trapped);
	ok(balanced(hook_ring, 0, before + nr_trapped + put_one), "trapped: balanced");
	ring_flush(hook_ring, 0);
	ok(in_order(hook_ring), "trapped: in order");
	ring_destroy(hook_ring);
}

/* What interrupts each try is given up on, and counted. */
static void test_watched(void)
{
	const int per_packet = (SIZE - 1 - HEADER) / (SHORT + 96);
	struct ring_stats s;
	int i;

	hook_ring = new_ring(4, RING_OVERWRITE);
	for (i = 0; i < per_packet; i++)
		put(hook_ring, 96, 1);
	unit_before_cmpxchg = hook_claim;
	nr_trapped = 0;
	ok(!put(hook_ring, 96, 2), "watched: a record is lost");
	unit_before_cmpxchg = NULL;
	is_int(nr_trapped, 100 * per_packet, "watched: tries before the loss");
	ring_stats(hook_ring, 0, &s);
	is_int(s.lost[RING_LOST_FULL], 1, "watched: and counted");
	ok(balanced(hook_ring, 0, nr_trapped + per_packet + 1), "watched: balanced");
	ok(put(hook_ring, 96, 3), "watched: the next one is not");
	ring_flush(hook_ring, 0);
	ok(in_order(hook_ring), "watched: in order");
	ring_destroy(hook_ring);
}

/* The same everywhere: after each instruction of a write, or after some. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#include "single_step.h"

static int step_puts;

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
	const int per_packet = (SIZE - 1 - HEADER) / (SHORT + 96);
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
		wrong += fill(per_packet);
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
	const int per_packet = (SIZE - 1 - HEADER) / (SHORT + 96);

	leave_cpus_out(true);
	test_step(RING_DISCARD, 3, 1, step_put, false, "a record in a record");
	test_step(RING_DISCARD, 3, 50, step_put, false, "a new sub-buffer in a record");
	test_step(RING_DISCARD, per_packet, 1, step_put, false, "a record in a switch");
	test_step(RING_DISCARD, per_packet, 200, step_put, false, "a full ring in a switch");
	test_step(RING_DISCARD, per_packet, 2, step_put_flush, false, "a flush in a switch");
	test_step(RING_DISCARD, 4 * per_packet, 0, step_take, false, "a reader in a loss");
	test_step(RING_DISCARD, 5, 1, step_put, true, "a record in a flush");
	test_step(RING_DISCARD, 5, 200, step_put, true, "a full ring in a flush");
	test_step(RING_OVERWRITE, 4 * per_packet, 1, step_put, false, "a record in an overwrite");
	test_step(RING_OVERWRITE, 4 * per_packet, 200, step_put, false, "laps in an overwrite");
	test_step(RING_OVERWRITE, 4 * per_packet, 0, step_take, false, "a reader in an overwrite");
	test_step(RING_OVERWRITE, 4 * per_packet, 3, step_put_flush, false, "a flush in an overwrite");
	test_step(RING_OVERWRITE, 4 * per_packet, 200, step_put, true, "laps in a flush");
	test_step_set_back();
	test_step_back(3, 1000, 500, false, "a record");
	test_step_back(per_packet, 1000, 500, false, "a switch");
	test_step_back(3, RING_TIME_STEP + 100, 500, false, "a long header");
	test_step_back(3, 3 * RING_TIME_STEP, RING_TIME_STEP, false, "a longer gap");
	test_step_back(3, 1000, 500, true, "a flush");
	test_step_full(fill_and_refuse, step_turn, 2 * per_packet - 5, "two sub-buffers");
	test_step_full(fill_and_refuse, step_open_refuse, per_packet - 5 + 3,
		       "one opened and a refusal");
	test_step_full(fill_and_read, step_lap_refuse, 3 * per_packet, "a lap and a refusal");
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

	test_interrupted(RING_DISCARD, "interrupted, discard");
	test_interrupted(RING_OVERWRITE, "interrupted, overwrite");
	test_between();
	test_back(3, 1000, 500, false, "a record");
	test_back((SIZE - 1 - HEADER) / (SHORT + 96), 1000, 500, false, "a switch");
	test_back(3, RING_TIME_STEP + 100, 500, false, "a long header");
	test_back(3, 3 * RING_TIME_STEP, RING_TIME_STEP, false, "a longer gap");
	test_back(3, 1000, 500, true, "a flush");
	test_trapped(3, trapped_put, "a record");
	test_trapped((SIZE - 1 - HEADER) / (SHORT + 96), trapped_put, "a switch");
	test_trapped(3, trapped_flush, "a flush");
	test_trapped(3, trapped_ask, "a question");
	test_watched();
	test_steps();

	ring_exit();
	return tap_done();
}
