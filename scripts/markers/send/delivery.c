// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <endian.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../ctf/trace_dir.h"
#include "delivery.h"

/*
 * Milliseconds between two questions whether all is written. relayd answers all questions before it
 * takes a packet: some hundred senders that asked all the time would keep it from writing.
 */
#define ASK_MIN_MS	2
#define ASK_MAX_MS	500
#define ASK_FOR_S	30
#define SLOW_SHIFT	16	/* and a second for each 64 KiB: a slow link has that under way */
#define PIECE		(1u << 20)

/*
 * A directory of its own for each session: relayd truncates the files of another one there. By
 * their names they are in the order of time.
 */
static char *make_base(const char *session)
{
	uint16_t number = 0;
	struct timespec now;
	struct tm tm;
	char date[32];

	clock_gettime(CLOCK_REALTIME, &now);
	strftime(date, sizeof(date), "%Y%m%d-%H%M%S", localtime_r(&now.tv_sec, &tm));
	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		number = getpid();
	return format_text("%s-%s-%06ld-%04x", session, date, now.tv_nsec / 1000, number);
}

/* Return: the name of the machine that recorded, or of this one; to be freed. */
static char *host_of(const char *metadata)
{
	static const char key[] = "\n\thostname = \"";
	const char *at = strstr(metadata, key);
	char own[256] = "";

	if (at && at[strlen(key)] != '"')
		return need_memory(strndup(at + strlen(key), strcspn(at + strlen(key), "\"\n")));
	gethostname(own, sizeof(own) - 1);
	return need_memory(strdup(*own ? own : "localhost"));
}

/* Choose the name that the collector gets. Longer ones break its list of sessions. */
static void name_host(struct sender *sender)
{
	char *host = sender->host ? need_memory(strdup(sender->host)) : host_of(sender->spool.metadata), *at;

	if (strlen(host) >= RELAY_HOST_SIZE) {
		host[RELAY_HOST_SIZE - 1] = '\0';
		say("the name of the host has more than %d characters: it is %s there", RELAY_HOST_SIZE - 1,
		    host);
	}
	for (at = host; *at; at++)
		if ((unsigned char)*at <= ' ' || *at == '/' || (at == host && *at == '.'))
			*at = '_';
	sender->relay.host = host;
}

int delivery_open(struct sender *sender)
{
	struct relay *relay = &sender->relay;

	if (!relay->host)
		name_host(sender);
	free(relay->base);
	relay->base = make_base(relay->session);
	sender->nr = 0;
	sender->metadata_sent = 0;
	sender->unasked = 0;
	sender->unwritten = 0;
	sender->ask_ms = 0;
	sender->has_info = false;
	if (relay_create(relay))
		return -1;
	sender->began = true;
	return 0;
}

int delivery_begin(struct sender *sender)
{
	struct relay *relay = &sender->relay;

	if (delivery_open(sender) || relay_add(relay, TRACE_DIR_SENT, "metadata", &sender->metadata) ||
	    relay_added(relay))
		return -1;
	return delivery_metadata(sender);
}

int delivery_stream(struct sender *sender, unsigned int cpu, struct sender_stream **stream)
{
	const struct state_stream *known;
	struct sender_stream *new;
	char name[32];
	size_t i;

	for (i = 0; i < sender->nr; i++)
		if (sender->stream[i].cpu == cpu) {
			*stream = &sender->stream[i];
			return 0;
		}
	sender->stream = need_memory(realloc(sender->stream, (sender->nr + 1) * sizeof(*new)));
	new = &sender->stream[sender->nr];
	known = state_stream(&sender->state, cpu);
	*new = (struct sender_stream){
		.cpu = cpu,
		.sent = { .at = known->at, .seq = known->seq, .has_seq = known->has },
	};
	snprintf(name, sizeof(name), "stream_%u", cpu);
	if (relay_add(&sender->relay, TRACE_DIR_SENT, name, &new->stream) || relay_added(&sender->relay))
		return -1;
	sender->nr++;
	*stream = new;
	return 0;
}

