/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the directories of a trace, and the part that can be read. libbabeltrace2 reads
 * nothing of a trace in which a stream ends with an incomplete packet, or a file is no stream.
 */
#ifndef _MARKERS_TRACE_FILES_H
#define _MARKERS_TRACE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "trace_part.h"

/**
 * struct trace_files - the files of a trace, which are open
 * @root: the path that the user gave
 * @quiet: do not say what is damaged
 * @nr: number of parts: one, or those of a recording: of --rotate, or snapshots
 * @part: the parts
 * @damaged: something was left out
 * @nr_strays: files of all parts that are no streams
 * @nr_unread: streams of all parts that cannot be opened
 * @nr_closed: folders that cannot be searched
 * @nr_refused: parts that are left out for their metadata
 * @levels: how many levels of directories are searched for traces
 * @looks: number of directories found so far; only the first MAX_LOOKS are searched
 */
struct trace_files {
	const char *root;
	bool quiet;
	size_t nr;
	struct trace_part *part;
	bool damaged;
	unsigned int nr_strays;
	unsigned int nr_unread;
	unsigned int nr_closed;
	unsigned int nr_refused;
	unsigned int levels;
	unsigned int looks;
};

/**
 * trace_files_find() - find the directories of a trace
 * @files: gets the directories
 * @path: the path that the user gave, of a directory or a packed recording; it must outlive @files
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why, if there is none.
 */
int trace_files_find(struct trace_files *files, const char *path);

/**
 * trace_files_check() - leave out the parts that markers.ko did not write
 * @files: from trace_files_find(); unless @quiet, it prints what is left out, and why
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why, if nothing can be read.
 */
int trace_files_check(struct trace_files *files);

/**
 * trace_files_open() - trace_files_find() and trace_files_check()
 * @files: gets the directories
 * @path: the path that the user gave; it must outlive @files
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int trace_files_open(struct trace_files *files, const char *path);

/**
 * trace_files_close() - close the files, and free the rest
 * @files: from trace_files_find() or trace_files_open()
 */
void trace_files_close(struct trace_files *files);

/**
 * trace_files_check_stream() - is there anything to read?
 * @files: from trace_files_open()
 * @path: the path that the user gave
 *
 * Return: STATUS_OK if there is a file of a stream, even if it is damaged from its beginning;
 *	or STATUS_FAILED, and says so.
 */
int trace_files_check_stream(const struct trace_files *files, const char *path);

#endif /* _MARKERS_TRACE_FILES_H */
