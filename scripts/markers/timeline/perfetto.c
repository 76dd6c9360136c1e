// SPDX-License-Identifier: GPL-2.0
/*
 * Perfetto's format: a sequence of TracePackets. The numbers of the fields come from
 * protos/perfetto/trace/ in Perfetto's sources.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../base/message.h"
#include "../base/put.h"
#include "../events/functions.h"
#include "../reader/wall.h"
#include "proto.h"
#include "shown.h"
#include "tracks.h"

enum { TRACE_PACKET = 1 };

enum {
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_TRACK_DESCRIPTOR = 60,
};

enum { SNAPSHOT_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIME = 2, REALTIME = 1, BOOTTIME = 6 };

enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_THREAD_DESCRIPTOR = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER_DESCRIPTOR = 8,
};

enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };

enum {
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	EVENT_COUNTER = 30,
	EVENT_DOUBLE_COUNTER = 44,
};

enum {
	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_TEXT = 6,
	ANNOTATION_POINTER = 7,
	ANNOTATION_NAME = 10,
};

#define SEQUENCE		1
#define SEQUENCE_BEGINS		1	/* the reader discards earlier state */

static struct proto packet;	/* the packet that is being written */
static uint64_t nr_cut;		/* packets without a field that did not fit */

/* Return: the begin, for end_packet(). */
static size_t begin_packet(void)
{
	size_t begin;

	packet.size = 0;
	packet.is_full = false;
	begin = proto_begin(&packet, TRACE_PACKET);
	proto_varint(&packet, PACKET_SEQUENCE_ID, SEQUENCE);
	return begin;
}

static void end_packet(FILE *out, size_t begin)
{
	nr_cut += packet.is_full;
	proto_end(&packet, begin);
	put_bytes(out, (const char *)packet.bytes, packet.size);
}

static void put_clock(unsigned int id, uint64_t time)
{
	size_t begin = proto_begin(&packet, SNAPSHOT_CLOCK);

	proto_varint(&packet, CLOCK_ID, id);
	proto_varint(&packet, CLOCK_TIME, time);
	proto_end(&packet, begin);
}

/* Events have times of the trace clock. Perfetto takes them for the time since boot. */
static void begin(FILE *out, const struct trace_info *info)
{
	const uint64_t at = info->wall->from > 0 ? info->wall->from : 1;
	size_t whole = begin_packet(), snapshot;

	proto_varint(&packet, PACKET_SEQUENCE_FLAGS, SEQUENCE_BEGINS);
	snapshot = proto_begin(&packet, PACKET_CLOCK_SNAPSHOT);
	put_clock(BOOTTIME, at);
	if (wall_is_known(info->clock))
		put_clock(REALTIME, wall_of(info->wall, at));
	proto_end(&packet, snapshot);
	end_packet(out, whole);
}

static void put_thread(const struct track *track)
{
	size_t begin = proto_begin(&packet, TRACK_THREAD_DESCRIPTOR);

	proto_varint(&packet, THREAD_PID, track->pid);
	proto_varint(&packet, THREAD_TID, track->number);
	proto_text(&packet, THREAD_NAME, track->name, strlen(track->name));
	proto_end(&packet, begin);
}

static void put_track(FILE *out, struct track *track)
{
	size_t whole = begin_packet(), begin = proto_begin(&packet, PACKET_TRACK_DESCRIPTOR);
	char name[256];

	proto_varint(&packet, TRACK_UUID, track->id);
	if (track->lane)
		proto_varint(&packet, TRACK_PARENT, track->lane->id);
	if (track->type == TRACK_THREAD && track->pid) {
		put_thread(track);
	} else if (track->type == TRACK_THREAD) {	/* its process is unknown */
		snprintf(name, sizeof(name), "%s %d", track->name, track->number);
		proto_text(&packet, TRACK_NAME, name, strlen(name));
	} else {
		proto_text(&packet, TRACK_NAME, track->name, strlen(track->name));
	}
	if (track->type == TRACK_COUNTER)
		proto_end(&packet, proto_begin(&packet, TRACK_COUNTER_DESCRIPTOR));
	proto_end(&packet, begin);
	end_packet(out, whole);
}

static void put_hex(const struct value *value)
{
	static const char digits[] = "0123456789abcdef";
	static char text[PROTO_SIZE];
	size_t i, n = value->size < PROTO_SIZE / 3 ? value->size : PROTO_SIZE / 3;	/* more does not fit */

	for (i = 0; i < n; i++) {
		unsigned char byte = value->text[i];

		text[3 * i] = digits[byte >> 4];
		text[3 * i + 1] = digits[byte & 15];
		text[3 * i + 2] = ':';
	}
	proto_bytes(&packet, ANNOTATION_TEXT, text, n ? 3 * n - 1 : 0);
}

static unsigned int number_type(const struct field *field)
{
	return field->type == VALUE_SIGNED ? ANNOTATION_INT :
	       field->base == 16 ? ANNOTATION_POINTER : ANNOTATION_UINT;
}

