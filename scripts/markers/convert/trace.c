// SPDX-License-Identifier: GPL-2.0
/*
 * Reads through a graph of libbabeltrace2: src.ctf.fs for each directory, flt.utils.muxer,
 * and a sink that takes events apart. It does not hand out all of a packet's header,
 * so that is read once more here, for the losses.
 */
#include <babeltrace2/babeltrace.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <markers/uapi/ctf.h>

#include "../lib/file.h"
#include "../lib/layout.h"
#include "../lib/message.h"
#include "files.h"
#include "trace.h"

#define BYTES_SIZE	65536	/* of all VALUE_BYTES of an event */

/**
 * struct stream - a file with packets
 * @stream: as libbabeltrace2 has it
 * @fd: the file
 * @at: where its next packet begins
 * @packet: the header of the last one
 * @loss: that is to be told at its end
 */
struct stream {
	const bt_stream *stream;
	int fd;
	off_t at;
	struct ctf_packet_header packet;
	struct loss loss;
};

/* What is known of a CPU, across the parts of a recording with --rotate. */
struct cpu {
	bool known;
	struct ctf_packet_header packet;
};

struct known_class {
	const bt_event_class *class;
	struct kind *kind;
};

struct reader {
	const struct trace_sink *sink;
	void *ctx;
	bool begun;
	bool stopped;
	bool refused;

	uint64_t frequency;
	struct trace_info info;
	struct kind **kind;
	struct kind context;
	const bt_stream_class *context_of;

	struct known_class *classes;	/* a hash table, of a power of two */
	size_t nr_classes, room;

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
	const uint64_t second = 1000000000;

	if (reader->frequency == second)
		return ticks;
	return ticks / reader->frequency * second +
	       ticks % reader->frequency * second / reader->frequency;
}

static char *field_name(const char *prefix, const char *name)
{
	return prefix[0] ? format_text("%s.%s", prefix, name) : format_text("%s", name);
}

static bool describe(struct kind *kind, const struct bt_field_class *class, const char *name);

static bool describe_members(struct kind *kind, const bt_field_class *class, const char *prefix)
{
	uint64_t i, nr = bt_field_class_structure_get_member_count(class);

	for (i = 0; i < nr; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(class, i);
		char *name = field_name(prefix, bt_field_class_structure_member_get_name(member));
		bool good = describe(kind, bt_field_class_structure_member_borrow_field_class_const(member),
				     name);

		free(name);
		if (!good)
			return false;
	}
	return true;
}

/* The length of an array stands before it, and says nothing more. */
static void hide_length(struct kind *kind, const char *name)
{
	struct field *before = kind->nr_fields ? &kind->field[kind->nr_fields - 1] : NULL;
	char *length = format_text("_%s_length", name);	/* or with a number after it */

	if (before && !strncmp(before->name, length, strlen(length)))
		before->hidden = true;
	free(length);
}

static unsigned int element_bits(const bt_field_class *array)
{
	const bt_field_class *class = bt_field_class_array_borrow_element_field_class_const(array);

	return bt_field_class_type_is(bt_field_class_get_type(class), BT_FIELD_CLASS_TYPE_INTEGER) ?
	       bt_field_class_integer_get_field_value_range(class) : 8;
}

static bool describe(struct kind *kind, const bt_field_class *class, const char *name)
{
	bt_field_class_type type = bt_field_class_get_type(class);
	struct field field = { .base = 10 };

	if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
		return describe_members(kind, class, name);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER)) {
		field.type = bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER) ?
			     VALUE_SIGNED : VALUE_UNSIGNED;
		field.bits = bt_field_class_integer_get_field_value_range(class);
		field.base = bt_field_class_integer_get_preferred_display_base(class);
		field.labels = bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ENUMERATION);
	} else if (type == BT_FIELD_CLASS_TYPE_STRING) {
		field.type = VALUE_TEXT;
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		field.type = VALUE_BYTES;
		field.bits = element_bits(class);
		hide_length(kind, name);
	} else {
		say("%s: field %s has a type that markers.ko does not write", kind->name, name);
		return false;
	}
	if (kind->nr_fields == MAX_VALUES) {
		say("%s: more than %d fields", kind->name, MAX_VALUES);
		return false;
	}
	field.name = need_memory(strdup(name));
	kind->field = need_memory(realloc(kind->field, (kind->nr_fields + 1) * sizeof(field)));
	kind->field[kind->nr_fields++] = field;
	return true;
}

