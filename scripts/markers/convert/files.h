/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the directories of a trace, and the part that can be read. libbabeltrace2 reads
 * nothing of a trace in which a stream ends with an incomplete packet.
 */
#ifndef _MARKERS_FILES_H
#define _MARKERS_FILES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct trace_files - the directories of a trace
 * @nr: number of directories: one, or the chunks of a recording made with --rotate
 * @path: the directories; each has metadata and streams
 * @temporary: for each directory, NULL or a temporary substitute: links to the good streams,
 *	and copies of the good parts of the others
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
 * @files: gets the directories
 * @path: the path that the user gave
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why, if there is none.
 */
int trace_files_find(struct trace_files *files, const char *path);

/**
 * trace_files_open() - trace_files_find(), then check the headers of the packets
 * @files: gets the directories
 * @path: the path that the user gave
 *
 * Prints what is damaged, with file and offset.
 *
 * Return: STATUS_OK; or STATUS_FAILED, if it is no trace at all.
 */
int trace_files_open(struct trace_files *files, const char *path);

/**
 * trace_files_close() - remove temporary files, and free the rest
 * @files: from trace_files_open()
 */
void trace_files_close(struct trace_files *files);

/**
 * trace_files_path() - the directory to read, perhaps a substitute
 * @files: from trace_files_open()
 * @i: its index
 *
 * Return: its path.
 */
const char *trace_files_path(const struct trace_files *files, size_t i);

#endif /* _MARKERS_FILES_H */