/* Most annotations are numbers with short names. For these, ask for room once. */
static bool put_number(const char *name, const struct value *value)
{
	uint8_t *to = packet.bytes + packet.size;
	size_t size = strlen(name), begin;

	if (size >= 128 || size + 5 * MAX_VARINT >= PROTO_SIZE - packet.size)
		return false;
	to = proto_put_begin(to, EVENT_ANNOTATION);
	begin = to - packet.bytes;
	to = proto_put(to, ANNOTATION_NAME << 3 | WIRE_BYTES);
	*to++ = size;
	memcpy(to, name, size);
	to = proto_put_number(to + size, number_type(value->field), value->number);
	packet.size = to - packet.bytes;
	proto_end(&packet, begin);
	return true;
}

static void put_any(const char *name, const struct value *value, const char *text, size_t size)
{
	size_t begin = proto_begin(&packet, EVENT_ANNOTATION);

	proto_bytes(&packet, ANNOTATION_NAME, name, strlen(name));	/* names of fields are ASCII */
	if (text)
		proto_text(&packet, ANNOTATION_TEXT, text, size);
	else if (value->field->type == VALUE_BYTES)
		put_hex(value);
	else if (value->field->type == VALUE_TEXT || value->text)
		proto_text(&packet, ANNOTATION_TEXT, value->text, value->size);
	else
		proto_varint(&packet, number_type(value->field), value->number);
	proto_end(&packet, begin);
}

static void put_annotation(void *ctx, const char *name, const struct value *value, uint64_t time)
{
	size_t size = 0;
	const char *text = functions_text(value, time, &size);
	bool is_number = !text && !value->text && value->field->type <= VALUE_UNSIGNED;

	if (!is_number || !put_number(name, value))
		put_any(name, value, text, size);
	(void)ctx;
}

static void put_category(const struct kind *kind)
{
	proto_bytes(&packet, EVENT_CATEGORY, kind->name,
		    kind->marker > kind->name ? kind->marker - kind->name - 1 : 0);
}

/**
 * struct position - where the lengths of open messages are
 * @packet: of the TracePacket
 * @event: of the TrackEvent in it
 */
struct position {
	size_t packet;
	size_t event;
};

static struct position begin_event(const struct track *track, enum mark mark, uint64_t time)
{
	struct position at = { .packet = begin_packet() };
	uint8_t *to = packet.bytes + packet.size;	/* so far there is room */

	to = proto_put_number(to, PACKET_TIMESTAMP, time);
	to = proto_put_begin(to, PACKET_TRACK_EVENT);
	at.event = to - packet.bytes;
	to = proto_put_number(to, EVENT_TYPE, mark + 1);
	to = proto_put_number(to, EVENT_TRACK, track->id);
	packet.size = to - packet.bytes;
	return at;
}

static void end_event(FILE *out, struct position at)
{
	proto_end(&packet, at.event);
	end_packet(out, at.packet);
}

/* The usual type of counters has a sign, and no room for the largest numbers without one. */
static void put_counter(const struct value *counter)
{
	if (counter->field->type == VALUE_UNSIGNED && counter->number > INT64_MAX)
		proto_double(&packet, EVENT_DOUBLE_COUNTER, counter->number);
	else
		proto_varint(&packet, EVENT_COUNTER, counter->number);
}

static void put_mark(FILE *out, const struct track *track, enum mark mark, uint64_t time,
		     const char *name, const struct event *event,
		     const struct value *counter)
{
	struct position at = begin_event(track, mark, time);

	if (name)
		proto_text(&packet, EVENT_NAME, name, strlen(name));
	if (mark == MARK_COUNTER)
		put_counter(counter);
	if (event) {
		put_category(event->kind);
		shown_event(event, put_annotation, NULL);
	}
	end_event(out, at);
}

static void put_slice_end(FILE *out, const struct track *track, const struct event_copy *first,
		    const struct event *last)
{
	struct position at = begin_event(track, MARK_END, last->time);

	shown_end(first, last, put_annotation, NULL);
	end_event(out, at);
}

static void put_close(FILE *out, const struct track *track, const struct open_slice *slice,
		      const struct event *last)
{
	put_slice_end(out, track, slice->values, last);
}

static void put_slice(FILE *out, const struct track *track, const char *name,
		      const struct pair *pair, const struct event *last)
{
	struct position at = begin_event(track, MARK_BEGIN, pair->begin);

	proto_text(&packet, EVENT_NAME, name, strlen(name));
	put_category(last->kind);
	shown_begin(pair->values, put_annotation, NULL);
	end_event(out, at);
	put_slice_end(out, track, pair->values, last);
}

static void end(FILE *out)
{
	if (nr_cut)
		say("%" PRIu64 " event%s not fit in Perfetto's packets of %d KiB: fields are left out", nr_cut,
		    nr_cut == 1 ? " does" : "s do", PROTO_SIZE / 1024);
	(void)out;
}

const struct drawing drawing_perfetto = {
	.name = "perfetto",
	.suffix = ".perfetto",
	.begin = begin,
	.track = put_track,
	.mark = put_mark,
	.close = put_close,
	.slice = put_slice,
	.end = end,
};
