/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of other modules that markers call: the internal side of
 * marker_probe_register() of marker.h.
 */
#ifndef _MARKERS_PROBES_H
#define _MARKERS_PROBES_H

#include <markers/model/event.h>

/* Of a name: the program of an event must not need more than two pages (debugfs/instances.c). */
#define MARKER_MAX_PROBES	24

/**
 * marker_probes_connect() - give the next program of an event the probes that wait for it
 * @event:	event of a module that is coming; not enabled yet
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0 or -ENOMEM.
 */
int marker_probes_connect(struct marker_event *event);

/**
 * marker_probes_set_own() - give an event a probe that no other event has, or take it away
 * @event:	the event; if its module is not loaded, it has the probe once that comes
 * @own:	the probe, which stays until it is taken away and a grace period has passed; NULL:
 *		none
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0 or -ENOMEM, and nothing has changed; to take it away does not fail.
 */
int marker_probes_set_own(struct marker_event *event, const struct marker_probe *own);

/* Frees the remaining registrations; the modules of their functions depend on us. */
void marker_probes_exit(void);

#endif /* _MARKERS_PROBES_H */
