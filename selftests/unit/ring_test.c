// SPDX-License-Identifier: GPL-2.0
/*
 * The ring, one step after another: markers/ring/ring*.c.
 */
#include "ring_kit.h"

static void test_config(void)
{
	static const struct { u32 size, nr, header; const char *what; } bad[] = {
		{ 2048, 4, 16, "smaller than a page" },
		{ 5000, 4, 16, "no power of two" },
		{ 8 << 20, 4, 16, "too large" },
		{ 4096, 1, 16, "one sub-buffer" },
		{ 4096, 3, 16, "three sub-buffers" },
		{ 4096, 65536, 16, "more than numbers for them" },
		{ 4096, 4, 0, "no header" },
		{ 4096, 4, 4096, "nothing but header" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct ring_ops o = ops;
		struct ring_config config = {
			.subbuf_size = bad[i].size,
			.nr_subbufs = bad[i].nr,
			.ops = &o,
		};

		o.header_size = bad[i].header;
		ok(PTR_ERR(ring_create(&config)) == -EINVAL, "config: %s", bad[i].what);
	}
}

static void test_alloc_fail(void)
{
	long pages = unit_pages;
	struct ring *ring;
	int n, failed = 0;

	for (n = 1; n < 10000; n++) {
		unit_alloc_fail = n;
		ring = new_ring(4, RING_DISCARD);
		if (ring)
			break;
		failed++;
		if (unit_pages != pages)
			break;
	}
	unit_alloc_fail = 0;
	ok(ring && failed > NR_CPUS * 8, "alloc: all of %d failures are reported", failed);
	ok(ring && unit_pages == pages + NR_CPUS * 5, "alloc: and nothing leaks");
	ring_destroy(ring);
	ok(unit_pages == pages, "alloc: destroy frees all pages");
}

static void test_hotplug(void)
{
	struct ring *ring;
	struct ring_stats s;

	unit_cpu_offline[3] = true;
	ring = new_ring(2, RING_DISCARD);
	unit_cpu = 3;
	ok(!put(ring, 8, 1), "hotplug: no buffer, no record");
	ok(!put(ring, 8, 1), "hotplug: nor another");
	ring_stats(ring, 3, &s);
	is_int(s.lost[RING_LOST_NO_BUFFER], 2, "hotplug: counted as lost");
	is_int(s.written, 2, "hotplug: and as written");
	ok(!ring_readable(ring, 3), "hotplug: nothing to read");
	ring_flush(ring, 3);
	unit_clear(ring, 3);

	unit_alloc_fail = 3;
	is_int(unit_cpu_up(3, &ring->node), 0, "hotplug: the CPU comes up without memory");
	unit_alloc_fail = 0;
	ok(!put(ring, 8, 1), "hotplug: still no buffer");
	is_int(unit_cpu_up(3, &ring->node), 0, "hotplug: the next time");
	ok(put(ring, 8, 1), "hotplug: it has a buffer");

	unit_cpu = 0;
	unit_cpu_offline[3] = true;
	ring_flush(ring, 3);
	ok(ring_readable(ring, 3), "hotplug: flush of a CPU that is offline");
	is_int(unit_cpu_up(3, &ring->node), 0, "hotplug: up again");
	unit_cpu = 3;
	ok(put(ring, 8, 1), "hotplug: same buffer");
	ok(balanced(ring, 3, 5), "hotplug: balanced");
	unit_cpu = 0;
	ring_destroy(ring);
	unit_cpu_offline[3] = false;
}

static void test_stopped(void)
{
	struct ring *ring = new_ring(2, RING_DISCARD);

	ring_stop(ring);
	ok(!put(ring, 8, 1), "stop: refused");
	ok(balanced(ring, 0, 0), "stop: not counted");
	ring_start(ring);
	ok(put(ring, 8, 1), "start: accepted");
	ring_destroy(ring);
}

static void test_discard(void)
{
	struct ring *ring = new_ring(4, RING_DISCARD);
	const int per_packet = (SIZE - 1 - HEADER) / (SHORT + 96);
	struct ring_packet packet;
	struct head *head;
	int n, i;

	is_int(take(ring, &packet), -EAGAIN, "discard: empty at first");
	ring_flush(ring, 0);
	is_int(take(ring, &packet), -EAGAIN, "discard: and after a flush");
	ok(!nr_opened, "discard: nothing opened");

	n = fill_ring(ring, 96);
	is_int(n, 4 * per_packet, "discard: events that fit");
	ok(balanced(ring, 0, n + 1), "discard: balanced");
	is_int(stat_lost(ring, RING_LOST_FULL), 1, "discard: the last was lost");
	for (i = 0; i < 9; i++)
		put(ring, 96, 1);
	is_int(stat_lost(ring, RING_LOST_FULL), 10, "discard: so are nine more");
	ok(put(ring, 8, 2), "discard: a smaller one still fits");
	ok(balanced(ring, 0, n + 11), "discard: balanced");

	get(ring, &packet);
	is_int(packet.nr_events, per_packet, "discard: first packet's events");
	is_int(packet.seq, 0, "discard: its number");
	is_int(packet.size, HEADER + per_packet * 100, "discard: its size");
	head = packet.data;
	is_int(head->used, packet.size, "discard: as in its head");
	is_int(head->nr_events, per_packet, "discard: events as well");
	is_int(packet.lost, 0, "discard: nothing lost before");
	put_back(ring, &packet);

	ok(put(ring, 96, 1), "discard: there is room again");
	for (i = 1; i < 3; i++)
		is_int(take(ring, &packet), per_packet, "discard: packet %d", i);
	get(ring, &packet);
	is_int(packet.nr_events, per_packet + 1, "discard: the small one was there");
	is_int(packet.lost_before, 0, "discard: nothing lost before that packet");
	is_int(packet.lost, 10, "discard: the loss is where it happened");
	put_back(ring, &packet);
	is_int(take(ring, &packet), -EAGAIN, "discard: the rest is open");
	ring_flush(ring, 0);
	is_int(take(ring, &packet), 1, "discard: and is read after a flush");
	is_int(packet.seq, 4, "discard: its number");
	is_int(packet.lost_before, 10, "discard: and what was lost before it");
	ring_flush(ring, 0);
	is_int(take(ring, &packet), -EAGAIN, "discard: a flush of nothing gives nothing");
	ok(balanced(ring, 0, n + 12), "discard: balanced");
	is_int(nr_opened, nr_closed, "discard: opened and closed");
	is_int(nr_delivered, nr_closed, "discard: and delivered");
	ring_destroy(ring);
}

static void test_big(void)
{
	struct ring *ring = new_ring(2, RING_DISCARD);
	const u32 max = SIZE - 1 - HEADER - SHORT;
	struct ring_packet packet;

	ok(!put(ring, max + 1, 1), "big: too big");
	ok(!put(ring, SIZE, 1), "big: a sub-buffer");
	ok(!put(ring, ~0u, 1), "big: as big as can be");
	ok(!put(ring, ~0u - 3, 1), "big: nor does the sum wrap");
	is_int(stat_lost(ring, RING_LOST_BIG), 4, "big: counted apart");
	ok(put(ring, max, 1), "big: the biggest");
	ok(put(ring, 1, 1), "big: the next sub-buffer");
	is_int(take(ring, &packet), 1, "big: read");
	is_int(packet.size, SIZE - 1, "big: all but a byte");
	ok(!put(ring, max + 1, 1), "big: too big, with one open");
	ok(balanced(ring, 0, 7), "big: balanced");
	ring_destroy(ring);
}

static void test_wrap(void)
{
	struct ring *ring = new_ring(2, RING_DISCARD);
	int i, bad = 0, in = 0, out = 0, lost = 0;
	struct ring_packet packet;

	for (i = 0; i < 200000; i++) {
		if (put(ring, i * 7919u % 1000, i))
			in++;
		else
			lost++;
		if (i % 5 == 0 && (i / 1000) % 3) {
			int n = take(ring, &packet);

			if (n >= 0)
				out += n;
		}
		if (i % 1013 == 0)
			ring_flush(ring, 0);
		if (i % 500 == 0)
			bad += !balanced(ring, 0, in + lost);
	}
	ring_flush(ring, 0);
	while ((i = take(ring, &packet)) >= 0)
		out += i;
	is_int(bad, 0, "wrap: balanced all the time");
	ok(lost, "wrap: some were lost");
	is_int(out, in, "wrap: none else");
	ring_destroy(ring);
}

static void test_overwrite(void)
{
	struct ring *ring = new_ring(4, RING_OVERWRITE);
	const int per_packet = (SIZE - 1 - HEADER) / (SHORT + 96);
	struct ring_packet packet;
	struct ring_stats s;
	int i;

	for (i = 0; i < 10 * per_packet; i++)
		if (!put(ring, 96, i / per_packet))
			break;
	is_int(i, 10 * per_packet, "overwrite: never full");
	ring_stats(ring, 0, &s);
	is_int(s.overwritten, 6 * per_packet, "overwrite: six packets gone");
	is_int(s.unread, 3 * per_packet, "overwrite: three there");
	is_int(s.open, per_packet, "overwrite: one open");
	ok(balanced(ring, 0, 10 * per_packet), "overwrite: balanced");
	for (i = 6; i < 9; i++) {
		get(ring, &packet);
		ok(packet.seq == (u64)i && ((u8 *)packet.data)[HEADER + SHORT] == i,
		   "overwrite: packet %d", i);
		put_back(ring, &packet);
	}
	is_int(take(ring, &packet), -EAGAIN, "overwrite: no more");

	/* Read some records, and let the writer lap the reader. */
	for (i = 0; i < 9 * per_packet; i++)
		put(ring, 96, 10 + i / per_packet);
	is_int(take(ring, &packet), per_packet, "overwrite: after a lap");
	is_int(packet.seq, 15, "overwrite: the oldest there is");
	ok(balanced(ring, 0, 19 * per_packet), "overwrite: balanced");

	/* The writer cannot reach a packet that the reader holds. */
	get(ring, &packet);
	for (i = 0; i < 20 * per_packet; i++)
		put(ring, 96, 99);
	ok(((u8 *)packet.data)[HEADER + SHORT] == packet.seq, "overwrite: not what is being read");
	put_back(ring, &packet);
	ring_flush(ring, 0);
	for (i = 0; take(ring, &packet) > 0; i++)
		;
	is_int(i, 4, "overwrite: flushed, all slots are read");
	ok(balanced(ring, 0, 39 * per_packet), "overwrite: balanced");
	ring_destroy(ring);
}

static void test_headers(void)
{
	struct ring *ring = new_ring(4, RING_DISCARD);
	struct ring_cpu *rc = ring_this_cpu(ring);
	static const struct { u64 gap; bool need, is_long; } steps[] = {
		{ 0, false, false },			/* opens */
		{ 0, false, false },
		{ 1, false, false },
		{ RING_TIME_STEP - 1, false, false },
		{ RING_TIME_STEP, false, true },
		{ 1, false, false },
		{ 1, true, true },
		{ RING_TIME_STEP + 5, true, true },
		{ 1ull << 32, false, true },
		{ 1ull << 54, false, true },
		{ 3, false, false },
	};
	struct ring_record rec = { };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		unit_time_ns += steps[i].gap;
		if (!ring_reserve(rc, &rec, 10, SHORT, LONG, steps[i].need))
			break;
		ok(rec.is_long == steps[i].is_long && rec.ts == unit_time_ns &&
		   rec.len == 10u + (rec.is_long ? LONG : SHORT),
		   "header: %zu, gap %llx", i, (unsigned long long)steps[i].gap);
		ring_commit(rc, &rec);
	}

	unit_time_ns += 1ull << 40;
	ring_flush(ring, 0);
	is_int(last_close_ts, unit_time_ns, "header: a flush has a time");
	unit_time_ns += 1ull << 40;
	ok(ring_reserve(rc, &rec, 10, SHORT, LONG, false) && !rec.is_long,
	   "header: the first of a packet is short, whatever the gap");
	ring_commit(rc, &rec);
	is_int(last_open_ts, unit_time_ns, "header: it starts the packet");
	ring_destroy(ring);
}

