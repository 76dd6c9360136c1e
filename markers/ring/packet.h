/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CTF packets in a ring, for writing: the packet header, by way of ring_ops, and the three
 * forms of an event header.  The layout is in uapi/ctf.h; packet_read.h reads them.
 */
#ifndef _MARKERS_PACKET_H
#define _MARKERS_PACKET_H

#include <markers/base.h>
#include <markers/uapi/ctf.h>
#include "ring_reserve.h"

/* For ring_config.ops; ring_config.private is the uuid, CTF_UUID_SIZE bytes. */
extern const struct ring_ops packet_ring_ops;

/**
 * packet_id_is_long() - does an event id need the extended header, whatever the time?
 * @id:		of the event
 *
 * Context: Any, NMI included.
 * Return: true if no shorter header has room for it.
 */
static __always_inline bool packet_id_is_long(u32 id)
{
	return id > CTF_MEDIUM_ID_MAX;
}

/**
 * packet_header_size() - the size of an event's header, unless the time needs more
 * @id:		of the event
 *
 * Context: Any, NMI included.
 * Return: bytes.
 */
static __always_inline u32 packet_header_size(u32 id)
{
	if (id < CTF_ID_MEDIUM)
		return CTF_COMPACT_SIZE;
	return packet_id_is_long(id) ? CTF_EXTENDED_SIZE : CTF_MEDIUM_SIZE;
}

/**
 * packet_header_bits() - a compact or medium header without its time
 * @id:		of the event
 *
 * Context: Any, NMI included.
 * Return: the header in the low bytes of a word.
 */
static __always_inline u64 packet_header_bits(u32 id)
{
	return id < CTF_ID_MEDIUM ? id : CTF_ID_MEDIUM | (u64)id << 32;
}

/**
 * packet_header_word() - a whole compact or medium header
 * @bits:	from packet_header_bits()
 * @ts:		the time, ticks
 *
 * Context: Any, NMI included.
 * Return: the header in the low 4 or 6 bytes of a word; the others do not matter.
 */
static __always_inline u64 packet_header_word(u64 bits, u64 ts)
{
	return bits | (u32)ts << CTF_ID_BITS;
}

/**
 * packet_reserve() - ring_reserve() for an event
 * @rc:		ring_this_cpu()
 * @rec:	the result
 * @id:		of the event
 * @len:	bytes of its fields
 *
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 * Return: false if the event is lost (counted), or the ring is stopped.
 */
static __always_inline bool
packet_reserve(struct ring_cpu *rc, struct ring_record *rec, u32 id, u32 len)
{
	return ring_reserve(rc, rec, len, packet_header_size(id), CTF_EXTENDED_SIZE,
			    packet_id_is_long(id));
}

/**
 * packet_event_header() - write the header of an event
 * @rec:	from packet_reserve()
 * @id:		the same as for packet_reserve()
 *
 * Context: Any, NMI included.
 * Return: where the fields go.
 */
static __always_inline u8 *
packet_event_header(const struct ring_record *rec, u32 id)
{
	const u32 size = packet_header_size(id);
	u8 *p = rec->data;
	u64 word;

	if (likely(!rec->is_long)) {
		word = packet_header_word(packet_header_bits(id), rec->ts);
		if (size == CTF_COMPACT_SIZE)
			memcpy(p, &word, CTF_COMPACT_SIZE);
		else
			memcpy(p, &word, CTF_MEDIUM_SIZE);
		return p + size;
	}
	p[0] = CTF_ID_EXTENDED;
	memcpy(p + 1, &id, sizeof(id));
	memcpy(p + 5, &rec->ts, sizeof(rec->ts));
	return p + CTF_EXTENDED_SIZE;
}

#endif /* _MARKERS_PACKET_H */
