// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../base/message.h"
#include "../base/number.h"
#include "sender.h"
#include "delivery.h"
#include "live.h"

#define ASK_BYTES	(1u << 20)
#define WINDOW_BYTES	(4u << 20)	/* so much may be sent that the collector has not written */
#define LOOK_MS		20		/* between two looks at a recording that does not grow */
#define PATIENCE_S	10
#define RETRY_MS	100		/* after the first failure; then longer */
#define RETRY_MAX_MS	1000

static void pause_ms(unsigned int ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

/* Send a batch of packets of a stream. Return: their number; -1, and the link says why. */
static int send_some(struct sender *sender, struct spool_stream *from, bool is_complete)
{
	static struct relay_batch batch;
	const struct ctf_packet_header *header;
	struct sender_stream *to = NULL;
	size_t size;
	int nr = 0;

	while (nr < RELAY_BATCH && (!nr || spool_is_in_memory(from))) {
		header = spool_packet(&sender->spool, from, is_complete, &size);
		if (!header)
			break;
		if (!to && delivery_stream(sender, from->cpu, &to))
			return -1;
		relay_batch_add(&batch, to->stream, to->sent.nr++, header, header, size);
		from->at += size;
		/* with what is damaged before it */
		sender->unwritten += from->at - to->sent.at;
		to->sent.at = from->at;
		to->sent.seq = header->packet_seq_num;
		to->sent.has_seq = true;
		sender->unasked += size;
		nr++;
	}
	return relay_send(&sender->relay, &batch) ? -1 : nr;
}

/* Send what each stream has. Return: number of packets; -1, and the link says why. */
static int send_all(struct sender *sender, bool is_complete)
{
	int sum = 0, nr;
	size_t i;

	for (i = 0; i < sender->spool.nr; i++) {
		nr = send_some(sender, &sender->spool.stream[i], is_complete);
		if (nr < 0)
			return -1;
		sum += nr;
	}
	return sum;
}

/* The collector has all of the trace. */
static int complete_trace(struct sender *sender)
{
	sender->state.is_all = true;
	if (spool_is_removed(&sender->spool) || !state_save(&sender->state))
		return 0;
	sender->relay.link.is_vain = true;
	return link_wrong(&sender->relay.link, "what was sent cannot be noted");
}

/* Send a trace to its end, or until we are to stop. */
static int send_trace(struct sender *sender)
{
	bool is_complete;
	int nr;

	for (;;) {
		/* before the last look at it */
		is_complete = spool_is_complete(&sender->spool);
		if (spool_refresh(&sender->spool) && delivery_metadata(sender))
			return -1;
		nr = send_all(sender, is_complete);
		if (nr < 0 || ((!nr || sender->unasked > ASK_BYTES) && delivery_ask(sender, WINDOW_BYTES)))
			return -1;
		if (nr && !*sender->stop)
			continue;
		if (is_complete || *sender->stop)
			return delivery_ask(sender, 0) ?:
			       !nr && is_complete ? delivery_info(sender) ?: complete_trace(sender) : 0;
		pause_ms(LOOK_MS);
	}
}

static void begin_trace(struct sender *sender)
{
	size_t i;

	state_begin(&sender->state, sender->spool.name, sender->spool.uuid);
	for (i = 0; i < sender->nr; i++)
		sender->stream[i].sent.at = 0;
}

/* Wait for the next trace. */
static enum sender_next wait_next(struct sender *sender)
{
	uint8_t uuid[CTF_UUID_SIZE];
	bool ended;

	memcpy(uuid, sender->spool.uuid, sizeof(uuid));
	for (;;) {
		ended = spool_has_ended(&sender->spool);
		if (spool_next(&sender->spool)) {
			begin_trace(sender);
			return memcmp(uuid, sender->spool.uuid, sizeof(uuid)) ? NEXT_SESSION : NEXT_PART;
		}
		if (ended || *sender->stop)
			return NEXT_END;
		pause_ms(LOOK_MS);
	}
}

/* Does the collector have the place of each stream? Go behind it. */
static void resume(struct sender *sender)
{
	size_t i;

	for (i = 0; i < sender->spool.nr; i++) {
		struct spool_stream *stream = &sender->spool.stream[i];

		stream->at = state_stream(&sender->state, stream->cpu)->at;
	}
}

/* Send with one connection. Return: what to do next; NEXT_SESSION needs another connection. */
static enum sender_next run_session(struct sender *sender)
{
	enum sender_next next = NEXT_PART;

	if (delivery_begin(sender))
		return NEXT_FAILED;
	while (next == NEXT_PART) {
		if (send_trace(sender))
			return NEXT_FAILED;
		next = *sender->stop || !spool_is_parts(&sender->spool) ? NEXT_END : wait_next(sender);
		if (next == NEXT_PART && delivery_part(sender))
			return NEXT_FAILED;
	}
	return delivery_end(sender) ? NEXT_FAILED : next;
}

/* Return: seconds to go on without progress; -1: for ever. */
static int patience(const struct sender *sender)
{
	if (sender->patience >= 0)
		return sender->patience;
	return sender->began && !spool_has_ended(&sender->spool) ? -1 : PATIENCE_S;
}

static void say_given_up(const struct sender *sender)
{
	const struct state *state = &sender->state;
	size_t i;

	say("%s", sender->relay.link.why);
	for (i = 0; i < state->nr; i++)
		if (state->stream[i].has)
			say("the last packet of %s/stream_%u there is %" PRIu64 ", up to byte %lld",
			    state->name, state->stream[i].cpu, state->stream[i].seq,
			    (long long)state->stream[i].at);
	say("%s has %" PRIu64 " packets; the recording is as it was: the same command goes on with the next one",
	    sender->collector.name, state->packets);
}

static void end_connection(struct sender *sender)
{
	relay_hang_up(&sender->relay);
	resume(sender);
}

/* Wait after a failure. Return: whether to try again. */
static bool try_again(struct sender *sender, time_t since, unsigned int *wait_ms, char **told)
{
	const char *why = sender->relay.link.why;
	const int seconds = patience(sender);

	if (*sender->stop || sender->relay.link.is_vain || (seconds >= 0 && now() - since >= seconds))
		return false;
	if (!*told || strcmp(*told, why)) {
		free(*told);
		*told = need_memory(strdup(why));
		say("%s; trying again", why);
	}
	pause_ms(*wait_ms);
	*wait_ms = 2 * *wait_ms < RETRY_MAX_MS ? 2 * *wait_ms : RETRY_MAX_MS;
	return true;
}

static int run(struct sender *sender)
{
	uint64_t packets = sender->state.packets;
	unsigned int wait_ms = 0;	/* the last try did not fail */
	enum sender_next next = NEXT_SESSION;
	time_t since = 0;
	char *told = NULL;

	while (next != NEXT_END) {
		next = relay_connect(&sender->relay) ? NEXT_FAILED :
		       sender->relay.live_us ? live_session(sender) : run_session(sender);
		if (sender->state.packets != packets || next != NEXT_FAILED)
			wait_ms = 0;
		packets = sender->state.packets;
		end_connection(sender);
		if (next == NEXT_FAILED && !wait_ms) {
			wait_ms = RETRY_MS;
			since = now();
		}
		if (next == NEXT_FAILED && !try_again(sender, since, &wait_ms, &told)) {
			say_given_up(sender);
			free(told);
			return STATUS_FAILED;
		}
	}
	free(told);
	return STATUS_OK;
}

/* Go to the trace that the state names, or to the first one. Return: whether there is one. */
static bool find_first(struct sender *sender)
{
	struct spool *spool = &sender->spool;
	const char *name = sender->state.name;

	if (*name && spool_go(spool, name))
		return true;
	if (*name && !sender->state.is_all) {
		spool->missing = true;
		say("%s/%s: was removed before all of it was sent: keep more parts", spool->path, name);
	}
	snprintf(spool->name, sizeof(spool->name), "%s", name);
	while (!spool_next(spool)) {
		if (spool_has_ended(spool) || *sender->stop)
			return false;
		pause_ms(LOOK_MS);
	}
	begin_trace(sender);
	return true;
}

static int end(struct sender *sender, int status)
{
	char text[32];

	if (!status && sender->spool.missing)
		status = STATUS_LOST;
	if (!status && *sender->stop && !spool_has_ended(&sender->spool)) {
		say("stopped; the same command goes on with what is recorded later");
		status = STATUS_FAILED;
	}
	if (!status && sender->relay.base)
		say("sent %s to %s, %s/%s: it has %" PRIu64 " packets", size_text(sender->bytes, text, sizeof(text)),
		    sender->collector.name, sender->relay.host, sender->relay.base, sender->state.packets);
	return status;
}

/* Does the collector have all of the recording, and will there be no more? */
static bool is_done(struct sender *sender)
{
	struct spool *spool = &sender->spool;
	size_t i, size;

	if (!sender->state.is_all || !spool_has_ended(spool))
		return false;
	for (i = 0; i < spool->nr; i++)
		if (spool_packet(spool, &spool->stream[i], false, &size))
			return false;
	return !spool_next(spool);
}

int sender_run(struct sender *sender)
{
	struct spool *spool = &sender->spool;

	sender->relay.link.collector = &sender->collector;
	sender->relay.link.control = -1;
	sender->relay.link.data = -1;
	if (!find_first(sender) && !faccessat(spool->dir, "metadata", F_OK, 0)) {
		say("%s: there is no stream in it, so there is nothing to send", spool->path);
		return STATUS_LOST;
	}
	if (spool->trace < 0) {
		if (*sender->state.name)
			say("%s: its trace %s is not there any more; remove %s to send all again",
			    spool->path, sender->state.name, sender->state.path);
		else
			say("%s: not a recording: it has no file \"metadata\"", spool->path);
		return STATUS_LOST;
	}
	if (memcmp(sender->state.uuid, spool->uuid, CTF_UUID_SIZE))
		return say("%s: is of another recording than %s; remove it to send this one",
			   sender->state.path, spool->path);
	resume(sender);
	if (is_done(sender)) {
		say("%s has all %" PRIu64 " packets already; remove %s to send them again",
		    sender->collector.name, sender->state.packets, sender->state.path);
		return STATUS_OK;
	}
	/* each try would begin another session, and send the same again */
	if (!sender->relay.live_us && !spool_is_removed(spool) && state_save(&sender->state))
		return say("%s: what is sent cannot be noted, so nothing is sent", spool->path);
	return end(sender, run(sender));
}
