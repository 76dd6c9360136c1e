/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of a marker, of a module and of all.
 */
#ifndef _MARKERS_DEBUGFS_EVENTS_H
#define _MARKERS_DEBUGFS_EVENTS_H

#include "file.h"

/* enable, filter, format; i_private: the event */
extern const struct marker_file marker_event_files[];

/* refused; i_private: the refusal */
extern const struct marker_file marker_refusal_files[];

/* enable, filter, trigger; i_private: the module, or NULL for all */
extern const struct marker_file marker_module_files[];

/* hits, sites: lists of what a module has; i_private: the module */
extern const struct marker_file marker_module_hits_files[], marker_module_site_files[];

/* enable; i_private: NULL */
extern const struct marker_file marker_enable_files[];

#endif /* _MARKERS_DEBUGFS_EVENTS_H */
