/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs: which recordings take the hits of an event, and what hits must look like.  The
 * recording at the top is one of them.
 *
 * A change edits the next program of an event as often as it wants, exchanges it with the one
 * in force, and, once it is known if the change succeeds, settles that or exchanges them back.
 */
#ifndef _MARKERS_PROGRAM_H
#define _MARKERS_PROGRAM_H

#include "event.h"
#include "recording.h"

/**
 * marker_recordings_add() - a recording begins to take hits
 * @recording:	it has no rules, and its buffers are there
 *
 * The one at the top is the first.
 *
 * Context: Process context; sleeps.
 * Return: 0 or -ENOMEM.
 */
int marker_recordings_add(struct marker_recording *recording);

/**
 * marker_recordings_remove() - a recording ends
 * @recording:	an instance, after marker_control_end(); or the one at the top, after all hits
 *
 * Context: Process context; sleeps for a grace period: no hit uses the recording after it.
 */
void marker_recordings_remove(struct marker_recording *recording);

/**
 * marker_program_take() - what a recording wants of an event
 * @event:	the event
 * @recording:	the recording
 *
 * Context: Process context; registry mutex held.
 * Return: the take of the next program, if there is one to come, else of the one in force;
 * NULL: nothing.
 */
const struct marker_take *marker_program_take(const struct marker_event *event,
					      const struct marker_recording *recording);

/**
 * marker_program_asked() - what a recording asks for of an event
 * @event:	the event
 * @recording:	the recording
 *
 * Context: Process context; registry mutex held.
 * Return: MARKER_ASK_*, by the program in force.
 */
u32 marker_program_asked(const struct marker_event *event,
			 const struct marker_recording *recording);

/**
 * marker_program_filter() - the filter of a recording for an event
 * @event:	the event
 * @recording:	the recording
 *
 * Context: Process context; registry mutex held.
 * Return: as marker_program_take(), or NULL: none.
 */
struct marker_event_filter *marker_program_filter(const struct marker_event *event,
						  const struct marker_recording *recording);

/**
 * marker_program_cost() - what the filters of the newest takes cost
 * @event:	the event
 * @without:	not that of this recording; may be NULL
 *
 * Context: Process context; registry mutex held.
 * Return: the sum of marker_event_filter.cost.
 */
u64 marker_program_cost(const struct marker_event *event, const struct marker_recording *without);

/**
 * marker_program_edit() - choose what a recording takes of an event
 * @event:	the event
 * @recording:	the recording
 * @asked:	MARKER_ASK_*
 * @filter:	what hits must look like, or NULL; it may be that of the newest take
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0; -ENOMEM: it stays as it is, and a new @filter is freed.  To ask for nothing does
 * not fail.
 */
int marker_program_edit(struct marker_event *event, struct marker_recording *recording, u32 asked,
			struct marker_event_filter *filter);

/**
 * marker_program_make_counts() - make what the next program counts in
 * @event:	the event
 *
 * Before marker_program_exchange().  Does nothing to an event without a next program.
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0 or -ENOMEM.
 */
int marker_program_make_counts(struct marker_event *event);

/**
 * marker_program_state() - the state of a marker, as far as recordings are concerned
 * @event:	its event, with the program in force
 * @top:	the recording at the top takes its hits
 * @more:	other bits of the state: MARKER_ACTED and MARKER_PROBED
 *
 * Context: Process context; registry mutex held.
 * Return: the whole state.
 */
u32 marker_program_state(const struct marker_event *event, bool top, u32 more);

/**
 * marker_program_exchange() - put the next program into force, and the one in force aside
 * @event:	the event
 *
 * Does nothing to an event without a next program.
 *
 * Context: Process context; registry mutex held.
 */
void marker_program_exchange(struct marker_event *event);

/**
 * marker_program_settle() - free the program that is not in force
 * @event:	the event
 *
 * Context: Process context; registry mutex held.
 */
void marker_program_settle(struct marker_event *event);

/**
 * marker_program_clear() - the module of an event is going
 * @event:	the event; a late hit may still find its program
 *
 * Context: Process context; registry mutex held.
 */
void marker_program_clear(struct marker_event *event);

#endif /* _MARKERS_PROGRAM_H */
