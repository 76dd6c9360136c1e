// SPDX-License-Identifier: GPL-2.0
/*
 * From packets to items to text, for reader.c, in process context.
 *
 * There is a cursor for each CPU, with a packet in hand: a copy, so that the
 * ring's reader lock is held for no longer than it takes to make it, however
 * slow the one who wants the text may be.  A cursor steps from item to item, and
 * from packet to packet; the stream is the cursor whose item is the oldest.
 *
 * The trick for the order across CPUs is a horizon.  marker_stream_refresh()
 * looks at the clock, then closes the partly filled packets of all CPUs: all that
 * was recorded up to that time is in the packets then, and nothing younger is
 * printed before the next refresh.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "channel.h"
#include "clock.h"
#include "packet.h"
#include "registry.h"
#include "serialize.h"
#include "stream.h"
#include "text.h"

/**
 * struct place - how far a CPU's packets were read
 * @seq:	the next packet
 * @lost:	events lost up to there, as its predecessor says
 */
struct place {
	u64 seq;
	u64 lost;
};

/* How far they were consumed as text; the ring's reader lock. */
static DEFINE_PER_CPU(struct place, consumed);

/**
 * struct cursor - where a stream is on one CPU
 * @cpu:	the CPU
 * @has_packet:	@iter is in the middle of @data
 * @has_item:	@item is valid
 * @at:		the packet after this one
 * @peek_seq:	for ring_peek(), if we do not consume
 * @lost:	events that were lost up to the end of this packet, and were not
 *		reported before
 * @iter:	the place in the packet
 * @data:	the packet
 * @item:	the item
 */
struct cursor {
	int cpu;
	bool has_packet;
	bool has_item;
	struct place at;
	u64 peek_seq;
	u64 lost;
	struct packet_iter iter;
	void *data;
	struct marker_stream_item item;
};

/**
 * struct marker_stream - a reader of one or all CPUs
 * @cpu:	the CPU, or RING_ALL_CPUS
 * @consume:	take packets away
 * @horizon:	items that are younger wait for marker_stream_refresh()
 * @current_cursor: whose item is the oldest, or NULL
 * @limit:	as long as its item is not younger: that of the second, or
 *		@horizon
 * @nr:		cursors
 * @cursor:	one for each CPU
 */
struct marker_stream {
	int cpu;
	bool consume;
	u64 horizon;
	struct cursor *current_cursor;
	u64 limit;
	unsigned int nr;
	struct cursor cursor[];
};

#define for_each_cursor(stream, c)					\
	for ((c) = (stream)->cursor;					\
	     (c) < (stream)->cursor + (stream)->nr; (c)++)

u64 marker_stream_time(void)
{
	u64 now;

	preempt_disable();
	now = marker_clock_now();
	preempt_enable();
	return now;
}

/*
 * Packets
 */

static int take(int cpu, void *copy, struct ring_packet *packet)
{
	struct ring_packet inside;
	int err;

	err = ring_get(marker_ring, cpu, &inside);
	if (err)
		return err;
	*packet = inside;
	packet->data = memcpy(copy, inside.data, inside.size);
	ring_put(marker_ring, cpu, &inside);
	return 0;
}

int marker_stream_take(int cpu, void *copy, struct ring_packet *packet)
{
	int err;

	ring_reader_lock(marker_ring, cpu);
	err = take(cpu, copy, packet);
	ring_reader_unlock(marker_ring, cpu);
	return err;
}

/*
 * Losses are counted from packet to packet.  When somebody else consumed the one
 * before this, or the count starts from 0 again, nothing is known about this one.
 */
static void note_place(struct cursor *c, u64 seq)
{
	u64 lost = c->iter.header.events_discarded;

	c->lost = 0;
	if (seq == c->at.seq && lost > c->at.lost)
		c->lost = lost - c->at.lost;
	c->at.seq = seq + 1;
	c->at.lost = lost;
}

/* The next packet, if there is one. */
static bool load(const struct marker_stream *stream, struct cursor *c)
{
	struct ring_packet packet;
	int err;

	ring_reader_lock(marker_ring, c->cpu);
	if (stream->consume)
		err = take(c->cpu, c->data, &packet);
	else
		err = ring_peek(marker_ring, c->cpu, &c->peek_seq, c->data,
				&packet);
	if (!err) {
		err = packet_iter_init(&c->iter, c->data, packet.size);
		WARN_ON_ONCE(err);
	}
	if (!err) {
		note_place(c, packet.seq);
		if (stream->consume)
			*per_cpu_ptr(&consumed, c->cpu) = c->at;
	}
	ring_reader_unlock(marker_ring, c->cpu);
	c->has_packet = !err;
	return !err;
}

/*
 * Items
 */

/* 0; -ENODATA: end of packet; -EINVAL: garbage. */
static int parse_event(struct cursor *c, struct marker_stream_item *item)
{
	u32 id, avail;
	int err, size;

	err = packet_iter_next(&c->iter, &id, &item->ts, &item->payload, &avail);
	if (err)
		return err;
	item->event = marker_event_by_id(id);
	if (!item->event)
		return -EINVAL;
	size = marker_serialized_size(&item->event->format, item->payload,
				      avail);
	if (size < 0)
		return size;
	item->kind = MARKER_STREAM_EVENT;
	item->size = size;
	return packet_iter_advance(&c->iter, size);
}

