/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hits of a marker by their outcome in a recording, on each CPU, since counting began or the
 * counts were reset.  The dispatcher counts if MARKER_COUNTED is in the state of the marker: each
 * hit once for each recording that counts it, when its outcome there is known.
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
 * marker_counts_create() - the counts of an event in a recording, made if there are none
 * @recording:	the recording
 * @event:	the event
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: them, or NULL: no memory.
 */
struct marker_counts __percpu *marker_counts_create(struct marker_recording *recording,
						    struct marker_event *event);

/**
 * marker_counts_of() - the counts of an event in a recording
 * @recording:	the recording
 * @event:	the event
 *
 * Context: Process context; registry mutex held.
 * Return: them; NULL: it has not counted the event.
 */
struct marker_counts __percpu *marker_counts_of(const struct marker_recording *recording,
						const struct marker_event *event);

/**
 * marker_counts_read() - add the counts of one CPU
 * @recording:	a recording that has counts of
 * @event:	this event
 * @cpu:	a possible CPU
 * @sum:	to these
 *
 * Each number is right for some moment of the call.
 *
 * Context: Process context; registry mutex held.
 */
void marker_counts_read(const struct marker_recording *recording,
			const struct marker_event *event, int cpu, struct marker_sum *sum);

/**
 * marker_counts_reset() - set the counts of an event to 0
 * @recording:	the recording
 * @event:	the event; one without counts stays as it is
 *
 * Context: Process context; registry mutex held.
 */
void marker_counts_reset(const struct marker_recording *recording,
			 const struct marker_event *event);

/**
 * marker_counts_free() - free all counts of a recording
 * @recording:	no hit finds it any more
 *
 * Context: Process context.
 */
void marker_counts_free(struct marker_recording *recording);

#endif /* _MARKERS_COUNTS_H */
