/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An item of a trace (walk.h) by the registry, and as text.
 *
 * Nothing here sleeps, takes a lock or allocates.  So the last words of a dying kernel
 * (dump.c) come from the same code as the file trace (stream.c).
 */
#ifndef _MARKERS_ITEM_H
#define _MARKERS_ITEM_H

#include <markers/model/event.h>
#include <markers/record/buffer.h>
#include "walk.h"

/**
 * marker_item_parse() - the next event of a packet
 * @iter:	the place in the packet, which may be garbage but does not change meanwhile;
 *		moves on by the event
 * @tag:	marker_buffer_contexts(): which contexts are before the fields
 * @item:	the result, without the CPU
 *
 * Context: Any.
 * Return: 0, -ENODATA at the end of the packet, -EINVAL for garbage.
 */
int marker_item_parse(struct packet_iter *iter, u32 tag, struct marker_item *item);

/**
 * marker_item_print() - an item as a line of text, its stack in lines after that
 * @buffer:	its buffer
 * @item:	the item
 * @buf:	where to
 * @size:	bytes there
 *
 * Context: Any.
 * Return: bytes of text (without the NUL) with a newline at the end; size - 1 or
 * 0 means that the text may have been cut.
 */
size_t marker_item_print(const struct marker_buffer *buffer, const struct marker_item *item,
			 char *buf, size_t size);

/**
 * marker_item_print_event() - marker_item_print() of an event that no buffer has
 * @clock:	of its time
 * @tag:	as for marker_item_parse()
 * @item:	the item, an event
 * @buf:	where to
 * @size:	bytes there
 *
 * Context: Any.
 * Return: as marker_item_print().
 */
size_t marker_item_print_event(const struct marker_clock *clock, u32 tag,
			       const struct marker_item *item, char *buf, size_t size);

#endif /* _MARKERS_ITEM_H */