static struct known_class *find_class(const struct reader *reader, const bt_event_class *class)
{
	size_t at = ((uintptr_t)class >> 4) * 0x9e3779b97f4a7c15u;

	for (at &= reader->room - 1; reader->classes[at].class; at = (at + 1) & (reader->room - 1))
		if (reader->classes[at].class == class)
			break;
	return &reader->classes[at];
}

static void remember_class(struct reader *reader, const bt_event_class *class, struct kind *kind)
{
	struct known_class *old = reader->classes;
	size_t i, room = reader->room;

	if (2 * (reader->nr_classes + 1) > room) {
		reader->room = room ? 2 * room : 64;
		reader->classes = need_memory(calloc(reader->room, sizeof(*old)));
		for (i = 0; i < room; i++)
			if (old[i].class)
				*find_class(reader, old[i].class) = old[i];
		free(old);
	}
	*find_class(reader, class) = (struct known_class){ class, kind };
	reader->nr_classes++;
}

/* A marker is the same in all parts of a recording, if its fields are. */
static struct kind *find_kind(const struct reader *reader, const struct kind *kind)
{
	unsigned int i, n;

	for (i = 0; i < reader->info.nr_kinds; i++) {
		const struct kind *other = reader->kind[i];

		if (strcmp(other->name, kind->name) || other->nr_fields != kind->nr_fields)
			continue;
		for (n = 0; n < kind->nr_fields; n++)
			if (strcmp(kind->field[n].name, other->field[n].name) ||
			    kind->field[n].type != other->field[n].type)
				break;
		if (n == kind->nr_fields)
			return reader->kind[i];
	}
	return NULL;
}

static struct kind *add_kind(struct reader *reader, const bt_event_class *class, bool is_part)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(class);
	struct kind *kind = need_memory(calloc(1, sizeof(*kind))), *same;
	const char *colon;

	kind->name = bt_event_class_get_name(class);
	if (!kind->name)
		kind->name = "";
	colon = strchr(kind->name, ':');
	kind->marker = colon ? colon + 1 : kind->name;
	if (payload && !describe_members(kind, payload, "")) {
		reader->refused = true;
		return NULL;
	}
	same = is_part ? find_kind(reader, kind) : NULL;
	if (same) {
		free(kind);	/* its fields are few, and are kept */
		kind = same;
	} else {
		kind->number = reader->info.nr_kinds++;
		reader->kind = need_memory(realloc(reader->kind, reader->info.nr_kinds *
						   sizeof(*reader->kind)));
		reader->kind[kind->number] = kind;
		reader->info.kind = reader->kind;
	}
	remember_class(reader, class, kind);
	return kind;
}

static struct kind *kind_of(struct reader *reader, const bt_event_class *class)
{
	struct kind *kind = reader->room ? find_class(reader, class)->kind : NULL;

	return kind ? kind : add_kind(reader, class, true);
}

/* Bytes of an array, in the event's room for them. */
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

/* Return: the first value after those of this field. */
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

	if (strcmp(text_of(trace, "tracer_name"), "markers") || !clock) {
		say("it was not recorded by markers.ko");
		return false;
	}
	reader->frequency = bt_clock_class_get_frequency(clock);
	bt_clock_class_get_offset(clock, &seconds, &cycles);
	reader->info.offset = seconds * 1000000000 + (int64_t)to_ns(reader, cycles);
	reader->info.host = text_of(trace, "hostname");
	reader->info.release = text_of(trace, "kernel_release");
	reader->info.clock = bt_clock_class_get_description(clock);
	for (i = 0; i < nr; i++)
		if (!add_kind(reader, bt_stream_class_borrow_event_class_by_index_const(class, i),
			      false))
			return false;
	reader->begun = true;
	return !reader->sink->begin || reader->sink->begin(reader->ctx, &reader->info);
}

