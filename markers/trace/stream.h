/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events as text: the packets of one or all CPUs, taken apart, brought into the
 * order of time, and printed.
 *
 *	marker_stream_refresh(stream);		or marker_stream_rewind()
 *	while ((item = marker_stream_current(stream))) {
 *		marker_stream_print(stream, item, buf, size);
 *		marker_stream_next(stream);
 *	}
 *
 * Order.  Items of one CPU always come in order.  Those of several CPUs do as
 * well, from one marker_stream_refresh() to the next and beyond, as far as the
 * clocks of the CPUs agree, with two exceptions:
 *
 * - An event whose writer was at it while marker_stream_refresh() ran appears as
 *   soon as it is complete, with what its CPU recorded after it, though later
 *   events of other CPUs may have been printed.
 * - Where the clock of a CPU is ahead of those of others, or was set back, events are
 *   printed before those of other CPUs that say an earlier time and were
 *   recorded later.  None is held back until the clocks have caught up.
 */
#ifndef _MARKERS_STREAM_H
#define _MARKERS_STREAM_H

#include <markers/switch/event.h>
#include "buffer.h"

/* A buffer that holds any line: text of 16 strings, each byte escaped. */
#define MARKER_STREAM_LINE_SIZE	(128 * 1024)

enum marker_stream_kind {
	MARKER_STREAM_EVENT,
	MARKER_STREAM_LOST,	/* here, @lost events are missing */
	MARKER_STREAM_DAMAGED,	/* what was in the rest of a packet */
};

/**
 * struct marker_stream_item - an event, or what stands in its place
 * @kind:	which of them
 * @cpu:	whose
 * @ts:		its time, ticks; LOST and DAMAGED: that of the event before, or when
 *		the packet begins
 * @event:	EVENT: which one
 * @contexts:	EVENT: who caused it, for marker_context_read()
 * @payload:	EVENT: its fields
 * @size:	EVENT: their bytes
 * @lost:	LOST: how many
 */
struct marker_stream_item {
	enum marker_stream_kind kind;
	int cpu;
	u64 ts;
	const struct marker_event *event;
	const u8 *contexts;
	const u8 *payload;
	u32 size;
	u64 lost;
};

/**
 * marker_stream_create() - get ready to read
 * @buffer:	from there; stays the caller's, for longer than the stream
 * @cpu:	a possible CPU, or RING_ALL_CPUS
 * @consume:	take packets away, which only one reader of a CPU may do at a
 *		time; else they are copied, and nothing is changed
 *
 * Context: Process context; sleeps.
 * Return: a stream without items yet, for one task at a time; ERR_PTR(-ENOMEM).
 */
struct marker_stream *marker_stream_create(struct marker_buffer *buffer, int cpu,
					   bool consume);

/**
 * marker_stream_destroy() - stop reading
 * @stream:	the stream; items that it took and that were not printed are gone
 *
 * Context: Process context.
 */
void marker_stream_destroy(struct marker_stream *stream);

/**
 * marker_stream_refresh() - make items of all that was recorded until now
 * @stream:	one that consumes
 *
 * Closes partly filled packets.  What is recorded while the items are read waits
 * for the next call, so reading comes to an end whatever the writers do.
 * If there are packets, there is an item afterwards, whatever the clock says.
 * A CPU's first packet takes memory for a sub-buffer, which the stream keeps.
 *
 * Context: Process context; sleeps, allocates.  Takes the CPU hotplug lock.
 * Return: 0; -ENOMEM: nothing was taken from a CPU without memory, so another call
 * may be tried.
 */
int marker_stream_refresh(struct marker_stream *stream);

/**
 * marker_stream_rewind() - make items of all that is in the buffers now
 * @stream:	one that does not consume
 *
 * Packets that are partly filled stay open.  A CPU's first packet takes memory for a
 * sub-buffer, which the stream keeps.
 *
 * Context: Process context; sleeps, allocates.  Takes the CPU hotplug lock.
 * Return: 0; -ENOMEM: the items are not complete.
 */
int marker_stream_rewind(struct marker_stream *stream);

/**
 * marker_stream_current() - the oldest item that is left
 * @stream:	the stream
 *
 * Context: Process context.
 * Return: the item, which stays until marker_stream_next(), or NULL: it takes a
 * marker_stream_refresh() to go on.
 */
const struct marker_stream_item *
marker_stream_current(struct marker_stream *stream);

/**
 * marker_stream_next() - go past the current item
 * @stream:	one whose marker_stream_current() is not NULL
 *
 * Context: Process context; sleeps.
 */
void marker_stream_next(struct marker_stream *stream);

/**
 * marker_stream_pending() - is an item left that waits for marker_stream_refresh()?
 * @stream:	the stream
 *
 * Context: Process context.
 * Return: true if marker_stream_refresh() will make an item current without an event.
 */
bool marker_stream_pending(const struct marker_stream *stream);

/**
 * marker_stream_print() - an item as a line of text
 * @stream:	its stream
 * @item:	the item
 * @buf:	where to
 * @size:	bytes there
 *
 * Context: Process context; does not sleep.
 * Return: bytes of text (without the NUL) with a newline at the end; size - 1 or
 * 0 means that the line may have been cut.
 */
size_t marker_stream_print(const struct marker_stream *stream,
			   const struct marker_stream_item *item, char *buf,
			   size_t size);

#endif /* _MARKERS_STREAM_H */
