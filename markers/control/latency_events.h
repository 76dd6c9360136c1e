/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of latencies: with "event", the end of a pair is a hit of a marker that has no
 * place in any code.  Its module is "latency", its name that of the pair, its fields are the
 * keys of the pair and the latency.  It is enabled, filtered and counted as other markers.
 */
#ifndef _MARKERS_LATENCY_EVENTS_H
#define _MARKERS_LATENCY_EVENTS_H

#include <markers/model/action.h>

/**
 * marker_latency_events_get() - give an action the event of its pair, if it asks for one
 * @action:	MARKER_ACTION_LATENCY or _BEGIN, from marker_latencies_create()
 * @error:	filled in for -EINVAL, without a place
 *
 * The registry gets to know it when marker_latency_events_update() is called.
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0; -EINVAL: there cannot be one, or the name has another one; -ENOMEM.
 */
int marker_latency_events_get(struct marker_action *action, struct marker_format_error *error);

/**
 * marker_latency_events_put() - an action is freed
 * @action:	MARKER_ACTION_LATENCY or _BEGIN; it may have no data, and no event
 *
 * Context: Process context; registry mutex held.
 */
void marker_latency_events_put(const struct marker_action *action);

/**
 * marker_latency_events_update() - tell the registry which of them are there
 *
 * After a command, when the actions that it took away are freed; and after a module has come,
 * or one that may have had the name of one has gone.
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: there is one that was not there before.
 */
bool marker_latency_events_update(void);

#endif /* _MARKERS_LATENCY_EVENTS_H */
