// SPDX-License-Identifier: GPL-2.0
/*
 * random_trace DIR SEED: makes a trace of any markers, contexts, values and losses, with metadata
 * by the module's own code. referee.sh compares what two readers find in it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <markers/format/context.h>
#include <markers/format/metadata.h>
#include <markers/uapi/ctf.h>

#define MAX_CLASSES	64
#define PACKET_SIZE	8192
#define MAX_CPUS	4

static struct marker_format formats[MAX_CLASSES];
static unsigned int nr_classes;
static uint8_t uuid[CTF_UUID_SIZE];
static uint32_t contexts;
static uint64_t state;

/* xorshift64* */
static uint64_t any(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dull;
}

static unsigned int below(unsigned int n)
{
	return (any() >> 32) % n;
}

/* Two errors have names. */
int reader_print_extension(char *buf, size_t size, const char *spec, const void *ptr)
{
	const long error = (long)ptr;

	(void)spec;
	return snprintf(buf, size, error == -2 ? "-ENOENT" : error == -5 ? "-EIO" : "%ld", error);
}

static char *make_format(void)
{
	static const char *const conversions[] = {
		"%hhd", "%hhu", "%hd", "%hu", "%d", "%u", "%lld", "%llu", "0x%hhx", "0x%x", "0x%llx",
		"0%o", "%s", "%s", "%.5s", "%c", "%pM", "%pI4", "%pI6c", "%*phC", "%4ph", "%*pE", "%pe",
		"%pap", "%ptT", "%*pbl", "%pS", "%p", "%pR", "%ptR", "%pU",
	};
	char *text = malloc(512);
	unsigned int i, nr = below(7);
	size_t len = sprintf(text, "words %%%% {of} it*/ ");

	for (i = 0; i < nr; i++)
		len += sprintf(text + len, "f%u=%s ", i, conversions[below(ARRAY_SIZE(conversions))]);
	return text;
}

static void make_classes(void)
{
	struct marker_format_error error;
	unsigned int i;

	nr_classes = 1 + below(MAX_CLASSES);
	for (i = 0; i < nr_classes; i++) {
		if (!marker_format_parse(&formats[i], make_format(), &error))
			continue;
		fprintf(stderr, "%s\n", error.why);
		exit(1);
	}
}

/**
 * struct stream - a CPU
 * @file: its file
 * @bytes: the packet
 * @used: bytes of it
 * @time: of its last event
 * @header: of the packet
 * @contexts: those of an event before
 * @nr_contexts: bytes of them
 */
static struct stream {
	FILE *file;
	uint8_t bytes[PACKET_SIZE + 4096];
	size_t used;
	uint64_t time;
	struct ctf_packet_header header;
	uint8_t contexts[256];
	size_t nr_contexts;
} streams[MAX_CPUS];

static void put(struct stream *stream, const void *bytes, size_t size)
{
	memcpy(stream->bytes + stream->used, bytes, size);
	stream->used += size;
}

static void put_any(struct stream *stream, size_t size)
{
	for (; size; size--)
		stream->bytes[stream->used++] = any() >> 40;
}

/* A byte that a text may have; the readers differ in what they show of others. */
static char letter(void)
{
	return ' ' + below('~' - ' ' + 1);
}

/* At least one: babeltrace2 shows, for an empty text, that of the event before (2.0.4). */
static void put_letters(struct stream *stream, unsigned int most)
{
	unsigned int nr = 1 + below(most);

	while (nr--)
		stream->bytes[stream->used++] = letter();
}

static void put_integer(struct stream *stream, const struct marker_field *field)
{
	static const int64_t errors[] = { -5, -2, -7, 0, 1, 0x7fffffffffffffff };
	static const uint64_t edges[] = { 0, 1, 0x7f, 0x80, 0xffff, 0x7fffffff, 0x80000000, ~0ull };
	uint64_t value = below(3) ? any() : edges[below(ARRAY_SIZE(edges))];

	if (field->is_char)
		value = letter();
	else if (field->object == MARKER_OBJECT_ERROR)
		value = errors[below(ARRAY_SIZE(errors))];
	put(stream, &value, field->size);
}

static void put_field(struct stream *stream, const struct marker_field *field)
{
	uint16_t nr;

	switch (field->type) {
	case MARKER_FIELD_INT:
		put_integer(stream, field);
		break;
	case MARKER_FIELD_STRING:
		put_letters(stream, field->max - 1 < 200 ? field->max - 1 : 200);
		put(stream, "", 1);
		break;
	case MARKER_FIELD_BYTES:
		put_any(stream, field->size);
		break;
	default:
		nr = below(field->max < 40 ? field->max : 40);
		put(stream, &nr, sizeof(nr));
		put_any(stream, nr);
	}
}

static void put_new_contexts(struct stream *stream)
{
	char name[CTF_PROCNAME_SIZE] = "";
	unsigned int i, n;
	uint8_t frames;

	for (i = 0; i < MARKER_NR_CONTEXTS; i++) {
		if (!(contexts & BIT(i)))
			continue;
		if (i == MARKER_CONTEXT_PROCNAME) {
			for (n = 1 + below(sizeof(name)); n--;)
				name[n] = letter();
			put(stream, name, sizeof(name));
		} else if (i == MARKER_CONTEXT_CALLSTACK) {
			frames = below(3);
			put(stream, &frames, 1);
			put_any(stream, frames * sizeof(uint64_t));
		} else {
			put_any(stream, marker_context_size(marker_context_tag(BIT(i))));
		}
	}
}