static void test_peek(void)
{
	struct ring *ring = new_ring(4, RING_DISCARD);
	const int per_packet = (SIZE - 1 - HEADER) / (SHORT + 96);
	struct ring_packet packet;
	static u8 copy[SIZE];
	u64 seq = 0;
	int i, n;

	for (i = 0; i < 4 * per_packet; i++)
		put(ring, 96, i / per_packet);
	ring_reader_lock(ring, 0);
	for (n = 0; !unit_peek(ring, 0, &seq, copy, &packet); n++)
		if (packet.seq != (u64)n || copy[HEADER + SHORT] != n ||
		    packet.nr_events != (u32)per_packet || seq != (u64)n + 1)
			break;
	is_int(n, 3, "peek: all that is complete");
	seq = 0;
	is_int(unit_peek(ring, 0, &seq, copy, &packet), 0, "peek: again");
	ok(balanced(ring, 0, 4 * per_packet), "peek: takes nothing");

	ring_get(ring, 0, &packet);
	ring_put(ring, 0, &packet);
	seq = 0;
	is_int(unit_peek(ring, 0, &seq, copy, &packet), 0, "peek: after a get");
	is_int(packet.seq, 1, "peek: the next one");
	seq = 1000;
	is_int(unit_peek(ring, 0, &seq, copy, &packet), -EAGAIN, "peek: in the future");
	ring_reader_unlock(ring, 0);
	ring_destroy(ring);

	ring = new_ring(4, RING_OVERWRITE);
	for (i = 0; i < 10 * per_packet; i++)
		put(ring, 96, i / per_packet);
	ring_reader_lock(ring, 0);
	seq = 0;
	is_int(unit_peek(ring, 0, &seq, copy, &packet), 0, "peek: after a lap");
	is_int(packet.seq, 6, "peek: the oldest");
	hook_ring = ring;
	hook_puts = per_packet;
	unit_before_rmb = hook_put;
	seq = 0;
	is_int(unit_peek(ring, 0, &seq, copy, &packet), 0, "peek: overwritten meanwhile");
	ok(packet.seq == 7 && copy[HEADER + SHORT] == 7, "peek: so it is the next one");
	ring_reader_unlock(ring, 0);
	ring_destroy(ring);
}

