// SPDX-License-Identifier: GPL-2.0
/*
 * A heap has the streams that have something to tell, the earliest one on top: a packet, an
 * event, or a loss at the end of a packet.
 *
 * A packet is in memory from its beginning to its end, so a trace takes the memory of a packet
 * for each CPU.
 */
#include <stdlib.h>
#include <string.h>

#include "../base/kernel.h"

#include <markers/ring/packet_read.h>

#include "../base/message.h"
#include "../ctf/packets.h"
#include "merge.h"
#include "packet_file.h"

/* What a stream has to tell next; a packet, with the loss before it or without. */
enum next { NEXT_PACKET, NEXT_EVENTS, NEXT_EVENT, NEXT_LOSS };

/**
 * struct cursor - a place in a stream; one of the same time comes before those behind it
 * @file: the stream
 * @stream: the same
 * @next: what it has to tell next
 * @time: when, in ticks
 * @end: packets that begin later are left out, as @time
 * @iter: the place in the packet
 * @record: the event
 * @nr: number of events that were read of it
 * @loss: the loss at the end of the packet, if its count is not 0
 * @cpu: number of its CPU in @cpus of the merge
 * @has: it has had a packet
 * @last: packet_seq_num of that
 * @disorder: that its packets are not in order was found
 * @gap: that packets are missing was found
 */
struct cursor {
	struct packet_file file;
	const struct opened_stream *stream;
	enum next next;
	uint64_t time;
	uint64_t end;
	struct packet_iter iter;
	struct record record;
	uint32_t nr;
	struct loss loss;
	size_t cpu;
	bool has;
	uint64_t last;
	bool disorder;
	bool gap;
};

/* What we know about a CPU of a trace, across its parts. */
struct merge_cpu {
	bool known;
	struct ctf_packet_header packet;
	const struct cursor *from;	/* where it was, since merge_clear(); or NULL */
	bool has_gap;			/* some packets are missing between others */
};

/*
 * The heap
 */
static bool is_before(const struct cursor *a, const struct cursor *b)
{
	const struct ctf_packet_header *x = &a->file.header, *y = &b->file.header;

	if (a->time != b->time)
		return a->time < b->time;
	/* pieces of one trace: of a packet that is in several, the one with most events first */
	if (a->cpu == b->cpu && x->packet_seq_num != y->packet_seq_num)
		return x->packet_seq_num < y->packet_seq_num;
	if (a->cpu == b->cpu && x->content_size != y->content_size)
		return x->content_size > y->content_size;
	return a < b;
}

/* The cursor at @at has a later time now. */
static void sink_down(struct merge *merge, size_t at)
{
	struct cursor **heap = merge->heap, *cursor = heap[at];
	size_t below;

	for (; (below = 2 * at + 1) < merge->nr; at = below) {
		if (below + 1 < merge->nr && is_before(heap[below + 1], heap[below]))
			below++;
		if (is_before(cursor, heap[below]))
			break;
		heap[at] = heap[below];
	}
	heap[at] = cursor;
}

static void make_heap(struct merge *merge)
{
	size_t at;

	for (at = merge->nr / 2; at-- > 0;)
		sink_down(merge, at);
}

/*
 * Packets
 */
static uint64_t to_ns(const struct cursor *cursor, uint64_t ticks, const struct merge *merge)
{
	return opened_ns(merge->opened, cursor->stream, ticks);
}

/* The time by which a cursor is sorted: in ticks, if all streams have the same clock. */
static uint64_t time_of(const struct merge *merge, const struct cursor *cursor, uint64_t ticks)
{
	return merge->opened->info.is_joint ? wall_ns(cursor->stream->wall, ticks) : ticks;
}

/* Number the CPUs of all traces. The streams are in the order of CPUs and traces. */
static void number_cpus(struct merge *merge)
{
	const struct opened_stream *stream = merge->opened->stream;
	size_t i;

	for (i = 0; i < merge->opened->nr_streams; i++) {
		if (i && stream[i].stream->cpu == stream[i - 1].stream->cpu &&
		    stream[i].trace == stream[i - 1].trace)
			merge->cursor[i].cpu = merge->nr_cpus - 1;
		else
			merge->cursor[i].cpu = merge->nr_cpus++;
	}
	merge->cpus = need_memory(calloc(merge->nr_cpus + 1, sizeof(*merge->cpus)));
}

/*
 * Do we have this packet from another piece of the trace? They come in the order of their numbers,
 * and a double has the time of its twin: a later one follows a packet with a damaged number or time.
 * Those with the greatest number are no packets of the ring: viewers got them for a start.
 */
