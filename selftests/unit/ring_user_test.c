// SPDX-License-Identifier: GPL-2.0
/*
 * The ring's side towards readers: what a packet says about overwritten events before it,
 * the exchange of pages, readers that wait for several full sub-buffers, and a change of
 * the mode.
 */
#include <markers/ring/ring_internal.h>
#include "new_ring.h"
#include "tap.h"

#define SIZE	PAGE_SIZE
#define HEADER	16
#define SHORT	4
#define LONG	13
#define LEN	(64 - SHORT)
#define RECORDS	((SIZE - HEADER - 1) / 64)

static void test_open(void *data, u64 ts, u64 seq, int cpu, void *private)
{
	(void)data;
	(void)ts;
	(void)seq;
	(void)cpu;
	(void)private;
}

static u32 test_close(void *data, u32 used, u64 ts)
{
	(void)data;
	(void)ts;
	return used;
}

static void test_deliver(void *data, u32 nr_events)
{
	(void)data;
	(void)nr_events;
}

static const struct ring_ops ops = {
	.header_size = HEADER,
	.open = test_open,
	.close = test_close,
	.deliver = test_deliver,
};

static u64 next_nr;

static struct ring *new_ring(u32 nr_subbufs, enum ring_mode mode)
{
	struct ring *ring = unit_new_ring(SIZE, nr_subbufs, mode, &ops, NULL);

	assert(ring);
	next_nr = 0;
	return ring;
}

/* A record has its number at its end. */
static bool put(struct ring *ring)
{
	struct ring_cpu *rc = ring_this_cpu(ring);
	struct ring_record rec = { };

	if (unit_time_ns)
		unit_time_ns++;
	if (!ring_reserve(rc, &rec, LEN, SHORT, LONG, false))
		return false;
	memset(rec.data, 0, rec.len);
	memcpy(rec.data + rec.len - sizeof(next_nr), &next_nr, sizeof(next_nr));
	next_nr++;
	ring_commit(rc, &rec);
	return true;
}

static void put_packets(struct ring *ring, int nr)
{
	int i;

	for (i = 0; i < nr * (int)RECORDS; i++)
		put(ring);
}

static int get(struct ring *ring, struct ring_packet *packet)
{
	int err;

	ring_reader_lock(ring, 0);
	err = ring_get(ring, 0, packet);
	if (!err)
		ring_put(ring, 0, packet);
	ring_reader_unlock(ring, 0);
	return err;
}

static void test_overwritten(void)
{
	struct ring *ring = new_ring(4, RING_OVERWRITE);
	u8 copy[SIZE];
	struct ring_packet packet;
	u64 seq = 0;

	put_packets(ring, 4);
	is_int(get(ring, &packet), 0, "overwritten: a packet");
	is_int(packet.overwritten, 0, "overwritten: nothing");

	/* nobody read 1: 4 to 9 overwrite it up to 5, since the slot of 0 is free */
	put_packets(ring, 6);
	ring_reader_lock(ring, 0);
	is_int(unit_peek(ring, 0, &seq, copy, &packet), 0, "overwritten: peek");
	ring_reader_unlock(ring, 0);
	is_int(packet.seq, 6, "overwritten: the oldest one");
	is_int(packet.overwritten, 5 * RECORDS, "overwritten: all between, to a reader that peeks");
	is_int(get(ring, &packet), 0, "overwritten: the same");
	is_int(packet.seq, 6, "overwritten: the oldest one");
	is_int(packet.overwritten, 5 * RECORDS, "overwritten: all between");
	is_int(get(ring, &packet), 0, "overwritten: the next");
	is_int(packet.overwritten, 5 * RECORDS, "overwritten: no more");

	unit_clear(ring, 0);
	put_packets(ring, 2);
	ring_flush(ring, 0);
	is_int(get(ring, &packet), 0, "overwritten: cleared");
	is_int(packet.overwritten, 5 * RECORDS, "overwritten: the count goes on");
	ring_destroy(ring);
}

/*
 * The same with a writer at the worst moments: between the reader's load of the count and
 * the cmpxchg that gets a packet, and after that cmpxchg; and with a reader between the
 * writer's cmpxchg and its addition to the count.
 */
static struct ring *late_ring;
static struct ring_packet late_packet;

