/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the doors of dispatch_quick.c lead to: dispatch_shared.c, and dispatch.c, on
 * which all fall back.  For these only.
 */
#ifndef _MARKERS_DISPATCH_INTERNAL_H
#define _MARKERS_DISPATCH_INTERNAL_H

#include <markers/marker_types.h>
#include "dispatch.h"

struct marker_event;
struct ring_cpu;

/* Bits of a state. */
#define PROBED		(MARKER_PROBED & ~MARKER_MORE)
#define COUNTED		(MARKER_COUNTED & ~MARKER_MORE)
#define FILTERED	(MARKER_FILTERED & ~MARKER_MORE)
#define ACTED		(MARKER_ACTED & ~MARKER_MORE)
#define SHARED		(MARKER_SHARED & ~MARKER_MORE)
#define NOT_TOP		(MARKER_NOT_TOP & ~MARKER_MORE)

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
 * @rc:		in this ring; in the one of no recording, do what the program says
 *
 * Enables preemption.
 *
 * Context: Any, NMI too; preemption off, and no hit has begun in this context.
 */
void marker_dispatch_slow(const struct marker_event *event, const u64 *args,
			  struct ring_cpu *rc);

/**
 * marker_dispatch_shared() - record an event in each recording that takes it
 * @event:	of the marker
 * @args:	its arguments
 *
 * Enables preemption.
 *
 * Context: Any, NMI too; preemption off.
 */
void marker_dispatch_shared(const struct marker_event *event, const u64 *args);

#endif /* _MARKERS_DISPATCH_INTERNAL_H */
