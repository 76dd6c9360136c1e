/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files that list markers.
 */
#ifndef _MARKERS_DEBUGFS_LISTS_H
#define _MARKERS_DEBUGFS_LISTS_H

#include "file.h"

/* available_markers, set_marker, filters; i_private: not used */
extern const struct marker_file marker_list_files[];

#endif /* _MARKERS_DEBUGFS_LISTS_H */
