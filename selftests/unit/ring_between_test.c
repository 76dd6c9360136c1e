// SPDX-License-Identifier: GPL-2.0
/*
 * The ring, interrupted: between reserve and commit, and at critical places, where the hooks are.
 */
#include "ring_kit.h"

/* A writer that is interrupted between reserve and commit, while the others fill the ring. */
static void test_filled(enum ring_mode mode, const char *name)
{
	struct ring *ring = new_ring(4, mode);
	struct ring_cpu *rc = ring_this_cpu(ring);
	struct ring_record outer = { };
	struct ring_packet packet;
	struct ring_stats s;
	int n;

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
	take(ring, &packet);
	is_int(packet.seq, 0, "%s: it is the first", name);
	ok(balanced(ring, 0, n + 2), "%s: balanced", name);
	ring_destroy(ring);
}

/* A flush comes in the middle. */
static void test_flushed(enum ring_mode mode, const char *name)
{
	struct ring *ring = new_ring(4, mode);
	struct ring_cpu *rc = ring_this_cpu(ring);
	struct ring_record outer = { }, inner = { };
	struct ring_packet packet;

	ring_reserve(rc, &outer, 96, SHORT, LONG, false);
	ring_reserve(rc, &inner, 10, SHORT, LONG, true);
	ok(inner.is_long && inner.data == outer.data + outer.len, "%s: nested", name);
	ring_flush(ring, 0);
	ring_commit(rc, &inner);
	is_int(take(ring, &packet), -EAGAIN, "%s: flushed, not complete", name);
	ring_commit(rc, &outer);
	is_int(take(ring, &packet), 2, "%s: complete", name);
	ok(balanced(ring, 0, 2), "%s: balanced", name);
	ring_destroy(ring);
}

