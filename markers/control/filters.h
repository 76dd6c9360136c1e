/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The filters of events: from the text of a rule or a trigger to what a hit runs.
 */
#ifndef _MARKERS_FILTERS_H
#define _MARKERS_FILTERS_H

#include <markers/model/event.h>
#include <markers/model/recording.h>

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
 * @event:	the event, whose fields it may not fit
 * @recording:	for which; its present filter costs hits nothing more
 * @text:	a filter
 *
 * Unlike a trigger, a rule cannot ask for the latency.
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: the filter, for marker_program_edit(), or NULL.
 */
struct marker_event_filter *marker_filters_of_rule(const struct marker_event *event,
						   const struct marker_recording *recording,
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
 * marker_filters_why() - why a filter does not fit
 * @text:	room for MARKER_FILTER_WHY_SIZE bytes
 * @filter:	one that does not fit
 *
 * Context: Process context; registry mutex held.
 * Return: @text: the filter, a caret, the reason, a line each.
 */
const char *marker_filters_why(char *text, const struct marker_event_filter *filter);

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
