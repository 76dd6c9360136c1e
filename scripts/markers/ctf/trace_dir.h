/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory of a CTF trace, metadata and streams: a recording, or a part of one.
 */
#ifndef _MARKERS_TRACE_DIR_H
#define _MARKERS_TRACE_DIR_H

#include <stdbool.h>

/* What users are told of other files. */
#define NO_STREAM	"is left out: its name is not stream_N (N = 0, 1, 2 ...)"

/**
 * trace_dir_stream() - find out which CPU a stream is of by its name
 * @name: name of the file
 *
 * Return: N of "stream_N"; -1 if it is not the name of a stream.
 */
long trace_dir_stream(const char *name);

/**
 * trace_dir_is_part() - is it the name of a part of a recording?
 * @name: name of a directory
 *
 * The parts of --rotate are 000001, 000002 and so on. While streams are written to one, its name
 * ends in TRACE_DIR_OPEN.
 *
 * Return: whether it is, open or complete.
 */
bool trace_dir_is_part(const char *name);

#define TRACE_DIR_OPEN	".open"

/* A hidden file, as readers skip these: what a recording needs to end when the disk is full. */
#define TRACE_DIR_RESERVE	".reserve"

/* A hidden file in a part that stays open: not all of it came to the disk. */
#define TRACE_DIR_UNWRITTEN	".not-on-disk"

/* What a sender calls the directory of a trace at a collector. */
#define TRACE_DIR_SENT	"markers"

/**
 * trace_dir_clear() - remove the files of a trace
 * @dir: file descriptor of its directory, which this closes
 *
 * Return: 0, or -1 with errno if the directory cannot be read.
 */
int trace_dir_clear(int dir);

#endif /* _MARKERS_TRACE_DIR_H */
