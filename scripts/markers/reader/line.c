// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../base/kernel.h"

#include <markers/format/context.h>
#include <markers/format/print.h>

#include "../base/put.h"
#include "../events/functions.h"
#include "../events/text.h"
#include "line.h"
#include "origin.h"
#include "record.h"
#include "wall.h"

/* Of sixteen strings each character may be an escape; a stack has 255 addresses. */
#define LINE_SIZE	(160 * 1024)

#define SECOND		1000000000ll

/* The date and the second of the last event: most events have the same. */
static const char *date_of(time_t second)
{
	static __thread char text[64];
	static __thread time_t of = -1;
	struct tm tm;

	if (second != of || !*text) {
		of = second;
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", localtime_r(&second, &tm));
	}
	return text;
}

/* Return: bytes of the columns, up to the title and its colon. */
static size_t put_heading(char *buf, size_t size, const struct event *event,
			  const struct marker_contexts *contexts,
			  const struct line_style *style, uint64_t since)
{
	const uint64_t from = style->time == LINE_TIME_TRACE ? 0 : since;
	const char *seconds;
	char before[32];
	int64_t ns, second;
	size_t len;

	if (style->time == LINE_TIME_WALL) {
		ns = style->wall ? wall_of(style->wall, event->time) : event->time;
		second = ns / SECOND - (ns % SECOND < 0);	/* that below, before 1970, too */
		seconds = date_of(second);
		ns -= second * SECOND;
	} else if (event->time >= from) {
		return marker_print_heading(buf, size, contexts, event->cpu, (event->time - from) / SECOND,
					    (event->time - from) % SECOND, event->kind->name);
	} else {
		snprintf(before, sizeof(before), "-%llu", (from - event->time) / SECOND);
		seconds = before;
		ns = (from - event->time) % SECOND;
	}
	len = marker_print_columns(buf, size, contexts, event->cpu);
	return len + snprintf(buf + len, size - len, "%5s.%09u: %s:", seconds, (unsigned int)ns,
			      event->kind->name);
}

/* Write the name of a function, if the value is its address. */
static void put_name(FILE *out, const struct event *event, const struct value *value)
{
	size_t size;
	const char *text = value->field->base == 16 ? functions_text(value, event->time, &size) : NULL;

	if (text)
		fwrite_unlocked(strchr(text, ' '), 1, text + size - strchr(text, ' '), out);
}

/* The words of the format, after a blank; nothing if there are none. */
static size_t put_words(char *buf, size_t size, const struct record *record)
{
	size_t len = marker_print_event(buf + 1, size - 1, record->class->format, record->fields);

	*buf = ' ';
	return len ? len + 1 : 0;
}

void line_put(FILE *out, struct event *event, const struct line_style *style, uint64_t since)
{
	static __thread char buf[LINE_SIZE];
	const struct record *record = event->record;
	struct marker_contexts contexts;
	size_t len;

	reader_origin = (struct origin){ event->description, event->time };
	record_contexts(&contexts, record, event->description);
	len = put_heading(buf, LINE_SIZE, event, &contexts, style, since);
	if (style->fields || !record->class->has_words) {
		record_values(event, record, event->description);
		put_bytes(out, buf, len);
		text_fields(out, event, put_name);
		len = 0;
	} else {
		len += put_words(buf + len, LINE_SIZE - len, record);
	}
	buf[len++] = '\n';
	if (contexts.nr_frames)
		len += marker_print_callstack(buf + len, LINE_SIZE - len, &contexts, false);
	put_bytes(out, buf, len);
}

void line_put_columns(FILE *out, const struct event *event)
{
	struct marker_contexts contexts;
	char buf[256];

	record_contexts(&contexts, event->record, event->description);
	contexts.set &= BIT(MARKER_CONTEXT_TID) | BIT(MARKER_CONTEXT_PID) |
			BIT(MARKER_CONTEXT_FLAGS) | BIT(MARKER_CONTEXT_PROCNAME);
	put_bytes(out, buf, marker_print_columns(buf, sizeof(buf), &contexts, event->cpu));
}