static bool is_double(const struct merge *merge, const struct cursor *cursor)
{
	const struct merge_cpu *cpu = &merge->cpus[cursor->cpu];
	const struct ctf_packet_header *header = &cursor->file.header;

	if (header->packet_seq_num == UINT64_MAX)
		return true;
	return cpu->from && cpu->from != cursor &&
	       header->packet_seq_num <= cpu->packet.packet_seq_num &&
	       header->timestamp_begin <= cpu->packet.timestamp_begin;
}

/* In place of an offset: told once for each stream. */
#define DISORDER	-1
#define GAP		-2

/* Does the user know of this packet? From now on, yes. */
static bool is_told(struct told *told, const struct packet_file *file, off_t at)
{
	size_t i;

	for (i = 0; i < told->nr; i++)
		if (told->packet[i].stream == file->stream && told->packet[i].at == at)
			return true;
	told->packet = need_memory(realloc(told->packet, (told->nr + 1) * sizeof(*told->packet)));
	told->packet[told->nr++] = (struct told_packet){ file->stream, at };
	return false;
}

static bool is_quiet(const struct merge *merge, const struct packet_file *file, off_t at)
{
	return merge->told ? is_told(merge->told, file, at) : merge->quiet;
}

/* Go on to the next packet. Return: whether there is one. */
static bool next_packet(const struct merge *merge, struct cursor *cursor)
{
	if (!packet_file_has(&cursor->file)) {
		packet_file_release(&cursor->file);
		return false;
	}
	cursor->has = true;
	cursor->last = cursor->file.header.packet_seq_num;
	cursor->next = NEXT_PACKET;
	cursor->time = time_of(merge, cursor, cursor->file.header.timestamp_begin);
	return true;
}

/* Go on to the loss at the end of the packet, or to the next packet. */
static bool end_packet(const struct merge *merge, struct cursor *cursor)
{
	cursor->time = time_of(merge, cursor, cursor->file.header.timestamp_end);
	packet_file_next(&cursor->file);
	if (!cursor->loss.count)
		return next_packet(merge, cursor);
	cursor->next = NEXT_LOSS;
	return true;
}

/* The packet has ended: were these all of its events? */
static void check_count(const struct merge *merge, struct cursor *cursor)
{
	struct packet_file *file = &cursor->file;
	char *wrong;

	if (cursor->nr == file->header.nr_events)
		return;
	file->damaged = true;
	if (is_quiet(merge, file, file->at))
		return;
	wrong = format_text("the packet has %u events, its header says %u", cursor->nr, file->header.nr_events);
	packet_file_say(file, file->at, wrong);
	free(wrong);
}

/* Go on to the next event of the packet, or to its end. */
static bool next_event(const struct merge *merge, struct cursor *cursor)
{
	const uint8_t *at = cursor->iter.data + cursor->iter.at;
	const char *wrong = record_next(&cursor->record, &cursor->iter, cursor->stream->description);

	if (!wrong && cursor->record.class) {
		cursor->nr++;
		cursor->next = NEXT_EVENT;
		cursor->time = time_of(merge, cursor, cursor->record.time);
		return true;
	}
	if (wrong)
		packet_file_damaged(&cursor->file, at, wrong, is_quiet(merge, &cursor->file, cursor->file.at));
	else
		check_count(merge, cursor);
	return end_packet(merge, cursor);
}

/* Does the packet not follow the one before it? Times of its events may go back then. */
static void find_disorder(struct merge *merge, struct cursor *cursor)
{
	const struct merge_cpu *cpu = &merge->cpus[cursor->cpu];
	struct packet_file *file = &cursor->file;
	const char *wrong;

	if (cpu->from == cursor && file->header.timestamp_begin < cpu->packet.timestamp_end)
		wrong = "the packet begins before the one before it ends, so times are not in order";
	else if (cpu->from && !packet_is_later(&file->header, &cpu->packet))
		wrong = "the packet comes after one with a later number: a number or a time is damaged";
	else
		return;
	file->damaged = true;
	if (!cursor->disorder && !is_quiet(merge, file, DISORDER))
		packet_file_say(file, file->at, wrong);
	cursor->disorder = true;
}

/*
 * The count of a packet includes events overwritten before it, and events that found no room
 * after its last one. A gap in the sequence numbers tells the two apart. In a gap of a stream where
 * the count is the same, it does not know of what is missing. Return: whether the loss is before
 * the packet.
 */