static void test_clear(void)
{
	struct ring *ring = new_ring(4, RING_OVERWRITE);
	struct ring_packet packet;
	int i;

	for (i = 0; i < 1000; i++)
		put(ring, 96, 1);
	put(ring, SIZE, 1);
	unit_clear(ring, RING_ALL_CPUS);
	ok(balanced(ring, 0, 0), "clear: from zero");
	is_int(take(ring, &packet), -EAGAIN, "clear: nothing left");
	put(ring, SIZE, 1);
	put(ring, 96, 1);
	ring_flush(ring, 0);
	get(ring, &packet);
	is_int(packet.lost_before, 2, "clear: the counts of packets go on");
	put_back(ring, &packet);
	ok(balanced(ring, 0, 2), "clear: balanced");
	ring_destroy(ring);
}

static void test_wait(void)
{
	struct ring *ring = new_ring(4, RING_DISCARD);
	struct ring_cpu *rc = ring_cpu_of(ring, 0);
	struct ring_packet packet;
	struct ring_record rec = { };
	long woken;

	put(ring, 8, 1);
	is_int(ring_wait(ring, 0), 0, "wait: flushes what is there");
	is_int(take(ring, &packet), 1, "wait: and so it is read");
	ok(!ring_poll(ring, 0, NULL, NULL), "poll: nothing");
	woken = ring->wait.woken;
	put(ring, 8, 1);
	is_int(ring->wait.woken, woken + 1, "poll: the first record wakes");
	put(ring, 8, 1);
	is_int(ring->wait.woken, woken + 1, "poll: the second does not");
	ok(ring_poll(ring, RING_ALL_CPUS, NULL, NULL), "poll: of all CPUs");
	is_int(take(ring, &packet), 2, "poll: both are read");
	ring_reserve(rc, &rec, 8, SHORT, LONG, false);
	ok(!ring_poll(ring, 0, NULL, NULL), "poll: flushed, but not complete");
	woken = ring->wait.woken;
	ring_commit(rc, &rec);
	is_int(ring->wait.woken, woken + 1, "poll: the writer that completes it wakes");
	is_int(take(ring, &packet), 1, "poll: and it is read");
	ok(!ring_poll(ring, RING_ALL_CPUS, NULL, NULL), "poll: nothing");
	ring_wakeup(ring);
	ok(!rc->awaited, "wakeup: no reader waits any more");
	ring_destroy(ring);
}

