// SPDX-License-Identifier: GPL-2.0
/*
 * Turns messages of libbabeltrace2 into events and losses. libbabeltrace2 does not pass on the
 * whole header of a packet, so we read the header again to find losses.
 */
#include <babeltrace2/babeltrace.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <markers/uapi/ctf.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../ctf/trace_files.h"
#include "graph.h"
#include "kinds.h"
#include "trace.h"

#define BYTES_SIZE	65536	/* room for all VALUE_BYTES of an event */

/**
 * struct stream - a file with packets
 * @stream: the stream of libbabeltrace2
 * @fd: the file
 * @at: offset of the next packet
 * @packet: header of the last packet
 * @loss: the loss to report at the end of that packet
 */
struct stream {
	const bt_stream *stream;
	int fd;
	off_t at;
	struct ctf_packet_header packet;
	struct loss loss;
};

/* What we know about a CPU, across the parts of a recording made with --rotate. */
struct cpu {
	bool known;
	struct ctf_packet_header packet;
};

struct reader {
	const struct trace_files *files;
	const struct trace_sink *sink;
	void *ctx;
	bool known;		/* @info is complete, but for later parts */
	bool begun;		/* the sink has got it */
	bool refused;

	struct trace_info info;
	struct kinds kinds;
	struct kind context;
	const bt_stream_class *context_of;

	struct stream *streams;
	size_t nr_streams;
	struct cpu *cpus;
	size_t nr_cpus;

	struct event event;
	size_t nr_bytes;
	char bytes[BYTES_SIZE];
};

static uint64_t to_ns(const struct reader *reader, uint64_t ticks)
{
	return trace_ns(&reader->info, ticks);
}

/* Copy the bytes of an array to the event's room for bytes. */
static void take_bytes(struct reader *reader, const bt_field *field, struct value *value)
{
	uint64_t i, number, nr = bt_field_array_get_length(field);
	char *to = reader->bytes + reader->nr_bytes;
	size_t bytes = value->field->bits / 8;

	if (nr > (BYTES_SIZE - reader->nr_bytes) / bytes)
		nr = (BYTES_SIZE - reader->nr_bytes) / bytes;
	for (i = 0; i < nr; i++) {
		number = bt_field_integer_unsigned_get_value(
			bt_field_array_borrow_element_field_by_index_const(field, i));
		memcpy(to + i * bytes, &number, bytes);
	}
	reader->nr_bytes += nr * bytes;
	value->text = to;
	value->size = nr * bytes;
}

static void take_label(const bt_field *field, struct value *value)
{
	bt_field_class_enumeration_mapping_label_array labels;
	uint64_t nr = 0;

	if (bt_field_get_class_type(field) == BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION &&
	    !bt_field_enumeration_signed_get_mapping_labels(field, &labels, &nr) && nr) {
		value->text = labels[0];
		value->size = strlen(labels[0]);
	}
}

/* Read the values of a field. Return: where the next value goes. */
static struct value *take_values(struct reader *reader, const bt_field *field,
				 struct value *value)
{
	const struct field *what = value->field;
	uint64_t i, nr;

	if (bt_field_get_class_type(field) == BT_FIELD_CLASS_TYPE_STRUCTURE) {
		nr = bt_field_class_structure_get_member_count(bt_field_borrow_class_const(field));
		for (i = 0; i < nr; i++)
			value = take_values(reader,
					    bt_field_structure_borrow_member_field_by_index_const(field, i),
					    value);
		return value;
	}
	value->text = NULL;
	value->size = 0;
	switch (what->type) {
	case VALUE_SIGNED:
		value->number = bt_field_integer_signed_get_value(field);
		if (what->labels)
			take_label(field, value);
		break;
	case VALUE_UNSIGNED:
		value->number = bt_field_integer_unsigned_get_value(field);
		break;
	case VALUE_TEXT:
		value->text = bt_field_string_get_value(field);
		value->size = bt_field_string_get_length(field);
		break;
	case VALUE_BYTES:
		take_bytes(reader, field, value);
		break;
	}
	return value + 1;
}

static unsigned int take_fields(struct reader *reader, const struct kind *kind,
				const bt_field *field, struct value *value)
{
	unsigned int i;

	for (i = 0; i < kind->nr_fields; i++)
		value[i].field = &kind->field[i];
	if (field)
		take_values(reader, field, value);
	return kind->nr_fields;
}

