/* SPDX-License-Identifier: GPL-2.0 */
/* The files of a recording: those of the top, and of each instance. */
#ifndef _MARKERS_DEBUGFS_VIEWS_H
#define _MARKERS_DEBUGFS_VIEWS_H

struct dentry;
struct marker_recording;
struct marker_view;

/**
 * marker_views_create() - what the files of a recording can show
 * @recording:	the recording
 *
 * Context: Process context; sleeps.
 * Return: an array for marker_views_create_files() and kvfree(), or NULL.
 */
struct marker_view *marker_views_create(struct marker_recording *recording);

/**
 * marker_views_create_files() - make the files of a recording
 * @dir:	in this directory
 * @views:	from marker_views_create(); the files use it until they are removed
 *
 * Context: Process context; sleeps.
 */
void marker_views_create_files(struct dentry *dir, struct marker_view *views);

#endif /* _MARKERS_DEBUGFS_VIEWS_H */
