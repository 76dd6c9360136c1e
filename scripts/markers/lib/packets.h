/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets of a stream, by their headers only.
 */
#ifndef _MARKERS_PACKETS_H
#define _MARKERS_PACKETS_H

#include <stdint.h>
#include <sys/types.h>

#include <markers/uapi/ctf.h>

/**
 * packet_check() - is this the header of a packet?
 * @header: the first bytes
 *
 * Return: NULL, or what is wrong with it.
 */
const char *packet_check(const struct ctf_packet_header *header);

/**
 * struct packets - what was found in a stream so far
 * @whole: bytes of complete packets
 * @events: events in these
 * @discarded: events lost before the end of the last one
 */
struct packets {
	off_t whole;
	uint64_t events;
	uint64_t discarded;
};

/**
 * packets_walk() - go on to the last complete packet of a file
 * @packets: where to begin; is advanced
 * @fd: the file
 * @size: of the file
 *
 * Return: NULL; or what is wrong with the packet at @packets->whole.
 */
const char *packets_walk(struct packets *packets, int fd, off_t size);

#endif /* _MARKERS_PACKETS_H */
