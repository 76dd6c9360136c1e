// SPDX-License-Identifier: GPL-2.0
/*
 * From packets to items, for reader_text.c, in process context.
 *
 * Each CPU has a cursor with a copy of one packet, so that a slow reader does not hold
 * the ring's reader lock.  A cursor steps from item to item, and from packet to packet.
 * The next item of the stream is the oldest of all cursors; of two of one time, that of the
 * lower CPU, as in the readers of a copy.
 *
 * A horizon gives the order across CPUs.  marker_stream_refresh() reads the clock, then
 * closes the partly filled packets of all CPUs.  Now the packets contain every event
 * recorded up to that time, and no younger item is printed before the next refresh.
 * marker_stream_rewind() does the same, but leaves the packets open and notes how far
 * they are filled.
 *
 * Clocks may be wrong, and a reader that waits for events must not wait for the clock
 * too.  So if there are items and all of them are younger than the horizon, the
 * horizon moves to the oldest one.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include <markers/ring/clock.h>
#include <markers/ring/packet_read.h>
#include "stream.h"

/**
 * struct cursor - where a stream is on one CPU
 * @cpu:	the CPU
 * @has_packet:	@iter is in the middle of @data
 * @has_item:	@item is valid
 * @place:	the next packet, for a stream that does not consume
 * @gap:	events that are missing at this packet and are not reported yet
 * @iter:	the place in the packet
 * @data:	the packet; NULL: none so far
 * @item:	the item
 */
struct cursor {
	int cpu;
	bool has_packet;
	bool has_item;
	struct marker_place place;
	struct marker_gap gap;
	struct packet_iter iter;
	void *data;
	struct marker_item item;
};

/**
 * struct marker_stream - a reader of one or all CPUs
 * @buffer:	the packets
 * @cpu:	the CPU, or RING_ALL_CPUS
 * @consume:	consume packets
 * @horizon:	items that are younger wait for marker_stream_refresh()
 * @current_cursor: the cursor with the oldest item, or NULL
 * @limit:	its item is the oldest before this time: that of the second cursor, or
 *		@horizon
 * @nr:		cursors
 * @cursor:	one for each CPU
 */
