// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <unistd.h>

#include "packets.h"

const char *packet_check(const struct ctf_packet_header *header)
{
	if (header->magic != CTF_MAGIC)
		return "no packet begins here";
	if (header->stream_id != ctf_stream_id(header->uuid))
		return "its stream_id does not belong to its uuid";
	if (header->packet_size % 8 || header->content_size % 8)
		return "its size is not a number of bytes";
	if (header->content_size < 8 * sizeof(*header))
		return "content_size is smaller than the header";
	if (header->packet_size < header->content_size)
		return "packet_size is smaller than content_size";
	if (header->packet_size / 8 > UINT32_MAX)
		return "packet_size is too large";
	if (header->timestamp_end < header->timestamp_begin)
		return "it ends before it begins";
	if (header->cpu_id > MAX_CPU)
		return "it is of a CPU that no machine has";
	return NULL;
}

const char *packets_walk(struct packets *packets, int fd, off_t size)
{
	struct ctf_packet_header header;
	const char *wrong;

	while (size - packets->whole >= (off_t)sizeof(header)) {
		if (pread(fd, &header, sizeof(header), packets->whole) != sizeof(header))
			return "cannot be read";
		wrong = packet_check(&header);
		if (wrong)
			return wrong;
		if (packets->whole && header.cpu_id != packets->cpu)
			return "it is of another CPU than those before it";
		if (packets->whole + (off_t)(header.packet_size / 8) > size)
			break;
		packets->whole += header.packet_size / 8;
		packets->cpu = header.cpu_id;
		packets->events += header.nr_events;
		packets->discarded = header.events_discarded;
	}
	return NULL;
}
