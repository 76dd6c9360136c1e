/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the packets of a stream, one after the other. Behind damage it goes on with the next
 * packet of the trace, and says what is missing.
 */
#ifndef _MARKERS_READER_PACKET_FILE_H
#define _MARKERS_READER_PACKET_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <markers/uapi/ctf.h>

#include "../ctf/trace_files.h"

/**
 * struct packet_file - a place in a stream; the caller sets the first four members, and zeroes
 *	the rest
 * @stream: the stream
 * @uuid: of the trace
 * @quiet: do not say what is damaged
 * @defers: the caller looks at @cut, and says so: damage at the end is neither told nor @damaged
 * @cut: what is wrong at the end, or NULL
 * @cut_at: where that is
 * @damaged: a part of it is left out
 * @at: offset of the packet
 * @header: the header of the packet
 * @packet: the packet
 * @room: bytes of the memory for it
 */
struct packet_file {
	const struct trace_stream *stream;
	const uint8_t *uuid;
	bool quiet;
	bool defers;
	const char *cut;
	off_t cut_at;
	bool damaged;
	off_t at;
	struct ctf_packet_header header;
	void *packet;
	size_t room;
};

/**
 * packet_file_begin() - find the first packet
 * @file: the stream
 */
void packet_file_begin(struct packet_file *file);

/**
 * packet_file_go() - go to a packet
 * @file: the stream
 * @at: offset of the packet
 */
void packet_file_go(struct packet_file *file, off_t at);

/**
 * packet_file_has() - is there a packet?
 * @file: the stream
 *
 * Return: true if @header is that of the packet at @at.
 */
static inline bool packet_file_has(const struct packet_file *file)
{
	return file->at < file->stream->size;
}

/**
 * packet_file_header() - read the header at @at, which may be of any trace and CPU
 * @file: the stream
 *
 * Return: NULL; or what is wrong: it is not that of a whole packet.
 */
const char *packet_file_header(struct packet_file *file);

/**
 * packet_file_search() - find the next place behind @at where a packet of this trace may begin
 * @file: the stream
 *
 * Return: its offset; or that of the end.
 */
off_t packet_file_search(const struct packet_file *file);

/**
 * packet_file_read() - read the packet at @at, and leave it to the caller to say that it cannot be read
 * @file: the stream, which has a packet
 *
 * Return: NULL; or what is wrong.
 */
const char *packet_file_read(struct packet_file *file);

/**
 * packet_file_load() - read the packet at @at
 * @file: the stream, which has a packet
 *
 * Return: STATUS_OK; STATUS_FAILED, and says why.
 */
int packet_file_load(struct packet_file *file);

/**
 * packet_file_damaged() - an event of the packet cannot be read
 * @file: the stream
 * @at: the event, in @packet
 * @wrong: what is wrong with it
 * @quiet: do not say so
 */
void packet_file_damaged(struct packet_file *file, const void *at, const char *wrong, bool quiet);

/**
 * packet_file_say() - say what is wrong at a place
 * @file: the stream
 * @at: the place
 * @wrong: what is wrong
 */
void packet_file_say(const struct packet_file *file, off_t at, const char *wrong);

/**
 * packet_file_next() - go on to the next packet
 * @file: the stream
 */
void packet_file_next(struct packet_file *file);

/**
 * packet_file_release() - free the memory of the packet
 * @file: the stream
 */
void packet_file_release(struct packet_file *file);

#endif /* _MARKERS_READER_PACKET_FILE_H */
