/* SPDX-License-Identifier: GPL-2.0 */
/* The directory markers in debugfs; Documentation/ABI/testing/debugfs-markers. */
#ifndef _MARKERS_DEBUGFS_H
#define _MARKERS_DEBUGFS_H

#include <linux/init.h>

struct marker_debugfs_config;

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
 * marker_tree_say_where() - say in the kernel's log where the files are
 *
 * Or why there are none, and what to do.  The last message of a successful load.
 *
 * Context: Process context; sleeps.
 */
void __init marker_tree_say_where(void);

void marker_tree_exit(void);

#endif /* _MARKERS_DEBUGFS_H */
