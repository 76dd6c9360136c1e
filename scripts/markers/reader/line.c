// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../base/kernel.h"

#include <markers/format/context.h>
#include <markers/format/print.h>

#include "../base/append.h"
#include "../base/put.h"
#include "../events/functions.h"
#include "../events/text.h"
#include "columns.h"
#include "line.h"
#include "origin.h"
#include "record.h"
#include "wall.h"

/* Of sixteen strings each character may be an escape; a stack has 255 addresses. */
#define LINE_SIZE	(160 * 1024)
#define MAX_TITLE	(LINE_SIZE - 512)	/* what stands before it is shorter */

#define SECOND		1000000000ll

/* What a second is counted from, and how it is shown. */
enum second { SECOND_SINCE, SECOND_BEFORE, SECOND_DATE };

/* Write a second and the point after it. Return: bytes. */
static size_t print_second(char *buf, size_t size, enum second what, int64_t second)
{
	const time_t time = second;
	char text[64];
	struct tm tm;

	if (what == SECOND_DATE)
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", localtime_r(&time, &tm));
	else
		snprintf(text, sizeof(text), "%s%lld", what == SECOND_BEFORE ? "-" : "", (long long)second);
	return snprintf(buf, size, "%5s.", text);
}

/* The second of the last event is kept: most events have the same. Return: where it ends. */
static char *put_second(char *to, enum second what, int64_t second)
{
	static __thread struct {
		enum second what;
		int64_t second;
		size_t size;
		char text[24];	/* a date, or a sign and eleven digits */
	} last;

	if (second != last.second || what != last.what || !last.size) {
		last.what = what;
		last.second = second;
		last.size = print_second(last.text, sizeof(last.text), what, second);
	}
	memcpy(to, last.text, sizeof(last.text));
	return to + last.size;
}

/* Return: where the time ends. */
static char *put_time(char *to, const struct event *event, const struct line_style *style, uint64_t since)
{
	const uint64_t from = style->time == LINE_TIME_TRACE ? 0 : since;
	enum second what = SECOND_SINCE;
	int64_t second;
	uint64_t ns;

	if (style->time == LINE_TIME_WALL) {
		what = SECOND_DATE;
		ns = style->wall ? wall_of(style->wall, event->time) : event->time;
		second = (int64_t)ns / SECOND - ((int64_t)ns % SECOND < 0);	/* that below, before 1970, too */
	} else {
		if (event->time < from)
			what = SECOND_BEFORE;
		ns = what == SECOND_BEFORE ? from - event->time : event->time - from;
		second = ns / SECOND;
	}
	to = put_second(to, what, second);
	return append_digits(to, ns - (uint64_t)second * SECOND, 9);
}

/* Return: where the columns end, up to the title and its colon. */
static char *put_heading(char *to, const struct event *event, const struct line_style *style, uint64_t since)
{
	size_t size;
	const char *columns = columns_text(event, event->description->context_set, &size);

	to = put_time(mempcpy(to, columns, size), event, style, since);
	*to++ = ':';
	*to++ = ' ';
	to = mempcpy(to, event->kind->name, min_t(size_t, event->kind->name_size, MAX_TITLE));
	*to++ = ':';
	return to;
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

/* The stack, in lines below the event; nothing if there is none. */
static size_t put_stack(char *buf, size_t size, const struct event *event)
{
	struct marker_contexts contexts;

	if (!marker_context_has(event->description->context_set, MARKER_CONTEXT_CALLSTACK))
		return 0;
	record_contexts(&contexts, event->record, event->description);
	return marker_print_callstack(buf, size, &contexts, false);
}

void line_put(FILE *out, struct event *event, const struct line_style *style, uint64_t since)
{
	static __thread char buf[LINE_SIZE];
	const struct record *record = event->record;
	size_t len;

	reader_origin = (struct origin){ event->description, event->time };
	len = put_heading(buf, event, style, since) - buf;
	if (style->fields || !record->class->has_words) {
		record_fields(event, record, event->description);
		put_bytes(out, buf, len);
		text_fields(out, event, put_name);
		len = 0;
	} else {
		len += put_words(buf + len, LINE_SIZE - len, record);
	}
	buf[len++] = '\n';
	len += put_stack(buf + len, LINE_SIZE - len, event);
	put_bytes(out, buf, len);
}

void line_put_columns(FILE *out, const struct event *event)
{
	size_t size;
	const char *columns = columns_text(event, BIT(MARKER_CONTEXT_TID) | BIT(MARKER_CONTEXT_PID) |
					   BIT(MARKER_CONTEXT_FLAGS) | BIT(MARKER_CONTEXT_PROCNAME), &size);

	put_bytes(out, columns, size);
}
