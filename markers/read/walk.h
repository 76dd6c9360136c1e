/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A walk over the events of a packet, which may be torn: a writer that did not come to its end
 * has left a hole.
 *
 * Pure: no allocation, no lock, user space too.
 */
#ifndef _MARKERS_WALK_H
#define _MARKERS_WALK_H

#include <markers/format/format.h>
#include <markers/ring/packet_read.h>

enum marker_item_kind {
	MARKER_ITEM_EVENT,
	MARKER_ITEM_LOST,	/* @lost events are missing here */
	MARKER_ITEM_DAMAGED,	/* the rest of a packet is missing here */
};

/**
 * struct marker_item - an event, or a mark for missing ones
 * @kind:	which of them
 * @cpu:	its CPU
 * @ts:		its time, ticks; LOST and DAMAGED: that of the event before, or the
 *		beginning of the packet
 * @title:	EVENT: "module:marker"
 * @format:	EVENT: its table of fields
 * @contexts:	EVENT: its contexts, for marker_context_read()
 * @payload:	EVENT: its fields
 * @size:	EVENT: their bytes
 * @lost:	LOST: how many
 */
struct marker_item {
	enum marker_item_kind kind;
	int cpu;
	u64 ts;
	const char *title;
	const struct marker_format *format;
	const u8 *contexts;
	const u8 *payload;
	u32 size;
	u64 lost;
};

/**
 * marker_item_begin() - look at the next event of a packet
 * @iter:	the place in the packet
 * @id:		the result: which event
 * @item:	the result, without @cpu; the caller sets @title and @format
 *
 * Context: Any.
 * Return: 0, -ENODATA at the end of the packet, -EINVAL for garbage.
 */
int marker_item_begin(struct packet_iter *iter, u32 *id, struct marker_item *item);

/**
 * marker_item_end() - go past it
 * @iter:	as for marker_item_begin()
 * @tag:	which contexts are before the fields
 * @item:	as for marker_item_begin()
 *
 * Context: Any.
 * Return: 0, -EINVAL for garbage.
 */
int marker_item_end(struct packet_iter *iter, u32 tag, struct marker_item *item);

/**
 * struct marker_walk - a walk from event to event
 * @next:	parse the event at @at: set @end and @ts; 0, -ENODATA at the end of the packet,
 *		another error if there is no event
 * @at:		its place
 * @end:	the end of the event
 * @ts:		the time of the event before, then of this one
 * @nr_events:	how many there were
 */
struct marker_walk {
	int (*next)(struct marker_walk *walk);
	u32 at;
	u32 end;
	u64 ts;
	u32 nr_events;
};

/**
 * marker_walk() - visit the events of a packet, up to its end or to the first that is damaged
 * @walk:	the walk
 *
 * Context: Any, if @next is.
 * Return: what @next returned for @at: -ENODATA: the events go up to the end of the packet.
 */
int marker_walk(struct marker_walk *walk);

/**
 * marker_walk_hole() - find a record that is not complete, but reads as an event
 * @walk:	the walk, at the first event
 * @size:	bytes that are not complete
 * @nr_events:	how many events are
 *
 * Such a record has a new header and the rest of an event of a lap before.  There is one if the
 * packet has one event more than were committed.  It is the last one of the right length: later
 * records came from interrupts, which rarely write the same.
 *
 * Context: Any, if @next is.
 * Return: its place; 0: there is none.
 */
u32 marker_walk_hole(struct marker_walk *walk, u32 size, u32 nr_events);

#endif /* _MARKERS_WALK_H */
