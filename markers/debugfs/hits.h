/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files about how often markers were hit.
 */
#ifndef _MARKERS_DEBUGFS_HITS_H
#define _MARKERS_DEBUGFS_HITS_H

#include "file.h"

/* hits of all; i_private: not used */
extern const struct marker_file marker_hits_files[];

/* hits of one marker; i_private: the event */
extern const struct marker_file marker_event_hits_files[];

#endif /* _MARKERS_DEBUGFS_HITS_H */
