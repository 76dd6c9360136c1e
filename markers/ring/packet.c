// SPDX-License-Identifier: GPL-2.0
/*
 * What the ring writes at the start of a sub-buffer to make it a CTF packet.
 *
 * The ring_ops run in the context of writers, NMI included.
 *
 * open() and close() of one packet may interrupt each other: they write different
 * fields.  A reader may copy the packet while close() and deliver() write: plain stores,
 * since ring_peek() lets both write the same fields in its copy.
 */
#include "packet.h"

static void open_packet(void *data, u64 ts, u64 seq, int cpu, void *private)
{
	struct ctf_packet_header *header = data;

	header->magic = CTF_MAGIC;
	memcpy(header->uuid, private, CTF_UUID_SIZE);
	header->stream_id = ctf_stream_id(private);
	header->timestamp_begin = ts;
	header->packet_seq_num = seq;
	header->cpu_id = cpu;
}

/*
 * The packet ends where its content does, up to the next multiple of 8 bytes: a
 * reader copies nothing else.
 */
static u32 close_packet(void *data, u32 used, u64 ts)
{
	struct ctf_packet_header *header = data;
	u32 size = ALIGN(used, 8);

	memset((u8 *)data + used, 0, size - used);
	header->timestamp_end = ts;
	header->content_size = (u64)used * 8;
	header->packet_size = (u64)size * 8;
	return size;
}

static void deliver_packet(void *data, u32 nr_events)
{
	struct ctf_packet_header *header = data;

	header->nr_events = nr_events;
}

const struct ring_ops packet_ring_ops = {
	.header_size = sizeof(struct ctf_packet_header),
	.open = open_packet,
	.close = close_packet,
	.deliver = deliver_packet,
};
