/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The filters of events: from the text of a rule to what a hit runs.
 *
 * A change sets the next filter of an event, exchanges it with the one in force, and, once
 * it is known if the change succeeds, settles that or exchanges them back.
 */
#ifndef _MARKERS_FILTERS_H
#define _MARKERS_FILTERS_H

#include "event.h"

/**
 * marker_filters_fit() - may an event be recorded?
 * @event:	the event
 *
 * Context: Process context; registry mutex held.
 * Return: false if it has a filter that does not fit its fields.
 */
bool marker_filters_fit(const struct marker_event *event);

/**
 * marker_filters_check() - is it a filter at all, whatever the fields are?
 * @filter:	the text; more than one line is none, as the lists have one on a line
 * @text:	the command that it stands in, for error_log
 * @at:		its offset there
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL, noted in error_log with its place; -ENOMEM.
 */
int marker_filters_check(const char *filter, const char *text, unsigned int at);

/**
 * marker_filters_create() - compile a filter for an event
 * @format:	the event's fields, which it may not fit: see struct marker_event_filter.error
 * @text:	a filter
 *
 * Context: Process context; sleeps.
 * Return: the filter, for kfree(), or NULL.
 */
struct marker_event_filter *marker_filters_create(const struct marker_format *format,
						  const char *text);

/**
 * marker_filters_of_rule() - compile the filter of a rule for an event
 * @format:	the event's fields, which it may not fit
 * @text:	a filter
 *
 * Unlike a trigger, a rule cannot ask for the latency.
 *
 * Context: Process context; sleeps.
 * Return: the filter, for kfree(), or NULL.
 */
struct marker_event_filter *marker_filters_of_rule(const struct marker_format *format,
						   const char *text);

/* In the unit of marker_filter_cost(): a few ms, with preemption off. */
#define MARKER_FILTERS_COST	(2 << 20)

/**
 * marker_filters_limit() - let a filter not fit if a hit would take too long for it
 * @filter:	a new filter of an event
 * @others:	cost of all filters besides that a hit of the event runs
 *
 * Each filter ends soon, but a hit may run those of many recordings and triggers.
 *
 * Context: Process context; no hit runs @filter yet.
 */
void marker_filters_limit(struct marker_event_filter *filter, u64 others);

/**
 * marker_filters_cost() - what the newest filter of an event costs
 * @event:	the event
 *
 * Without those of copies and triggers.
 *
 * Context: Process context; registry mutex held.
 * Return: the cost; 0: it has none.
 */
u32 marker_filters_cost(const struct marker_event *event);

/**
 * marker_filters_newest() - the filter of an event
 * @event:	the event
 *
 * Context: Process context; registry mutex held.
 * Return: the next one, if there is one to come, else the one in force, which may be NULL.
 */
const struct marker_event_filter *marker_filters_newest(const struct marker_event *event);

/**
 * marker_filters_set() - choose the next filter of an event
 * @event:	the event
 * @text:	a filter, which may not fit the event's fields; NULL: none
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0; -EINVAL: it does not fit, and will say so; -ENOMEM: it stays as it is.
 */
int marker_filters_set(struct marker_event *event, const char *text);

/**
 * marker_filters_exchange() - put the next filter into force, and the one in force aside
 * @event:	the event
 *
 * Does nothing to an event without a next filter.
 *
 * Context: Process context; registry mutex held.
 */
void marker_filters_exchange(struct marker_event *event);

/**
 * marker_filters_publish() - choose what hits run
 * @event:	the event
 *
 * The filter in force; without one, all hits pass as long as the event is to be recorded,
 * and then none.  Call it before any state asks for a filter, and whenever one of these
 * changes.
 *
 * Context: Process context; registry mutex held.
 */
void marker_filters_publish(struct marker_event *event);

/**
 * marker_filters_settle() - free what is not in force
 * @event:	the event
 *
 * Context: Process context; registry mutex held.
 */
void marker_filters_settle(struct marker_event *event);

/**
 * marker_filters_clear() - the module of an event is going
 * @event:	the event; a late hit may still run its filter
 *
 * Context: Process context; registry mutex held.
 */
void marker_filters_clear(struct marker_event *event);

/**
 * marker_filters_text() - the filter of an event as an operator wrote it
 * @event:	the event
 *
 * Context: Process context; registry mutex held.
 * Return: the text, or "none".
 */
const char *marker_filters_text(const struct marker_event *event);

/**
 * marker_filters_why() - why a filter does not fit
 * @text:	room for MARKER_FILTER_WHY_SIZE bytes
 * @event:	an event whose filter does not fit
 *
 * Context: Process context; registry mutex held.
 * Return: @text: the filter, a caret, the reason, a line each.
 */
const char *marker_filters_why(char *text, const struct marker_event *event);

#define MARKER_FILTER_WHY_SIZE	768

/**
 * marker_filters_log() - note in the logs that a filter does not fit
 * @event:	an event
 * @filter:	one that does not fit its fields
 * @others:	how many others there are
 * @refused:	it is not the result of a write(): log it in the kernel's log, too
 *
 * Context: Process context; registry mutex held.
 */
void marker_filters_log(const struct marker_event *event,
			const struct marker_event_filter *filter, unsigned int others,
			bool refused);

#endif /* _MARKERS_FILTERS_H */