/* As the recorder does: an early test, which must never be wrong. */
static bool put_quick(struct ring *ring, u32 len, int *early)
{
	struct ring_cpu *rc = ring_this_cpu(ring);
	struct ring_spot spot;

	if (ring_look(rc, &spot, SHORT + len) < rc->room ||
	    !ring_is_full(rc, &spot, SHORT + len))
		return put(ring, len, 1);
	(*early)++;
	ring_lose_full(rc);
	return false;
}

/* The early test of a writer that looks at @slot. */
static bool is_full(struct ring_cpu *rc, struct ring_slot *slot, u64 need)
{
	const struct ring_spot spot = { .pos = local_read(&rc->offset), .slot = slot };

	return ring_is_full(rc, &spot, need);
}

/* Is the ring full, also for the early test, and no longer after @room? */
static void check_full(struct ring *ring, void (*room)(struct ring *ring),
		       const char *what)
{
	int early = 0, i, n = 0;
	u64 lost;

	while (put(ring, 96, 1))
		n++;
	lost = stat_lost(ring, RING_LOST_FULL);
	for (i = 0; i < 5; i++)
		put_quick(ring, 96, &early);
	is_int(early, 5, "full: it is, before %s", what);
	is_int(stat_lost(ring, RING_LOST_FULL), lost + 5, "full: and that is counted");
	room(ring);
	lost = stat_lost(ring, RING_LOST_FULL);
	ok(put_quick(ring, 96, &early), "full: not after %s", what);
	is_int(stat_lost(ring, RING_LOST_FULL), lost, "full: nothing was lost");
}

