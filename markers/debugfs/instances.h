/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory instances/: a directory for each instance, and the files that make and remove
 * them.
 */
#ifndef _MARKERS_DEBUGFS_INSTANCES_H
#define _MARKERS_DEBUGFS_INSTANCES_H

#include "dir.h"

/* instances */
extern const struct marker_file marker_instances_files[];

/**
 * marker_instances_exit() - free all instances
 *
 * Context: Process context; sleeps.  Their files are gone.
 */
void marker_instances_exit(void);

#endif /* _MARKERS_DEBUGFS_INSTANCES_H */
