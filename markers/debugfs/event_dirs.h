/* SPDX-License-Identifier: GPL-2.0 */
/* The directories events/ of recordings, with those of modules and of markers. */
#ifndef _MARKERS_DEBUGFS_EVENT_DIRS_H
#define _MARKERS_DEBUGFS_EVENT_DIRS_H

#include <linux/list.h>

struct dentry;
struct marker_module;
struct marker_recording;

/**
 * struct marker_event_dirs - events/ of a recording
 * @list:	of all of them
 * @recording:	the recording
 * @dir:	the directory
 *
 * Belongs to event_dirs.c.
 */
struct marker_event_dirs {
	struct list_head list;
	struct marker_recording *recording;
	struct dentry *dir;
};

/**
 * marker_event_dirs_create() - make events/
 * @dirs:	zeroes
 * @recording:	of this recording
 * @parent:	in its directory
 *
 * Context: Process context; sleeps.  Without the registry mutex.
 */
void marker_event_dirs_create(struct marker_event_dirs *dirs, struct marker_recording *recording,
			      struct dentry *parent);

/**
 * marker_event_dirs_remove() - remove it
 * @dirs:	from marker_event_dirs_create()
 *
 * Context: as marker_event_dirs_create(); waits for those who use its files.
 */
void marker_event_dirs_remove(struct marker_event_dirs *dirs);

/**
 * marker_event_dirs_add_module() - make events/<module> in all of them
 * @module:	the module, whose markers are ready
 *
 * Context: Process context; sleeps.  Without the registry mutex.
 */
void marker_event_dirs_add_module(struct marker_module *module);

/**
 * marker_event_dirs_remove_module() - remove it
 * @module:	the module, which goes next
 *
 * Context: as marker_event_dirs_add_module(); waits for those who use its files.
 */
void marker_event_dirs_remove_module(struct marker_module *module);

/**
 * marker_event_dirs_add_hists() - make the files hist of markers that have a hist now
 * @recording:	in the events/ of this recording
 *
 * Call it after its triggers have changed.  A file stays until its module is unloaded.
 *
 * Context: Process context; sleeps.  Without the registry mutex.
 */
void marker_event_dirs_add_hists(const struct marker_recording *recording);

#endif /* _MARKERS_DEBUGFS_EVENT_DIRS_H */
