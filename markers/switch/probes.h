/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of other modules that are called by markers: the list behind
 * marker_probe_register() of marker.h.
 */
#ifndef _MARKERS_PROBES_H
#define _MARKERS_PROBES_H

#include "event.h"

/**
 * marker_probes_connect() - give an event the probes that wait for its name
 * @event:	event of a module that is coming; not enabled yet
 *
 * Context: Process context; registry mutex held.
 */
void marker_probes_connect(struct marker_event *event);

/* Probes left behind are freed; the modules that have them depend on us. */
void marker_probes_exit(void);

#endif /* _MARKERS_PROBES_H */
