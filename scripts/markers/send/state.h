/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a collector has of a recording, in a file: a sender that was killed goes on there. The file
 * is replaced at once, so it is whole at any time, and it is locked: of two senders one ends.
 */
#ifndef _MARKERS_SEND_STATE_H
#define _MARKERS_SEND_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <markers/uapi/ctf.h>

/**
 * struct state_stream - what the collector has of a stream
 * @cpu: the CPU
 * @at: up to this offset of its file
 * @seq: packet_seq_num of the last packet
 * @has: there is one
 */
struct state_stream {
	unsigned int cpu;
	off_t at;
	uint64_t seq;
	bool has;
};

/**
 * struct state - what a collector has of a recording
 * @path: the file
 * @lock: its file descriptor, or -1
 * @name: the trace that is being sent, or an empty string
 * @uuid: of that trace
 * @packets: number of packets, of all traces
 * @is_all: it has all of that trace, which is complete
 * @nr: number of @stream
 * @stream: the streams of the trace
 */
struct state {
	char *path;
	int lock;
	char name[256];
	uint8_t uuid[CTF_UUID_SIZE];
	uint64_t packets;
	bool is_all;
	size_t nr;
	struct state_stream *stream;
};

/**
 * state_open() - read the file, or create it
 * @state: gets it
 * @path: the file; taken
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int state_open(struct state *state, char *path);

/**
 * state_stream() - find or add a stream
 * @state: the state
 * @cpu: its CPU
 *
 * Return: the stream, until the next call.
 */
struct state_stream *state_stream(struct state *state, unsigned int cpu);

/**
 * state_begin() - begin with another trace
 * @state: the state
 * @name: its name
 * @uuid: its uuid
 */
void state_begin(struct state *state, const char *name, const uint8_t *uuid);

/**
 * state_save() - replace the file
 * @state: the state
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int state_save(struct state *state);

/**
 * state_close() - unlock the file
 * @state: the state
 */
void state_close(struct state *state);

#endif /* _MARKERS_SEND_STATE_H */