int delivery_metadata(struct sender *sender)
{
	const struct spool *spool = &sender->spool;

	if (relay_metadata(&sender->relay, sender->metadata, sender->relay.live_us ? spool->uuid : NULL,
			   spool->metadata + sender->metadata_sent,
			   spool->metadata_size - sender->metadata_sent))
		return -1;
	sender->metadata_sent = spool->metadata_size;
	return 0;
}

/* It has what it was asked for. */
static void acknowledge(struct sender *sender, struct sender_stream *stream)
{
	struct state_stream *known = state_stream(&sender->state, stream->cpu);
	const struct sender_place *to = &stream->asked;

	sender->state.packets += to->nr - stream->acked;
	sender->bytes += to->at - known->at;
	sender->unwritten -= to->at - known->at;
	stream->acked = to->nr;
	known->at = to->at;
	known->seq = to->seq;
	known->has = to->has_seq;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

static void pause_ms(unsigned int ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

/* How long to wait after a question that brought no news, when it was @ms before. */
static unsigned int longer(unsigned int ms)
{
	ms = ms ? 2 * ms : ASK_MIN_MS;
	return ms < ASK_MAX_MS ? ms : ASK_MAX_MS;
}

/*
 * Ask for a packet until it is written, and only then for a later one. Who asks for the last one each
 * time never hears a yes while it sends faster than the collector writes.
 *
 * Return: whether there is more to be written; -1, and the link says why.
 */
static int ask(struct sender *sender)
{
	bool pending = false, one, news = false;
	size_t i;

	for (i = 0; i < sender->nr; i++) {
		struct sender_stream *stream = &sender->stream[i];

		if (stream->acked == stream->asked.nr)
			stream->asked = stream->sent;
		if (stream->acked == stream->asked.nr)
			continue;
		if (relay_pending(&sender->relay, stream->stream, stream->asked.nr - 1, &one))
			return -1;
		pending |= one || stream->asked.nr != stream->sent.nr;
		if (one)
			continue;
		news = true;
		acknowledge(sender, stream);
	}
	sender->unasked = 0;
	sender->ask_ms = news || !pending ? 0 : longer(sender->ask_ms);
	sender->asked = now_ms();
	/* the state lies in the recording */
	if (news && !spool_is_removed(&sender->spool) && state_save(&sender->state)) {
		sender->relay.link.is_vain = true;
		return link_wrong(&sender->relay.link, "what was sent cannot be noted");
	}
	return pending;
}

/* It has written nothing since then, and @bytes are under way. Return: 0; -1, and the link says why. */
static int check_progress(struct sender *sender, uint64_t since, uint64_t bytes)
{
	const uint64_t most = ASK_FOR_S + (bytes >> SLOW_SHIFT);

	if (now_ms() - since <= 1000 * most)
		return 0;
	return link_wrong(&sender->relay.link, "%s: the collector writes nothing for %" PRIu64 " s",
			  sender->collector.name, most);
}

int delivery_ask(struct sender *sender, uint64_t most)
{
	uint64_t acked = sender->state.packets, since = now_ms();
	int err;

	if (sender->unwritten <= most && now_ms() - sender->asked < sender->ask_ms)
		return 0;
	while ((err = ask(sender)) > 0 && sender->unwritten > most) {
		if (sender->state.packets != acked) {
			acked = sender->state.packets;
			since = now_ms();
		}
		if (check_progress(sender, since, sender->unwritten))
			return -1;
		pause_ms(sender->ask_ms ?: ASK_MIN_MS);
	}
	return err < 0 ? -1 : 0;
}

static int rotate(struct sender *sender, bool is_last)
{
	struct relay_position *position = need_memory(calloc(sender->nr + 1, sizeof(*position)));
	size_t i;
	int err;

	for (i = 0; i < sender->nr; i++) {
		position[i].stream = htobe64(sender->stream[i].stream);
		position[i].seq = htobe64(sender->stream[i].sent.has_seq ? sender->stream[i].sent.seq + 1 : 0);
	}
	position[i].stream = htobe64(sender->metadata);
	err = relay_rotate(&sender->relay, position, sender->nr + 1, is_last,
			   spool_is_parts(&sender->spool) && !sender->relay.live_us);
	free(position);
	return err;
}


/* Send the bytes of a file in pieces, as if they were packets. */
static int send_bytes(struct sender *sender, uint64_t stream, const char *bytes, size_t size)
{
	struct ctf_packet_header header = { .content_size = 0 };
	struct relay_batch *batch = need_memory(calloc(1, sizeof(*batch)));
	size_t at, piece;
	uint64_t since;
	unsigned int wait = 0;
	uint64_t nr = 0;
	bool pending;
	int err = 0;

	for (at = 0; at < size && !err; at += piece) {
		piece = size - at < PIECE ? size - at : PIECE;
		header.content_size = 8 * piece;
		header.packet_seq_num = nr;
		relay_batch_add(batch, stream, nr++, &header, bytes + at, piece);
		err = relay_send(&sender->relay, batch);
	}
	free(batch);
	since = now_ms();
	while (!err && nr) {
		err = relay_pending(&sender->relay, stream, nr - 1, &pending);
		if (err || !pending)
			break;
		err = check_progress(sender, since, size);
		wait = longer(wait);
		pause_ms(wait);
	}
	return err ?: relay_close_stream(&sender->relay, stream, nr - 1);
}

static int send_file(struct sender *sender, int dir, const char *name)
{
	uint64_t stream;
	size_t size;
	char *bytes;
	int err;

	bytes = file_read(dir, name, &size);
	if (!bytes || !size) {
		free(bytes);
		return 0;	/* it is gone */
	}
	err = relay_add(&sender->relay, TRACE_DIR_SENT "/info", name, &stream) ?:
	      relay_added(&sender->relay) ?: send_bytes(sender, stream, bytes, size);
	free(bytes);
	return err;
}

static int send_info(struct sender *sender, int parent)
{
	int dir = openat(parent, "info", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	DIR *list = dir < 0 ? NULL : fdopendir(dir);
	struct dirent *entry;
	struct stat file;

	while (list && !err && (entry = readdir(list)))
		if (*entry->d_name != '.' && !fstatat(dir, entry->d_name, &file, 0) &&
		    S_ISREG(file.st_mode))
			err = send_file(sender, dir, entry->d_name);
	if (list)
		closedir(list);
	return err;
}

int delivery_info(struct sender *sender)
{
	/* without chunks all parts are one trace */
	if (sender->relay.minor < RELAY_CHUNKS || !spool_is_parts(&sender->spool) ||
	    faccessat(sender->spool.trace, "info", F_OK, 0))
		return 0;
	sender->has_info = true;
	return send_info(sender, sender->spool.trace);
}

int delivery_part(struct sender *sender)
{
	if (sender->relay.minor >= RELAY_CHUNKS) {
		if (rotate(sender, false))
			return -1;
		sender->metadata_sent = 0;
		sender->has_info = false;
	}
	return delivery_metadata(sender);
}

int delivery_end(struct sender *sender)
{
	struct relay *relay = &sender->relay;
	size_t i;

	/* viewers would take it for another trace */
	if (!relay->live_us && !sender->has_info && send_info(sender, sender->spool.dir))
		return -1;
	/* viewers lose what they have not fetched if streams are closed without it */
	if (rotate(sender, true))
		return -1;
	for (i = 0; i < sender->nr; i++)
		if (relay_close_stream(relay, sender->stream[i].stream, sender->stream[i].sent.nr - 1))
			return -1;
	if (relay_close_stream(relay, sender->metadata, UINT64_MAX))
		return -1;
	relay_hang_up(relay);
	return 0;
}