static void room_by_get(struct ring *ring)
{
	struct ring_packet packet;

	take(ring, &packet);
}

static void room_by_clear(struct ring *ring)
{
	unit_clear(ring, 0);
}

static void room_by_mode(struct ring *ring)
{
	ring_stop(ring);
	ring_set_mode(ring, RING_OVERWRITE);
	ring_start(ring);
}

static void test_full(void)
{
	struct ring *ring = new_ring(4, RING_DISCARD);
	struct ring_cpu *rc = ring_cpu_of(ring, 0);
	int early = 0;

	check_full(ring, room_by_get, "a packet was got");
	check_full(ring, room_by_get, "another packet was got");
	check_full(ring, room_by_clear, "ring_clear()");
	check_full(ring, room_by_get, "a packet was got, later");

	/* a small record that fits where a larger one did not is not lost */
	while (put(ring, 200, 1))
		;
	ok(!put_quick(ring, 200, &early) && early == 1, "full: for this one");
	ok(put_quick(ring, 1, &early) && early == 1, "full: but not for a small one");

	while (put(ring, 8, 1))
		;
	ring_stop(ring);
	ok(!is_full(rc, rc->recent, SIZE), "full: never, if it is stopped");
	ring_start(ring);
	ok(is_full(rc, rc->recent, SIZE), "full: and then it is again");
	check_full(ring, room_by_mode, "overwriting");
	ring_destroy(ring);

	ring = new_ring(2, RING_DISCARD);
	rc = ring_cpu_of(ring, 0);
	ok(!is_full(rc, rc->recent, SIZE), "full: not at first");

	/* room for a short header, but after such a pause the event needs a long one */
	while (put(ring, 96, 1))
		;
	put(ring, SIZE - (local_read(&rc->offset) & (SIZE - 1)) - SHORT - 10, 1);
	is_int(SIZE - (local_read(&rc->offset) & (SIZE - 1)), 10, "full: 10 bytes are left");
	unit_time_ns += RING_TIME_STEP;
	early = 0;
	put_quick(ring, 0, &early);
	is_int(early, 0, "full: no room for a long header");
	put_quick(ring, 0, &early);
	is_int(early, 1, "full: which the early test knows then");
	ring_destroy(ring);
}