/* The contexts may be others in another part. */
static bool set_contexts(struct reader *reader, const bt_stream_class *class)
{
	const bt_field_class *context =
		bt_stream_class_borrow_event_common_context_field_class_const(class);

	reader->context.name = "contexts";
	reader->context.nr_fields = 0;
	reader->context_of = class;
	return !context || describe_members(&reader->context, context, "");
}

static bool begin_stream(struct reader *reader, const bt_stream *stream)
{
	const char *path = bt_stream_get_name(stream);
	struct stream *new;

	if (!reader->begun && !begin_trace(reader, stream))
		return false;
	reader->streams = need_memory(realloc(reader->streams, (reader->nr_streams + 1) *
					      sizeof(*reader->streams)));
	new = &reader->streams[reader->nr_streams++];
	memset(new, 0, sizeof(*new));
	new->stream = stream;
	new->fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (new->fd < 0)
		say_errno("%s", path ? path : "a stream");
	return new->fd >= 0;
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
 * The count of a packet has what was overwritten before it and what found no room after its
 * last event. Packets that are missing tell which.
 */
static bool begin_packet(struct reader *reader, const bt_packet *packet)
{
	struct stream *stream = find_stream(reader, bt_packet_borrow_stream_const(packet));
	struct ctf_packet_header *header = stream ? &stream->packet : NULL;
	uint64_t before = 0, seq = 0, since;
	struct cpu *cpu;

	if (!stream || pread(stream->fd, header, sizeof(*header), stream->at) != sizeof(*header))
		return say("a packet cannot be read again") == STATUS_OK;
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

	event->kind = kind_of(reader, class);
	if (!event->kind ||
	    (reader->context_of != stream_class && !set_contexts(reader, stream_class)))
		return false;
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

static bool take(struct reader *reader, const bt_message *message)
{
	switch (bt_message_get_type(message)) {
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

static bt_graph_simple_sink_component_consume_func_status
consume(bt_message_iterator *iterator, void *user_data)
{
	struct reader *reader = user_data;
	bt_message_array_const messages;
	bt_message_iterator_next_status status;
	uint64_t i, nr;

	status = bt_message_iterator_next(iterator, &messages, &nr);
	if (status)
		return (bt_graph_simple_sink_component_consume_func_status)status;
	for (i = 0; i < nr; i++) {
		if (!reader->stopped && !take(reader, messages[i])) {
			reader->stopped = true;
			reader->refused |= !reader->begun;
		}
		bt_message_put_ref(messages[i]);
	}
	return reader->stopped ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END :
	       BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

/* What its own words do not say: where the metadata is not as markers.ko writes it. */
static void say_metadata(const char *path)
{
	char *file = format_text("%s/metadata", path);
	char *text = file_read(AT_FDCWD, file, NULL);
	struct layout *layout = NULL;
	int line;

	if (text)
		layout = layout_parse(text, &line);
	else
		say_errno("%s", file);
	if (text && !layout)
		say("%s: line %d: markers.ko does not write that", file, line);
	layout_free(layout);
	free(text);
	free(file);
}

/* The first cause says most; the others are the chain of calls. */
static int say_error(const char *path)
{
	const bt_error *error = bt_current_thread_take_error();
	uint64_t i, nr = error ? bt_error_get_cause_count(error) : 0;

	for (i = 0; i < nr; i++) {
		const char *text = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, i));

		if (strstr(text, "-addr="))
			break;	/* for programmers */
		say("%s: %.*s", path, (int)strcspn(text, "\n"), text);
	}
	if (!nr)
		say("%s: libbabeltrace2 does not say why it cannot be read", path);
	if (error)
		bt_error_release(error);
	return STATUS_FAILED;
}

static const bt_component_class_source *find_source(const bt_plugin **plugin)
{
	if (bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, BT_FALSE, plugin))
		return NULL;
	return bt_plugin_borrow_source_component_class_by_name_const(*plugin, "fs");
}

static const bt_component_class_filter *find_muxer(const bt_plugin **plugin)
{
	if (bt_plugin_find("utils", BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, BT_FALSE, plugin))
		return NULL;
	return bt_plugin_borrow_filter_component_class_by_name_const(*plugin, "muxer");
}

/* src.ctf.fs of a directory, with all of its ports at inputs of the muxer from @port on. */
static bool add_source(bt_graph *graph, const bt_component_class_source *class, const char *path,
		       const bt_component_filter *muxer, uint64_t *port)
{
	const bt_component_source *source;
	bt_value *params = bt_value_map_create(), *inputs = NULL;
	char *name = format_text("%s#%llu", path, (unsigned long long)*port);
	uint64_t i, nr;
	bool good;

	good = params && !bt_value_map_insert_empty_array_entry(params, "inputs", &inputs) &&
	       !bt_value_array_append_string_element(inputs, path) &&
	       !bt_value_map_insert_bool_entry(params, "force-clock-class-origin-unix-epoch",
					       BT_TRUE) &&
	       !bt_graph_add_source_component(graph, class, name, params, BT_LOGGING_LEVEL_NONE,
					      &source);
	nr = good ? bt_component_source_get_output_port_count(source) : 0;
	for (i = 0; good && i < nr; i++)
		good = !bt_graph_connect_ports(graph,
			bt_component_source_borrow_output_port_by_index_const(source, i),
			bt_component_filter_borrow_input_port_by_index_const(muxer, (*port)++), NULL);
	bt_value_put_ref(params);
	free(name);
	return good;
}

static bool build(bt_graph *graph, const struct trace_files *files, const bt_plugin **plugins,
		  struct reader *reader)
{
	const bt_component_class_source *source = find_source(&plugins[0]);
	const bt_component_class_filter *class = find_muxer(&plugins[1]);
	const bt_component_filter *muxer;
	const bt_component_sink *sink;
	uint64_t port = 0;
	size_t i;

	if (!source || !class) {
		say("libbabeltrace2 has no plugins \"ctf\" and \"utils\"");
		return false;
	}
	if (bt_graph_add_filter_component(graph, class, "muxer", NULL, BT_LOGGING_LEVEL_NONE,
					  &muxer) ||
	    bt_graph_add_simple_sink_component(graph, "markers", NULL, consume, NULL, reader,
					       &sink))
		return false;
	for (i = 0; i < files->nr; i++)
		if (!add_source(graph, source, trace_files_path(files, i), muxer, &port)) {
			say_metadata(files->path[i]);
			return false;
		}
	return !bt_graph_connect_ports(graph,
		bt_component_filter_borrow_output_port_by_index_const(muxer, 0),
		bt_component_sink_borrow_input_port_by_index_const(sink, 0), NULL);
}

static void forget(struct reader *reader)
{
	unsigned int i;
	size_t n;

	for (i = 0; i < reader->info.nr_kinds; i++)
		free(reader->kind[i]);
	for (n = 0; n < reader->nr_streams; n++)
		close(reader->streams[n].fd);
	free(reader->kind);
	free(reader->classes);
	free(reader->streams);
	free(reader->cpus);
	free(reader);
}

int trace_read(const char *path, const struct trace_sink *sink, void *ctx)
{
	struct reader *reader = need_memory(calloc(1, sizeof(*reader)));
	const bt_plugin *plugins[2] = {};
	struct trace_files files;
	bt_graph *graph;
	int status;

	reader->sink = sink;
	reader->ctx = ctx;
	status = trace_files_open(&files, path);
	if (status) {
		free(reader);
		return status;
	}
	graph = need_memory(bt_graph_create(0));
	if (!build(graph, &files, plugins, reader) || bt_graph_run(graph) < 0)
		status = say_error(path);
	if (reader->begun && sink->end)
		sink->end(ctx);
	if (reader->refused || files.damaged)
		status = STATUS_FAILED;
	bt_graph_put_ref(graph);
	bt_plugin_put_ref(plugins[0]);
	bt_plugin_put_ref(plugins[1]);
	trace_files_close(&files);
	forget(reader);
	return status;
}

static const struct value *find_value(const struct value *value, unsigned int nr,
				      const char *name)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (!strcmp(value[i].field->name, name))
			return &value[i];
	return NULL;
}

const struct value *event_context(const struct event *event, const char *name)
{
	return find_value(event->context, event->nr_contexts, name);
}

const struct value *event_value(const struct event *event, const char *name)
{
	const struct value *value = find_value(event->value, event->nr_values, name);

	return value ? value : event_context(event, name);
}
