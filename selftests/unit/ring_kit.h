/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring on CPUs that are idle unless the test writes to them, and helpers of the tests.
 *
 * Sub-buffers are 4096 bytes with a header of 32; the records are a short header
 * of 4 bytes, or a long one of 13, and a payload.
 */
#ifndef _UNIT_RING_KIT_H
#define _UNIT_RING_KIT_H

#include "tap.h"

/* An interrupt after the read of the clock, for the inline code below. */
static void (*after_cycles)(void);

static inline u64 interrupted_cycles(void)
{
	u64 ticks = get_cycles();

	unit_run_once(&after_cycles);
	return ticks;
}

#define get_cycles	interrupted_cycles
#include <markers/ring/ring_internal.h>
#include "new_ring.h"
#undef get_cycles

#define HEADER	32
#define SHORT	4
#define LONG	13
#define SIZE	4096
/* records of 96 bytes in a sub-buffer */
#define PER_PACKET	((SIZE - 1 - HEADER) / (SHORT + 96))

/* What the ops of this test write at the start of a sub-buffer. */
struct head {
	u32 seq;
	u32 used;
	u32 nr_events;
	u64 begin;
	u64 end;
};

static u64 last_open_ts, last_close_ts, last_put_ts;
static int nr_opened, nr_closed, nr_delivered;
static void (*in_close)(void);	/* an interrupt, once */
static u8 packet_copy[SIZE] __attribute__((aligned(8)));	/* the packet of take() */

static inline void test_open(void *data, u64 ts, u64 seq, int cpu, void *private)
{
	struct head *head = data;

	(void)cpu;
	(void)private;
	head->seq = seq;
	head->begin = ts;
	last_open_ts = ts;
	nr_opened++;
}

static inline u32 test_close(void *data, u32 used, u64 ts)
{
	struct head *head = data;

	unit_run_once(&in_close);
	head->used = used;
	head->end = ts;
	last_close_ts = ts;
	nr_closed++;
	return used;
}

static inline void test_deliver(void *data, u32 nr_events)
{
	struct head *head = data;

	head->nr_events = nr_events;
	nr_delivered++;
}

static const struct ring_ops ops = {
	.header_size = HEADER,
	.open = test_open,
	.close = test_close,
	.deliver = test_deliver,
};

static inline struct ring *new_ring(u32 nr_subbufs, enum ring_mode mode)
{
	struct ring *ring = unit_new_ring(SIZE, nr_subbufs, mode, &ops, NULL);

	if (!ring)
		return NULL;
	unit_cpu = 0;
	unit_time_ns += 1000;
	nr_opened = nr_closed = nr_delivered = 0;
	return ring;
}

/*
 * One record with a payload of @len bytes, each of them @fill, but the last eight
 * are its time.  The first byte of the header says whether it is long.
 */
static inline bool put(struct ring *ring, u32 len, u8 fill)
{
	struct ring_cpu *rc = ring_this_cpu(ring);
	struct ring_record rec = { };

	unit_time_ns++;
	if (!ring_reserve(rc, &rec, len, SHORT, LONG, false))
		return false;
	last_put_ts = rec.ts;
	memset(rec.data, fill, rec.len);
	rec.data[0] = rec.is_long;
	if (len > sizeof(rec.ts))
		memcpy(rec.data + rec.len - sizeof(rec.ts), &rec.ts, sizeof(rec.ts));
	ring_commit(rc, &rec);
	return true;
}

static inline int fill_ring(struct ring *ring, u32 len)
{
	int n = 0;

	while (put(ring, len, 1))
		n++;
	return n;
}

static inline u64 lost_of(const struct ring_stats *s)
{
	return s->lost[RING_LOST_FULL] + s->lost[RING_LOST_BIG] +
	       s->lost[RING_LOST_NO_BUFFER];
}

static inline bool balanced(struct ring *ring, int cpu, u64 written)
{
	struct ring_stats s;

	ring_stats(ring, cpu, &s);
	if (s.written == written &&
	    s.written == s.read + s.unread + s.open + lost_of(&s) + s.overwritten)
		return true;
	printf("# written %llu of %llu, read %llu unread %llu open %llu lost %llu overwritten %llu\n",
	       (unsigned long long)s.written, (unsigned long long)written,
	       (unsigned long long)s.read, (unsigned long long)s.unread,
	       (unsigned long long)s.open, (unsigned long long)lost_of(&s),
	       (unsigned long long)s.overwritten);
	return false;
}

static inline u64 stat_lost(struct ring *ring, enum ring_lost why)
{
	struct ring_stats s;

	ring_stats(ring, 0, &s);
	return s.lost[why];
}

static inline int get(struct ring *ring, struct ring_packet *packet)
{
	int err;

	ring_reader_lock(ring, 0);
	err = ring_get(ring, 0, packet);
	return err;
}

static inline void put_back(struct ring *ring, struct ring_packet *packet)
{
	if (packet->data)
		ring_put(ring, 0, packet);
	ring_reader_unlock(ring, 0);
}

/* Take one packet; events in it, or the error. */
static inline int take(struct ring *ring, struct ring_packet *packet)
{
	int err;

	memset(packet, 0, sizeof(*packet));
	err = get(ring, packet);
	if (!err)
		memcpy(packet_copy, packet->data, packet->size);
	put_back(ring, packet);
	return err ?: (int)packet->nr_events;
}

/* An interrupt that writes this many records to hook_ring. */
static struct ring *hook_ring;
static int hook_puts;

static inline void hook_put(void)
{
	while (hook_puts-- > 0)
		put(hook_ring, 96, 50);
}

/* Are all records that can be read in order and intact? */
static inline bool in_order(struct ring *ring)
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

#endif /* _UNIT_RING_KIT_H */
