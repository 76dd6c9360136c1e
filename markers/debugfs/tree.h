/* SPDX-License-Identifier: GPL-2.0 */
/* The directory markers in debugfs; Documentation/ABI/testing/debugfs-markers. */
#ifndef _MARKERS_DEBUGFS_H
#define _MARKERS_DEBUGFS_H

#include <linux/init.h>

struct marker_debugfs_config;
struct marker_module;

/**
 * marker_tree_add_module() - make events/<module>
 * @module:	the module, whose markers are ready
 *
 * Context: Process context; sleeps.  Without the registry mutex.
 */
void marker_tree_add_module(struct marker_module *module);

/**
 * marker_tree_remove_module() - remove it
 * @module:	the module, which goes next
 *
 * Context: as marker_tree_add_module(); waits for those who use its files.
 */
void marker_tree_remove_module(struct marker_module *module);

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
