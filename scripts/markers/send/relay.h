/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a sender asks of lttng-relayd. There is no login and no encryption in this protocol.
 */
#ifndef _MARKERS_SEND_RELAY_H
#define _MARKERS_SEND_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include <markers/uapi/ctf.h>

#include "link.h"
#include "protocol.h"

#define RELAY_BATCH	64	/* packets that are sent together */

/**
 * struct relay - a session of a collector
 * @link: the connections
 * @offer: the newest minor version to offer
 * @minor: the one that both sides know
 * @host: name of the machine
 * @session: name of the session
 * @base: name of its directory at the collector, below that of the host
 * @live_us: how often viewers look, in microseconds; 0: there are none
 * @chunk: number of the chunk that is written
 * @open: there is a session
 * @waiting: replies to indexes that we have not taken
 */
struct relay {
	struct link link;
	unsigned int offer;
	unsigned int minor;
	const char *host;
	const char *session;
	char *base;
	uint32_t live_us;
	uint64_t chunk;
	bool open;
	unsigned int waiting;
};

/*
 * All of these return 0; or -1, and link.why says what went wrong. Then the connections are of no
 * more use.
 */

/**
 * relay_connect() - connect, and agree on a version
 * @relay: @link, @offer
 */
int relay_connect(struct relay *relay);

/**
 * relay_hang_up() - close the connections; the collector ends the session
 * @relay: the session, or none
 */
void relay_hang_up(struct relay *relay);

/**
 * relay_create() - begin the session; a connection has only one
 * @relay: @host, @session, @base
 */
int relay_create(struct relay *relay);

/**
 * relay_add() - add a stream
 * @relay: the session
 * @folder: where its file is, below the directory of the session
 * @name: name of the file; "metadata" are the metadata
 * @stream: set to its number
 */
int relay_add(struct relay *relay, const char *folder, const char *name, uint64_t *stream);

/**
 * relay_added() - all streams are added that are known now
 * @relay: the session
 */
int relay_added(struct relay *relay);

/**
 * relay_metadata() - send the next part of the metadata
 * @relay: the session
 * @stream: the metadata
 * @uuid: NULL; or that of the trace, then it goes in a packet, which viewers need
 * @text: whole declarations
 * @size: bytes of @text
 */
int relay_metadata(struct relay *relay, uint64_t stream, const uint8_t *uuid, const char *text,
		   size_t size);

/**
 * struct relay_batch - packets to send
 * @nr: number of packets
 * @header: their headers in the protocol
 * @index: their indexes
 * @part: for each packet its header in the protocol and its bytes
 */
struct relay_batch {
	unsigned int nr;
	struct relay_data_header header[RELAY_BATCH];
	struct {
		struct relay_header request;
		struct relay_index index;
	} RELAY_PACKED index[RELAY_BATCH];
	struct iovec part[2 * RELAY_BATCH];
};

/**
 * relay_batch_add() - add a packet to a batch, which has room for it
 * @batch: the batch
 * @stream: the stream
 * @number: number of the packet in the session
 * @header: what the index says of it
 * @packet: the packet
 * @size: its bytes
 */
void relay_batch_add(struct relay_batch *batch, uint64_t stream, uint64_t number,
		     const struct ctf_packet_header *header, const void *packet, size_t size);

/**
 * relay_send() - send a batch, and empty it
 * @relay: the session
 * @batch: the batch
 */
int relay_send(struct relay *relay, struct relay_batch *batch);

/**
 * relay_beacon() - tell viewers that a stream has no event for some time
 * @relay: the session
 * @stream: a stream that has had a packet
 * @number: number of its last packet in the session
 * @header: of any packet of the trace
 * @cpu: CPU of the stream
 * @time: no event is before that, in ticks
 */
int relay_beacon(struct relay *relay, uint64_t stream, uint64_t number,
		 const struct ctf_packet_header *header, unsigned int cpu, uint64_t time);

/**
 * relay_pending() - ask whether packets still have to be written
 * @relay: the session
 * @stream: the stream
 * @number: number of the last packet in the session
 * @pending: set to whether this packet or one before it has to be written
 */
int relay_pending(struct relay *relay, uint64_t stream, uint64_t number, bool *pending);

/**
 * relay_rotate() - go on in a new chunk, or in none
 * @relay: the session
 * @position: the streams; the metadata with 0
 * @nr: number of @position
 * @is_last: there is no new chunk
 * @move: move the old one to archives/
 */
int relay_rotate(struct relay *relay, const struct relay_position *position, size_t nr,
		 bool is_last, bool move);

/**
 * relay_close_stream() - close a stream
 * @relay: the session
 * @stream: the stream
 * @number: number of the last packet in the session; UINT64_MAX: there is none
 */
int relay_close_stream(struct relay *relay, uint64_t stream, uint64_t number);

#endif /* _MARKERS_SEND_RELAY_H */
