/* SPDX-License-Identifier: GPL-2.0 */
/* The files of last_boot/: the trace of the last boot, as text and as CTF. */
#ifndef _MARKERS_DEBUGFS_LAST_BOOT_FILES_H
#define _MARKERS_DEBUGFS_LAST_BOOT_FILES_H

#include "file.h"

extern const struct marker_methods marker_last_boot_trace_file;
extern const struct marker_methods marker_last_boot_metadata_file;

/* i_private: the CPU, by its place in struct marker_recovered. */
extern const struct marker_methods marker_last_boot_stream_file;

#endif /* _MARKERS_DEBUGFS_LAST_BOOT_FILES_H */
