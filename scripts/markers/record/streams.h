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
#include "rotation.h"

struct streams;

/**
 * struct stream - the packets of one CPU
 * @streams: the streams of all CPUs
 * @cpu: the CPU
 * @thread: the thread that moves its packets
 * @in: trace_pipe_raw
 * @turn: that of the rotation, or -1
 * @pipe: the pipe between @in and @out
 * @out: the file, or -1
 * @part: number of the part that has @out, or 0
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

/**
 * struct streams - the streams of all CPUs
 * @nr: number of streams
 * @stream: the streams
 * @dir: the directory of the recording
 * @rotates: there are parts
 * @rotation: which
 * @wake: an eventfd; when it is readable, the threads drain their buffers and end
 * @running: the threads exist
 * @followed: somebody reads the recording while it grows, so it is to grow often
 */
struct streams {
	int nr;
	struct stream *stream;
	int dir;
	bool rotates;
	struct rotation rotation;
	int wake;
	bool running;
	atomic_bool followed;
};

/**
 * streams_open() - open trace_pipe_raw of all CPUs
 * @streams: gets a stream for each CPU
 * @dir: the directory of the recording
 * @limits: when another part begins, and which go; a @size of 0: no parts
 * @kallsyms: the symbols of the recording, for its parts; or NULL
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int streams_open(struct streams *streams, int dir, const struct rotation_limits *limits,
		 struct kallsyms *kallsyms);

/**
 * streams_start() - start the threads
 * @streams: from streams_open()
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int streams_start(struct streams *streams);

/**
 * streams_look() - look whether somebody follows
 * @streams: from streams_open()
 *
 * Who follows has a shared lock on the directory of the recording.
 */
void streams_look(struct streams *streams);

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
