// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../ctf/metadata.h"
#include "../ctf/packets.h"
#include "../ctf/trace_dir.h"
#include "packet_file.h"
#include "pieces.h"
#include "record.h"
#include "rules.h"

#define SIGNATURE	"/* CTF 1.8 */"	/* readers know the format by these first bytes */
#define TIME_MASK	((1ull << CTF_TIME_BITS) - 1)

static const char *const names[NR_RULES] = {
	[RULE_METADATA] = "the metadata are those of markers.ko",
	[RULE_WHOLE] = "streams are whole packets",
	[RULE_TRACE] = "all packets are of this trace, those of stream_N of CPU N",
	[RULE_ORDER] = "packets follow each other, and counts never go back",
	[RULE_EVENTS] = "events fill their packets, and all are known",
	[RULE_TIMES] = "times never decrease, and are those of their packets",
	[RULE_FILES] = "all files are streams or metadata",
};

/* The last packet of a CPU. */
struct rules_cpu {
	bool known;
	struct ctf_packet_header packet;
};

/**
 * struct place - the checker's position
 * @rules: the rules that it checks
 * @description: the metadata, or NULL if they are not understood
 * @path: the path of the stream
 * @at: offset of the packet in the stream
 * @event: offset of the event in the packet; 0: none
 * @cpu: the CPU of the stream
 * @follows: the packet before it in the stream is that of struct rules_cpu
 */
struct place {
	struct rules *rules;
	const struct description *description;
	const char *path;
	off_t at;
	size_t event;
	long cpu;
	bool follows;
};

const char *rules_name(enum rule rule)
{
	return names[rule];
}

__attribute__((format(printf, 3, 4)))
static void complain(struct place *place, enum rule rule, const char *fmt, ...)
{
	char what[512], where[64];
	va_list args;
	char *line;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	snprintf(where, sizeof(where), place->event ? ", event at byte %lld" : "",
		 (long long)place->at + (long long)place->event);
	line = format_text("%s: packet at byte %lld%s: %s", place->path, (long long)place->at,
			   where, what);
	place->rules->broken[rule]++;
	place->rules->complain(rule, line);
	free(line);
}

static struct rules_cpu *find_cpu(struct rules *rules, unsigned int cpu)
{
	if (cpu >= rules->nr_cpus) {
		rules->cpu = need_memory(realloc(rules->cpu, (cpu + 1) * sizeof(*rules->cpu)));
		memset(rules->cpu + rules->nr_cpus, 0,
		       (cpu + 1 - rules->nr_cpus) * sizeof(*rules->cpu));
		rules->nr_cpus = cpu + 1;
	}
	return &rules->cpu[cpu];
}

static void check_trace(struct place *place, const struct ctf_packet_header *header)
{
	if (place->description &&
	    memcmp(header->uuid, place->description->uuid, sizeof(header->uuid)))
		complain(place, RULE_TRACE, "its uuid is not that of the metadata");
	if (header->cpu_id != place->cpu)
		complain(place, RULE_TRACE, "it is of CPU %u, not %ld", header->cpu_id, place->cpu);
	if (header->packet_size != ((header->content_size + 63) & ~63ull))
		complain(place, RULE_WHOLE, "it has %" PRIu64 " bytes for a content of %" PRIu64,
			 header->packet_size / 8, header->content_size / 8);
}

/* A gap in the sequence numbers is a loss. It breaks no rule, but the counts do not have all gaps. */
static void check_order(struct place *place, const struct ctf_packet_header *header)
{
	struct rules_cpu *cpu = find_cpu(place->rules, header->cpu_id);

	if (cpu->known && !memcmp(cpu->packet.uuid, header->uuid, sizeof(header->uuid))) {
		if (!packet_is_later(header, &cpu->packet))
			complain(place, RULE_ORDER, "packet %" PRIu64 " comes after packet %" PRIu64,
				 header->packet_seq_num, cpu->packet.packet_seq_num);
		if (header->events_discarded < cpu->packet.events_discarded)
			complain(place, RULE_ORDER, "its count of lost events is %" PRIu64 ", after %" PRIu64,
				 header->events_discarded, cpu->packet.events_discarded);
		else
			place->rules->lost += header->events_discarded -
					      cpu->packet.events_discarded;
		place->rules->gaps += place->follows &&
				      header->events_discarded <= cpu->packet.events_discarded &&
				      header->packet_seq_num > cpu->packet.packet_seq_num + 1;
		if (header->timestamp_begin < cpu->packet.timestamp_end)
			complain(place, RULE_ORDER, "it begins at %" PRIu64 ", the one before ends at %" PRIu64,
				 header->timestamp_begin, cpu->packet.timestamp_end);
	} else {
		place->rules->lost += header->events_discarded;
	}
	cpu->known = true;
	cpu->packet = *header;
	place->follows = true;
}

/* Compute the time of an event from the time of the previous one. */
static uint64_t event_time(const uint8_t *event, uint64_t before)
{
	uint64_t time, low;
	uint32_t word;

	if ((*event & ((1 << CTF_ID_BITS) - 1)) == CTF_ID_EXTENDED) {
		memcpy(&time, event + 1 + sizeof(uint32_t), sizeof(time));
		return time;
	}
	memcpy(&word, event, sizeof(word));
	low = word >> CTF_ID_BITS;
	time = (before & ~TIME_MASK) | low;
	return low < (before & TIME_MASK) ? time + TIME_MASK + 1 : time;
}

