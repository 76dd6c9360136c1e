// SPDX-License-Identifier: GPL-2.0
/*
 * Merges the streams of a trace. A heap has the streams that have something to tell, the
 * earliest one on top: a packet, an event, or a loss at the end of a packet.
 *
 * A packet is in memory from its beginning to its end, so a trace takes the memory of a packet
 * for each CPU.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

#include <markers/ring/packet_read.h>

#include "../base/message.h"
#include "classes.h"
#include "packet_file.h"
#include "record.h"
#include "trace.h"

/* What a stream has to tell next. */
enum next { NEXT_PACKET, NEXT_EVENT, NEXT_LOSS };

/**
 * struct cursor - a place in a stream
 * @file: the stream
 * @description: the metadata of its part
 * @order: its place among cursors of the same time
 * @next: what it has to tell next
 * @time: when, in ticks
 * @iter: the place in the packet
 * @record: the event
 * @loss: the loss at the end of the packet, if its count is not 0
 */
struct cursor {
	struct packet_file file;
	const struct description *description;
	size_t order;
	enum next next;
	uint64_t time;
	struct packet_iter iter;
	struct record record;
	struct loss loss;
};

/* What we know about a CPU, across the parts of a recording made with --rotate. */
struct cpu {
	bool known;
	struct ctf_packet_header packet;
};

/**
 * struct reader - a trace that is read
 * @sink: gets the events
 * @ctx: the first argument of its functions
 * @info: what the sink gets
 * @descriptions: the metadata of the parts; equal ones once
 * @nr_descriptions: number of them
 * @kinds: all kinds of @info
 * @cursor: a cursor for each stream
 * @nr_cursors: number of cursors
 * @heap: those that have something to tell
 * @nr: number of them
 * @cpus: by number
 * @nr_cpus: number of @cpus
 * @status: STATUS_OK so far, or STATUS_FAILED
 * @event: the event
 */
struct reader {
	const struct trace_sink *sink;
	void *ctx;
	struct trace_info info;
	struct description **descriptions;
	size_t nr_descriptions;
	struct kind **kinds;
	struct cursor *cursor;
	size_t nr_cursors;
	struct cursor **heap;
	size_t nr;
	struct cpu *cpus;
	size_t nr_cpus;
	int status;
	struct event event;
};

/*
 * The heap
 */
