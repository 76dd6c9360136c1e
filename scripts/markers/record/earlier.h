/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A directory with a recording for each start, as that of a service. Each start has clocks and
 * symbols of its own, so no recording goes on in another one. But the limits are for all of them.
 */
#ifndef _MARKERS_EARLIER_H
#define _MARKERS_EARLIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/**
 * struct earlier - the recordings of earlier starts
 * @path: the directory, or NULL if there is none
 * @dir: its file descriptor; the lock on it ends with this process and its guard
 * @own: name of the recording of this start, the last one
 * @parts: number of parts in the others
 * @bytes: bytes of these recordings
 * @counted: when an entry of the directory had last changed before that
 * @stuck: parts that could not be removed, "START/PART"; they count nowhere
 * @nr_stuck: number of these
 * @nr_removed: number of parts that were removed
 */
struct earlier {
	const char *path;
	int dir;
	char *own;
	unsigned int parts;
	uint64_t bytes;
	struct timespec counted;
	char **stuck;
	unsigned int nr_stuck;
	unsigned int nr_removed;
};

/**
 * earlier_open() - take a directory for this start
 * @earlier: gets the state; with all zeros, the other functions find nothing
 * @path: the directory, which is made; it must outlive @earlier
 * @name: how this recording is to be called, "markers-DATE-TIME"
 *
 * One at a time has the directory. A name that is not behind the last one there, as after a change of
 * the clock, becomes the last one with a number. Removes recordings without any part. Those that have
 * other things, as streams or snapshots, count nowhere and stay. So does one that a recorder
 * without --below is writing.
 *
 * Return: the path of the recording of this start, to be freed; NULL, and says why.
 */
char *earlier_open(struct earlier *earlier, const char *path, const char *name);

/**
 * earlier_look() - count what is there, if one of the recordings has come or gone
 * @earlier: @parts and @bytes change
 *
 * That is cheap. A part that somebody has moved away still counts.
 */
void earlier_look(struct earlier *earlier);

/**
 * earlier_count() - count what is there
 * @earlier: @parts and @bytes change
 */
void earlier_count(struct earlier *earlier);

/**
 * earlier_remove() - remove the oldest part
 * @earlier: a recording goes with its last part
 * @freed: whether there is more room on the disk
 *
 * All of these recordings have ended, so a part that is still open may go, too. One that cannot be
 * removed, as somebody has a file there, counts no more: it says so, once for each recording.
 *
 * Return: whether there was one that counts.
 */
bool earlier_remove(struct earlier *earlier, bool *freed);

/**
 * earlier_make_room() - if the disk is full, remove parts until there is room
 * @earlier: from earlier_open()
 * @size: bytes
 */
void earlier_make_room(struct earlier *earlier, size_t size);

#endif /* _MARKERS_EARLIER_H */