/* What writers of the ring's kind add counts, too. */
static void test_full_added(void)
{
	const struct ring_config config = {
		.subbuf_size = SIZE,
		.nr_subbufs = 2,
		.mode = RING_DISCARD,
		.ops = &ops,
		.added = 21,
	};
	struct ring *ring = ring_create(&config);
	struct ring_cpu *rc;

	if (!ok(!IS_ERR(ring), "full: a ring whose writers add something"))
		return;
	rc = ring_cpu_of(ring, 0);
	ring_start(ring);
	while (put(ring, 96, 1))
		;
	put(ring, SIZE - (local_read(&rc->offset) & (SIZE - 1)) - SHORT - 50, 1);
	is_int(SIZE - (local_read(&rc->offset) & (SIZE - 1)), 50, "full: 50 bytes are left");
	ok(!is_full(rc, rc->recent, 50 - 21 - 1), "full: one byte stays free");
	ok(is_full(rc, rc->recent, 50 - 21), "full: it does not");
	put(ring, 50 - SHORT - 1 - 9, 1);
	is_int(SIZE - (local_read(&rc->offset) & (SIZE - 1)), 10, "full: 10 bytes are left");
	ok(is_full(rc, rc->recent, 0), "full: the rest is less than what they add");
	ring_stop(ring);
	ok(!is_full(rc, rc->recent, 0), "full: never, if it is stopped");
	ok(!is_full(rc, rc->recent, SIZE), "full: whatever the size");
	ring_destroy(ring);
}

/* The early test drops only events that would have been lost: any sizes, any order. */
static void test_full_is_right(enum ring_mode mode, const char *what)
{
	struct ring *ring = new_ring(2, mode);
	struct ring_cpu *rc = ring_cpu_of(ring, 0);
	int early = 0, wrong = 0, round;
	struct ring_packet packet;
	u64 written = 0;

	srandom(3);
	for (round = 0; round < 400000; round++) {
		u32 len = random() % 8 ? random() % 300 : random() % 3000;
		struct ring_slot *slot = &rc->slots[random() % 2];
		bool full;

		if (random() % 4)
			slot = rc->recent;
		full = is_full(rc, slot, SHORT + len);
		early += full;
		wrong += put(ring, len, 1) && full;
		written++;
		if (random() % 100 == 0)
			take(ring, &packet);
		if (random() % 500 == 0)
			ring_flush(ring, 0);
	}
	ok(!wrong, "full: %s: no event is given up that fits", what);
	ok((early > 100000) == (mode == RING_DISCARD), "full: %s: %d were", what, early);
	ok(balanced(ring, 0, written), "full: %s: balanced", what);
	ring_destroy(ring);
}

int main(void)
{
	unit_time_ns = 1000;
	clock_init("mono");
	ring_init();

	test_config();
	test_alloc_fail();
	test_hotplug();
	test_stopped();
	test_discard();
	test_big();
	test_wrap();
	test_overwrite();
	test_headers();
	test_peek();
	test_clear();
	test_full();
	test_full_added();
	test_full_is_right(RING_DISCARD, "discard");
	test_full_is_right(RING_OVERWRITE, "overwrite");
	test_wait();

	ring_exit();
	return tap_done();
}
