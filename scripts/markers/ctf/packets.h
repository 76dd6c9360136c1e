/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walks over the packets of a stream. Reads only their headers.
 */
#ifndef _MARKERS_PACKETS_H
#define _MARKERS_PACKETS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <markers/uapi/ctf.h>

#define MAX_CPU	65535	/* Linux has up to 8192 CPUs; readers take memory for each number */

/**
 * packet_check() - check the header of a packet
 * @header: the first bytes
 *
 * Return: NULL, or what is wrong with it.
 */
const char *packet_check(const struct ctf_packet_header *header);

/**
 * packet_is_later() - may a packet follow another one of its CPU?
 * @header: its first bytes
 * @before: those of the other one
 *
 * A packet without events, which ends a copy that was overtaken, has the number of the next one.
 *
 * Return: whether its number allows that.
 */
static inline bool packet_is_later(const struct ctf_packet_header *header,
				   const struct ctf_packet_header *before)
{
	return header->packet_seq_num > before->packet_seq_num ||
	       (header->packet_seq_num == before->packet_seq_num && !before->nr_events);
}

/**
 * struct packets - totals of a stream so far
 * @whole: bytes of complete packets
 * @cpu: the CPU of these packets
 * @events: events in these packets
 * @discarded: events lost before the end of the last packet
 */
struct packets {
	off_t whole;
	uint32_t cpu;
	uint64_t events;
	uint64_t discarded;
};

/**
 * packets_walk() - walk to the last complete packet of a file
 * @packets: where to begin; advanced to the end of that packet
 * @fd: the file
 * @size: bytes of the file
 *
 * Return: NULL; or what is wrong with the packet at @packets->whole.
 */
const char *packets_walk(struct packets *packets, int fd, off_t size);

#endif /* _MARKERS_PACKETS_H */
