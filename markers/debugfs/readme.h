/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file README.
 */
#ifndef _MARKERS_DEBUGFS_README_H
#define _MARKERS_DEBUGFS_README_H

#include "file.h"

/* no i_private */
extern const struct marker_file marker_readme_files[];

#endif /* _MARKERS_DEBUGFS_README_H */
