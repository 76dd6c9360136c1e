/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of other modules that are called by markers: the list behind
 * marker_probe_register() of marker.h.
 */
#ifndef _MARKERS_PROBES_H
#define _MARKERS_PROBES_H

#include "event.h"

/**
 * marker_probes_connect() - give an event the probes that wait for it
 * @event:	event of a module that is coming; not enabled yet
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0 or -ENOMEM.
 */
int marker_probes_connect(struct marker_event *event);

/**
 * marker_probes_disconnect() - the module of an event is going
 * @event:	the event
 *
 * Context: Process context; registry mutex held.
 */
void marker_probes_disconnect(struct marker_event *event);

/* Probes that are left are freed; the modules that have them depend on us. */
void marker_probes_exit(void);

#endif /* _MARKERS_PROBES_H */