static void late_writer(void)
{
	put_packets(late_ring, 6);
}

static void late_reader(void)
{
	assert(!get(late_ring, &late_packet));
}

static void test_late(void)
{
	struct ring_packet packet;
	int i;

	for (i = 0; i < 2; i++) {
		struct ring *ring = late_ring = new_ring(4, RING_OVERWRITE);

		put_packets(ring, 4);
		*(i ? &unit_after_cmpxchg : &unit_before_cmpxchg) = late_writer;
		is_int(get(ring, &packet), 0, "late: a packet");
		ok(!unit_after_cmpxchg && !unit_before_cmpxchg, "late: there was a writer");
		/* 9 is open, 6 the oldest one; or 0 is ours, and 4 takes its place */
		is_int(packet.seq, i ? 0 : 6, "late: which one");
		is_int(packet.overwritten, i ? 0 : 6 * RECORDS, "late: all before it, no more");
		is_int(get(ring, &packet), 0, "late: the next");
		is_int(packet.seq, i ? 6 : 7, "late: which one");
		is_int(packet.overwritten, (i ? 5 : 6) * RECORDS, "late: all before it");
		ring_destroy(ring);
	}

	late_ring = new_ring(4, RING_OVERWRITE);
	put_packets(late_ring, 4);
	unit_after_cmpxchg = late_reader;
	put(late_ring);		/* 4 overwrites 0, the reader gets 1 */
	ok(!unit_after_cmpxchg, "late: there was a reader");
	is_int(late_packet.seq, 1, "late: he got the next");
	is_int(late_packet.overwritten, 0, "late: which is not counted yet");
	is_int(get(late_ring, &packet), 0, "late: a packet");
	is_int(packet.seq, 2, "late: the next");
	is_int(packet.overwritten, RECORDS, "late: told with this one");
	ring_destroy(late_ring);

	/* a faster reader: then the packet is neither overwritten nor counted */
	late_ring = new_ring(4, RING_OVERWRITE);
	put_packets(late_ring, 4);
	unit_before_cmpxchg = late_reader;
	put(late_ring);
	is_int(late_packet.seq, 0, "late: the reader was faster");
	is_int(get(late_ring, &packet), 0, "late: a packet");
	is_int(packet.seq, 1, "late: the next");
	is_int(packet.overwritten, 0, "late: nothing was overwritten");
	ring_destroy(late_ring);
}

static void test_mode(void)
{
	struct ring *ring = new_ring(4, RING_DISCARD);
	struct ring_packet packet;
	struct ring_stats stats;
	u64 nr = 0, packets = 0;

	put_packets(ring, 8);
	ring_stats(ring, 0, &stats);
	is_int(stats.lost[RING_LOST_FULL], 4 * RECORDS, "mode: discards");
	ring_stop(ring);
	ring_set_mode(ring, RING_OVERWRITE);
	ring_start(ring);
	put_packets(ring, 2);
	ring_stats(ring, 0, &stats);
	is_int(stats.lost[RING_LOST_FULL], 4 * RECORDS, "mode: does not discard any more");
	is_int(stats.overwritten, 2 * RECORDS, "mode: overwrites what was there");
	ring_flush(ring, 0);
	while (!get(ring, &packet)) {
		nr += packet.nr_events;
		packets++;
	}
	is_int(packets, 4, "mode: the newest packets");
	is_int(nr, 4 * RECORDS, "mode: the newest events");
	ring_stats(ring, 0, &stats);
	is_int(stats.written, 10 * RECORDS, "mode: all are counted");
	ring_destroy(ring);
}

static void test_exchange(void)
{
	struct ring *ring = new_ring(2, RING_DISCARD);
	long pages = unit_pages;
	struct ring_packet packet;
	void *mine = ring_subbuf_alloc(SIZE, 0, 0);
	u64 last, expect = 0;
	int i, bad = 0;

	for (i = 0; i < 10; i++) {
		put_packets(ring, 1);
		ring_flush(ring, 0);
		ring_reader_lock(ring, 0);
		assert(!ring_get(ring, 0, &packet));
		ring_exchange(ring, 0, &packet, mine);
		mine = packet.data;
		ring_reader_unlock(ring, 0);
		/* it is ours: the next lap does not touch it */
		put_packets(ring, 1);
		memcpy(&last, (u8 *)mine + packet.size - sizeof(last), sizeof(last));
		expect += RECORDS;
		bad += last != expect - 1;
		ring_flush(ring, 0);
		assert(!get(ring, &packet));
		expect += RECORDS;
	}
	is_int(bad, 0, "exchange: the packet stays as it was");
	ring_subbuf_free(mine, SIZE);
	is_int(unit_pages, pages, "exchange: no page is lost");
	ring_destroy(ring);
}

