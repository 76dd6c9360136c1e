/* SPDX-License-Identifier: GPL-2.0 */
/* The files of a recording: those of the top, and of each instance. */
#ifndef _MARKERS_DEBUGFS_VIEWS_H
#define _MARKERS_DEBUGFS_VIEWS_H

#include "dir.h"

struct marker_recording;
struct marker_view;

/**
 * marker_views_create() - what the files of a recording can show
 * @recording:	the recording
 *
 * Context: Process context; sleeps.
 * Return: an array for kvfree(), the i_private of the directory of the recording; or NULL.
 */
struct marker_view *marker_views_create(struct marker_recording *recording);

/* What is in the directory of a recording. */
extern const struct marker_group marker_recording_groups[];

#endif /* _MARKERS_DEBUGFS_VIEWS_H */
