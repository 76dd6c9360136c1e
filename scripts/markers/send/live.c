// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/message.h"
#include "../ctf/trace_dir.h"
#include "delivery.h"
#include "live.h"

#define TICK_MS		20
#define SETTLE_MS	1500		/* after this time a recorder knows that we follow */
#define NR_SEEN		512		/* more ticks than the longest delay has */
#define BACKLOG		(8 << 20)	/* bytes of a CPU; what is older is left out */

/**
 * struct live_stream - a stream that viewers follow
 * @cpu: the CPU
 * @stream: its number at the collector
 * @sent: number of its packets in the session
 * @end: the last one ended then, in ticks
 * @promised: viewers know that there is no event before
 */
struct live_stream {
	unsigned int cpu;
	uint64_t stream;
	uint64_t sent;
	uint64_t end;
	uint64_t promised;
};

/**
 * struct live - a session
 * @sender: the sender
 * @nr: number of @stream
 * @stream: the streams
 * @like: header of any packet of the trace
 * @latest: the last packet so far ended then, in ticks
 * @seen: of the last ticks of the clock of this loop, the time and @latest
 * @nr_seen: number of ticks so far
 * @began: the time when it began to follow, of that clock
 * @ended: the recording has ended
 * @late: events that came after a beacon
 * @skipped: events that were left out because there was too much
 */
struct live {
	struct sender *sender;
	size_t nr;
	struct live_stream *stream;
	struct ctf_packet_header like;
	uint64_t latest;
	struct {
		uint64_t ms;
		uint64_t latest;
	} seen[NR_SEEN];
	uint64_t nr_seen;
	uint64_t began;
	bool ended;
	uint64_t late;
	uint64_t skipped;
};

static uint64_t now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000ull + time.tv_nsec / 1000000;
}

static void pause_tick(void)
{
	const struct timespec time = { .tv_nsec = TICK_MS * 1000000 };

	nanosleep(&time, NULL);
}

/* Leave out the oldest packets of a stream that has too much. */
static void skip_backlog(struct live *live, struct spool_stream *from)
{
	struct ctf_packet_header header;
	struct stat file;

	if (from->fd < 0 || fstat(from->fd, &file))
		return;
	if (file.st_size - from->at <= BACKLOG)
		return;
	while (file.st_size - from->at > BACKLOG / 2) {
		if (pread(from->fd, &header, sizeof(header), from->at) != sizeof(header) ||
		    header.magic != CTF_MAGIC || header.packet_size < 8 * sizeof(header))
			return;	/* spool_packet() says what is wrong */
		from->at += header.packet_size / 8;
		live->skipped += header.nr_events;
	}
}

/* Find the packet that begins first. Return: whether there is one. */
static bool find_first(struct live *live)
{
	struct spool *spool = &live->sender->spool;
	const struct ctf_packet_header *header;
	bool found = false;
	size_t i, size;

	for (i = 0; i < spool->nr; i++) {
		skip_backlog(live, &spool->stream[i]);
		header = spool_packet(spool, &spool->stream[i], false, &size);
		if (header && (!found || header->timestamp_begin < live->like.timestamp_begin)) {
			live->like = *header;
			found = true;
		}
	}
	return found;
}

static int add_stream(struct live *live, unsigned int cpu)
{
	struct live_stream *new;
	char name[32];

	live->stream = need_memory(realloc(live->stream, (live->nr + 1) * sizeof(*new)));
	new = &live->stream[live->nr];
	*new = (struct live_stream){ .cpu = cpu };
	snprintf(name, sizeof(name), "stream_%u", cpu);
	if (relay_add(&live->sender->relay, TRACE_DIR_SENT, name, &new->stream))
		return -1;
	live->nr++;
	return 0;
}

static struct live_stream *find_stream(struct live *live, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < live->nr; i++)
		if (live->stream[i].cpu == cpu)
			return &live->stream[i];
	return NULL;
}

