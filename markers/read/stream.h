/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events as text: takes the packets of one or all CPUs apart, sorts the events by time,
 * and prints them.
 *
 *	marker_stream_refresh(stream);		or marker_stream_rewind()
 *	while ((item = marker_stream_current(stream))) {
 *		marker_stream_print(stream, item, buf, size);
 *		marker_stream_next(stream);
 *	}
 *
 * Order.  Items of one CPU always come in order.  So do those of several CPUs, also
 * across calls of marker_stream_refresh(), as far as the clocks of the CPUs agree, with
 * two exceptions:
 *
 * - An event that is being written while marker_stream_refresh() runs appears when it is
 *   complete, with those that its CPU recorded after it, even if later events of other
 *   CPUs have been printed.
 * - If the clock of a CPU is ahead of the others, or was set back, its events may be
 *   printed before events of other CPUs that were recorded later with an earlier time.
 *   No event waits until the clocks have caught up.
 */
#ifndef _MARKERS_STREAM_H
#define _MARKERS_STREAM_H

#include <markers/record/buffer.h>
#include "item.h"

/* A buffer that holds any event: text of 16 strings, each byte escaped; and its stack. */
#define MARKER_STREAM_LINE_SIZE	(160 * 1024)

/**
 * marker_stream_create() - get ready to read
 * @buffer:	the packets; the caller keeps its reference longer than the stream
 * @cpu:	a possible CPU, or RING_ALL_CPUS
 * @consume:	consume packets, which only one reader of a CPU may do at a time; else
 *		copy them, which changes nothing
 *
 * Context: Process context; sleeps.
 * Return: a stream without items yet, for one task at a time; ERR_PTR(-ENOMEM).
 */
struct marker_stream *marker_stream_create(struct marker_buffer *buffer, int cpu,
					   bool consume);

/**
 * marker_stream_destroy() - stop reading
 * @stream:	the stream; items that it consumed and that were not printed are lost
 *
 * Context: Process context.
 */
void marker_stream_destroy(struct marker_stream *stream);

/**
 * marker_stream_refresh() - make items of all events recorded until now
 * @stream:	one that consumes
 *
 * Closes partly filled packets.  Events recorded while the items are read wait for the
 * next call, so reading always comes to an end.  If there are packets, there is an item
 * afterwards, even if the clock is wrong.  At a CPU's first packet the stream allocates
 * a sub-buffer, which it keeps.
 *
 * Context: Process context; sleeps, allocates.  Takes the CPU hotplug lock.
 * Return: 0; -ENOMEM: nothing was consumed from a CPU without memory, so the caller may
 * try again.
 */
int marker_stream_refresh(struct marker_stream *stream);

/**
 * marker_stream_rewind() - make items of all events in the buffers now
 * @stream:	one that does not consume
 *
 * Partly filled packets stay open.  At a CPU's first packet the stream allocates a
 * sub-buffer, which it keeps.
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
 * Return: the item, which stays until marker_stream_next(), or NULL: call
 * marker_stream_refresh() to go on.
 */
const struct marker_item *
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
			   const struct marker_item *item, char *buf,
			   size_t size);

#endif /* _MARKERS_STREAM_H */
