/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of a directory with metadata and streams. A recording that goes on gives its parts other
 * names, and removes some. So all files of a part are opened at once, and stay open.
 */
#ifndef _MARKERS_TRACE_PART_H
#define _MARKERS_TRACE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/**
 * struct trace_stream - the packets of one CPU
 * @path: the file
 * @cpu: the CPU in its name
 * @fd: the file; -1: more files than can be open at a time, so it is opened when it is read
 * @size: its bytes when it was opened
 */
struct trace_stream {
	char *path;
	long cpu;
	int fd;
	off_t size;
};

/**
 * trace_stream_open() - get a file descriptor of a stream
 * @stream: the stream
 *
 * Return: for trace_stream_close(); or -1 with errno.
 */
int trace_stream_open(const struct trace_stream *stream);

/**
 * trace_stream_close() - give it back; errno stays
 * @stream: the stream
 * @fd: from trace_stream_open()
 */
void trace_stream_close(const struct trace_stream *stream, int fd);

/**
 * struct trace_part - a directory with metadata and streams
 * @path: the directory
 * @metadata: the text
 * @metadata_size: its bytes
 * @in_packets: it was in packets
 * @nr_streams: number of streams
 * @stream: the streams
 * @nr_strays: number of other files, which are left out, as they are no streams
 * @stray: their paths
 * @nr_unread: number of streams that cannot be opened, and are left out
 * @unread: their paths, and why
 */
struct trace_part {
	char *path;
	char *metadata;
	size_t metadata_size;
	bool in_packets;
	unsigned int nr_streams;
	struct trace_stream *stream;
	unsigned int nr_strays;
	char **stray;
	unsigned int nr_unread;
	char **unread;
};

/**
 * trace_part_open() - open the files of a directory
 * @part: has the path; gets the rest
 *
 * Return: 0; or -1 with errno, then trace_part_close() is needed, too.
 */
int trace_part_open(struct trace_part *part);

/**
 * trace_part_close() - close the files, and free all, with the path
 * @part: the directory
 */
void trace_part_close(struct trace_part *part);

#endif /* _MARKERS_TRACE_PART_H */
