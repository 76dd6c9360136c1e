/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files with what hists and pairs of markers counted.
 */
#ifndef _MARKERS_DEBUGFS_HISTS_H
#define _MARKERS_DEBUGFS_HISTS_H

#include "file.h"

/* hist of one marker; i_private: the event */
extern const struct marker_file marker_event_hist_files[];

/* hists, hists.tsv: all of a recording; latencies; i_private: the recording */
extern const struct marker_file marker_hists_files[];

#endif /* _MARKERS_DEBUGFS_HISTS_H */
