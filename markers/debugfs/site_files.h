/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files about the code of markers.
 */
#ifndef _MARKERS_DEBUGFS_SITES_H
#define _MARKERS_DEBUGFS_SITES_H

#include "command_file.h"
#include "file.h"

/* sites; i_private: the module */
extern const struct marker_methods marker_module_sites_file;

/* mode, text, of all sites; i_private: not used */
extern const struct marker_file marker_code_files[];

#endif /* _MARKERS_DEBUGFS_SITES_H */