/* Add the streams of CPUs that are new. Return: their number; -1, and the link says why. */
static int add_streams(struct live *live)
{
	const struct spool *spool = &live->sender->spool;
	int nr = 0;
	size_t i;

	for (i = 0; i < spool->nr; i++) {
		if (spool->stream[i].fd < 0 || find_stream(live, spool->stream[i].cpu))
			continue;
		if (add_stream(live, spool->stream[i].cpu))
			return -1;
		nr++;
	}
	return nr;
}

/* A packet without an event. Its number is none that the ring has, so that readers leave it out. */
static int send_empty(struct live *live, struct live_stream *to, uint64_t time)
{
	static struct relay_batch batch;
	struct ctf_packet_header header = live->like;

	header.timestamp_begin = time;
	header.timestamp_end = time;
	header.content_size = 8 * sizeof(header);
	header.packet_size = header.content_size;
	header.packet_seq_num = UINT64_MAX;
	header.events_discarded = 0;
	header.cpu_id = to->cpu;
	header.nr_events = 0;
	to->end = time;
	to->promised = time;
	relay_batch_add(&batch, to->stream, to->sent++, &header, &header, sizeof(header));
	return relay_send(&live->sender->relay, &batch);
}

static int send_empties(struct live *live, size_t from, uint64_t time)
{
	for (; from < live->nr; from++)
		if (send_empty(live, &live->stream[from], time))
			return -1;
	return 0;
}

static int begin(struct live *live)
{
	struct sender *sender = live->sender;

	if (delivery_open(sender) || add_streams(live) < 0 ||
	    relay_add(&sender->relay, TRACE_DIR_SENT, "metadata", &sender->metadata) ||
	    relay_added(&sender->relay) || delivery_metadata(sender))
		return -1;
	return send_empties(live, 0, live->like.timestamp_begin);
}

/* Look at metadata and CPUs. Return: 0; -1, and the link says why. */
static int refresh(struct live *live)
{
	const size_t nr = live->nr;

	if (spool_refresh(&live->sender->spool) && delivery_metadata(live->sender))
		return -1;
	switch (add_streams(live)) {
	case -1:
		return -1;
	case 0:
		return 0;
	}
	return relay_added(&live->sender->relay) ?: send_empties(live, nr, live->latest);
}

/* Send what a stream has. Return: number of packets; -1, and the link says why. */
static int send_some(struct live *live, struct spool_stream *from, bool is_complete)
{
	static struct relay_batch batch;
	struct live_stream *to = find_stream(live, from->cpu);
	const struct ctf_packet_header *header;
	size_t size;
	int nr = 0;

	skip_backlog(live, from);
	for (; to && nr < RELAY_BATCH && (!nr || spool_is_in_memory(from)); nr++) {
		header = spool_packet(&live->sender->spool, from, is_complete, &size);
		if (!header)
			break;
		from->at += size;
		if (header->timestamp_begin < to->promised) {
			live->late += header->nr_events;
			continue;
		}
		relay_batch_add(&batch, to->stream, to->sent++, header, header, size);
		live->sender->state.packets++;
		live->sender->bytes += size;
		to->end = header->timestamp_end;
		if (to->end > live->latest)
			live->latest = to->end;
	}
	return relay_send(&live->sender->relay, &batch) ? -1 : nr;
}

static int send_all(struct live *live, bool is_complete)
{
	struct spool *spool = &live->sender->spool;
	int sum = 0, nr;
	size_t i;

	for (i = 0; i < spool->nr; i++) {
		nr = send_some(live, &spool->stream[i], is_complete);
		if (nr < 0)
			return -1;
		sum += nr;
	}
	return sum;
}

/* The time up to which each CPU has had the delay to give away its events; 0: none yet. */
static uint64_t find_promise(struct live *live)
{
	const uint64_t now = now_ms();
	uint64_t i, first = live->nr_seen < NR_SEEN ? 0 : live->nr_seen - NR_SEEN + 1;

	if (!live->nr_seen || now - live->seen[(live->nr_seen - 1) % NR_SEEN].ms >= TICK_MS) {
		live->seen[live->nr_seen % NR_SEEN].ms = now;
		live->seen[live->nr_seen++ % NR_SEEN].latest = live->latest;
	}
	if (!live->ended && now - live->began < SETTLE_MS)
		return 0;
	for (i = live->nr_seen; i-- > first;)
		if (now - live->seen[i % NR_SEEN].ms >= live->sender->delay_ms)
			return live->seen[i % NR_SEEN].latest;
	return 0;
}

