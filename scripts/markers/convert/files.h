/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directories of a trace, and which part of them can be read: libbabeltrace2 reads
 * nothing of a trace if a stream does not end with a whole packet.
 */
#ifndef _MARKERS_FILES_H
#define _MARKERS_FILES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct trace_files - the directories of a trace
 * @nr: how many: more than one for a recording with --rotate
 * @path: each has metadata and streams
 * @temporary: a directory that stands for one, or NULL: of links to good streams
 *	and copies of what is good in others
 * @damaged: something was left out
 */
struct trace_files {
	size_t nr;
	char **path;
	char **temporary;
	bool damaged;
};

/**
 * trace_files_find() - find the directories of a trace
 * @files: is filled
 * @path: the directory that was given
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why, if there are none.
 */
int trace_files_find(struct trace_files *files, const char *path);

/**
 * trace_files_open() - trace_files_find(), and look at the packets' headers
 * @files: is filled
 * @path: the directory that was given
 *
 * Says what is damaged, with file and offset.
 *
 * Return: STATUS_OK; or STATUS_FAILED, if it is no trace at all.
 */
int trace_files_open(struct trace_files *files, const char *path);

/**
 * trace_files_close() - remove what was made, and forget the rest
 * @files: of trace_files_open()
 */
void trace_files_close(struct trace_files *files);

/**
 * trace_files_path() - the directory that can be read
 * @files: of trace_files_open()
 * @i: which
 *
 * Return: its path.
 */
const char *trace_files_path(const struct trace_files *files, size_t i);

#endif /* _MARKERS_FILES_H */
