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

#include "../ctf/packets.h"

struct streams;

/**
 * struct stream - the packets of one CPU
 * @streams: the streams of all CPUs
 * @cpu: the CPU
 * @thread: the thread that moves its packets
 * @in: trace_pipe_raw
 * @turn: an eventfd; when it is readable, another part has begun
 * @pipe: the pipe between @in and @out
 * @out: the file, or -1
 * @part: number of the part that has @out; written under @part_mutex
 * @size: bytes written to @out; the last packet may be incomplete
 * @packets: totals of @out
 * @before: events that were not in the buffer any more when the recording began
 * @events: saved events, in all parts; other threads read it
 * @bytes: saved bytes, in all parts; other threads read it
 * @error: errno that ended the thread, or 0
 */
struct stream {
	struct streams *streams;
	int cpu;
	pthread_t thread;
	int in;
	int turn;
	int pipe[2];
	int out;
	unsigned int part;
	off_t size;
	struct packets packets;
	uint64_t before;
	atomic_uint_fast64_t events;
	atomic_uint_fast64_t bytes;
	atomic_int error;
};

/* What a part has. */
struct totals {
	uint64_t events;
	uint64_t bytes;
};

/**
 * struct streams - the streams of all CPUs
 * @nr: number of streams
 * @stream: the streams
 * @dir: the directory of the recording
 * @rotate: bytes after which the next part begins; 0: no parts
 * @keep: number of parts to keep, with that which is being written; 0: all
 * @part_mutex: protects what follows, up to @gone
 * @part: number of the current part; 0: @dir itself; read without the mutex, too
 * @complete: number of the last part that is complete
 * @removed: number of the last part that is removed, or was not there
 * @nr_removed: number of removed parts
 * @totals: what each part has, by its number
 * @gone: what the removed parts had
 * @part_bytes: bytes written to the current part
 * @wake: an eventfd; when it is readable, the threads drain their buffers and end
 * @running: the threads exist
 */
struct streams {
	int nr;
	struct stream *stream;
	int dir;
	uint64_t rotate;
	unsigned int keep;
	pthread_mutex_t part_mutex;
	atomic_uint part;
	unsigned int complete;
	unsigned int removed;
	unsigned int nr_removed;
	struct totals *totals;
	struct totals gone;
	atomic_uint_fast64_t part_bytes;
	int wake;
	bool running;
};

/**
 * streams_open() - open trace_pipe_raw of all CPUs
 * @streams: gets a stream for each CPU
 * @dir: the directory of the recording
 * @rotate: bytes of a part, or 0
 * @keep: number of parts to keep, or 0
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int streams_open(struct streams *streams, int dir, uint64_t rotate, unsigned int keep);

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
