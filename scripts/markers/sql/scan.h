/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the events or losses of some recordings, a recording after the other.
 */
#ifndef _MARKERS_SQL_SCAN_H
#define _MARKERS_SQL_SCAN_H

#include "tables.h"

/**
 * struct range - the part to read
 * @begin: from this time on, in nanoseconds of the trace clock
 * @end: up to this time
 * @cpu: the CPU; -1: all
 * @recording: number of the recording; -1: all
 * @empty: none of it
 */
struct range {
	uint64_t begin;
	uint64_t end;
	long cpu;
	long recording;
	bool empty;
};

#define NR_KNOWN	64	/* classes whose layout is remembered */

/**
 * struct scan - a place in it; all zero at first
 * @table: the table whose events are read
 * @range: the part
 * @number: number of the recording
 * @recording: the recording
 * @merge: its streams
 * @is_open: merge_begin() was called
 * @is_read: @merge has streams
 * @record: the event
 * @layout: its layout
 * @stream: its stream
 * @time: its time in nanoseconds, or that of the loss
 * @class: classes whose layout is known
 * @known: their layouts
 */
struct scan {
	const struct table *table;
	struct range range;
	size_t number;
	struct recording *recording;
	struct merge merge;
	bool is_open;
	bool is_read;
	const struct record *record;
	const struct layout *layout;
	const struct opened_stream *stream;
	uint64_t time;
	const struct event_class *class[NR_KNOWN];
	const struct layout *known[NR_KNOWN];
};

/**
 * scan_begin() - begin to read
 * @scan: the place; what it read before is left
 * @table: the table
 * @range: the part of it
 */
void scan_begin(struct scan *scan, const struct table *table, const struct range *range);

/**
 * scan_next() - go on to the next event, or of a table of losses, to the next loss
 * @scan: the place
 *
 * Return: whether there is one.
 */
bool scan_next(struct scan *scan);

/**
 * scan_end() - free a place
 * @scan: the place
 */
void scan_end(struct scan *scan);

#endif /* _MARKERS_SQL_SCAN_H */
