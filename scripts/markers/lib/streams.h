/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For each CPU a thread moves packets from trace_pipe_raw to a file, with splice(). When a
 * thread has ended, its file ends with a complete packet.
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
 * struct stream - the packets of one CPU
 * @streams: the streams of all CPUs
 * @cpu: the CPU
 * @thread: the thread that moves its packets
 * @in: trace_pipe_raw
 * @pipe: the pipe between @in and @out
 * @out: the file, or -1
 * @chunk: number of the chunk that has @out
 * @size: bytes written to @out; the last packet may be incomplete
 * @packets: totals of @out
 * @events: saved events, in all chunks; other threads read it
 * @bytes: saved bytes, in all chunks; other threads read it
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
 * struct streams - the streams of all CPUs
 * @nr: number of streams
 * @stream: the streams
 * @dir: the directory of the recording
 * @rotate: bytes after which the next chunk begins; 0: no chunks
 * @chunk_mutex: held to begin a chunk
 * @chunk: number of the current chunk; 0: @dir itself
 * @chunk_bytes: bytes written to the current chunk
 * @wake: an eventfd; when it is readable, the threads drain their buffers and end
 * @running: the threads exist
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
 * @streams: gets a stream for each CPU
 * @dir: the directory of the recording
 * @rotate: bytes of a chunk, or 0
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int streams_open(struct streams *streams, int dir, uint64_t rotate);

/**
 * streams_start() - start the threads
 * @streams: from streams_open()
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int streams_start(struct streams *streams);

/**
 * streams_failed() - has an error ended a thread?
 * @streams: from streams_start()
 *
 * Return: errno, or 0.
 */
int streams_failed(const struct streams *streams);

/**
 * streams_drain() - let the threads move the remaining packets, and wait for their end
 * @streams: from streams_start(); recording must be off
 */
void streams_drain(struct streams *streams);

/**
 * streams_close() - close what streams_open() opened; drain running threads first
 * @streams: from streams_open(), even if that failed
 */
void streams_close(struct streams *streams);

#endif /* _MARKERS_STREAMS_H */
