/* SPDX-License-Identifier: GPL-2.0 */
/* The directory markers in debugfs; Documentation/ABI/testing/debugfs-markers. */
#ifndef _MARKERS_DEBUGFS_H
#define _MARKERS_DEBUGFS_H

#include <linux/init.h>

#include <markers/switch/modules.h>

/* events/<module>: for marker_modules_init(). */
extern const struct marker_modules_ops marker_debugfs_modules_ops;

/* Without debugfs in the kernel, or with it locked up, there is just no file. */
void __init marker_debugfs_init(void);

/* The last message of a load that succeeded. */
void __init marker_debugfs_say_where(void);
void marker_debugfs_exit(void);

#endif /* _MARKERS_DEBUGFS_H */
