/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walks over the packets of a stream. Reads only their headers.
 */
#ifndef _MARKERS_PACKETS_H
#define _MARKERS_PACKETS_H

#include <stdint.h>
#include <sys/types.h>

#include <markers/uapi/ctf.h>

/**
 * packet_check() - check the header of a packet
 * @header: the first bytes
 *
 * Return: NULL, or what is wrong with it.
 */
const char *packet_check(const struct ctf_packet_header *header);

/* What users are told of other files. */
#define NO_STREAM	"is left out: its name is not stream_N (N = 0, 1, 2 ...)"

/**
 * packets_stream() - find out which CPU a stream is of by its name
 * @name: name of the file
 *
 * Return: N of "stream_N"; -1 if it is not the name of a stream.
 */
long packets_stream(const char *name);

/**
 * packets_cpu() - find out which CPU wrote a stream
 * @path: the file
 *
 * Return: the CPU of its first packet; -1 if that cannot be read.
 */
long packets_cpu(const char *path);

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