/* Tell viewers of idle CPUs. Return: whether one was told; -1, and the link says why. */
static int send_beacons(struct live *live)
{
	const uint64_t promise = find_promise(live);
	int told = 0;
	size_t i;

	for (i = 0; promise && i < live->nr; i++) {
		struct live_stream *to = &live->stream[i];

		if (to->end > promise || to->promised > promise)
			continue;
		/* events of that time have passed, so the beacon is just behind them */
		if (relay_beacon(&live->sender->relay, to->stream, to->sent - 1, &live->like, to->cpu,
				 promise + 1))
			return -1;
		to->promised = promise + 1;
		told = 1;
	}
	return told;
}

/* Go on to the next part. Return: what to do; NEXT_END: there is none. */
static enum sender_next next_part(struct live *live)
{
	struct spool *spool = &live->sender->spool;

	if (!spool_is_parts(spool) || !spool_next(spool))
		return NEXT_END;
	return memcmp(live->like.uuid, spool->uuid, CTF_UUID_SIZE) ? NEXT_SESSION : NEXT_PART;
}

/* Send until the trace ends, with all of its parts. */
static enum sender_next follow(struct live *live)
{
	struct sender *sender = live->sender;
	enum sender_next next;
	uint64_t quiet = now_ms();
	bool complete;
	int nr, told;

	for (;;) {
		complete = spool_is_complete(&sender->spool);
		live->ended = spool_has_ended(&sender->spool);
		nr = refresh(live) ? -1 : send_all(live, complete);
		told = nr < 0 ? -1 : send_beacons(live);
		if (told < 0)
			return NEXT_FAILED;
		if (nr || told)
			quiet = now_ms();
		next = complete && !nr ? next_part(live) : NEXT_END;
		if (next == NEXT_SESSION)
			return next;
		/* the last beacons come after the delay */
		if (*sender->stop ||
		    (live->ended && next == NEXT_END && now_ms() - quiet > sender->delay_ms + 2 * TICK_MS))
			return NEXT_END;
		if (!nr)
			pause_tick();
	}
}

static int end(struct live *live)
{
	struct sender *sender = live->sender;
	size_t i;

	/* as delivery_end() knows the streams */
	sender->nr = live->nr;
	sender->stream = need_memory(realloc(sender->stream, (live->nr + 1) * sizeof(*sender->stream)));
	for (i = 0; i < live->nr; i++)
		sender->stream[i] = (struct sender_stream){
			.cpu = live->stream[i].cpu, .stream = live->stream[i].stream,
			.sent = { .nr = live->stream[i].sent },
		};
	return delivery_end(sender);
}

/* Wait for the first packet of the newest trace. Return: whether there is one. */
static bool wait_first(struct live *live)
{
	struct spool *spool = &live->sender->spool;

	for (;;) {
		bool ended = spool_has_ended(spool);

		while (spool_is_parts(spool) && spool_next(spool))
			;
		spool_refresh(spool);
		if (find_first(live))
			return true;
		if (ended || *live->sender->stop)
			return false;
		pause_tick();
	}
}

enum sender_next live_session(struct sender *sender)
{
	struct live live = { .sender = sender, .began = now_ms() };
	enum sender_next next = NEXT_END;

	/* "markers record" takes the buffers more often while there is this lock */
	flock(sender->spool.dir, LOCK_SH);
	if (wait_first(&live)) {
		next = begin(&live) ? NEXT_FAILED : follow(&live);
		if (next != NEXT_FAILED && end(&live))
			next = NEXT_FAILED;
	}
	if (live.late)
		say("%" PRIu64 " events came too late for viewers (--delay %u): the recording has them", live.late,
		    sender->delay_ms);
	if (live.skipped)
		say("%" PRIu64 " events were too many for viewers: the recording has them", live.skipped);
	free(live.stream);
	return next;
}
