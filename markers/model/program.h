/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs: what hits of an event do.  Which recordings take them, and what hits must look like
 * for that; which actions and which probes they run.
 *
 * A change edits the next program of an event as often as it wants, exchanges it with the one
 * in force, and, once it is known if the change succeeds, settles that or exchanges them back.
 * control/switch.c has these steps in their order.
 */
#ifndef _MARKERS_PROGRAM_H
#define _MARKERS_PROGRAM_H

#include "action.h"
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

/* What an edit changes. */
enum marker_edit_kind {
	MARKER_EDIT_TAKE,	/* another take for its recording */
	MARKER_ADD_ACTION,
	MARKER_REMOVE_ACTION,
	MARKER_ADD_PROBE,
	MARKER_REMOVE_PROBE,
	MARKER_LEAVE,		/* the module goes: only the actions stay */
};

/**
 * marker_program_edit_part() - let the next program of an event be another in one part
 * @event:	the event
 * @kind:	which part
 * @part:	struct marker_take, marker_action or marker_probe; NULL with MARKER_LEAVE
 *
 * For the functions below, and those of program.c.
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0; -ENOMEM: it stays as it is.  What takes something away does not fail.
 */
int marker_program_edit_part(struct marker_event *event, enum marker_edit_kind kind,
			     const void *part);

/**
 * marker_program_add_action() - let hits run one more action
 * @event:	the event; its module need not be loaded
 * @action:	an action of the event; it stays until after a grace period without it
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0; -ENOMEM: it stays as it is.
 */
static inline int marker_program_add_action(struct marker_event *event,
					    struct marker_action *action)
{
	return marker_program_edit_part(event, MARKER_ADD_ACTION, action);
}

/**
 * marker_program_remove_action() - let hits run an action no more
 * @event:	the event
 * @action:	one of marker_program_newest_actions()
 *
 * Context: Process context; sleeps.  Registry mutex held.
 */
static inline void marker_program_remove_action(struct marker_event *event,
						const struct marker_action *action)
{
	marker_program_edit_part(event, MARKER_REMOVE_ACTION, action);
}

/**
 * marker_program_actions() - the actions that hits run
 * @event:	the event
 *
 * Context: Registry mutex held, or an RCU reader.
 * Return: those of the program in force; NULL: none.
 */
const struct marker_actions *marker_program_actions(const struct marker_event *event);

/**
 * marker_program_newest_actions() - the actions that hits are to run
 * @event:	the event
 *
 * Context: Process context; registry mutex held.
 * Return: those of the next program, if there is one to come, else of the one in force; NULL:
 * none.
 */
const struct marker_actions *marker_program_newest_actions(const struct marker_event *event);

/**
 * marker_program_add_probe() - let hits call one more probe
 * @event:	the event; its module is loaded
 * @probe:	comes after those that are there
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0; -ENOMEM: it stays as it is.
 */
static inline int marker_program_add_probe(struct marker_event *event,
					   const struct marker_probe *probe)
{
	return marker_program_edit_part(event, MARKER_ADD_PROBE, probe);
}

/**
 * marker_program_remove_probe() - let hits call a probe no more
 * @event:	the event
 * @probe:	one that was added
 *
 * Context: Process context; sleeps.  Registry mutex held.
 */
static inline void marker_program_remove_probe(struct marker_event *event,
					       const struct marker_probe *probe)
{
	marker_program_edit_part(event, MARKER_REMOVE_PROBE, probe);
}

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
 * marker_program_state() - the state of a marker
 * @event:	its event, with the program in force
 * @top:	the recording at the top takes its hits
 *
 * Context: Process context; registry mutex held.
 * Return: bits for struct marker.state.
 */
u32 marker_program_state(const struct marker_event *event, bool top);

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
 * @event:	the event, without a next program; a late hit may still find the one that was in
 *		force.  Its actions stay
 *
 * Context: Process context; sleeps.  Registry mutex held.
 */
void marker_program_clear(struct marker_event *event);

/**
 * marker_program_end() - free the program of an event
 * @event:	the event
 *
 * Context: Process context.  There are no more hits, and no recordings but the one at the top.
 */
void marker_program_end(struct marker_event *event);

#endif /* _MARKERS_PROGRAM_H */
