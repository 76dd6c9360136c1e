/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracks of a viewer's timeline, and the marks on them: slices, instants and counters.
 * A format is a struct drawing. draw.c decides what goes on which track.
 */
#ifndef _MARKERS_TRACKS_H
#define _MARKERS_TRACKS_H

#include <stdio.h>

#include "../events/event.h"
#include "../pairs/pairs.h"

enum track_type {
	TRACK_CPU,
	TRACK_THREAD,
	TRACK_NAMED,
	TRACK_COUNTER,
};

#define MAX_DEPTH	32	/* nested slices that we remember */
#define MAX_TAKEN	64	/* successive slices that we know exactly */
#define MAX_ROWS	4096	/* of overlapping slices: further ones share the last */

#define MAX_OPEN_VALUES	65536	/* bytes of the fields of an open slice that we keep */

/**
 * struct open_slice - a slice that began with a MARK_BEGIN
 * @name: its name
 * @values: the fields of its begin; NULL: they take more than MAX_OPEN_VALUES
 */
struct open_slice {
	char *name;
	struct event_copy *values;
};

/* Slices cover the time from @begin to @end. */
struct taken {
	uint64_t begin;
	uint64_t end;
};

/**
 * struct track - a row of the timeline
 * @type: what it stands for
 * @id: its number, from 1
 * @lane: the track that it lies below, or NULL
 * @next: the next row for slices that overlap those in this one, or NULL
 * @number: number of the CPU or of the thread
 * @pid: process of the thread; 0: unknown
 * @name: its label
 * @text: what a format writes of it each time, to be freed; or NULL
 * @text_size: its bytes
 * @depth: number of open slices: they had a MARK_BEGIN, but no MARK_END yet
 * @open: the open slices
 * @marked: when the last MARK_BEGIN or MARK_END was, in nanoseconds
 * @has_begins: the track had a MARK_BEGIN
 * @nr_taken: entries of @taken
 * @taken: times that slices cover, in order
 * @covered: slices of tracks_take_row() cover a part up to this time
 */
struct track {
	enum track_type type;
	unsigned int id;
	const struct track *lane;
	struct track *next;
	int number;
	int pid;
	char *name;
	char *text;
	size_t text_size;
	unsigned int depth;
	struct open_slice open[MAX_DEPTH];
	uint64_t marked;
	bool has_begins;
	unsigned int nr_taken;
	struct taken *taken;
	uint64_t covered;
};

enum mark { MARK_BEGIN, MARK_END, MARK_INSTANT, MARK_COUNTER };

/**
 * struct drawing - a format
 * @name: its name for --format
 * @suffix: suffix of its files, with the point
 * @begin: write the beginning of the file
 * @track: announce a new track, or a new name of a track
 * @mark: draw a mark
 * @close: end the slice of the last MARK_BEGIN that is open; both NULL: it is too deep
 * @slice: draw a slice with a known end: a pair, and the event that ends it
 * @end: write the end of the file
 *
 * A mark has a time in nanoseconds, a name (NULL for MARK_COUNTER) and an event whose fields the
 * viewer shows (NULL: none). MARK_COUNTER has a number, @counter. A slice shows the fields of its
 * begin, and those of its end.
 */
struct drawing {
	const char *name;
	const char *suffix;
	void (*begin)(FILE *out, const struct trace_info *info);
	void (*track)(FILE *out, struct track *track);
	void (*mark)(FILE *out, const struct track *track, enum mark mark, uint64_t time,
		     const char *name, const struct event *event,
		     const struct value *counter);
	void (*close)(FILE *out, const struct track *track, const struct open_slice *slice,
		      const struct event *end);
	void (*slice)(FILE *out, const struct track *track, const char *name,
		      const struct pair *pair, const struct event *end);
	void (*end)(FILE *out);
};

extern const struct drawing drawing_perfetto;
extern const struct drawing drawing_chrome;

struct tracks;

/**
 * tracks_create() - make an empty table of tracks
 * @drawing: the format, which learns of each track
 * @out: the output file, the first argument of its functions
 *
 * Return: the table, for tracks_destroy().
 */
struct tracks *tracks_create(const struct drawing *drawing, FILE *out);

void tracks_destroy(struct tracks *tracks);

/**
 * tracks_get() - find a track or make one
 * @tracks: from tracks_create()
 * @type: what it stands for
 * @number: number of the CPU or thread, otherwise 0
 * @pid: process of the thread, or 0; a later thread with the same number may be of another one
 * @name: name of the track; that of a thread may change
 *
 * Return: the track, valid until tracks_destroy().
 */
struct track *tracks_get(struct tracks *tracks, enum track_type type, int number, int pid,
			 const char *name);

/**
 * tracks_get_cpu() - find the track of a CPU or make it
 * @tracks: from tracks_create()
 * @cpu: number of the CPU
 *
 * Return: the track, valid until tracks_destroy().
 */
struct track *tracks_get_cpu(struct tracks *tracks, unsigned int cpu);

/**
 * tracks_get_row() - find or make the first row for slices that do not nest
 * @tracks: from tracks_create()
 * @lane: the rows lie below this track; NULL: they stand alone
 * @name: name of each of these rows
 *
 * Return: the row, valid until tracks_destroy().
 */
struct track *tracks_get_row(struct tracks *tracks, const struct track *lane, const char *name);

/**
 * tracks_take_row() - find or make a row that has room for a slice
 * @tracks: from tracks_create()
 * @row: from tracks_get_row()
 * @begin: begin of the slice
 * @end: its end, not earlier than the ends of previous slices
 *
 * In such a row slices do not nest: others of this name are in other rows, except beyond MAX_ROWS.
 *
 * Return: the row, valid until tracks_destroy().
 */
struct track *tracks_take_row(struct tracks *tracks, struct track *row, uint64_t begin,
			      uint64_t end);

/**
 * tracks_nr_overlaps() - how many slices found no row with room?
 * @tracks: from tracks_create()
 *
 * Return: the number of slices that overlap others in their row.
 */
uint64_t tracks_nr_overlaps(const struct tracks *tracks);

/**
 * tracks_find_open() - find a track with an open slice
 * @tracks: from tracks_create()
 * @at: where to begin; 0 at first
 *
 * Return: the track; NULL: there is no more.
 */
struct track *tracks_find_open(const struct tracks *tracks, size_t *at);

/**
 * track_open() - remember a slice until its end
 * @track: its track
 * @name: its name, which is copied
 * @event: the event that begins it, whose fields are copied
 */
void track_open(struct track *track, const char *name, const struct event *event);

/**
 * track_close() - end the slice that began last
 * @track: its track
 * @slice: set to the slice, for track_free(); all NULL if it is too deep to be known
 *
 * Return: false if no slice is open.
 */
bool track_close(struct track *track, struct open_slice *slice);

void track_free(struct open_slice *slice);

/**
 * track_take() - reserve a part of a track for a slice
 * @track: the track
 * @begin: begin of the slice
 * @end: its end, not earlier than the ends of previous slices
 *
 * Slices may nest. They must not overlap in any other way.
 *
 * Return: whether the part was free.
 */
bool track_take(struct track *track, uint64_t begin, uint64_t end);

#endif /* _MARKERS_TRACKS_H */
