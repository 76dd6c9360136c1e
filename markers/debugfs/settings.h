/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that control how events are recorded: on or off, sizes, clock; and error_log.
 */
#ifndef _MARKERS_DEBUGFS_SETTINGS_H
#define _MARKERS_DEBUGFS_SETTINGS_H

#include "file.h"

extern const struct marker_file marker_settings_files[];

#endif /* _MARKERS_DEBUGFS_SETTINGS_H */
