/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MARKERS_DEBUGFS_NOTES_H
#define _MARKERS_DEBUGFS_NOTES_H

#include "file.h"

/* trace_marker and trace_marker_raw; i_private: the recording */
extern const struct marker_file marker_note_files[];

#endif /* _MARKERS_DEBUGFS_NOTES_H */