static bool is_before(const struct cursor *a, const struct cursor *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

/* The cursor at @at has a later time now. */
static void sink_down(struct reader *reader, size_t at)
{
	struct cursor **heap = reader->heap, *cursor = heap[at];
	size_t below;

	for (; (below = 2 * at + 1) < reader->nr; at = below) {
		if (below + 1 < reader->nr && is_before(heap[below + 1], heap[below]))
			below++;
		if (is_before(cursor, heap[below]))
			break;
		heap[at] = heap[below];
	}
	heap[at] = cursor;
}

static void make_heap(struct reader *reader)
{
	size_t at;

	for (at = reader->nr / 2; at-- > 0;)
		sink_down(reader, at);
}

/* Can the cursor on top go on without a look at the others? */
static bool stays_on_top(const struct reader *reader)
{
	const struct cursor *top = reader->heap[0];

	return (reader->nr < 2 || is_before(top, reader->heap[1])) &&
	       (reader->nr < 3 || is_before(top, reader->heap[2]));
}

/*
 * Packets
 */
static uint64_t to_ns(const struct reader *reader, uint64_t ticks)
{
	return trace_ns(&reader->info, ticks);
}

static struct cpu *find_cpu(struct reader *reader, unsigned int cpu)
{
	if (cpu >= reader->nr_cpus) {
		reader->cpus = need_memory(realloc(reader->cpus, (cpu + 1) * sizeof(*reader->cpus)));
		memset(reader->cpus + reader->nr_cpus, 0,
		       (cpu + 1 - reader->nr_cpus) * sizeof(*reader->cpus));
		reader->nr_cpus = cpu + 1;
	}
	return &reader->cpus[cpu];
}

/* Say that the rest of the packet is left out. */
static void say_damage(struct cursor *cursor, const char *wrong, const void *at)
{
	const struct packet_file *file = &cursor->file;

	cursor->file.damaged = true;
	if (!file->quiet)
		say("%s: packet at byte %lld, event at byte %lld: %s; the rest of the packet is left out",
		    file->stream->path, (long long)file->at,
		    (long long)(file->at + ((const char *)at - (const char *)file->packet)), wrong);
}

/* Go on to the next packet. Return: whether there is one. */
static bool next_packet(struct cursor *cursor)
{
	if (!packet_file_has(&cursor->file)) {
		packet_file_release(&cursor->file);
		return false;
	}
	cursor->next = NEXT_PACKET;
	cursor->time = cursor->file.header.timestamp_begin;
	return true;
}

/* Go on to the next event of the packet, to its end, or to the next packet. */
static bool next_event(struct cursor *cursor)
{
	const uint8_t *at = cursor->iter.data + cursor->iter.at;
	const char *wrong = record_next(&cursor->record, &cursor->iter, cursor->description);

	if (!wrong && cursor->record.class) {
		cursor->next = NEXT_EVENT;
		cursor->time = cursor->record.time;
		return true;
	}
	if (wrong)
		say_damage(cursor, wrong, at);
	cursor->time = cursor->file.header.timestamp_end;
	packet_file_next(&cursor->file);
	if (!cursor->loss.count)
		return next_packet(cursor);
	cursor->next = NEXT_LOSS;
	return true;
}

/*
 * The count of a packet includes events overwritten before it, and events that found no room
 * after its last one. A gap in the sequence numbers tells the two apart. Return: whether the
 * loss is before the packet.
 */
static bool find_loss(struct reader *reader, struct cursor *cursor)
{
	const struct ctf_packet_header *header = &cursor->file.header;
	struct cpu *cpu = find_cpu(reader, header->cpu_id);
	uint64_t before = 0, seq = 0, since = header->timestamp_begin;

	if (cpu->known && !memcmp(cpu->packet.uuid, header->uuid, sizeof(header->uuid))) {
		before = cpu->packet.events_discarded;
		seq = cpu->packet.packet_seq_num + 1;
		since = cpu->packet.timestamp_end;
	}
	cpu->known = true;
	cpu->packet = *header;
	cursor->loss.count = 0;
	if (header->events_discarded <= before)
		return false;
	cursor->loss = (struct loss){
		.cpu = header->cpu_id,
		.count = header->events_discarded - before,
		.overwritten = header->packet_seq_num > seq,
		.begin = to_ns(reader, since),
		.end = to_ns(reader, header->timestamp_end),
	};
	if (cursor->loss.overwritten)
		cursor->loss.end = to_ns(reader, header->timestamp_begin);
	return cursor->loss.overwritten;
}

static bool pass_loss(struct reader *reader, struct cursor *cursor)
{
	const struct loss loss = cursor->loss;

	cursor->loss.count = 0;
	return reader->sink->lost(reader->ctx, &loss);
}

/* Return: false to stop reading. */
static bool begin_packet(struct reader *reader, struct cursor *cursor)
{
	bool more = !find_loss(reader, cursor) || pass_loss(reader, cursor);

	if (packet_file_load(&cursor->file)) {
		reader->status = STATUS_FAILED;
		return false;
	}
	if (packet_iter_init(&cursor->iter, cursor->file.packet,
			     cursor->file.header.packet_size / 8)) {
		reader->status = say("%s: it changed while it was read", cursor->file.stream->path);
		return false;
	}
	return more;
}

static bool pass_event(struct reader *reader, const struct cursor *cursor)
{
	struct event *event = &reader->event;

	event->kind = reader->kinds[cursor->record.class->kind->number];
	event->cpu = cursor->file.stream->cpu;
	event->time = to_ns(reader, cursor->record.time);
	record_values(event, &cursor->record, cursor->description);
	return reader->sink->event(reader->ctx, event);
}

/* Tell what a cursor has, and go on. Return: false to stop reading. */
static bool tell(struct reader *reader, struct cursor *cursor, bool *more)
{
	switch (cursor->next) {
	case NEXT_PACKET:
		if (!begin_packet(reader, cursor))
			return false;
		*more = next_event(cursor);
		return true;
	case NEXT_EVENT:
		if (!pass_event(reader, cursor))
			return false;
		*more = next_event(cursor);
		return true;
	default:
		if (!pass_loss(reader, cursor))
			return false;
		*more = next_packet(cursor);
		return true;
	}
}

/* Read the streams in the heap. */
static void merge(struct reader *reader)
{
	struct cursor *top;
	bool more;

	make_heap(reader);
	while (reader->nr) {
		top = reader->heap[0];
		do {
			if (!tell(reader, top, &more))
				return;
		} while (more && stays_on_top(reader));
		if (!more)
			reader->heap[0] = reader->heap[--reader->nr];
		if (reader->nr)
			sink_down(reader, 0);
	}
}

/* Fill the heap with the streams of a CPU, or of all for -1. */
static void fill(struct reader *reader, long cpu)
{
	size_t i;

	for (reader->nr = i = 0; i < reader->nr_cursors; i++)
		if ((cpu < 0 || reader->cursor[i].file.stream->cpu == cpu) &&
		    next_packet(&reader->cursor[i]))
			reader->heap[reader->nr++] = &reader->cursor[i];
}

static int compare_order(const void *a, const void *b)
{
	const struct cursor *x = a, *y = b;

	if (x->file.stream->cpu != y->file.stream->cpu)
		return x->file.stream->cpu < y->file.stream->cpu ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Cursors are in the order of their CPUs. */
static void read_by_cpu(struct reader *reader)
{
	size_t i;
	long cpu = -1;

	for (i = 0; i < reader->nr_cursors; i++) {
		if (reader->cursor[i].file.stream->cpu == cpu)
			continue;
		cpu = reader->cursor[i].file.stream->cpu;
		fill(reader, cpu);
		merge(reader);
	}
}

static void read_streams(struct reader *reader)
{
	if (reader->sink->by_cpu) {
		read_by_cpu(reader);
	} else {
		fill(reader, -1);
		merge(reader);
	}
}

/*
 * Metadata
 */

static bool is_same_field(const struct field *a, const struct field *b)
{
	return !strcmp(a->name, b->name) && a->type == b->type && a->base == b->base &&
	       a->bits == b->bits && a->labels == b->labels;
}

/* Find the same marker in an earlier part of the recording: same name, same fields. */
static struct kind *find_kind(const struct reader *reader, const struct kind *kind)
{
	unsigned int i, n;

	for (i = 0; i < reader->info.nr_kinds; i++) {
		struct kind *other = reader->kinds[i];

		if (strcmp(other->name, kind->name) || other->nr_fields != kind->nr_fields)
			continue;
		for (n = 0; n < kind->nr_fields; n++)
			if (!is_same_field(&kind->field[n], &other->field[n]))
				break;
		if (n == kind->nr_fields)
			return other;
	}
	return NULL;
}

static void add_kinds(struct reader *reader, const struct description *description)
{
	const bool is_first = !reader->info.nr_kinds;
	struct kind *kind, *same;
	unsigned int i;

	for (i = 0; i < description->nr_classes; i++) {
		kind = description->class[i].kind;
		if (!kind)
			continue;
		same = is_first ? NULL : find_kind(reader, kind);
		kind->number = same ? same->number : reader->info.nr_kinds;
		if (same)
			continue;
		reader->kinds = need_memory(realloc(reader->kinds, (kind->number + 1) *
						    sizeof(*reader->kinds)));
		reader->kinds[reader->info.nr_kinds++] = kind;
	}
	reader->info.kind = reader->kinds;
}

static void add_contexts(struct kind *contexts, const struct kind *of_part)
{
	unsigned int i;

	for (i = 0; i < of_part->nr_fields; i++)
		if (!kind_has_field(contexts, of_part->field[i].name))
			kind_add(contexts, of_part->field[i].name, NULL, of_part->field[i]);
}

/* Return: the metadata of a part; NULL, and says why, if they are not understood. */
static const struct description *describe(struct reader *reader, const struct trace_files *files,
					  const struct trace_part *part)
{
	const struct trace_part *before = part > files->part ? part - 1 : NULL;
	struct description *new;
	char *wrong;

	if (before && !strcmp(before->metadata, part->metadata))
		return reader->descriptions[reader->nr_descriptions - 1];
	new = description_parse(part->metadata, &wrong);
	if (!new) {
		say("%s/metadata: %s", part->path, wrong);
		free(wrong);
		return NULL;
	}
	reader->descriptions = need_memory(realloc(reader->descriptions,
						   (reader->nr_descriptions + 1) *
						   sizeof(*reader->descriptions)));
	reader->descriptions[reader->nr_descriptions++] = new;
	add_kinds(reader, new);
	add_contexts(&reader->info.contexts, &new->contexts);
	return new;
}

static void add_streams(struct reader *reader, const struct trace_files *files,
			const struct trace_part *part, const struct description *description)
{
	unsigned int i;

	reader->cursor = need_memory(realloc(reader->cursor, (reader->nr_cursors + part->nr_streams) *
					     sizeof(*reader->cursor)));
	for (i = 0; i < part->nr_streams; i++, reader->nr_cursors++)
		reader->cursor[reader->nr_cursors] = (struct cursor){
			.file = { .stream = &part->stream[i], .uuid = description->uuid,
				  .quiet = files->quiet },
			.description = description,
			.order = reader->nr_cursors,
		};
}

/* Return: STATUS_OK; STATUS_FAILED, and says why, if the metadata are not understood. */
static int begin(struct reader *reader, const struct trace_files *files)
{
	const struct description *description, *first;
	size_t i;

	for (i = 0; i < files->nr; i++) {
		description = describe(reader, files, &files->part[i]);
		if (!description)
			return STATUS_FAILED;
		if (files->part[i].nr_streams)
			add_streams(reader, files, &files->part[i], description);
	}
	first = reader->descriptions[0];
	reader->info.frequency = first->frequency;
	reader->info.offset = first->offset;
	reader->info.host = first->host;
	reader->info.release = first->release;
	reader->info.clock = first->clock;
	qsort(reader->cursor, reader->nr_cursors, sizeof(*reader->cursor), compare_order);
	for (i = 0; i < reader->nr_cursors; i++) {
		reader->cursor[i].order = i;
		packet_file_begin(&reader->cursor[i].file);
	}
	reader->heap = need_memory(calloc(reader->nr_cursors + 1, sizeof(*reader->heap)));
	return STATUS_OK;
}

static void forget(struct reader *reader)
{
	size_t i;

	for (i = 0; i < reader->nr_cursors; i++) {
		if (reader->cursor[i].file.damaged)
			reader->status = STATUS_FAILED;
		packet_file_release(&reader->cursor[i].file);
	}
	for (i = 0; i < reader->nr_descriptions; i++)
		description_free(reader->descriptions[i]);
	for (i = 0; i < reader->info.contexts.nr_fields; i++)
		free(reader->info.contexts.field[i].name);
	free(reader->info.contexts.field);
	free(reader->descriptions);
	free(reader->kinds);
	free(reader->cursor);
	free(reader->heap);
	free(reader->cpus);
}

int trace_read_files(const struct trace_files *files, const struct trace_sink *sink, void *ctx)
{
	struct reader *reader = need_memory(calloc(1, sizeof(*reader)));
	int status;

	reader->sink = sink;
	reader->ctx = ctx;
	reader->status = begin(reader, files);
	if (!reader->status) {
		if (sink->begin && !sink->begin(ctx, &reader->info))
			reader->status = STATUS_FAILED;
		else
			read_streams(reader);
		if (sink->end)
			sink->end(ctx);
	}
	forget(reader);
	status = reader->status || files->damaged ? STATUS_FAILED : STATUS_OK;
	free(reader);
	return status;
}

int trace_read(const char *path, const struct trace_sink *sink, void *ctx)
{
	struct trace_files files;
	int status = trace_files_open(&files, path);

	if (status)
		return status;
	if (trace_files_have_stream(&files))
		status = trace_read_files(&files, sink, ctx);
	else
		status = say("%s: there is no stream in it: no event was recorded, or the files stream_N are missing",
			     path);
	trace_files_close(&files);
	return status;
}
