/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CTF packets in a ring: the packet header, by way of ring_ops, and the three forms
 * of an event header, for writing and for reading.  The layout is in uapi/ctf.h.
 */
#ifndef _MARKERS_PACKET_H
#define _MARKERS_PACKET_H

#include <markers/base.h>
#include <markers/uapi/ctf.h>
#include "ring.h"

/* For ring_config.ops; ring_config.private is the uuid, CTF_UUID_SIZE bytes. */
extern const struct ring_ops packet_ring_ops;

/* Does this event id need the extended header, whatever the time? */
static __always_inline notrace bool packet_id_is_long(u32 id)
{
	return id > CTF_MEDIUM_ID_MAX;
}

/* Bytes of the header of an event with this id, unless the time needs the extended one. */
static __always_inline notrace u32 packet_header_size(u32 id)
{
	if (id < CTF_ID_MEDIUM)
		return CTF_COMPACT_SIZE;
	return packet_id_is_long(id) ? CTF_EXTENDED_SIZE : CTF_MEDIUM_SIZE;
}

/*
 * A compact or medium header without its time, in the low bytes of a word: what is the
 * same for all events with this id.
 */
static __always_inline notrace u64 packet_header_bits(u32 id)
{
	return id < CTF_ID_MEDIUM ? id : CTF_ID_MEDIUM | (u64)id << 32;
}

/* The whole of such a header: 4 or 6 bytes, and 2 or 4 that do not matter. */
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
 * Context: as ring_reserve().
 * Return: as ring_reserve().
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
 * @id:		the same as there
 *
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
 * @end:	bytes that count: the content size
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

void packet_set_discarded(void *data, u64 nr);
void packet_extend(void *data, u64 ts);
int packet_iter_init(struct packet_iter *iter, const void *data, size_t size);
int packet_iter_next(struct packet_iter *iter, u32 *id, u64 *ts,
		     const u8 **payload, u32 *avail);
int packet_iter_advance(struct packet_iter *iter, u32 payload_size);

#endif /* _MARKERS_PACKET_H */
