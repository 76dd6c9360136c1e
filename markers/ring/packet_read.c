// SPDX-License-Identifier: GPL-2.0
/*
 * Events out of a packet.  For readers, on a packet of their own or a copy of one.
 */
#include "packet_read.h"

void packet_set_discarded(void *data, u64 nr)
{
	struct ctf_packet_header *header = data;

	header->events_discarded = nr;
}

void packet_extend(void *data, u64 ts)
{
	struct ctf_packet_header *header = data;

	header->timestamp_end = max_t(u64, header->timestamp_end, ts);
}

/* What the writer sets when it opens the packet. */
static bool is_ours(const struct ctf_packet_header *header)
{
	return header->magic == CTF_MAGIC &&
	       header->stream_id == ctf_stream_id(header->uuid);
}

static int begin_reading(struct packet_iter *iter, const void *data)
{
	const struct ctf_packet_header *header = &iter->header;

	if (header->timestamp_end < header->timestamp_begin)
		return -EINVAL;
	iter->data = data;
	iter->at = sizeof(*header);
	iter->end = header->content_size / 8;
	iter->ts = header->timestamp_begin;
	return 0;
}

int packet_iter_init(struct packet_iter *iter, const void *data, size_t size)
{
	struct ctf_packet_header *header = &iter->header;

	if (size < sizeof(*header))
		return -EINVAL;
	memcpy(header, data, sizeof(*header));
	if (!is_ours(header))
		return -EINVAL;
	if (header->content_size % 8 || header->packet_size % 8 ||
	    header->content_size > header->packet_size ||
	    header->packet_size / 8 > min_t(u64, size, U32_MAX) ||
	    header->content_size / 8 < sizeof(*header))
		return -EINVAL;
	return begin_reading(iter, data);
}

int packet_iter_init_open(struct packet_iter *iter, const void *data, u32 used, u64 ts)
{
	struct ctf_packet_header *header = &iter->header;

	if (used < sizeof(*header))
		return -EINVAL;
	memcpy(header, data, sizeof(*header));
	if (!is_ours(header))
		return -EINVAL;
	header->content_size = (u64)used * 8;
	header->timestamp_end = ts;
	return begin_reading(iter, data);
}

int packet_iter_next(struct packet_iter *iter, u32 *id, u64 *ts,
		     const u8 **payload, u32 *avail)
{
	const u64 mask = (1ull << CTF_TIME_BITS) - 1;
	const u8 *p = iter->data + iter->at;
	u32 left = iter->end - iter->at;
	u32 compact, used, tag;
	u16 medium;

	if (!left)
		return -ENODATA;

	tag = p[0] & CTF_ID_EXTENDED;
	if (tag == CTF_ID_EXTENDED) {
		used = CTF_EXTENDED_SIZE;
		if (left < used || p[0] != CTF_ID_EXTENDED)
			return -EINVAL;
		memcpy(id, p + 1, sizeof(*id));
		memcpy(ts, p + 5, sizeof(*ts));
	} else {
		used = tag == CTF_ID_MEDIUM ? CTF_MEDIUM_SIZE : CTF_COMPACT_SIZE;
		if (left < used)
			return -EINVAL;
		memcpy(&compact, p, sizeof(compact));
		*id = tag;
		if (tag == CTF_ID_MEDIUM) {
			memcpy(&medium, p + sizeof(compact), sizeof(medium));
			*id = medium;
		}
		*ts = (iter->ts & ~mask) | compact >> CTF_ID_BITS;
		if (*ts < iter->ts)
			*ts += mask + 1;
	}
	if (*ts < iter->ts || *ts > iter->header.timestamp_end)
		return -EINVAL;

	iter->ts = *ts;
	iter->at += used;
	*payload = p + used;
	*avail = left - used;
	return 0;
}

int packet_iter_advance(struct packet_iter *iter, u32 payload_size)
{
	if (payload_size > iter->end - iter->at)
		return -EINVAL;
	iter->at += payload_size;
	return 0;
}
