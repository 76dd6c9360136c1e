/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files that events are read from: as text (reader_text.c), and as a CTF trace
 * (reader_ctf.c); tree.c knows their names.
 *
 * An open file holds a reference to this module, by fops.owner, so rmmod fails while a
 * reader waits.
 */
#ifndef _MARKERS_READER_H
#define _MARKERS_READER_H

#include <linux/fs.h>

/**
 * marker_reader_private() - i_private of a file that has events
 * @cpu:	of this CPU, or RING_ALL_CPUS
 * @snapshot:	of the snapshot, or of the buffer that is written
 *
 * Context: Any.
 * Return: the CPU and the kind of buffer, packed; marker_reader_cpu() and
 * marker_reader_is_snapshot() unpack it.
 */
static inline void *marker_reader_private(int cpu, bool snapshot)
{
	return (void *)((long)cpu * 2 + snapshot);
}

/**
 * marker_reader_cpu() - the CPU in a marker_reader_private()
 * @private:	i_private
 *
 * Context: Any.
 * Return: the CPU, or RING_ALL_CPUS.
 */
static inline int marker_reader_cpu(const void *private)
{
	return (long)private >> 1;
}

/**
 * marker_reader_is_snapshot() - the kind of buffer in a marker_reader_private()
 * @private:	i_private
 *
 * Context: Any.
 * Return: true for the snapshot.
 */
static inline bool marker_reader_is_snapshot(const void *private)
{
	return (long)private & 1;
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
	return marker_reader_cpu(inode->i_private);
}

/**
 * marker_reader_snapshot_of() - does a file show the snapshot?
 * @inode:	of the file
 *
 * Context: Any.
 * Return: true for the snapshot.
 */
static inline bool marker_reader_snapshot_of(const struct inode *inode)
{
	return marker_reader_is_snapshot(inode->i_private);
}

/* Text: the events in the buffers; each event once; the snapshot. */
extern const struct file_operations marker_reader_trace_fops;
extern const struct file_operations marker_reader_trace_pipe_fops;
extern const struct file_operations marker_reader_snapshot_fops;
extern const struct file_operations marker_reader_snapshot_cpu_fops;

/*
 * CTF: packets, each once; the packets in the buffers; their metadata.  The first one
 * can be spliced, so it needs debugfs_create_file_unsafe(): its data stay until this
 * module is unloaded, and an open file prevents that.
 */
extern const struct file_operations marker_reader_pipe_raw_fops;
extern const struct file_operations marker_reader_stream_fops;
extern const struct file_operations marker_reader_metadata_fops;

#endif /* _MARKERS_READER_H */