/* Often those of an event before, of this CPU or another one, as a task hits again. */
static void put_contexts(struct stream *stream)
{
	const struct stream *from = &streams[below(MAX_CPUS)];
	const size_t at = stream->used;

	if (from->nr_contexts && below(4)) {
		put(stream, from->contexts, from->nr_contexts);
		return;
	}
	put_new_contexts(stream);
	stream->nr_contexts = stream->used - at;
	memcpy(stream->contexts, stream->bytes + at, stream->nr_contexts);
}

static void end_packet(struct stream *stream)
{
	struct ctf_packet_header *header = &stream->header;

	if (!header->nr_events)
		return;
	header->timestamp_end = stream->time;
	header->content_size = 8 * stream->used;
	header->packet_size = 8 * ((stream->used + 7) & ~7ul);
	memcpy(stream->bytes, header, sizeof(*header));
	memset(stream->bytes + stream->used, 0, header->packet_size / 8 - stream->used);
	fwrite(stream->bytes, 1, header->packet_size / 8, stream->file);
	header->packet_seq_num++;
	if (!below(5)) {
		header->events_discarded += 1 + below(100);
		header->packet_seq_num += below(2);
	}
	header->nr_events = 0;
}

static void put_header(struct stream *stream, uint32_t id, uint64_t before)
{
	uint32_t compact = (uint32_t)stream->time << CTF_ID_BITS;
	uint16_t medium = id;
	uint8_t tag = CTF_ID_EXTENDED;

	if (stream->time - before >= 1u << CTF_TIME_BITS || !below(50)) {
		put(stream, &tag, sizeof(tag));
		put(stream, &id, sizeof(id));
		put(stream, &stream->time, sizeof(stream->time));
		return;
	}
	compact |= id < CTF_ID_MEDIUM ? id : CTF_ID_MEDIUM;
	put(stream, &compact, sizeof(compact));
	if (id >= CTF_ID_MEDIUM)
		put(stream, &medium, sizeof(medium));
}

static void put_event(struct stream *stream)
{
	const uint32_t id = below(nr_classes);
	uint64_t before = stream->time;
	unsigned int i;

	stream->time += below(20) ? 1 + below(1000000) : any() >> 24;
	if (stream->used > PACKET_SIZE || !below(100))
		end_packet(stream);
	if (!stream->header.nr_events) {
		stream->used = sizeof(stream->header);
		stream->header.timestamp_begin = before = stream->time;
	}
	put_header(stream, id, before);
	put_contexts(stream);
	for (i = 0; i < formats[id].nr_fields; i++)
		put_field(stream, &formats[id].field[i]);
	stream->header.nr_events++;
}

static FILE *create(const char *dir, const char *name, unsigned int number)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), name[0] == 's' ? "%s/%s%u" : "%s/%s", dir, name, number);
	file = fopen(path, "w");
	if (file)
		return file;
	perror(path);
	exit(1);
}

static void emit(void *ctx, const char *text, size_t size)
{
	fwrite(text, 1, size, ctx);
}

static void put_metadata(const char *dir)
{
	struct marker_metadata_env env = {
		.hostname = "host", .kernel_release = "6.1", .kernel_version = "#1",
		.clock_name = "monotonic", .clock_description = "CLOCK_MONOTONIC",
		.clock_freq = 1000000000, .contexts = contexts,
	};
	FILE *file = create(dir, "metadata", 0);
	struct marker_metadata_out out = { emit, file };
	char name[64];
	unsigned int i;

	memcpy(env.uuid, uuid, sizeof(uuid));
	marker_metadata_header(&out, &env);
	for (i = 0; i < nr_classes; i++) {
		sprintf(name, "any:marker_%u", i);
		marker_metadata_event(&out, uuid, i, name, &formats[i]);
	}
	if (fclose(file))
		exit(1);
}

int main(int argc, char **argv)
{
	unsigned int i, nr_cpus, nr;

	if (argc < 3)
		return 2;
	state = strtoull(argv[2], NULL, 10) * 0x9e3779b97f4a7c15ull + 1;
	for (i = 0; i < sizeof(uuid); i++)
		uuid[i] = any() >> 32;
	contexts = any() >> 32 & MARKER_CONTEXT_ALL;
	make_classes();
	mkdir(argv[1], 0755);
	put_metadata(argv[1]);
	nr_cpus = 1 + below(MAX_CPUS);
	for (i = 0; i < nr_cpus; i++) {
		streams[i].file = create(argv[1], "stream_", i);
		streams[i].time = any() >> 24;
		streams[i].header = (struct ctf_packet_header){
			.magic = CTF_MAGIC, .stream_id = ctf_stream_id(uuid), .cpu_id = i,
		};
		memcpy(streams[i].header.uuid, uuid, sizeof(uuid));
	}
	for (nr = 50 + below(500); nr; nr--)
		put_event(&streams[below(nr_cpus)]);
	for (i = 0; i < nr_cpus; i++) {
		end_packet(&streams[i]);
		if (fclose(streams[i].file))
			return 1;
	}
	return 0;
}
