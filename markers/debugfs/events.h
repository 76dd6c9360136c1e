/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files that list and enable markers.
 */
#ifndef _MARKERS_DEBUGFS_EVENTS_H
#define _MARKERS_DEBUGFS_EVENTS_H

#include "file.h"

/* available_markers, set_marker, filters; i_private: not used */
extern const struct marker_file marker_events_files[];

/* enable, filter, format; i_private: the event */
extern const struct marker_file marker_event_files[];

/* refused; i_private: the refusal */
extern const struct marker_file marker_refusal_files[];

/* enable, filter; i_private: the module, or NULL for all */
extern const struct marker_file marker_module_files[];

/* enable; i_private: NULL */
extern const struct marker_file marker_top_files[];

#endif /* _MARKERS_DEBUGFS_EVENTS_H */
