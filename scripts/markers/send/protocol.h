/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What lttng-relayd understands, protocol 2.8 to 2.13: requests on one TCP connection, packets on
 * another one. All numbers are big endian, and nothing is aligned. A request is its header, a
 * structure, and names or bytes; each but RELAY_METADATA has a reply, in order.
 *
 * Source: src/common/sessiond-comm/relayd.h of lttng-tools.
 */
#ifndef _MARKERS_SEND_PROTOCOL_H
#define _MARKERS_SEND_PROTOCOL_H

#include <stdint.h>

#define RELAY_PORT		5342	/* of requests; that of packets is the next one */
#define RELAY_MAJOR		2
#define RELAY_OLDEST		8	/* 2.8: indexes have the number of the packet */
#define RELAY_NEWEST		13
#define RELAY_CHUNKS		11	/* from 2.11 on a session has chunks */
#define RELAY_HOST_SIZE		64	/* with the NUL; one more breaks relayd's list of sessions */
#define RELAY_SESSION_SIZE	255	/* with the NUL */
#define RELAY_CHANNEL_SIZE	264
#define RELAY_PATH_SIZE		4096
#define RELAY_OK		10

enum relay_request {
	RELAY_ADD_STREAM = 1,
	RELAY_CREATE_SESSION = 2,
	RELAY_VERSION = 5,
	RELAY_METADATA = 6,
	RELAY_CLOSE_STREAM = 7,
	RELAY_DATA_PENDING = 8,
	RELAY_INDEX = 13,
	RELAY_STREAMS_SENT = 16,
	RELAY_ROTATE_STREAMS = 18,
	RELAY_CREATE_CHUNK = 19,
	RELAY_CLOSE_CHUNK = 20,
};

#define RELAY_PACKED __attribute__((packed))

struct relay_header {
	uint64_t circuit;
	uint64_t size;			/* bytes that follow */
	uint32_t request;
	uint32_t version;
} RELAY_PACKED;

/* Before each packet, on the other connection. */
struct relay_data_header {
	uint64_t circuit;
	uint64_t stream;
	uint64_t number;		/* counts from 0 in each session */
	uint32_t size;
	uint32_t padding;
} RELAY_PACKED;

struct relay_version {
	uint32_t major;
	uint32_t minor;
} RELAY_PACKED;

/* Up to 2.10. */
struct relay_old_session {
	char session[RELAY_SESSION_SIZE];
	char host[RELAY_HOST_SIZE];
	uint32_t live_us;
	uint32_t snapshot;
} RELAY_PACKED;

/* The three names follow, each with its NUL. */
struct relay_session {
	uint32_t session_size;
	uint32_t host_size;
	uint32_t base_size;
	uint32_t live_us;		/* 0: viewers cannot follow */
	uint8_t snapshot;
	uint8_t name_has_time;
	uint8_t uuid[16];		/* of the sender */
	uint64_t id;
	uint64_t created;		/* in seconds since 1970 */
	uint8_t has_chunk;
	uint64_t chunk;
} RELAY_PACKED;

struct relay_session_reply {
	uint64_t session;
	uint32_t code;
} RELAY_PACKED;

/* Up to 2.10; the path begins below the directory of relayd. */
struct relay_old_stream {
	char channel[RELAY_CHANNEL_SIZE];
	char path[RELAY_PATH_SIZE];
	uint64_t file_size;
	uint64_t files;
} RELAY_PACKED;

/* The two names follow; the path begins below the directory of the session. */
struct relay_stream {
	uint32_t channel_size;
	uint32_t path_size;
	uint64_t file_size;
	uint64_t files;
	uint64_t chunk;
} RELAY_PACKED;

struct relay_stream_reply {
	uint64_t stream;
	uint32_t code;
} RELAY_PACKED;

struct relay_metadata {
	uint64_t stream;
	uint32_t padding;
} RELAY_PACKED;

/* For RELAY_DATA_PENDING and RELAY_CLOSE_STREAM. */
struct relay_stream_number {
	uint64_t stream;
	uint64_t number;
} RELAY_PACKED;

/* Sizes are in bits. packet_size 0: a beacon, there is no event before "end". */
struct relay_index {
	uint64_t stream;
	uint64_t number;
	uint64_t packet_size;
	uint64_t content_size;
	uint64_t begin;
	uint64_t end;
	uint64_t discarded;
	uint64_t class;
	uint64_t cpu;
	uint64_t seq;
} RELAY_PACKED;

struct relay_chunk {
	uint64_t chunk;
	uint64_t time;
	uint32_t name_size;
} RELAY_PACKED;

struct relay_close_chunk {
	uint64_t chunk;
	uint64_t time;
	uint8_t has_command;
	uint32_t command;
} RELAY_PACKED;

#define RELAY_MOVE_CHUNK	0

/* The positions follow. */
struct relay_rotate {
	uint32_t count;
	uint8_t has_chunk;		/* 0: the streams go to none */
	uint8_t padding[7];
	uint64_t chunk;
} RELAY_PACKED;

/* @seq is that of the first packet in the new chunk; metadata begin again, whole. */
struct relay_position {
	uint64_t stream;
	uint64_t seq;
} RELAY_PACKED;

#endif /* _MARKERS_SEND_PROTOCOL_H */
