/* SPDX-License-Identifier: GPL-2.0 */
/* The directories events/ of recordings, with those of modules and of markers. */
#ifndef _MARKERS_DEBUGFS_EVENT_DIRS_H
#define _MARKERS_DEBUGFS_EVENT_DIRS_H

#include "dir.h"

struct marker_module;

/* events */
extern const struct marker_file marker_events_files[];

/**
 * marker_event_dirs_remove() - let go of events/<module> in all recordings
 * @module:	the module, which goes next, and has is_going
 *
 * Context: as marker_dir_remove(); waits for those who use its files.
 */
void marker_event_dirs_remove(struct marker_module *module);

#endif /* _MARKERS_DEBUGFS_EVENT_DIRS_H */
