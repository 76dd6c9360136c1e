/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files that events are read from: as text (reader_text.c), and as a CTF trace
 * (reader_ctf.c, reader_metadata.c); tree.c knows their names.
 *
 * An open file holds a reference to this module, by fops.owner, so rmmod fails while a
 * reader waits.
 */
#ifndef _MARKERS_READER_H
#define _MARKERS_READER_H

#include <linux/fs.h>

#include <markers/record/record.h>
#include "command_file.h"

/**
 * struct marker_view - what a file shows: its i_private
 * @recording:	of this recording
 * @cpu:	of this CPU, or RING_ALL_CPUS
 * @snapshot:	the snapshot, or the buffer that is written
 */
struct marker_view {
	struct marker_recording *recording;
	int cpu;
	bool snapshot;
};

/**
 * marker_reader_view() - what a file shows
 * @inode:	of the file
 *
 * Context: Any.
 * Return: the view.
 */
static inline const struct marker_view *marker_reader_view(const struct inode *inode)
{
	return inode->i_private;
}

/**
 * marker_reader_cpu_of() - the CPU whose events a file has
 * @inode:	of the file
 *
 * Context: Any.
 * Return: the CPU, or RING_ALL_CPUS.
 */
static inline int marker_reader_cpu_of(const struct inode *inode)
{
	return marker_reader_view(inode)->cpu;
}

/**
 * marker_reader_recording_of() - the recording whose events a file has
 * @inode:	of the file
 *
 * Context: Any.
 * Return: the recording.
 */
static inline struct marker_recording *marker_reader_recording_of(const struct inode *inode)
{
	return marker_reader_view(inode)->recording;
}

/**
 * marker_reader_get() - the buffer that a file shows
 * @inode:	of the file
 *
 * Context: Process context.
 * Return: as marker_recording_get().
 */
static inline struct marker_buffer *marker_reader_get(const struct inode *inode)
{
	const struct marker_view *view = marker_reader_view(inode);

	return marker_recording_get(view->recording, view->snapshot);
}

/**
 * marker_reader_open() - the buffer that a file shows, to be read for as long as it is open
 * @inode:	of the file
 *
 * Context: Process context.
 * Return: as marker_recording_open().
 */
static inline struct marker_buffer *marker_reader_open(const struct inode *inode)
{
	const struct marker_view *view = marker_reader_view(inode);

	return marker_recording_open(view->recording, view->snapshot);
}

/* Text: the events in the buffers; each event once; the snapshot. */
extern const struct marker_methods marker_reader_trace_file;
extern const struct marker_methods marker_reader_trace_pipe_file;
extern const struct marker_methods marker_reader_snapshot_file;
extern const struct marker_methods marker_reader_snapshot_cpu_file;

/* CTF: packets, each once; the packets in the buffers; their metadata. */
extern const struct marker_methods marker_reader_pipe_raw_file;
extern const struct marker_methods marker_reader_stream_file;
extern const struct marker_methods marker_reader_metadata_file;

#endif /* _MARKERS_READER_H */
