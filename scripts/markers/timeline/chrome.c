// SPDX-License-Identifier: GPL-2.0
/*
 * Chrome's JSON, which speedscope, chrome://tracing and Perfetto read. Times are in
 * microseconds, and each track is a thread of a process. A track that stands for no thread
 * becomes a thread of process 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/message.h"
#include "../base/put.h"
#include "../events/text.h"
#include "../formats/json_event.h"
#include "shown.h"
#include "tracks.h"

#define OTHERS	1000000000	/* first number of a track without a thread */

static bool begun;	/* an event was written */

/* A row below a thread is in the same process. */
static int pid_of(const struct track *track)
{
	if (track->lane)
		return pid_of(track->lane);
	return track->type == TRACK_THREAD ? track->pid : 0;
}

static unsigned int tid_of(const struct track *track)
{
	return track->type == TRACK_THREAD ? (unsigned int)track->number : OTHERS + track->id;
}

static void begin(FILE *out, const struct trace_info *info)
{
	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"host\":", out);
	json_string(out, info->host, strlen(info->host));
	fputs(",\"kernel\":", out);
	json_string(out, info->release, strlen(info->release));
	fputs("},\"traceEvents\":[\n", out);
	begun = false;
}

static void put_between(FILE *out)
{
	if (begun)
		put_string(out, ",\n");
	begun = true;
}

/* The members of each event in the track, from behind the letter of its phase up to its time. */
static void keep_members(struct track *track)
{
	if (track->text)
		return;
	track->text = format_text("\",\"pid\":%d,\"tid\":%u,\"ts\":", pid_of(track), tid_of(track));
	track->text_size = strlen(track->text);
}

/* Rows are in the order of their numbers, and those below a row follow it, with its name. */
static void put_track(FILE *out, struct track *track)
{
	const struct track *lane = track->lane ? track->lane : track;
	char *name;

	keep_members(track);
	if (track->type == TRACK_COUNTER)
		return;		/* each of its values carries its name */
	put_between(out);
	fprintf(out, "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%d,\"tid\":%u,\"args\":{\"sort_index\":%u}},\n",
		pid_of(track), tid_of(track), 2 * tid_of(lane) + !!track->lane);
	fprintf(out, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%u,\"args\":{\"name\":",
		pid_of(track), tid_of(track));
	name = format_text(track->lane ? "%s, %s" : "%s", track->name, lane->name);
	json_string(out, name, strlen(name));
	free(name);
	fputs("}}", out);
}

/* Write nanoseconds as microseconds. */
static void put_time(FILE *out, uint64_t time)
{
	text_decimal(out, time / 1000, 1);
	putc_unlocked('.', out);
	text_decimal(out, time % 1000, 3);
}

/* Write the first members of an event. */
static void put_event(FILE *out, const struct track *track, char phase, uint64_t time)
{
	put_between(out);
	put_string(out, "{\"ph\":\"");
	putc_unlocked(phase, out);
	put_bytes(out, track->text, track->text_size);
	put_time(out, time);
}

static void put_name(FILE *out, const char *name)
{
	put_string(out, ",\"name\":");
	json_string(out, name, strlen(name));
}

/**
 * struct members - an object that is being written
 * @out: the output file
 * @begun: it has a member
 */
struct members {
	FILE *out;
	bool begun;
};

static struct members begin_args(FILE *out)
{
	put_string(out, ",\"args\":{");
	return (struct members){ out, false };
}

static void put_member(void *ctx, const char *name, const struct value *value, uint64_t time)
{
	struct members *members = ctx;

	if (members->begun)
		putc_unlocked(',', members->out);
	json_named(members->out, name, value, time);
	members->begun = true;
}

static void put_counter(FILE *out, const struct value *counter)
{
	put_string(out, ",\"args\":{\"value\":");
	if (counter->field->type == VALUE_SIGNED)
		text_signed(out, counter->number);
	else
		text_decimal(out, counter->number, 1);
	put_string(out, "}}");
}

static void put_mark(FILE *out, const struct track *track, enum mark mark, uint64_t time,
		     const char *name, const struct event *event,
		     const struct value *counter)
{
	struct members args;

	if (mark == MARK_COUNTER)
		name = track->name;
	put_event(out, track, "BEiC"[mark], time);
	if (name)
		put_name(out, name);
	if (mark == MARK_COUNTER) {
		put_counter(out, counter);
		return;
	}
	if (mark == MARK_INSTANT)
		put_string(out, event ? ",\"s\":\"t\"" : ",\"s\":\"g\"");
	args = begin_args(out);
	if (event)
		shown_event(event, put_member, &args);
	put_string(out, "}}");
}

/* speedscope complains unless the end has the name and the fields of the begin, and no others. */
static void put_close(FILE *out, const struct track *track, const struct open_slice *slice,
		      const struct event *last)
{
	struct members args;

	put_event(out, track, 'E', last->time);
	if (slice->name)
		put_name(out, slice->name);
	args = begin_args(out);
	shown_begin(slice->values, put_member, &args);
	put_string(out, "}}");
}

static void put_slice(FILE *out, const struct track *track, const char *name,
		      const struct pair *pair, const struct event *last)
{
	struct members args;

	put_event(out, track, 'X', pair->begin);
	put_string(out, ",\"dur\":");
	put_time(out, pair->end - pair->begin);
	put_name(out, name);
	args = begin_args(out);
	shown_begin(pair->values, put_member, &args);
	shown_end(pair->values, last, put_member, &args);
	put_string(out, "}}");
}

static void end(FILE *out)
{
	fputs("\n]}\n", out);
}

const struct drawing drawing_chrome = {
	.name = "chrome",
	.suffix = ".json",
	.begin = begin,
	.track = put_track,
	.mark = put_mark,
	.close = put_close,
	.slice = put_slice,
	.end = end,
};
