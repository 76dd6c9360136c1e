/* SPDX-License-Identifier: GPL-2.0 */
/* The recorder: an event and its arguments become bytes in the ring buffer. */
#ifndef _MARKERS_RECORD_H
#define _MARKERS_RECORD_H

#include <linux/types.h>

struct marker_event;

/**
 * marker_record() - write an event
 * @event:	what it is
 * @args:	its arguments
 *
 * An event that finds no room is counted by the ring.
 *
 * Context: Any, NMI too; preemption off.  No lock, no allocation.
 */
void marker_record(const struct marker_event *event, const u64 *args);

#endif /* _MARKERS_RECORD_H */
