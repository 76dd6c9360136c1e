/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the quick way of dispatch_quick.c falls back on.  For dispatch*.c only.
 */
#ifndef _MARKERS_DISPATCH_INTERNAL_H
#define _MARKERS_DISPATCH_INTERNAL_H

#include "dispatch.h"

struct marker_event;

/**
 * marker_dispatch_all() - do all that a state says
 * @event:	of the marker
 * @args:	its arguments
 * @state:	what is to be done; 0: a late hit, nothing is
 *
 * Enables preemption.
 *
 * Context: Any, NMI too; preemption off.
 */
void marker_dispatch_all(const struct marker_event *event, const u64 *args, u32 state);

/**
 * marker_dispatch_slow() - record an event by the general way, and nothing else
 * @event:	of the marker
 * @args:	its arguments
 *
 * Enables preemption.
 *
 * Context: Any, NMI too; preemption off, and no hit has begun in this context.
 */
void marker_dispatch_slow(const struct marker_event *event, const u64 *args);

#endif /* _MARKERS_DISPATCH_INTERNAL_H */
