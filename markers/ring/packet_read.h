/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CTF packets, for reading: event after event.  The layout is in uapi/ctf.h.
 *
 * Pure: user space too (scripts/vmcore).
 */
#ifndef _MARKERS_PACKET_READ_H
#define _MARKERS_PACKET_READ_H

#include <markers/base.h>
#include <markers/uapi/ctf.h>

/**
 * struct packet_iter - reads the events of one packet, one after another
 * @header:	a copy of the packet's header, validated
 * @data:	the packet
 * @at:		bytes that were read
 * @end:	bytes of its content
 * @ts:		time of the event before
 *
 * The packet may be garbage: whatever its bytes are, nothing outside of it is
 * read, and every call of packet_iter_next() either fails or moves on.
 */
struct packet_iter {
	struct ctf_packet_header header;
	const u8 *data;
	u32 at;
	u32 end;
	u64 ts;
};

/**
 * packet_set_discarded() - set how many events are missing up to the end of a packet
 * @data:	the packet, the caller's own
 * @nr:		events of this CPU, since the reader began
 *
 * Only the reader knows all of them, so the writer does not set it.
 *
 * Context: Any.
 */
void packet_set_discarded(void *data, u64 nr);

/**
 * packet_extend() - make a packet end later, because events were lost after its last one
 * @data:	the packet, the caller's own
 * @ts:		its end, ticks; an earlier time than it has changes nothing
 *
 * Context: Any.
 */
void packet_extend(void *data, u64 ts);

/**
 * packet_iter_init() - start reading a packet
 * @iter:	the iterator
 * @data:	the packet, no alignment; stays where it is while @iter is used
 * @size:	bytes that may be read there
 *
 * Context: Any.
 * Return: 0, or -EINVAL if this is no packet of ours.
 */
int packet_iter_init(struct packet_iter *iter, const void *data, size_t size);

/**
 * packet_iter_init_open() - start reading a packet that is being written
 * @iter:	the iterator
 * @data:	as for packet_iter_init()
 * @used:	bytes of it that are reserved
 * @ts:		not before its last event, ticks
 *
 * Context: Any.
 * Return: 0, or -EINVAL if this is no packet of ours.
 */
int packet_iter_init_open(struct packet_iter *iter, const void *data, u32 used, u64 ts);

/**
 * packet_iter_next() - read the header of the next event
 * @iter:	the iterator
 * @id:		of the event
 * @ts:		its time, ticks
 * @payload:	its fields
 * @avail:	bytes from @payload to the end of the packet, 0 and more
 *
 * The caller computes the size of the fields, and calls packet_iter_advance().
 *
 * Context: Any.
 * Return: 0, -ENODATA at the end of the packet, -EINVAL for garbage.
 */
int packet_iter_next(struct packet_iter *iter, u32 *id, u64 *ts,
		     const u8 **payload, u32 *avail);

/**
 * packet_iter_advance() - go past the fields of an event
 * @iter:	the iterator
 * @payload_size: their bytes
 *
 * Context: Any.
 * Return: 0, or -EINVAL if the packet has fewer bytes.
 */
int packet_iter_advance(struct packet_iter *iter, u32 payload_size);

#endif /* _MARKERS_PACKET_READ_H */
