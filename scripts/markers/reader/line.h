/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event as a line of text, by the code that writes the file "trace".
 */
#ifndef _MARKERS_READER_LINE_H
#define _MARKERS_READER_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "../events/event.h"

enum line_time {
	LINE_TIME_TRACE,	/* seconds of the trace clock */
	LINE_TIME_WALL,		/* date and time of day */
	LINE_TIME_DELTA,	/* seconds since the event before */
	LINE_TIME_RELATIVE,	/* seconds since the first one */
	NR_LINE_TIMES
};

/**
 * struct line_style - how lines look
 * @time: which time they have
 * @wall: for LINE_TIME_WALL: the clock; NULL: times are since 1970
 * @fields: names and values of fields in place of the text
 */
struct line_style {
	enum line_time time;
	const struct wall *wall;
	bool fields;
};

/**
 * line_put() - write an event, its stack in lines after that
 * @out: the output file
 * @event: the event, raw or not
 * @style: how it looks
 * @since: for LINE_TIME_DELTA and LINE_TIME_RELATIVE: the time from which on to count
 *
 * An event whose metadata have no format is written with the names of its fields.
 */
void line_put(FILE *out, struct event *event, const struct line_style *style, uint64_t since);

/**
 * line_put_columns() - write the columns up to the time, as readers of ftrace's text know them
 * @out: the output file
 * @event: the event
 */
void line_put_columns(FILE *out, const struct event *event);

#endif /* _MARKERS_READER_LINE_H */
