/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the directories of a trace, and the part that can be read. libbabeltrace2 reads
 * nothing of a trace in which a stream ends with an incomplete packet, or a file is no stream.
 */
#ifndef _MARKERS_TRACE_FILES_H
#define _MARKERS_TRACE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct trace_files - the directories of a trace
 * @root: the path that the user gave
 * @quiet: do not say what is damaged: the caller has done so
 * @nr: number of directories: one, or the parts of a recording: those of --rotate, snapshots
 * @path: the directories; each has metadata and streams
 * @temporary: for each directory, NULL or a temporary substitute: links to metadata and good
 *	streams, and copies of the good parts of the others. The parts of a recording that goes on
 *	have one from the beginning, with links to files that stay open
 * @damaged: a part of a stream was left out
 * @nr_strays: other files that were left out, as they are no streams
 */
struct trace_files {
	const char *root;
	bool quiet;
	size_t nr;
	char **path;
	char **temporary;
	bool damaged;
	unsigned int nr_strays;
};

/**
 * trace_files_find() - find the directories of a trace
 * @files: gets the directories
 * @path: the path that the user gave; it must outlive @files
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why, if there is none.
 */
int trace_files_find(struct trace_files *files, const char *path);

/**
 * trace_files_check() - check the headers of the packets, and make substitutes
 * @files: from trace_files_find(); unless @quiet, it prints what is damaged, with file and offset
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
 * trace_files_close() - remove temporary files, and free the rest
 * @files: from trace_files_find() or trace_files_open()
 */
void trace_files_close(struct trace_files *files);

/**
 * trace_files_have_stream() - is there anything to read?
 * @files: from trace_files_open()
 *
 * Return: whether there is a file of a stream, even if it is damaged from its beginning.
 */
bool trace_files_have_stream(const struct trace_files *files);

/**
 * trace_files_path() - the directory to read, perhaps a substitute
 * @files: from trace_files_open()
 * @i: its index
 *
 * Return: its path.
 */
const char *trace_files_path(const struct trace_files *files, size_t i);

/**
 * trace_files_text() - replace the paths of substitutes by those that the user knows
 * @files: from trace_files_open()
 * @text: a path, or a message with a path
 *
 * Return: the text, to be freed.
 */
char *trace_files_text(const struct trace_files *files, const char *text);

#endif /* _MARKERS_TRACE_FILES_H */
