/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hits of a marker by outcome, on each CPU, since counting began or the counts were
 * reset.  The dispatcher counts if MARKER_COUNTED is in the state of the marker: each hit
 * once, when its outcome is known.
 */
#ifndef _MARKERS_COUNTS_H
#define _MARKERS_COUNTS_H

#include "event.h"

/* The outcome of a hit. */
enum marker_outcome {
	MARKER_HIT_RECORDED,
	MARKER_HIT_FILTERED,	/* its filter did not pass it */
	MARKER_HIT_LOST,	/* there was no room for it */
	MARKER_HIT_SKIPPED,	/* it came from within a hit of the same context */
	MARKER_HIT_OFF,		/* the marker is not recorded, or tracing_on is 0 */
	NR_MARKER_OUTCOMES
};

/**
 * struct marker_counts - of one event, on one CPU
 * @nr:		hits by outcome; they only grow.  Written by hits on this CPU, in any
 *		context.
 * @base:	@nr at the last reset, so that a reset need not stop hits; registry mutex
 */
struct marker_counts {
	unsigned long nr[NR_MARKER_OUTCOMES];
	unsigned long base[NR_MARKER_OUTCOMES];
};

/**
 * struct marker_sum - counts that were read
 * @hits:	the sum of the following
 * @nr:		by outcome
 */
struct marker_sum {
	u64 hits;
	u64 nr[NR_MARKER_OUTCOMES];
};

/**
 * marker_counts_create() - make the counts of an event
 * @event:	the event
 *
 * Does nothing if it has them.
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0 or -ENOMEM.
 */
int marker_counts_create(struct marker_event *event);

/**
 * marker_counts_read() - add the counts of one CPU
 * @event:	an event that has counts
 * @cpu:	a possible CPU
 * @sum:	to these
 *
 * Each number is right for some moment of the call.
 *
 * Context: Process context; registry mutex held.
 */
void marker_counts_read(const struct marker_event *event, int cpu, struct marker_sum *sum);

/**
 * marker_counts_reset() - set the counts of an event to 0
 * @event:	the event; one without counts stays as it is
 *
 * Context: Process context; registry mutex held.
 */
void marker_counts_reset(struct marker_event *event);

#endif /* _MARKERS_COUNTS_H */
