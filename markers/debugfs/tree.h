/* SPDX-License-Identifier: GPL-2.0 */
/* The directory markers in debugfs; Documentation/ABI/testing/debugfs-markers. */
#ifndef _MARKERS_DEBUGFS_H
#define _MARKERS_DEBUGFS_H

#include <linux/init.h>

#include <markers/switch/modules.h>

struct dentry;
struct marker_recording;
struct marker_view;

/* events/<module>: for marker_modules_init(). */
extern const struct marker_modules_ops marker_debugfs_modules_ops;

/**
 * struct marker_debugfs_config - parameters of the module
 * @gid:	the group of all files
 * @mode:	their permissions; a read-only file gets the read permissions only
 */
struct marker_debugfs_config {
	unsigned int gid;
	unsigned int mode;
};

/**
 * marker_tree_init() - make the directory
 * @config:	group and permissions
 *
 * It is no error if debugfs is missing or closed: modules with markers work without it.
 * The log says so, and what to do.
 *
 * Context: Process context; sleeps.
 * Return: 0, -ENOMEM, or -EINVAL for a bad parameter, which is in the log.
 */
int __init marker_tree_init(const struct marker_debugfs_config *config);

/**
 * marker_tree_create_views() - what the files of a recording can show
 * @recording:	the recording
 *
 * Context: Process context; sleeps.
 * Return: an array for marker_tree_create_recording() and kvfree(), or NULL.
 */
struct marker_view *marker_tree_create_views(struct marker_recording *recording);

/**
 * marker_tree_create_recording() - make the files of a recording
 * @dir:	in this directory
 * @views:	from marker_tree_create_views(); the files use it until they are removed
 *
 * Context: Process context; sleeps.
 */
void marker_tree_create_recording(struct dentry *dir, struct marker_view *views);

/**
 * marker_tree_add_hists() - make the files hist of markers that have a hist now
 *
 * Call it after triggers have changed.  A file stays until its module is unloaded.
 *
 * Context: Process context; sleeps.  Without the registry mutex.
 */
void marker_tree_add_hists(void);

/**
 * marker_tree_say_where() - say in the kernel's log where the files are
 *
 * Or why there are none, and what to do.  The last message of a successful load.
 *
 * Context: Process context; sleeps.
 */
void __init marker_tree_say_where(void);

void marker_tree_exit(void);

#endif /* _MARKERS_DEBUGFS_H */