/* A clear comes in the middle. */
static void test_cleared(enum ring_mode mode, const char *name)
{
	struct ring *ring = new_ring(4, mode);
	struct ring_cpu *rc = ring_this_cpu(ring);
	struct ring_record outer = { };
	struct ring_packet packet;
	int m, i;

	put(ring, 96, 1);
	unit_clear(ring, 0);
	ok(balanced(ring, 0, 0), "%s: cleared", name);
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

/* After the clock was read: in the fast path, then in the slow one. */
static void test_after_clock(void)
{
	struct ring_record rec = { };
	struct ring_cpu *rc;
	u64 ts;

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
	hook_puts = 3 * PER_PACKET;
	unit_after_time = hook_put;
	ring_flush(hook_ring, 0);
	ok(balanced(hook_ring, 0, 5 + 3 * PER_PACKET), "between: and when it is flushed");
	ring_destroy(hook_ring);
}

/* The CPU's counter gets no correction, unlike the other clock. */
static void test_after_counter(void)
{
	struct ring_record rec = { };
	struct ring_cpu *rc;

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
}

/* The writer has looked at the next slot, and then an interrupt claims it. */
static void test_claimed(void)
{
	struct ring_stats s;
	int i;

	hook_ring = new_ring(4, RING_OVERWRITE);
	for (i = 0; i < 4 * PER_PACKET; i++)
		put(hook_ring, 96, 1);
	hook_puts = 2;
	unit_before_cmpxchg = hook_put;
	ok(put(hook_ring, 96, 1), "between: claimed by an interrupt");
	ring_stats(hook_ring, 0, &s);
	is_int(s.overwritten, PER_PACKET, "between: overwritten once");
	is_int(s.open, 3, "between: one sub-buffer opened");
	ok(balanced(hook_ring, 0, 4 * PER_PACKET + 3), "between: balanced");
	ring_destroy(hook_ring);
}

/* The same, and the interrupt comes round to it again. */
static void test_lapped(void)
{
	int i;

	hook_ring = new_ring(4, RING_OVERWRITE);
	for (i = 0; i < 5 * PER_PACKET; i++)
		put(hook_ring, 96, 1);
	hook_puts = 9 * PER_PACKET;
	unit_before_cmpxchg = hook_put;
	ok(put(hook_ring, 96, 1), "between: laps by an interrupt");
	ok(!unit_before_cmpxchg, "between: it came");
	ok(balanced(hook_ring, 0, 14 * PER_PACKET + 1), "between: balanced");
	ring_destroy(hook_ring);
}

/* The oldest packet: a reader gets it before the writer overwrites it. */
static void test_read_first(void)
{
	struct ring_stats s;
	int i;

	hook_ring = new_ring(4, RING_OVERWRITE);
	for (i = 0; i < 4 * PER_PACKET; i++)
		put(hook_ring, 96, i / PER_PACKET);
	unit_before_cmpxchg = hook_take;
	ok(put(hook_ring, 96, 4), "between: read, not overwritten");
	is_int(hook_got, PER_PACKET, "between: it was a whole one");
	ok(balanced(hook_ring, 0, 4 * PER_PACKET + 1), "between: balanced");
	ring_stats(hook_ring, 0, &s);
	is_int(s.overwritten, 0, "between: nothing was overwritten");
	ring_destroy(hook_ring);
}

/* And the other way round. */
static void test_overwritten_first(void)
{
	struct ring_packet packet;
	int i;

	hook_ring = new_ring(4, RING_OVERWRITE);
	for (i = 0; i < 4 * PER_PACKET; i++)
		put(hook_ring, 96, i / PER_PACKET);
	hook_puts = PER_PACKET;
	unit_before_cmpxchg = hook_put;
	is_int(take(hook_ring, &packet), PER_PACKET, "between: overwritten, not read");
	is_int(packet.seq, 1, "between: so the next one is read");
	ok(balanced(hook_ring, 0, 5 * PER_PACKET), "between: balanced");
	ring_destroy(hook_ring);
}

/* Losses after the writer has left the old sub-buffer count for the next one. */
static void test_lost_in_close(void)
{
	struct ring_packet packet;
	int i;

	hook_ring = new_ring(2, RING_DISCARD);
	for (i = 0; i < PER_PACKET; i++)
		put(hook_ring, 96, 1);
	hook_puts = 4 * PER_PACKET;
	in_close = hook_put;
	ok(put(hook_ring, 96, 1), "between: interrupted while it closes");
	take(hook_ring, &packet);
	is_int(packet.lost, 0, "between: nothing was lost before that");
	ring_destroy(hook_ring);
}

/* An interrupt leaves the next sub-buffer while the writer closes the old one. */
static void test_opened_in_close(void)
{
	struct ring_spot spot;
	struct ring_cpu *rc;
	int i;

	hook_ring = new_ring(8, RING_DISCARD);
	rc = ring_this_cpu(hook_ring);
	for (i = 0; i < PER_PACKET; i++)
		put(hook_ring, 96, 1);
	hook_puts = PER_PACKET + 3;
	in_close = hook_put;
	ok(put(hook_ring, 96, 1), "between: an interrupt opens the one after the next");
	ok(ring_look(rc, &spot, SHORT + 96) < rc->room,
	   "between: that one is known to be open");
	ring_destroy(hook_ring);
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
	hook_puts = PER_PACKET - 1;
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
	struct ring_stats s;
	int i;

	hook_ring = new_ring(4, RING_OVERWRITE);
	for (i = 0; i < PER_PACKET; i++)
		put(hook_ring, 96, 1);
	unit_before_cmpxchg = hook_claim;
	nr_trapped = 0;
	ok(!put(hook_ring, 96, 2), "watched: a record is lost");
	unit_before_cmpxchg = NULL;
	is_int(nr_trapped, 100 * PER_PACKET, "watched: tries before the loss");
	ring_stats(hook_ring, 0, &s);
	is_int(s.lost[RING_LOST_FULL], 1, "watched: and counted");
	ok(balanced(hook_ring, 0, nr_trapped + PER_PACKET + 1), "watched: balanced");
	ok(put(hook_ring, 96, 3), "watched: the next one is not");
	ring_flush(hook_ring, 0);
	ok(in_order(hook_ring), "watched: in order");
	ring_destroy(hook_ring);
}

int main(void)
{
	unit_time_ns = 1000;
	clock_init("mono");
	ring_init();

	test_filled(RING_DISCARD, "filled, discard");
	test_filled(RING_OVERWRITE, "filled, overwrite");
	test_flushed(RING_DISCARD, "flushed, discard");
	test_flushed(RING_OVERWRITE, "flushed, overwrite");
	test_cleared(RING_DISCARD, "cleared, discard");
	test_cleared(RING_OVERWRITE, "cleared, overwrite");
	test_after_clock();
	test_after_counter();
	test_claimed();
	test_lapped();
	test_read_first();
	test_overwritten_first();
	test_lost_in_close();
	test_opened_in_close();
	test_back(3, 1000, 500, false, "a record");
	test_back(PER_PACKET, 1000, 500, false, "a switch");
	test_back(3, RING_TIME_STEP + 100, 500, false, "a long header");
	test_back(3, 3 * RING_TIME_STEP, RING_TIME_STEP, false, "a longer gap");
	test_back(3, 1000, 500, true, "a flush");
	test_trapped(3, trapped_put, "a record");
	test_trapped(PER_PACKET, trapped_put, "a switch");
	test_trapped(3, trapped_flush, "a flush");
	test_trapped(3, trapped_ask, "a question");
	test_watched();

	ring_exit();
	return tap_done();
}