static u32 three(const struct ring *ring)
{
	(void)ring;
	return 3;
}

static u32 too_many(const struct ring *ring)
{
	(void)ring;
	return 1000;
}

static void test_filled(void)
{
	struct ring *ring = new_ring(8, RING_DISCARD);
	struct ring_packet packet;
	struct ring_cpu *rc = ring_cpu_of(ring, 0);
	long woken;
	int i;

	ok(!ring_poll_filled(ring, 0, three, NULL, NULL), "filled: empty");
	woken = ring->wait.woken;
	put_packets(ring, 3);
	is_int(ring->wait.woken, woken, "filled: two wake no reader");
	ok(!ring_poll_filled(ring, 0, three, NULL, NULL), "filled: the third is open");
	put(ring);
	is_int(ring->wait.woken, woken + 1, "filled: woken up by three, once");
	ok(ring_poll_filled(ring, 0, three, NULL, NULL), "filled: three");
	is_int(ring_wait_filled(ring, 0, three), 0, "filled: does not wait");

	while (!get(ring, &packet))
		;
	ok(!ring_poll_filled(ring, 0, too_many, NULL, NULL), "filled: read");
	for (i = 0; i < 100 && put(ring); i++)
		;
	ok(!ring_poll_filled(ring, 0, too_many, NULL, NULL), "filled: more than there can be");
	while (put(ring))
		;
	ok(ring_poll_filled(ring, 0, too_many, NULL, NULL), "filled: all but one will do");

	/* any record will do for the other way to wait, and the limit is forgotten */
	while (!get(ring, &packet))
		;
	ring_flush(ring, 0);
	while (!get(ring, &packet))
		;
	ok(!ring_poll(ring, 0, NULL, NULL), "filled: empty again");
	is_int(rc->awaited_seq, 0, "filled: no limit");
	woken = ring->wait.woken;
	put(ring);
	is_int(ring->wait.woken, woken + 1, "filled: woken up by one");
	ring_destroy(ring);
}

/* buffer_percent changes just after a reader has read it. */
static struct ring *percent_ring;
static u32 percent_needed;

static u32 falling(const struct ring *ring)
{
	u32 wanted = percent_needed;

	(void)ring;
	if (percent_needed != 1) {
		percent_needed = 1;
		ring_wakeup(percent_ring);
	}
	return wanted;
}

static void test_wanted_changes(void)
{
	struct ring *ring = percent_ring = new_ring(8, RING_DISCARD);
	long timeouts = unit_wait_timeouts;

	put_packets(ring, 2);
	percent_needed = 6;
	is_int(ring_wait_filled(ring, 0, falling), 0, "needed: less, while one waits");
	is_int(unit_wait_timeouts, timeouts, "needed: he does not sleep");
	percent_needed = 6;
	ok(!ring_poll_filled(ring, 0, falling, NULL, NULL), "needed: poll, with the old number");
	ok(ring_poll_filled(ring, 0, falling, NULL, NULL), "needed: and again, as it is woken up");
	ring_destroy(ring);
}

static struct ring *stats_ring;

static void lose_and_clear(void)
{
	local_inc(&ring_cpu_of(stats_ring, 0)->lost[0]);
	unit_clear(stats_ring, 0);
}

static void test_stats_cleared(void)
{
	struct ring *ring = stats_ring = new_ring(4, RING_DISCARD);
	struct ring_stats stats;

	lose_and_clear();
	unit_after_read = lose_and_clear;
	ring_stats(ring, 0, &stats);
	ok(!unit_after_read, "stats: cleared in the middle");
	is_int(stats.lost[0], 0, "stats: no number is below 0");
	ring_destroy(ring);
}

/*
 * An interrupt in the middle of a record goes on to the next sub-buffer.  A reader on another
 * CPU polls, and at its third look the writer has finished the record.
 */
