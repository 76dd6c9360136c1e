// SPDX-License-Identifier: GPL-2.0
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "../base/message.h"
#include "../ctf/metadata.h"
#include "relay.h"

#define MAX_WAITING	1024	/* their replies fit in any socket */
#define MAX_REPLY	4096

static const struct {
	uint32_t code;
	const char *text;
} codes[] = {
	{ 11, "it has an error; its log says more" },
	{ 25, "it has a fatal error; its log says more" },
	{ 26, "it is out of memory" },
	{ 97, "it does not take these names or numbers" },
	{ 152, "it expected another request" },
	{ 153, "it cannot create a file: may it write to its directory, and is its disk full?" },
};

static int refused(struct relay *relay, const char *what, uint32_t code)
{
	const char *name = relay->link.collector->name;
	size_t i;

	for (i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (codes[i].code == code)
			return link_wrong(&relay->link, "%s: the collector refuses %s: %s", name, what,
					  codes[i].text);
	return link_wrong(&relay->link, "%s: the collector refuses %s: error %d", name, what, (int)code);
}

/* Take replies to indexes, until at most @most are missing, or more if they have come. */
static int take_replies(struct relay *relay, unsigned int most)
{
	uint32_t code;

	while (relay->waiting && (relay->waiting > most || link_has_reply(&relay->link))) {
		if (link_get(&relay->link, &code, sizeof(code)))
			return -1;
		relay->waiting--;
		if (be32toh(code) != RELAY_OK)
			return refused(relay, "a packet", be32toh(code));
	}
	return 0;
}

static struct relay_header header_of(enum relay_request request, size_t size)
{
	return (struct relay_header){ .size = htobe64(size), .request = htobe32(request) };
}

/* Send a request of two parts, and take the begin of its reply. */
static int ask(struct relay *relay, enum relay_request request, const void *body, size_t size,
	       const void *more, size_t more_size, void *reply, size_t reply_size)
{
	struct relay_header header = header_of(request, size + more_size);
	struct iovec part[] = {
		{ &header, sizeof(header) }, { (void *)body, size }, { (void *)more, more_size },
	};

	if (take_replies(relay, 0) || link_put(&relay->link, relay->link.control, part, 3))
		return -1;
	return reply_size ? link_get(&relay->link, reply, reply_size) : 0;
}

/* A request that is answered with a code. */
static int ask_code(struct relay *relay, enum relay_request request, const void *body, size_t size,
		    const char *what)
{
	uint32_t code;

	if (ask(relay, request, body, size, NULL, 0, &code, sizeof(code)))
		return -1;
	return be32toh(code) == RELAY_OK ? 0 : refused(relay, what, be32toh(code));
}

/* Skip a text of a reply. */
static int skip_text(struct relay *relay)
{
	char text[MAX_REPLY];
	uint32_t size;

	if (link_get(&relay->link, &size, sizeof(size)))
		return -1;
	size = be32toh(size);
	if (size > sizeof(text))
		return link_wrong(&relay->link, "%s: is no lttng-relayd: its reply is too long",
				  relay->link.collector->name);
	return link_get(&relay->link, text, size);
}

int relay_connect(struct relay *relay)
{
	const struct relay_version ours = { htobe32(RELAY_MAJOR), htobe32(relay->offer) };
	const char *name = relay->link.collector->name;
	struct relay_version theirs;
	uint32_t major, minor;

	if (link_open(&relay->link) ||
	    ask(relay, RELAY_VERSION, &ours, sizeof(ours), NULL, 0, &theirs, sizeof(theirs)))
		return -1;
	major = be32toh(theirs.major);
	minor = be32toh(theirs.minor);
	relay->minor = minor < relay->offer ? minor : relay->offer;
	if (major == RELAY_MAJOR && relay->minor >= RELAY_OLDEST)
		return 0;
	relay->link.is_vain = true;
	if (major > 99 || minor > 9999)
		return link_wrong(&relay->link, "%s: no lttng-relayd answers there", name);
	return link_wrong(&relay->link,
			  "%s: lttng-relayd speaks protocol %u.%u, and this program %u.%u to %u.%u: install %s there",
			  name, major, minor, RELAY_MAJOR, RELAY_OLDEST, RELAY_MAJOR, RELAY_NEWEST,
			  major > RELAY_MAJOR ? "lttng-tools 2.13" : "a newer lttng-tools");
}

void relay_hang_up(struct relay *relay)
{
	link_close(&relay->link);
	relay->open = false;
	relay->waiting = 0;
}

static int create_old(struct relay *relay, struct relay_session_reply *reply)
{
	struct relay_old_session session = { .live_us = htobe32(relay->live_us) };

	strncpy(session.session, relay->session, sizeof(session.session) - 1);
	strncpy(session.host, relay->host, sizeof(session.host) - 1);
	return ask(relay, RELAY_CREATE_SESSION, &session, sizeof(session), NULL, 0, reply, sizeof(*reply));
}

static int create_new(struct relay *relay, struct relay_session_reply *reply)
{
	const size_t session_size = strlen(relay->session) + 1, host_size = strlen(relay->host) + 1,
		     base_size = strlen(relay->base) + 1;
	struct relay_session session = {
		.session_size = htobe32(session_size), .host_size = htobe32(host_size),
		.base_size = htobe32(base_size), .live_us = htobe32(relay->live_us),
		.created = htobe64(time(NULL)),
	};
	char names[3 * RELAY_SESSION_SIZE];

	if (getrandom(session.uuid, sizeof(session.uuid), 0) != sizeof(session.uuid))
		return link_wrong(&relay->link, "getrandom: %m");
	session.id = htobe64(1);
	memcpy(names, relay->session, session_size);
	memcpy(names + session_size, relay->host, host_size);
	memcpy(names + session_size + host_size, relay->base, base_size);
	if (ask(relay, RELAY_CREATE_SESSION, &session, sizeof(session), names,
		session_size + host_size + base_size, reply, sizeof(*reply)))
		return -1;
	return skip_text(relay);
}

static int create_chunk(struct relay *relay, uint64_t number)
{
	const struct relay_chunk chunk = { htobe64(number), htobe64(time(NULL)), 0 };

	relay->chunk = number;
	return ask_code(relay, RELAY_CREATE_CHUNK, &chunk, sizeof(chunk), "a chunk");
}

int relay_create(struct relay *relay)
{
	const bool has_chunks = relay->minor >= RELAY_CHUNKS;
	struct relay_session_reply reply;

	if ((has_chunks ? create_new : create_old)(relay, &reply))
		return -1;
	if (be32toh(reply.code) != RELAY_OK)
		return refused(relay, "the session", be32toh(reply.code));
	relay->open = true;
	return has_chunks ? create_chunk(relay, 0) : 0;
}

static int add_old(struct relay *relay, const char *folder, const char *name,
		   struct relay_stream_reply *reply)
{
	struct relay_old_stream *stream = need_memory(calloc(1, sizeof(*stream)));
	char *path = format_text("%s/%s/%s", relay->host, relay->base, folder);
	int err;

	strncpy(stream->channel, name, sizeof(stream->channel) - 1);
	strncpy(stream->path, path, sizeof(stream->path) - 1);
	err = ask(relay, RELAY_ADD_STREAM, stream, sizeof(*stream), NULL, 0, reply, sizeof(*reply));
	free(path);
	free(stream);
	return err;
}

static int add_new(struct relay *relay, const char *folder, const char *name,
		   struct relay_stream_reply *reply)
{
	const size_t name_size = strlen(name) + 1, folder_size = strlen(folder) + 1;
	const struct relay_stream stream = {
		.channel_size = htobe32(name_size), .path_size = htobe32(folder_size),
		.chunk = htobe64(relay->chunk),
	};
	char *names = need_memory(malloc(name_size + folder_size));
	int err;

	memcpy(names, name, name_size);
	memcpy(names + name_size, folder, folder_size);
	err = ask(relay, RELAY_ADD_STREAM, &stream, sizeof(stream), names, name_size + folder_size,
		  reply, sizeof(*reply));
	free(names);
	return err;
}

int relay_add(struct relay *relay, const char *folder, const char *name, uint64_t *stream)
{
	struct relay_stream_reply reply;

	if ((relay->minor >= RELAY_CHUNKS ? add_new : add_old)(relay, folder, name, &reply))
		return -1;
	*stream = be64toh(reply.stream);
	return be32toh(reply.code) == RELAY_OK ? 0 : refused(relay, name, be32toh(reply.code));
}

int relay_added(struct relay *relay)
{
	return ask_code(relay, RELAY_STREAMS_SENT, NULL, 0, "the streams");
}

int relay_metadata(struct relay *relay, uint64_t stream, const uint8_t *uuid, const char *text,
		   size_t size)
{
	struct {
		struct relay_metadata request;
		struct metadata_packet packet;
	} RELAY_PACKED head = {
		.request.stream = htobe64(stream),
		.packet = { .magic = METADATA_MAGIC, .major = 1, .minor = 8 },
	};
	const size_t head_size = uuid ? sizeof(head) : sizeof(head.request);

	if (!size)
		return 0;
	if (uuid) {
		memcpy(head.packet.uuid, uuid, CTF_UUID_SIZE);
		head.packet.content_size = 8 * (sizeof(head.packet) + size);
		head.packet.packet_size = head.packet.content_size;
	}
	return ask(relay, RELAY_METADATA, &head, head_size, text, size, NULL, 0);
}

void relay_batch_add(struct relay_batch *batch, uint64_t stream, uint64_t number,
		     const struct ctf_packet_header *header, const void *packet, size_t size)
{
	const unsigned int nr = batch->nr++;

	batch->header[nr] = (struct relay_data_header){
		.stream = htobe64(stream), .number = htobe64(number), .size = htobe32(size),
	};
	batch->index[nr].request = header_of(RELAY_INDEX, sizeof(struct relay_index));
	batch->index[nr].index = (struct relay_index){
		.stream = htobe64(stream), .number = htobe64(number),
		.packet_size = htobe64(8 * size),
		.content_size = htobe64(header->content_size),
		.begin = htobe64(header->timestamp_begin), .end = htobe64(header->timestamp_end),
		.discarded = htobe64(header->events_discarded), .class = htobe64(header->stream_id),
		.cpu = htobe64(header->cpu_id), .seq = htobe64(header->packet_seq_num),
	};
	batch->part[2 * nr] = (struct iovec){ &batch->header[nr], sizeof(batch->header[nr]) };
	batch->part[2 * nr + 1] = (struct iovec){ (void *)packet, size };
}

int relay_send(struct relay *relay, struct relay_batch *batch)
{
	struct iovec indexes = { batch->index, batch->nr * sizeof(*batch->index) };
	const unsigned int nr = batch->nr;

	batch->nr = 0;
	if (!nr)
		return 0;
	if (take_replies(relay, MAX_WAITING - RELAY_BATCH) ||
	    link_put(&relay->link, relay->link.data, batch->part, 2 * nr) ||
	    link_put(&relay->link, relay->link.control, &indexes, 1))
		return -1;
	relay->waiting += nr;
	return 0;
}

int relay_beacon(struct relay *relay, uint64_t stream, uint64_t number,
		 const struct ctf_packet_header *header, unsigned int cpu, uint64_t time)
{
	struct {
		struct relay_header request;
		struct relay_index index;
	} RELAY_PACKED beacon = {
		.request = header_of(RELAY_INDEX, sizeof(beacon.index)),
		.index = {
			.stream = htobe64(stream), .number = htobe64(number), .end = htobe64(time),
			.class = htobe64(header->stream_id), .cpu = htobe64(cpu),
		},
	};
	struct iovec part = { &beacon, sizeof(beacon) };

	if (take_replies(relay, MAX_WAITING - 1) ||
	    link_put(&relay->link, relay->link.control, &part, 1))
		return -1;
	relay->waiting++;
	return 0;
}

int relay_pending(struct relay *relay, uint64_t stream, uint64_t number, bool *pending)
{
	const struct relay_stream_number last = { htobe64(stream), htobe64(number) };
	uint32_t code;

	if (ask(relay, RELAY_DATA_PENDING, &last, sizeof(last), NULL, 0, &code, sizeof(code)))
		return -1;
	*pending = be32toh(code);
	return be32toh(code) <= 1 ? 0 : refused(relay, "to say what it has", be32toh(code));
}

static int close_chunk(struct relay *relay, uint64_t number, bool move)
{
	const struct relay_close_chunk chunk = {
		.chunk = htobe64(number), .time = htobe64(time(NULL)), .has_command = move,
		.command = htobe32(RELAY_MOVE_CHUNK),
	};

	return ask_code(relay, RELAY_CLOSE_CHUNK, &chunk, sizeof(chunk), "to close a chunk") ?:
	       skip_text(relay);
}

static int rotate(struct relay *relay, const struct relay_position *position, size_t nr, bool has_chunk)
{
	const struct relay_rotate head = {
		.count = htobe32(nr), .has_chunk = has_chunk,
		.chunk = has_chunk ? htobe64(relay->chunk) : 0,
	};
	uint32_t code;

	if (ask(relay, RELAY_ROTATE_STREAMS, &head, sizeof(head), position, nr * sizeof(*position),
		&code, sizeof(code)))
		return -1;
	return be32toh(code) == RELAY_OK ? 0 : refused(relay, "a new chunk", be32toh(code));
}

int relay_rotate(struct relay *relay, const struct relay_position *position, size_t nr,
		 bool is_last, bool move)
{
	const uint64_t old = relay->chunk;

	if (relay->minor < RELAY_CHUNKS)
		return 0;
	if ((!is_last && create_chunk(relay, old + 1)) || rotate(relay, position, nr, !is_last))
		return -1;
	return close_chunk(relay, old, move);
}

int relay_close_stream(struct relay *relay, uint64_t stream, uint64_t number)
{
	const struct relay_stream_number last = { htobe64(stream), htobe64(number) };

	return ask_code(relay, RELAY_CLOSE_STREAM, &last, sizeof(last), "to close a stream");
}
