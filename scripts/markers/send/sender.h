/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends a recording to a collector, while it grows, too. The recording is what waits while the
 * collector is away: a packet counts as sent when the collector has written it.
 */
#ifndef _MARKERS_SEND_SENDER_H
#define _MARKERS_SEND_SENDER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "link.h"
#include "relay.h"
#include "spool.h"
#include "state.h"

/* What to do after a session. */
enum sender_next { NEXT_FAILED = -1, NEXT_END, NEXT_PART, NEXT_SESSION };

/**
 * struct sender_place - a place in a stream, behind a packet
 * @nr: number of packets before it that were sent in this session
 * @at: its offset
 * @seq: packet_seq_num of the packet
 * @has_seq: there is one, in this session or before
 */
struct sender_place {
	uint64_t nr;
	off_t at;
	uint64_t seq;
	bool has_seq;
};

/**
 * struct sender_stream - a stream of a CPU
 * @cpu: the CPU
 * @stream: its number at the collector
 * @sent: behind the last packet that was sent
 * @asked: up to there the collector is asked whether it is written
 * @acked: number of packets that the collector has acknowledged
 */
struct sender_stream {
	unsigned int cpu;
	uint64_t stream;
	struct sender_place sent;
	struct sender_place asked;
	uint64_t acked;
};

/**
 * struct sender - a recording that is being sent
 * @collector: where to
 * @host: name of the machine; NULL: the one that recorded
 * @session: name of the session
 * @patience: seconds to try without progress; negative: see sender_run()
 * @delay_ms: for viewers: so long a CPU may keep its events to itself
 * @stop: set by a signal
 * @spool: the recording
 * @state: what the collector has
 * @relay: the connection
 * @metadata: number of the metadata at the collector
 * @metadata_sent: bytes of them that were sent
 * @nr: number of @stream
 * @stream: the streams of the session
 * @unasked: bytes that were sent since the collector was last asked
 * @unwritten: bytes that were sent and are not acknowledged
 * @ask_ms: milliseconds between two questions; 0 if the last one brought news
 * @asked: when that was, in milliseconds of the monotonic clock
 * @bytes: bytes that the collector has written
 * @has_info: the chunk has the folder info of its part
 * @began: there has been a session
 * @status: STATUS_FAILED if something could not be sent
 */
struct sender {
	struct collector collector;
	const char *host;
	const char *session;
	int patience;
	unsigned int delay_ms;
	volatile sig_atomic_t *stop;
	struct spool spool;
	struct state state;
	struct relay relay;
	uint64_t metadata;
	size_t metadata_sent;
	size_t nr;
	struct sender_stream *stream;
	uint64_t unasked;
	uint64_t unwritten;
	unsigned int ask_ms;
	uint64_t asked;
	uint64_t bytes;
	bool has_info;
	bool began;
	int status;
};

/**
 * sender_run() - send until the recording has ended, and all is written
 * @sender: @collector to @state are set, and in @relay the version to offer
 *
 * Without @patience it gives up after ten seconds without progress, but never once a session
 * began and while the recording grows.
 *
 * Return: STATUS_OK; STATUS_LOST if the collector has all that there will be, but something is
 * missing, and that was said; or STATUS_FAILED, and says what the collector has.
 */
int sender_run(struct sender *sender);

#endif /* _MARKERS_SEND_SENDER_H */