static struct ring_record outer;
static int looks;

static void call_looked_at(int cpu, void (*fn)(void *arg), void *arg)
{
	if (++looks == 3) {
		unit_cpu = cpu;
		ring_commit(ring_this_cpu(late_ring), &outer);
		unit_cpu = 1;
	}
	fn(arg);
}

static void test_incomplete(bool flushed)
{
	struct ring *ring = late_ring = new_ring(8, RING_DISCARD);
	struct ring_packet packet;
	struct ring_position end;
	u8 copy[SIZE];
	u64 seq = 0;
	int i, n = 0;

	for (i = 0; i < 60; i++)
		put(ring);
	assert(ring_reserve(ring_this_cpu(ring), &outer, LEN, SHORT, LONG, false));
	memset(outer.data, 0, outer.len);
	for (i = 0; i < 60; i++)
		put(ring);
	if (flushed)
		ring_flush(ring, 0);

	unit_cpu = 1;
	unit_call = call_looked_at;
	looks = 0;
	ring_position(ring, 0, &end);
	unit_call = NULL;
	unit_cpu = 0;
	ring_reader_lock(ring, 0);
	while (!ring_peek(ring, 0, &seq, &end, copy, &packet))
		n += packet.nr_events;
	ring_reader_unlock(ring, 0);
	is_int(looks, 3, "incomplete: looked until the record is complete");
	is_int(n, 121, "incomplete: all records, the next sub-buffer is %s",
	       flushed ? "closed" : "open");
	ring_destroy(ring);
}

/*
 * A writer that overwrites, and a reader: the count covers the events missing between two
 * packets, perhaps one packet later, never earlier; in the end it is exact.
 */
#define EVENTS	3000000

static bool written;

static void *writer(void *arg)
{
	struct ring *ring = arg;
	int i;

	unit_cpu = 0;
	for (i = 0; i < EVENTS; i++)
		put(ring);
	__atomic_store_n(&written, true, __ATOMIC_RELEASE);
	return NULL;
}

static void test_reader(void)
{
	struct ring *ring = new_ring(4, RING_OVERWRITE);
	u64 nr, first, expect = 0, missing = 0, told = 0;
	u64 early = 0, late = 0, packets = 0, read = 0;
	void *mine = ring_subbuf_alloc(SIZE, 0, 0);
	struct ring_packet packet;
	pthread_t thread;
	u32 bad = 0;
	bool end;

	unit_time_ns = 0;
	pthread_create(&thread, NULL, writer, ring);
	do {
		end = __atomic_load_n(&written, __ATOMIC_ACQUIRE);
		if (end)
			ring_flush(ring, 0);
		for (;;) {
			ring_reader_lock(ring, 0);
			if (ring_get(ring, 0, &packet)) {
				ring_reader_unlock(ring, 0);
				break;
			}
			ring_exchange(ring, 0, &packet, mine);
			mine = packet.data;
			ring_reader_unlock(ring, 0);
			memcpy(&nr, (u8 *)mine + packet.size - sizeof(nr), sizeof(nr));
			first = nr + 1 - packet.nr_events;
			bad += first < expect;
			missing += first - expect;
			expect = nr + 1;
			early += packet.overwritten > missing;
			late += packet.overwritten < missing;
			told = packet.overwritten;
			read += packet.nr_events;
			packets++;
		}
	} while (!end);
	pthread_join(thread, NULL);
	printf("# %llu packets, %llu events read, %llu missing, told late %llu times\n",
	       (unsigned long long)packets, (unsigned long long)read,
	       (unsigned long long)missing, (unsigned long long)late);
	is_int(bad, 0, "reader: no event comes twice");
	is_int(early, 0, "reader: nothing is told to be missing before it is");
	is_int(told, missing, "reader: what is missing was told");
	is_int(read + missing, EVENTS, "reader: all events");
	ring_subbuf_free(mine, SIZE);
	ring_destroy(ring);
}

int main(void)
{
	unit_time_ns = 1000;
	clock_init("mono");
	ring_init();
	test_overwritten();
	test_late();
	test_mode();
	test_exchange();
	test_filled();
	test_wanted_changes();
	test_stats_cleared();
	test_incomplete(false);
	test_incomplete(true);
	test_reader();
	ring_exit();
	return tap_done();
}
