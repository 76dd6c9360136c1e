/* SPDX-License-Identifier: GPL-2.0 */
/* The files of last_boot/: the trace of the last boot, as text and as CTF. */
#ifndef _MARKERS_DEBUGFS_LAST_BOOT_FILES_H
#define _MARKERS_DEBUGFS_LAST_BOOT_FILES_H

#include <linux/fs.h>

extern const struct file_operations marker_last_boot_trace_fops;
extern const struct file_operations marker_last_boot_metadata_fops;

/* i_private: the CPU, by its place in struct marker_recovered. */
extern const struct file_operations marker_last_boot_stream_fops;

#endif /* _MARKERS_DEBUGFS_LAST_BOOT_FILES_H */
