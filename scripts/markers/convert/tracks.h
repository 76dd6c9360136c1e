/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracks of a viewer's timeline, and what is drawn on them: slices, instants and counters.
 * A format is a struct drawing; what belongs on which track is decided by draw.c.
 */
#ifndef _MARKERS_TRACKS_H
#define _MARKERS_TRACKS_H

#include <stdio.h>

#include "trace.h"

enum track_type {
	TRACK_CPU,
	TRACK_THREAD,
	TRACK_NAMED,
	TRACK_COUNTER,
};

#define MAX_DEPTH	32	/* slices inside each other whose names are kept */
#define MAX_TAKEN	64	/* slices beside each other that are known exactly */

/* From @begin to @end there are slices. */
struct taken {
	uint64_t begin;
	uint64_t end;
};

/**
 * struct track - a row of the timeline
 * @type: what it stands for
 * @id: from 1
 * @number: of the CPU, or of the thread
 * @pid: of the thread; 0: not known
 * @name: what is written at it
 * @depth: slices that are open: MARK_BEGIN came, and MARK_END did not
 * @open: their names
 * @has_begins: there was a MARK_BEGIN
 * @nr_taken: of @taken
 * @taken: by slices, in the order of time
 */
struct track {
	enum track_type type;
	unsigned int id;
	int number;
	int pid;
	char *name;
	unsigned int depth;
	char *open[MAX_DEPTH];
	bool has_begins;
	unsigned int nr_taken;
	struct taken *taken;
};

enum mark { MARK_BEGIN, MARK_END, MARK_INSTANT, MARK_COUNTER, MARK_SLICE };

/**
 * struct drawing - a format
 * @name: of it, for --format
 * @suffix: of a file, with its point
 * @begin: write what comes first
 * @track: a track is used from now on, or has another name
 * @mark: draw something
 * @end: write what comes last
 *
 * A mark has a time in nanoseconds, a name (NULL at MARK_COUNTER, and at a MARK_END without a
 * begin) and an event, whose fields are shown (NULL: none); MARK_COUNTER has a value. MARK_SLICE is
 * a slice whose end is known: its value is its length in nanoseconds.
 */
struct drawing {
	const char *name;
	const char *suffix;
	void (*begin)(FILE *out, const struct trace_info *info);
	void (*track)(FILE *out, const struct track *track);
	void (*mark)(FILE *out, const struct track *track, enum mark mark, uint64_t time,
		     const char *name, const struct event *event, int64_t value);
	void (*end)(FILE *out);
};

extern const struct drawing drawing_perfetto;
extern const struct drawing drawing_chrome;

struct tracks;

/**
 * tracks_create() - no tracks yet
 * @drawing: is told of each
 * @out: its first argument
 *
 * Return: to be freed by tracks_destroy().
 */
struct tracks *tracks_create(const struct drawing *drawing, FILE *out);

void tracks_destroy(struct tracks *tracks);

/**
 * tracks_get() - a track
 * @tracks: of tracks_create()
 * @type: what it stands for
 * @number: of the CPU or thread; another one for each track of one name
 * @pid: of the thread, or 0
 * @name: of the track, which for a thread may change
 *
 * Return: the track, until tracks_destroy().
 */
struct track *tracks_get(struct tracks *tracks, enum track_type type, int number, int pid,
			 const char *name);

/**
 * track_open() - remember the name of a slice, for its end
 * @track: where it begins
 * @name: is copied
 */
void track_open(struct track *track, const char *name);

/**
 * track_close() - the slice that began last ends
 * @track: where it began
 *
 * Return: its name, to be freed; or NULL, if it is not known.
 */
char *track_close(struct track *track);

/**
 * track_take() - take a part of a track for a slice
 * @track: the track
 * @begin: of the slice
 * @end: of it, not before those of the slices that were taken before
 *
 * Slices may be inside each other, and must not overlap otherwise.
 *
 * Return: whether it was taken.
 */
bool track_take(struct track *track, uint64_t begin, uint64_t end);

#endif /* _MARKERS_TRACKS_H */
