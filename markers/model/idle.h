/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What hits find where nothing is to be done: the program of an event that nobody wants, and the
 * ring of programs that are not those of one ring.
 */
#ifndef _MARKERS_IDLE_H
#define _MARKERS_IDLE_H

#include <linux/percpu.h>

#include "event.h"

/* A test that holds whatever the number of the CPU is: an event may have no argument. */
#define MARKER_GATE_OPEN { .test = {						\
	.kind = MARKER_FILTER_CONTEXT, .is_context = true, .contexts = true,	\
	.arg = MARKER_FILTER_CPU, .span = U64_MAX, .yes = MARKER_FILTER_PASS,	\
	.no = MARKER_FILTER_DROP } }

extern struct marker_program marker_idle;

/**
 * marker_call_nobody() - the call of a program without probes
 * @probe_private:	unused, as all others
 * @call_private:	unused
 * @fmt:		unused
 * @args:		unused
 *
 * Context: Any, NMI too.
 */
void marker_call_nobody(void *probe_private, void *call_private, const char *fmt, va_list *args);

/* Never on, and never written, after marker_idle_init(). */
DECLARE_PER_CPU(struct ring_cpu *, marker_no_ring);

/**
 * marker_idle_init() - set marker_no_ring
 *
 * Context: Process context, before any hit.
 */
void marker_idle_init(void);

#endif /* _MARKERS_IDLE_H */
