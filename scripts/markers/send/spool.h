/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording on the disk that is being sent, and may be growing: its traces one after the other,
 * and the packets of each.
 */
#ifndef _MARKERS_SEND_SPOOL_H
#define _MARKERS_SEND_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include <markers/uapi/ctf.h>

/**
 * struct spool_stream - the packets of a CPU
 * @cpu: the CPU
 * @fd: its file in this trace; -1: there is none
 * @at: offset of the next packet to send
 * @window: bytes of the file from @at on, or from before
 * @begin: offset of @window
 * @size: bytes in @window
 * @room: bytes that it has room for
 */
struct spool_stream {
	unsigned int cpu;
	int fd;
	off_t at;
	char *window;
	off_t begin;
	size_t size;
	size_t room;
};

/**
 * struct spool - a recording
 * @path: its directory
 * @dir: the same, open
 * @is_whole: nothing is to be added, whatever it looks like
 * @name: the trace: of a part without ".open", "." for a recording of one trace; empty: none yet
 * @trace: its directory, open; -1: none
 * @uuid: of the trace
 * @metadata: its metadata, with a NUL
 * @metadata_size: their bytes
 * @changed: when the file was changed
 * @nr: number of @stream
 * @stream: the streams, of all traces so far
 * @missing: something cannot be sent, and that was said
 * @gone: among it all that comes after the present part
 */
struct spool {
	const char *path;
	int dir;
	bool is_whole;
	char name[256];
	int trace;
	uint8_t uuid[CTF_UUID_SIZE];
	char *metadata;
	size_t metadata_size;
	struct timespec changed;
	size_t nr;
	struct spool_stream *stream;
	bool missing;
	bool gone;
};

/**
 * spool_open() - open a recording
 * @spool: gets it
 * @path: its directory, which outlives @spool
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int spool_open(struct spool *spool, const char *path);

/**
 * spool_close() - close it
 * @spool: the recording
 */
void spool_close(struct spool *spool);

/**
 * spool_next() - go on to the next trace, or to the first one
 * @spool: the recording
 *
 * Return: whether there is one now.
 */
bool spool_next(struct spool *spool);

/**
 * spool_go() - go to a trace
 * @spool: the recording, at no trace
 * @name: its name, as in @spool->name
 *
 * Return: whether it is there.
 */
bool spool_go(struct spool *spool, const char *name);

/**
 * spool_is_parts() - does the recording consist of several traces?
 * @spool: the recording, at a trace
 *
 * Return: whether it does, or may.
 */
bool spool_is_parts(const struct spool *spool);

/**
 * spool_is_complete() - will the trace grow?
 * @spool: the recording, at a trace
 *
 * Return: whether it will not; look for packets once more after that.
 */
bool spool_is_complete(const struct spool *spool);

/**
 * spool_has_ended() - has the recording ended?
 * @spool: the recording
 *
 * Return: whether it will not grow.
 */
bool spool_has_ended(const struct spool *spool);

/**
 * spool_is_removed() - has somebody removed the directory of the recording?
 * @spool: the recording; what is open of it can still be read
 *
 * Return: whether it is gone, as when record --below makes room for a later start.
 */
bool spool_is_removed(const struct spool *spool);

/**
 * spool_refresh() - look for more metadata and for streams of other CPUs
 * @spool: the recording, at a trace
 *
 * Return: whether the metadata have become longer.
 */
bool spool_refresh(struct spool *spool);

/**
 * spool_packet() - look at the next packet of a stream
 * @spool: the recording, at a trace
 * @stream: one of its streams
 * @is_complete: the stream will not grow, so half a packet is an error
 * @size: set to its bytes
 *
 * Where the stream is damaged, it says so, and goes on behind the damage.
 *
 * Return: the packet, until the next call; NULL: there is none now.
 */
const struct ctf_packet_header *spool_packet(struct spool *spool, struct spool_stream *stream,
					     bool is_complete, size_t *size);

/**
 * spool_is_in_memory() - is the next packet in memory with those before it?
 * @stream: one of the streams
 *
 * Return: true if spool_packet() leaves packets where they are that it returned before.
 */
bool spool_is_in_memory(const struct spool_stream *stream);

#endif /* _MARKERS_SEND_SPOOL_H */
