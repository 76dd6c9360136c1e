/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files publish and published.
 */
#ifndef _MARKERS_DEBUGFS_PUBLISH_FILES_H
#define _MARKERS_DEBUGFS_PUBLISH_FILES_H

#include "file.h"

extern const struct marker_file marker_publish_files[];

#endif /* _MARKERS_DEBUGFS_PUBLISH_FILES_H */
