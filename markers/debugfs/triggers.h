/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files about triggers.
 */
#ifndef _MARKERS_DEBUGFS_TRIGGERS_H
#define _MARKERS_DEBUGFS_TRIGGERS_H

#include "command_file.h"
#include "file.h"

/* trigger of one marker; i_private: the event */
extern const struct marker_file marker_event_trigger_files[];

/* trigger of a module, or of all markers; i_private: the module, or NULL */
extern const struct marker_methods marker_module_trigger_file;

/* triggers: all of a recording; i_private: the recording */
extern const struct marker_file marker_triggers_files[];

#endif /* _MARKERS_DEBUGFS_TRIGGERS_H */
