/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files that events are read from: as text, and as a CTF trace.
 */
#ifndef _MARKERS_READER_H
#define _MARKERS_READER_H

#include <linux/fs.h>

#define MARKERS_VERSION_MAJOR	0
#define MARKERS_VERSION_MINOR	1

/*
 * i_private of a file that has events of one CPU; of trace and trace_pipe with
 * those of all, RING_ALL_CPUS for @cpu.
 */
static inline void *marker_reader_private(int cpu)
{
	return (void *)(long)cpu;
}

/* Text: what is there; each event once. */
extern const struct file_operations marker_reader_trace_fops;
extern const struct file_operations marker_reader_trace_pipe_fops;

/* CTF: packets, each once; packets that are there; what they mean. */
extern const struct file_operations marker_reader_pipe_raw_fops;
extern const struct file_operations marker_reader_stream_fops;
extern const struct file_operations marker_reader_metadata_fops;

#endif /* _MARKERS_READER_H */
