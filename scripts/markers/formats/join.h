/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a trace again, of all pieces that a collector has of it: each packet once, in order.
 */
#ifndef _MARKERS_JOIN_H
#define _MARKERS_JOIN_H

#include <stdbool.h>
#include <stdint.h>

struct opened_stream;
struct packet_file;

/**
 * struct join_work - what becomes of packets and metadata; all zero: they stay as they are
 * @packet: called for each packet before it is written; all of a trace before those of the next
 * @metadata: called for the metadata of each trace, after all packets of all traces; returns the
 *	new text, to be freed
 * @ctx: their first argument
 * @no_info: leave out the folder info
 */
struct join_work {
	void (*packet)(void *ctx, const struct opened_stream *stream, struct packet_file *file);
	char *(*metadata)(void *ctx, const char *text);
	void *ctx;
	bool no_info;
};

/**
 * struct joined - what was written
 * @packets: number of packets
 * @doubles: packets that were there more than once
 * @gaps: places where packets are missing
 * @lost: lost events, by the counts in the packets
 * @damaged: something is left out that is in no other piece
 */
struct joined {
	uint64_t packets;
	uint64_t doubles;
	uint64_t gaps;
	uint64_t lost;
	bool damaged;
};

/**
 * join() - write a trace again
 * @path: the directory of its pieces, or of a recording
 * @output: the new directory: a trace; or if there are several, as after a change of contexts, parts
 *	000001 and so on
 * @work: what becomes of packets and metadata
 * @joined: gets what was written
 *
 * Half a packet in a piece does not matter if another piece has it. After a failure nothing stays.
 *
 * Return: STATUS_OK, even if something is damaged; or STATUS_FAILED, and says why.
 */
int join(const char *path, const char *output, const struct join_work *work, struct joined *joined);

#endif /* _MARKERS_JOIN_H */
