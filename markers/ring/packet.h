/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CTF packets in a ring: the packet header, by way of ring_ops, and the three forms
 * of an event header, for writing and for reading.  The layout is in uapi/ctf.h.
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
static __always_inline notrace bool packet_id_is_long(u32 id)
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
static __always_inline notrace u32 packet_header_size(u32 id)
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
static __always_inline notrace u64 packet_header_bits(u32 id)
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
static __always_inline notrace u64 packet_header_word(u64 bits, u64 ts)
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
static __always_inline notrace bool
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
static __always_inline notrace u8 *
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

#endif /* _MARKERS_PACKET_H */