static bool find_loss(struct merge *merge, struct cursor *cursor)
{
	const struct ctf_packet_header *header = &cursor->file.header;
	struct merge_cpu *cpu = &merge->cpus[cursor->cpu];
	uint64_t before = 0, seq = 0, since = header->timestamp_begin;
	bool is_gap;

	if (cpu->known && !memcmp(cpu->packet.uuid, header->uuid, sizeof(header->uuid))) {
		before = cpu->packet.events_discarded;
		seq = cpu->packet.packet_seq_num + 1;
		since = cpu->packet.timestamp_end;
	}
	find_disorder(merge, cursor);
	is_gap = cpu->from == cursor && header->packet_seq_num > seq;
	cpu->has_gap |= cpu->from && header->packet_seq_num != cpu->packet.packet_seq_num + 1;
	cpu->known = true;
	cpu->from = cursor;
	cpu->packet = *header;
	cursor->loss.count = 0;
	if (header->events_discarded <= before && !is_gap)
		return false;
	cursor->loss = (struct loss){
		.cpu = header->cpu_id,
		.count = header->events_discarded > before ? header->events_discarded - before : 0,
		.overwritten = header->packet_seq_num > seq,
		.begin = to_ns(cursor, since, merge),
		.end = to_ns(cursor, header->timestamp_end, merge),
		.host = cursor->stream->description->host,
	};
	if (cursor->loss.overwritten)
		cursor->loss.end = to_ns(cursor, header->timestamp_begin, merge);
	return cursor->loss.overwritten;
}

/* Behind damage it is clear that something is missing. */
static void say_gap(const struct merge *merge, struct cursor *cursor)
{
	struct packet_file *file = &cursor->file;

	if (!cursor->gap && !file->damaged && !is_quiet(merge, file, GAP))
		packet_file_say(file, file->at, "packets are missing before this one, and its count does not have their events");
	cursor->gap = true;
}

static enum merge_at tell_loss(struct merge *merge, struct cursor *cursor)
{
	if (!cursor->loss.count)
		say_gap(merge, cursor);
	merge->loss = cursor->loss;
	cursor->loss.count = 0;
	return MERGE_LOSS;
}

/* Read the packet. Return: whether it could be read. */
static bool begin_events(const struct merge *merge, struct cursor *cursor)
{
	struct packet_file *file = &cursor->file;
	const char *wrong = packet_file_read(file);

	if (!wrong && packet_iter_init(&cursor->iter, file->packet, file->header.packet_size / 8))
		wrong = "it changed while it was read";
	cursor->nr = 0;
	if (!wrong)
		return true;
	file->damaged = true;
	if (!is_quiet(merge, file, file->at))
		packet_file_say(file, file->at, wrong);
	return false;
}

/* Find the place of the cursor on top again, which has no more to tell or a later time. */
static void settle(struct merge *merge, bool more)
{
	if (!more)
		merge->heap[0] = merge->heap[--merge->nr];
	if (merge->nr > 1)
		sink_down(merge, 0);
}

/* What was told of the cursor on top is behind us. */
static void go_on(struct merge *merge)
{
	struct cursor *top = merge->heap[0];

	settle(merge, top->next == NEXT_LOSS ? next_packet(merge, top) : next_event(merge, top));
}

static void skip_packet(struct merge *merge)
{
	struct cursor *top = merge->heap[0];

	packet_file_next(&top->file);
	settle(merge, next_packet(merge, top));
}

/* The packet is behind the end, and no other is needed: only its loss may have begun earlier. */
static void leave_packet(struct merge *merge)
{
	struct cursor *top = merge->heap[0];
	bool *has_gap = &merge->cpus[top->cpu].has_gap, had = *has_gap;

	if (!is_double(merge, top))
		find_loss(merge, top);
	*has_gap = had;		/* what it lacks may be among those that are left out */
	top->file.at = top->file.stream->size;
	if (top->loss.count)
		top->next = NEXT_LOSS;
	settle(merge, top->loss.count || next_packet(merge, top));
}

/* Tell what comes first. */
static enum merge_at look(struct merge *merge)
{
	struct cursor *top;

	while (merge->nr) {
		top = merge->heap[0];
		switch (top->next) {
		case NEXT_EVENT:
			return MERGE_EVENT;
		case NEXT_LOSS:
			return tell_loss(merge, top);
		case NEXT_PACKET:
			if (top->time > top->end) {
				leave_packet(merge);
				continue;
			}
			if (is_double(merge, top)) {
				skip_packet(merge);
				continue;
			}
			top->next = NEXT_EVENTS;
			if (find_loss(merge, top))
				return tell_loss(merge, top);
			/* fallthrough */
		default:
			if (begin_events(merge, top))
				go_on(merge);
			else
				settle(merge, end_packet(merge, top));
		}
	}
	return MERGE_END;
}

