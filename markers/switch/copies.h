/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies: what instances record of an event.  The rules of each instance ask for them, and a
 * hit finds all copies of its event in one array.
 *
 * A change sets the next copies of an event, exchanges them with those in force, and, once it
 * is known if the change succeeds, settles that or exchanges them back.
 */
#ifndef _MARKERS_COPIES_H
#define _MARKERS_COPIES_H

#include "event.h"
#include "rules.h"

/**
 * marker_copies_add() - an instance begins to ask for copies
 * @rules:	its rules, which are empty; @rules->recording is set
 *
 * Context: Process context; sleeps.
 */
void marker_copies_add(struct marker_rules *rules);

/**
 * marker_copies_remove() - an instance ends
 * @rules:	of the instance, after marker_control_end()
 *
 * Context: Process context; sleeps for a grace period: no hit uses the recording after it.
 */
void marker_copies_remove(struct marker_rules *rules);

/**
 * marker_copies_find() - what an instance records of an event
 * @event:	the event
 * @rules:	of the instance
 *
 * Context: Process context; registry mutex held.
 * Return: the copy, or the next one, if there is one to come; NULL: nothing is asked for.
 */
const struct marker_copy *marker_copies_find(const struct marker_event *event,
					     const struct marker_rules *rules);

/**
 * marker_copies_cost() - what the filters of the newest copies cost
 * @event:	the event
 * @without:	not that of this instance; may be NULL
 *
 * Context: Process context; registry mutex held.
 * Return: the sum of marker_event_filter.cost.
 */
u64 marker_copies_cost(const struct marker_event *event, const struct marker_rules *without);

/**
 * marker_copies_are_wanted() - do hits of an event have to look at its copies?
 * @event:	the event
 *
 * Context: Process context; registry mutex held.
 * Return: true if some instance records it.
 */
bool marker_copies_are_wanted(const struct marker_event *event);

/**
 * marker_copies_set() - choose the next copy of an event for an instance
 * @event:	the event
 * @rules:	of the instance
 * @asked:	MARKER_ASK_*; 0: none
 * @filter:	what hits must look like, or NULL
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0; -EINVAL: the filter does not fit, so nothing will be recorded; -ENOMEM: it stays
 * as it is; to ask for none does not fail.
 */
int marker_copies_set(struct marker_event *event, struct marker_rules *rules, u32 asked,
		      const char *filter);

/**
 * marker_copies_connect() - choose the copies of an event whose module comes
 * @event:	the event
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0 or -ENOMEM.
 */
int marker_copies_connect(struct marker_event *event);

/**
 * marker_copies_exchange() - put the next copies into force, and those in force aside
 * @event:	the event
 *
 * Does nothing to an event without next copies.
 *
 * Context: Process context; registry mutex held.
 */
void marker_copies_exchange(struct marker_event *event);

/**
 * marker_copies_settle() - free what is not in force
 * @event:	the event
 *
 * Context: Process context; registry mutex held.
 */
void marker_copies_settle(struct marker_event *event);

/**
 * marker_copies_clear() - the module of an event is going
 * @event:	the event; a late hit may still find its copies
 *
 * Context: Process context; registry mutex held.
 */
void marker_copies_clear(struct marker_event *event);

/* The rules of all instances, by marker_rules.instance; registry mutex. */
extern struct list_head marker_instances;

#define for_each_instance(rules)					\
	list_for_each_entry(rules, &marker_instances, instance)

#endif /* _MARKERS_COPIES_H */