struct marker_stream {
	struct marker_buffer *buffer;
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

/*
 * Packets
 */

/* Is there another packet? */
static bool is_readable(const struct marker_stream *stream, const struct cursor *c)
{
	if (stream->consume)
		return ring_readable(stream->buffer->ring, c->cpu);
	return marker_buffer_peekable(&c->place);
}

/*
 * Allocate room for packets when the CPU has its first one.  On a large machine most
 * CPUs may have recorded nothing.  If memory is short, the read fails.  The allocation
 * does not invoke the OOM killer.
 */
static int make_room(const struct marker_stream *stream, struct cursor *c)
{
	if (c->data || !is_readable(stream, c))
		return 0;
	c->data = kvmalloc(marker_buffer_subbuf_size(stream->buffer),
			   GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN);
	return c->data ? 0 : -ENOMEM;
}

/* The next packet, if there is one. */
static bool load_packet(const struct marker_stream *stream, struct cursor *c)
{
	struct ring_packet packet;
	int err;

	if (!c->data)
		return false;
	if (stream->consume)
		err = marker_buffer_take(stream->buffer, c->cpu, c->data, NULL,
					 &packet, &c->gap);
	else
		err = marker_buffer_peek(stream->buffer, c->cpu, &c->place,
					 c->data, &packet, &c->gap);
	if (!err) {
		err = packet_iter_init(&c->iter, c->data, packet.size);
		WARN_ON_ONCE(err);
	}
	c->has_packet = !err;
	return !err;
}

/*
 * Items
 */

/* An item for missing events; if there is no next refresh, it does not wait for one. */
static bool make_lost_item(const struct marker_stream *stream, struct cursor *c, u64 *nr)
{
	c->item.kind = MARKER_ITEM_LOST;
	c->item.ts = stream->consume ? c->iter.ts : min(c->iter.ts, stream->horizon);
	c->item.lost = *nr;
	*nr = 0;
	return c->item.lost;
}

/* An item for the losses at the end of a packet. */
static bool end_of_packet(const struct marker_stream *stream, struct cursor *c, int err)
{
	struct marker_item *item = &c->item;

	item->ts = c->iter.ts;
	if (WARN_ON_ONCE(err != -ENODATA)) {
		/* the next call finds the end again */
		c->iter.at = c->iter.end;
		item->kind = MARKER_ITEM_DAMAGED;
		return true;
	}
	c->has_packet = false;
	return make_lost_item(stream, c, &c->gap.after);
}

static void step_stream(const struct marker_stream *stream, struct cursor *c)
{
	const u32 tag = marker_buffer_contexts(stream->buffer);
	int err;

	while (c->has_packet || load_packet(stream, c)) {
		c->has_item = make_lost_item(stream, c, &c->gap.before);
		if (c->has_item)
			return;
		err = marker_item_parse(&c->iter, tag, &c->item);
		if (!err || end_of_packet(stream, c, err)) {
			c->has_item = true;
			return;
		}
	}
	c->has_item = false;
}

/* Choose the cursor with the oldest item, and the time until which it stays the oldest. */
static struct cursor *choose_cursor(struct marker_stream *stream)
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

/* Called after new packets or a new horizon. */
static int fill_cursors(struct marker_stream *stream)
{
	struct cursor *c;
	int err = 0;

	for_each_cursor(stream, c) {
		if (c->has_item)
			continue;
		err = err ?: make_room(stream, c);
		step_stream(stream, c);
	}
	stream->current_cursor = choose_cursor(stream);
	return err;
}

/* Are there items, and all of them beyond the horizon? */
static bool is_stuck(const struct marker_stream *stream)
{
	return !stream->current_cursor && marker_stream_pending(stream);
}

static void raise_horizon(struct marker_stream *stream)
{
	const struct cursor *c;
	u64 oldest = U64_MAX;

	for_each_cursor(stream, c) {
		if (c->has_item)
			oldest = min(oldest, c->item.ts);
	}
	stream->horizon = oldest;
	stream->current_cursor = choose_cursor(stream);
}

static int refresh_once(struct marker_stream *stream)
{
	stream->horizon = marker_buffer_time(stream->buffer);
	ring_flush(stream->buffer->ring, stream->cpu);
	return fill_cursors(stream);
}

int marker_stream_refresh(struct marker_stream *stream)
{
	int err = refresh_once(stream);

	/* Events came after we read the clock and before the flush: look again. */
	if (!err && is_stuck(stream))
		err = refresh_once(stream);
	if (!err && is_stuck(stream))
		raise_horizon(stream);
	return err;
}

int marker_stream_rewind(struct marker_stream *stream)
{
	struct cursor *c;

	stream->horizon = marker_buffer_time(stream->buffer);
	for_each_cursor(stream, c) {
		c->has_packet = false;
		c->has_item = false;
		marker_buffer_rewind(stream->buffer, c->cpu, &c->place);
	}
	return fill_cursors(stream);
}

const struct marker_item *
marker_stream_current(struct marker_stream *stream)
{
	struct cursor *c = stream->current_cursor;

	if (!c || !c->has_item || c->item.ts >= stream->limit)
		c = choose_cursor(stream);
	stream->current_cursor = c;
	return c ? &c->item : NULL;
}

void marker_stream_next(struct marker_stream *stream)
{
	step_stream(stream, stream->current_cursor);
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

struct marker_stream *marker_stream_create(struct marker_buffer *buffer, int cpu,
					   bool consume)
{
	unsigned int nr = cpu == RING_ALL_CPUS ? num_possible_cpus() : 1;
	struct marker_stream *stream;
	struct cursor *c;
	int i;

	stream = kvzalloc(struct_size(stream, cursor, nr), GFP_KERNEL_ACCOUNT);
	if (!stream)
		return ERR_PTR(-ENOMEM);
	stream->buffer = buffer;
	stream->cpu = cpu;
	stream->consume = consume;
	for_each_possible_cpu(i) {
		if (cpu != RING_ALL_CPUS && cpu != i)
			continue;
		c = &stream->cursor[stream->nr];
		c->cpu = i;
		c->item.cpu = i;
		stream->nr++;
	}
	return stream;
}

void marker_stream_destroy(struct marker_stream *stream)
{
	struct cursor *c;

	for_each_cursor(stream, c)
		kvfree(c->data);
	kvfree(stream);
}

size_t marker_stream_print(const struct marker_stream *stream,
			   const struct marker_item *item, char *buf, size_t size)
{
	return marker_item_print(stream->buffer, item, buf, size);
}