enum merge_at merge_next(struct merge *merge)
{
	if (merge->at == MERGE_END)
		make_heap(merge);
	else if (merge->heap[0]->next != NEXT_EVENTS)
		go_on(merge);
	merge->at = look(merge);
	return merge->at;
}

const struct record *merge_record(const struct merge *merge, const struct opened_stream **stream)
{
	const struct cursor *top = merge->heap[0];

	*stream = top->stream;
	return &top->record;
}

struct event_place merge_place(const struct merge *merge)
{
	const struct cursor *top = merge->heap[0];

	return (struct event_place){
		.time = top->record.time,
		.packet = top->file.at,
		.offset = top->record.begin - top->iter.data,
		.stream = top - merge->cursor,
	};
}

const struct record *merge_again(struct merge *merge, const struct event_place *place)
{
	struct cursor *cursor = &merge->cursor[place->stream];

	if (!cursor->file.packet || cursor->file.at != place->packet) {
		packet_file_go(&cursor->file, place->packet);
		if (!packet_file_has(&cursor->file) || !begin_events(merge, cursor))
			return NULL;
	}
	cursor->iter.at = place->offset;
	cursor->iter.ts = place->time;
	if (record_next(&cursor->record, &cursor->iter, cursor->stream->description))
		return NULL;
	return &cursor->record;
}

void merge_raw(const struct merge *merge, struct event *event)
{
	const struct cursor *top = merge->heap[0];

	event->kind = opened_kind(merge->opened, top->record.class);
	event->record = &top->record;
	event->description = top->stream->description;
	event->cpu = top->file.stream->cpu;
	event->time = to_ns(top, top->record.time, merge);
}

void merge_event(const struct merge *merge, struct event *event)
{
	merge_raw(merge, event);
	record_values(event, event->record, event->description);
}

void merge_begin(struct merge *merge, const struct opened *opened, bool quiet)
{
	size_t i;

	*merge = (struct merge){ .opened = opened, .quiet = quiet };
	merge->cursor = need_memory(calloc(opened->nr_streams + 1, sizeof(*merge->cursor)));
	merge->heap = need_memory(calloc(opened->nr_streams + 1, sizeof(*merge->heap)));
	for (i = 0; i < opened->nr_streams; i++) {
		merge->cursor[i].stream = &opened->stream[i];
		merge->cursor[i].file = (struct packet_file){
			.stream = opened->stream[i].stream,
			.uuid = opened->stream[i].description->uuid,
			.quiet = quiet,
			.defers = true,
		};
	}
	number_cpus(merge);
}

void merge_clear(struct merge *merge)
{
	size_t i;

	merge->nr = 0;
	merge->at = MERGE_END;
	for (i = 0; i < merge->nr_cpus; i++)
		merge->cpus[i].from = NULL;
}

void merge_add(struct merge *merge, size_t stream, off_t at, uint64_t end)
{
	struct cursor *cursor = &merge->cursor[stream];

	if (at)
		packet_file_go(&cursor->file, at);
	else
		packet_file_begin(&cursor->file);
	cursor->end = end;
	if (next_packet(merge, cursor))
		merge->heap[merge->nr++] = cursor;
}

/* A piece may end with half a packet. Is that packet, and what follows it, in another piece? */
static bool is_elsewhere(const struct merge *merge, const struct cursor *cursor)
{
	const struct merge_cpu *cpu = &merge->cpus[cursor->cpu];

	return cursor->has && cpu->known && !cpu->has_gap && cpu->packet.packet_seq_num > cursor->last;
}

int merge_end(struct merge *merge)
{
	int status = STATUS_OK;
	size_t i;

	for (i = 0; i < merge->opened->nr_streams; i++) {
		struct packet_file *file = &merge->cursor[i].file;

		if (file->cut && !is_elsewhere(merge, &merge->cursor[i])) {
			file->damaged = true;
			if (!merge->quiet)
				packet_file_say(file, file->cut_at, file->cut);
		}
		if (file->damaged)
			status = STATUS_FAILED;
		packet_file_release(file);
	}
	free(merge->cursor);
	free(merge->heap);
	free(merge->cpus);
	return status;
}