static struct stream *find_stream(struct reader *reader, const bt_stream *stream)
{
	size_t i;

	for (i = 0; i < reader->nr_streams; i++)
		if (reader->streams[i].stream == stream)
			return &reader->streams[i];
	return NULL;
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

static const char *text_of(const bt_trace *trace, const char *name)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	return value && bt_value_get_type(value) == BT_VALUE_TYPE_STRING ?
	       bt_value_string_get(value) : "";
}

static bool begin_trace(struct reader *reader, const bt_stream *stream)
{
	const bt_stream_class *class = bt_stream_borrow_class_const(stream);
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const(class);
	uint64_t i, nr = bt_stream_class_get_event_class_count(class), cycles;
	int64_t seconds;

	if (!clock) {
		say("%s: its metadata has no clock", reader->files->root);
		return false;
	}
	reader->info.frequency = bt_clock_class_get_frequency(clock);
	bt_clock_class_get_offset(clock, &seconds, &cycles);
	reader->info.offset = seconds * 1000000000 + (int64_t)to_ns(reader, cycles);
	reader->info.host = text_of(trace, "hostname");
	reader->info.release = text_of(trace, "kernel_release");
	reader->info.clock = bt_clock_class_get_description(clock);
	for (i = 0; i < nr; i++)
		if (!kinds_add(&reader->kinds,
			       bt_stream_class_borrow_event_class_by_index_const(class, i)))
			return false;
	reader->known = true;
	return true;
}

/*
 * Streams begin before the first packet. So all markers are known, with @by_cpu those of the
 * first CPU.
 */
static bool begin_sink(struct reader *reader)
{
	if (reader->begun)
		return true;
	reader->begun = true;
	reader->refused = reader->sink->begin && !reader->sink->begin(reader->ctx, &reader->info);
	return !reader->refused;
}

/* Each part of a recording may have other contexts. */
static bool set_contexts(struct reader *reader, const bt_stream_class *class)
{
	const bt_field_class *context =
		bt_stream_class_borrow_event_common_context_field_class_const(class);

	reader->context.name = "contexts";
	reader->context.nr_fields = 0;
	reader->context_of = class;
	return !context || kinds_describe(&reader->context, context);
}

/*
 * Say that a stream, which libbabeltrace2 has read, cannot be read again: errno, or 0 if it is
 * too short now. Return: false.
 */
static bool refuse(struct reader *reader, const bt_stream *stream)
{
	const char *path = bt_stream_get_name(stream);
	int err = errno;
	char *known = trace_files_text(reader->files, path ? path : "a stream");

	errno = err;
	if (err)
		say_errno("%s", known);
	else
		say("%s: it changed while it was read", known);
	free(known);
	reader->refused = true;
	return false;
}

static bool begin_stream(struct reader *reader, const bt_stream *stream)
{
	const char *path = bt_stream_get_name(stream);
	struct stream *new;

	if (!reader->known && !begin_trace(reader, stream))
		return false;
	kinds_add_part(&reader->kinds, bt_stream_borrow_class_const(stream));
	reader->streams = need_memory(realloc(reader->streams, (reader->nr_streams + 1) *
					      sizeof(*reader->streams)));
	new = &reader->streams[reader->nr_streams++];
	memset(new, 0, sizeof(*new));
	new->stream = stream;
	errno = 0;
	new->fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	return new->fd >= 0 || refuse(reader, stream);
}

static void end_stream(struct reader *reader, const bt_stream *stream)
{
	struct stream *old = find_stream(reader, stream);

	if (!old)
		return;
	close(old->fd);
	*old = reader->streams[--reader->nr_streams];
}

/*
 * The count of a packet includes events overwritten before it, and events that found no room
 * after its last one. A gap in the sequence numbers tells the two apart.
 */
