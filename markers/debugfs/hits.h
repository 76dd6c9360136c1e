/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files about how often markers were hit.
 */
#ifndef _MARKERS_DEBUGFS_HITS_H
#define _MARKERS_DEBUGFS_HITS_H

#include "command_file.h"
#include "file.h"

/* hits of all; i_private: not used */
extern const struct marker_file marker_hits_files[];

/* hits of a module; i_private: the module */
extern const struct marker_methods marker_module_hits_file;

#endif /* _MARKERS_DEBUGFS_HITS_H */