static void check_time(struct place *place, const struct ctf_packet_header *header,
		       uint64_t time, uint64_t before, bool is_first)
{
	if (time < before)
		complain(place, RULE_TIMES, "time %" PRIu64 " after %" PRIu64, time, before);
	else if (is_first && time != header->timestamp_begin)
		complain(place, RULE_TIMES, "time %" PRIu64 " is not that of the packet's begin, %"
			 PRIu64, time, header->timestamp_begin);
	if (time > header->timestamp_end)
		complain(place, RULE_TIMES, "time %" PRIu64 " after the packet's end at %" PRIu64,
			 time, header->timestamp_end);
}

static void check_events(struct place *place, const struct ctf_packet_header *header,
			 const uint8_t *packet)
{
	size_t at = sizeof(*header), end = header->content_size / 8, size;
	uint64_t before = header->timestamp_begin, time;
	uint32_t nr = 0, id;

	for (; at < end; at += size, nr++) {
		place->event = at;
		size = record_size(place->description, packet + at, end - at, &id);
		if (!size && !description_class(place->description, id)) {
			complain(place, RULE_EVENTS, "the metadata have no event %u", id);
			break;
		}
		if (!size) {
			complain(place, RULE_EVENTS, "it goes beyond the end of the content");
			break;
		}
		time = event_time(packet + at, before);
		check_time(place, header, time, before, !nr);
		before = time;
	}
	place->event = 0;
	place->rules->events += nr;
	if (at == end && nr != header->nr_events)
		complain(place, RULE_EVENTS, "%u events, the header says %u", nr,
			 header->nr_events);
}

static void check_packet(struct place *place, const struct packet_file *file)
{
	check_trace(place, &file->header);
	check_order(place, &file->header);
	if (place->description)
		check_events(place, &file->header, file->packet);
	place->rules->packets++;
}

/* No packet begins here. Return: where the next one may. */
static off_t pass_over(struct place *place, const struct packet_file *file, const char *wrong)
{
	off_t next = file->uuid ? packet_file_search(file) : file->stream->size;

	place->follows = false;
	if (next < file->stream->size)
		complain(place, RULE_WHOLE, "%s; what follows is left out, up to the packet at byte %lld",
			 wrong, (long long)next);
	else
		complain(place, RULE_WHOLE, "%s", wrong);
	return next;
}

static int check_stream(struct place *place, const struct trace_stream *stream)
{
	struct packet_file file = {
		.stream = stream, .uuid = place->description ? place->description->uuid : NULL,
	};
	int status = STATUS_OK;
	const char *wrong;

	place->path = stream->path;
	place->cpu = stream->cpu;
	place->follows = false;
	while (packet_file_has(&file) && !status) {
		place->at = file.at;
		wrong = packet_file_header(&file);
		if (wrong) {
			file.at = pass_over(place, &file, wrong);
			continue;
		}
		status = packet_file_load(&file);
		if (!status)
			check_packet(place, &file);
		file.at += file.header.packet_size / 8;
	}
	packet_file_release(&file);
	return status;
}

/* A line about a file, not about a packet. */
static void complain_of(struct rules *rules, enum rule rule, const char *path, const char *name,
			const char *wrong)
{
	char *line = format_text("%s%s%s%s", path, name, wrong ? ": " : "", wrong ?: "");

	rules->broken[rule]++;
	rules->complain(rule, line);
	free(line);
}

/* Return: the metadata, to be freed; NULL if they are not understood. */
static struct description *check_metadata(struct place *place, const struct trace_part *part)
{
	char *wrong = metadata_check_tracer(part->metadata, part->metadata_size), *why;
	struct description *description = description_parse(part->metadata, &why);

	if (!wrong && !part->in_packets && strncmp(part->metadata, SIGNATURE, strlen(SIGNATURE)))
		wrong = format_text("it does not begin with " SIGNATURE);
	if (!wrong && !description)
		wrong = format_text("%s", why);
	if (!description)
		free(why);
	if (wrong)
		complain_of(place->rules, RULE_METADATA, part->path, "/metadata", wrong);
	free(wrong);
	return description;
}

int rules_check(struct rules *rules, const struct trace_part *part)
{
	struct place place = { .rules = rules };
	struct description *description = check_metadata(&place, part);
	int status = STATUS_OK;
	unsigned int i;

	place.description = description;
	for (i = 0; i < part->nr_strays; i++)	/* readers take any file for a stream that is not hidden */
		complain_of(rules, RULE_FILES, part->stray[i], "", NO_STREAM);
	for (i = 0; i < part->nr_unread; i++)
		complain_of(rules, RULE_WHOLE, part->unread[i], "", NULL);
	for (i = 0; i < part->nr_streams && !status; i++)
		status = check_stream(&place, &part->stream[i]);
	description_free(description);
	return status;
}

static int check_pieces(struct place *place, struct pieces *pieces)
{
	const struct trace_stream *damaged;
	struct packet_file *file;
	size_t at = 0;

	place->follows = false;
	while ((file = pieces_next(pieces))) {
		if (packet_file_load(file))
			return STATUS_FAILED;
		place->path = file->stream->path;
		place->cpu = file->stream->cpu;
		place->at = file->at;
		check_packet(place, file);
	}
	while ((damaged = pieces_damaged(pieces, &at)))
		complain_of(place->rules, RULE_WHOLE, damaged->path, "",
			    "is damaged, and no other piece has what is left out");
	return STATUS_OK;
}

int rules_check_pieces(struct rules *rules, const struct opened *opened)
{
	struct place place = { .rules = rules };
	int status = STATUS_OK;
	struct pieces pieces;
	size_t i;

	for (i = 0; i < opened->nr_streams && !status; i += pieces_count(opened, i)) {
		place.description = opened->stream[i].description;
		pieces_begin(&pieces, opened, i);
		status = check_pieces(&place, &pieces);
		pieces_end(&pieces);
	}
	return status;
}

void rules_free(struct rules *rules)
{
	free(rules->cpu);
	rules->cpu = NULL;
	rules->nr_cpus = 0;
}