static bool begin_packet(struct reader *reader, const bt_packet *packet)
{
	struct stream *stream = find_stream(reader, bt_packet_borrow_stream_const(packet));
	struct ctf_packet_header *header = stream ? &stream->packet : NULL;
	uint64_t before = 0, seq = 0, since;
	struct cpu *cpu;

	errno = 0;
	if (!stream || pread(stream->fd, header, sizeof(*header), stream->at) != sizeof(*header))
		return refuse(reader, bt_packet_borrow_stream_const(packet));
	stream->at += header->packet_size / 8;
	cpu = find_cpu(reader, header->cpu_id & 0xffff);
	since = header->timestamp_begin;
	if (cpu->known && !memcmp(cpu->packet.uuid, header->uuid, sizeof(header->uuid))) {
		before = cpu->packet.events_discarded;
		seq = cpu->packet.packet_seq_num + 1;
		since = cpu->packet.timestamp_end;
	}
	cpu->known = true;
	cpu->packet = *header;
	stream->loss.count = 0;
	if (header->events_discarded <= before)
		return true;
	stream->loss = (struct loss){
		.cpu = header->cpu_id,
		.count = header->events_discarded - before,
		.overwritten = header->packet_seq_num > seq,
		.begin = to_ns(reader, since),
		.end = to_ns(reader, header->timestamp_end),
	};
	if (!stream->loss.overwritten)
		return true;
	stream->loss.end = to_ns(reader, header->timestamp_begin);
	return reader->sink->lost(reader->ctx, &stream->loss);
}

static bool end_packet(struct reader *reader, const bt_packet *packet)
{
	struct stream *stream = find_stream(reader, bt_packet_borrow_stream_const(packet));

	return !stream || !stream->loss.count || stream->loss.overwritten ||
	       reader->sink->lost(reader->ctx, &stream->loss);
}

static bool take_event(struct reader *reader, const bt_message *message)
{
	const bt_event *from = bt_message_event_borrow_event_const(message);
	const bt_event_class *class = bt_event_borrow_class_const(from);
	const struct stream *stream = find_stream(reader, bt_event_borrow_stream_const(from));
	const bt_stream_class *stream_class = bt_event_class_borrow_stream_class_const(class);
	struct event *event = &reader->event;

	event->kind = kinds_find(&reader->kinds, class);
	if (!event->kind ||
	    (reader->context_of != stream_class && !set_contexts(reader, stream_class))) {
		reader->refused = true;
		return false;
	}
	event->cpu = stream ? stream->packet.cpu_id : 0;
	event->time = to_ns(reader, bt_clock_snapshot_get_value(
		bt_message_event_borrow_default_clock_snapshot_const(message)));
	reader->nr_bytes = 0;
	event->nr_contexts = take_fields(reader, &reader->context,
					 bt_event_borrow_common_context_field_const(from),
					 event->context);
	event->nr_values = take_fields(reader, event->kind,
				       bt_event_borrow_payload_field_const(from), event->value);
	return reader->sink->event(reader->ctx, event);
}

static bool take_message(struct reader *reader, const bt_message *message)
{
	bt_message_type type = bt_message_get_type(message);

	if (type != BT_MESSAGE_TYPE_STREAM_BEGINNING && !begin_sink(reader))
		return false;
	switch (type) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return begin_stream(reader, bt_message_stream_beginning_borrow_stream_const(message));
	case BT_MESSAGE_TYPE_STREAM_END:
		end_stream(reader, bt_message_stream_end_borrow_stream_const(message));
		return true;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return begin_packet(reader, bt_message_packet_beginning_borrow_packet_const(message));
	case BT_MESSAGE_TYPE_PACKET_END:
		return end_packet(reader, bt_message_packet_end_borrow_packet_const(message));
	case BT_MESSAGE_TYPE_EVENT:
		return take_event(reader, message);
	default:
		return true;
	}
}

static bool take(void *ctx, const bt_message *message)
{
	struct reader *reader = ctx;
	bool more = !reader->refused && take_message(reader, message);

	if (!more && !reader->begun)
		reader->refused = true;
	return more;
}

static void forget(struct reader *reader)
{
	size_t n;

	kinds_free(&reader->kinds);
	for (n = 0; n < reader->nr_streams; n++)
		close(reader->streams[n].fd);
	free(reader->streams);
	free(reader->cpus);
	free(reader);
}

int trace_read_files(const struct trace_files *files, const struct trace_sink *sink, void *ctx)
{
	struct reader *reader = need_memory(calloc(1, sizeof(*reader)));
	struct graph graph = { .take = take, .ctx = reader, .by_cpu = sink->by_cpu };
	int status;

	reader->files = files;
	reader->sink = sink;
	reader->ctx = ctx;
	reader->kinds.info = &reader->info;
	status = graph_run(&graph, files);
	if (reader->begun && sink->end)
		sink->end(ctx);
	if (reader->refused || files->damaged)
		status = STATUS_FAILED;
	graph_free(&graph);
	forget(reader);
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
