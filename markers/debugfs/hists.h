/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files with what hists and pairs of markers counted.
 */
#ifndef _MARKERS_DEBUGFS_HISTS_H
#define _MARKERS_DEBUGFS_HISTS_H

#include "file.h"

struct marker_event;
struct marker_recording;

/* hist of one marker; i_private: the event */
extern const struct marker_file marker_event_hist_files[];

/**
 * marker_hists_any() - does the file hist have something to show?
 * @event:	an event
 * @recording:	the recording of the file
 *
 * Context: Any.
 * Return: whether the marker has a hist there.
 */
bool marker_hists_any(const struct marker_event *event, const struct marker_recording *recording);

/* hists, hists.tsv: all of a recording; latencies; i_private: the recording */
extern const struct marker_file marker_hists_files[];

#endif /* _MARKERS_DEBUGFS_HISTS_H */
