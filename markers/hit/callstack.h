/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel stack of a hit.
 */
#ifndef _MARKERS_CALLSTACK_H
#define _MARKERS_CALLSTACK_H

#include <markers/format/context.h>

/*
 * The frames of markers.ko between a marker and stack_trace_save(), and some to spare. If there are
 * more, the kernel is asked again.
 */
#define CALLSTACK_OWN	8

/**
 * struct marker_callstack - return addresses, the innermost first
 * @nr:		how many
 * @first:	the first one that counts
 * @address:	them, after those of markers.ko
 */
struct marker_callstack {
	unsigned int nr;
	unsigned int first;
	unsigned long address[CALLSTACK_OWN + MARKER_CALLSTACK_MAX];
};

/**
 * marker_callstack_take() - look at the stack
 * @stack:	the result: none, if the kernel has no CONFIG_STACKTRACE
 * @depth:	return addresses at most, up to MARKER_CALLSTACK_MAX
 *
 * The first one is in the function with the marker.  An interrupt's stack goes on in what
 * it interrupted.
 *
 * Context: Any, NMI too: as ftrace, which asks the kernel for stacks in the same way.
 */
void marker_callstack_take(struct marker_callstack *stack, unsigned int depth);

#endif /* _MARKERS_CALLSTACK_H */
