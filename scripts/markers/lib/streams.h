/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One thread for each CPU moves packets from trace_pipe_raw into a file, by splice().
 * A file always ends with a complete packet when its thread has ended.
 */
#ifndef _MARKERS_STREAMS_H
#define _MARKERS_STREAMS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "packets.h"

struct streams;

/**
 * struct stream - of one CPU
 * @streams: all of them
 * @cpu: the CPU
 * @thread: that moves its packets
 * @in: trace_pipe_raw
 * @pipe: between the two files
 * @out: the file, or -1
 * @chunk: number of the chunk that @out is in
 * @size: bytes written to @out, the last packet may be incomplete
 * @packets: of @out
 * @events: saved, in all chunks; read by other threads
 * @bytes: the same for bytes
 * @error: errno that ended the thread, or 0
 */
struct stream {
	struct streams *streams;
	int cpu;
	pthread_t thread;
	int in;
	int pipe[2];
	int out;
	unsigned int chunk;
	off_t size;
	struct packets packets;
	atomic_uint_fast64_t events;
	atomic_uint_fast64_t bytes;
	atomic_int error;
};

/**
 * struct streams - of all CPUs
 * @nr: how many
 * @stream: each of them
 * @dir: the recording
 * @rotate: bytes after which another chunk is begun; 0: no chunks
 * @chunk_mutex: for making a chunk
 * @chunk: number of the chunk that is written now; 0: @dir itself
 * @chunk_bytes: written to it
 * @wake: an eventfd, readable when the threads are to drain and end
 * @running: there are threads
 */
struct streams {
	int nr;
	struct stream *stream;
	int dir;
	uint64_t rotate;
	pthread_mutex_t chunk_mutex;
	atomic_uint chunk;
	atomic_uint_fast64_t chunk_bytes;
	int wake;
	bool running;
};

/**
 * streams_open() - open trace_pipe_raw of all CPUs
 * @streams: is filled
 * @dir: the recording
 * @rotate: bytes of a chunk, or 0
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int streams_open(struct streams *streams, int dir, uint64_t rotate);

/**
 * streams_start() - start the threads
 * @streams: of streams_open()
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int streams_start(struct streams *streams);

/**
 * streams_failed() - has a thread ended because of an error?
 * @streams: of streams_start()
 *
 * Return: errno, or 0.
 */
int streams_failed(const struct streams *streams);

/**
 * streams_drain() - let the threads move what is left, and wait for their end
 * @streams: of streams_start(); nothing is being recorded any more
 */
void streams_drain(struct streams *streams);

/**
 * streams_close() - close what streams_open() has opened
 * @streams: of streams_open(), also if that failed; threads that run are drained before
 */
void streams_close(struct streams *streams);

#endif /* _MARKERS_STREAMS_H */
