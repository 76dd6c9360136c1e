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

/**
 * struct track - a row of the timeline
 * @type: what it stands for
 * @id: from 1
 * @number: of the CPU, or of the thread
 * @pid: of the thread; 0: not known
 * @name: what is written at it
 */
struct track {
	enum track_type type;
	unsigned int id;
	int number;
	int pid;
	char *name;
};

enum mark { MARK_BEGIN, MARK_END, MARK_INSTANT, MARK_COUNTER };

/**
 * struct drawing - a format
 * @name: of it, for --format
 * @suffix: of a file, with its point
 * @begin: write what comes first
 * @track: a track is used from now on
 * @mark: draw something
 * @end: write what comes last
 *
 * A mark has a time in nanoseconds, a name (NULL at MARK_END and MARK_COUNTER) and an event,
 * whose fields are shown (NULL: none); MARK_COUNTER has a value.
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
 * @name: of the track, at its first use
 *
 * Return: the track, until tracks_destroy().
 */
const struct track *tracks_get(struct tracks *tracks, enum track_type type, int number, int pid,
			       const char *name);

#endif /* _MARKERS_TRACKS_H */