/* In place of an event: what there is to say at the end of a packet. */
static bool end_of_packet(struct cursor *c, int err)
{
	struct marker_stream_item *item = &c->item;

	item->ts = c->iter.ts;
	if (WARN_ON_ONCE(err != -ENODATA)) {
		/* and then say again that it ended */
		c->iter.at = c->iter.end;
		item->kind = MARKER_STREAM_DAMAGED;
		return true;
	}
	c->has_packet = false;
	item->kind = MARKER_STREAM_LOST;
	item->lost = c->lost;
	return item->lost;
}

static void step(const struct marker_stream *stream, struct cursor *c)
{
	int err;

	while (c->has_packet || load(stream, c)) {
		err = parse_event(c, &c->item);
		if (!err || end_of_packet(c, err)) {
			c->has_item = true;
			return;
		}
	}
	c->has_item = false;
}

void marker_stream_refresh(struct marker_stream *stream)
{
	struct cursor *c;

	stream->horizon = marker_stream_time();
	ring_flush(marker_ring, stream->cpu);
	for_each_cursor(stream, c) {
		if (!c->has_item)
			step(stream, c);
	}
	stream->current_cursor = NULL;
}

void marker_stream_rewind(struct marker_stream *stream)
{
	struct cursor *c;

	for_each_cursor(stream, c) {
		c->has_packet = false;
		c->has_item = false;
		c->peek_seq = 0;
		ring_reader_lock(marker_ring, c->cpu);
		c->at = *per_cpu_ptr(&consumed, c->cpu);
		ring_reader_unlock(marker_ring, c->cpu);
	}
	marker_stream_refresh(stream);
}

/* The cursor with the oldest item, and how long it will be that. */
static struct cursor *choose(struct marker_stream *stream)
{
	struct cursor *c, *best = NULL;

	stream->limit = stream->horizon;
	for_each_cursor(stream, c) {
		if (!c->has_item || c->item.ts > stream->horizon)
			continue;
		if (!best || c->item.ts < best->item.ts) {
			if (best)
				stream->limit = best->item.ts;
			best = c;
		} else if (c->item.ts < stream->limit) {
			stream->limit = c->item.ts;
		}
	}
	return best;
}

const struct marker_stream_item *
marker_stream_current(struct marker_stream *stream)
{
	struct cursor *c = stream->current_cursor;

	if (!c || !c->has_item || c->item.ts > stream->limit)
		c = choose(stream);
	stream->current_cursor = c;
	return c ? &c->item : NULL;
}

void marker_stream_next(struct marker_stream *stream)
{
	step(stream, stream->current_cursor);
	cond_resched();
}

bool marker_stream_pending(const struct marker_stream *stream)
{
	const struct cursor *c;

	for_each_cursor(stream, c) {
		if (c->has_item)
			return true;
	}
	return false;
}

struct marker_stream *marker_stream_create(int cpu, bool consume)
{
	unsigned int nr = cpu == RING_ALL_CPUS ? num_possible_cpus() : 1;
	struct marker_stream *stream;
	struct cursor *c;
	int i;

	stream = kvzalloc(struct_size(stream, cursor, nr), GFP_KERNEL);
	if (!stream)
		return ERR_PTR(-ENOMEM);
	stream->cpu = cpu;
	stream->consume = consume;
	for_each_possible_cpu(i) {
		if (cpu != RING_ALL_CPUS && cpu != i)
			continue;
		c = &stream->cursor[stream->nr];
		c->cpu = i;
		c->item.cpu = i;
		c->data = kvmalloc(marker_channel_subbuf_size(), GFP_KERNEL);
		if (!c->data)
			goto err;
		ring_reader_lock(marker_ring, i);
		c->at = *per_cpu_ptr(&consumed, i);
		ring_reader_unlock(marker_ring, i);
		stream->nr++;
	}
	return stream;
err:
	marker_stream_destroy(stream);
	return ERR_PTR(-ENOMEM);
}

void marker_stream_destroy(struct marker_stream *stream)
{
	struct cursor *c;

	for_each_cursor(stream, c)
		kvfree(c->data);
	kvfree(stream);
}

/*
 * Text
 */

static size_t print_event(const struct marker_stream_item *item, char *buf,
			  size_t size)
{
	size_t len;
	int text;
	u32 ns;
	u64 s;

	s = div_u64_rem(marker_clock_to_ns(item->ts), NSEC_PER_SEC, &ns);
	len = scnprintf(buf, size, "[%03d] %5llu.%09u: %s:", item->cpu, s, ns,
			item->event->title);
	/* a blank before the text; none if there is no text */
	if (len + 2 < size) {
		text = marker_text(buf + len + 1, size - len - 1,
				   &item->event->format, item->payload,
				   item->size);
		if (text > 0) {
			buf[len] = ' ';
			len += text + 1;
		}
	}
	return len + scnprintf(buf + len, size - len, "\n");
}

size_t marker_stream_print(const struct marker_stream_item *item, char *buf,
			   size_t size)
{
	switch (item->kind) {
	case MARKER_STREAM_EVENT:
		return print_event(item, buf, size);
	case MARKER_STREAM_LOST:
		return scnprintf(buf, size, "[%03d] *** lost %llu events ***\n",
				 item->cpu, item->lost);
	case MARKER_STREAM_DAMAGED:
		break;
	}
	return scnprintf(buf, size, "[%03d] *** rest of a packet is damaged ***\n",
			 item->cpu);
}
