/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a site that fired to the recorder and the probes.
 */
#ifndef _MARKERS_DISPATCH_H
#define _MARKERS_DISPATCH_H

#include <linux/types.h>

#include <markers/compat/stdarg.h>

struct marker;
struct marker_event;
struct marker_recording;

/**
 * marker_dispatch() - a marker was hit
 * @marker:	the marker
 * @args:	its arguments
 *
 * Called by the cold blocks of sites, through the architecture's thunk.
 *
 * Context: Any, NMI too.  RCU must watch.
 */
asmlinkage void marker_dispatch(struct marker *marker, const u64 *args);

/*
 * The same for callers that know the event and the state.  The thunk does, so it calls the first
 * one that fits.
 */

/**
 * marker_dispatch_recorded() - an event was hit that the recording at the top takes, and no more
 * @event:	the event
 * @args:	its arguments
 * @state:	of the marker
 *
 * Context: Any, NMI too.  RCU must watch.
 */
asmlinkage void marker_dispatch_recorded(const struct marker_event *event, const u64 *args,
					 u32 state);

/**
 * marker_dispatch_probed() - an event was hit that has probes and no more
 * @event:	the event
 * @args:	its arguments
 * @state:	MARKER_ONLY_PROBED
 * @list:	the same arguments, from marker_va_list()
 *
 * Context: Any, NMI too.  RCU must watch.
 */
asmlinkage void marker_dispatch_probed(const struct marker_event *event, const u64 *args,
				       u32 state, va_list *list);

/**
 * marker_dispatch_filtered() - an event was hit that is recorded if it passes a filter
 * @event:	the event
 * @args:	its arguments
 *
 * The caller has found out that tracing is on.
 *
 * Context: Any, NMI too.  RCU must watch.
 */
asmlinkage void marker_dispatch_filtered(const struct marker_event *event, const u64 *args);

/**
 * marker_dispatch_any() - an event was hit
 * @event:	the event
 * @args:	its arguments
 * @state:	of the marker, with MARKER_MORE
 *
 * Context: Any, NMI too.  RCU must watch.
 */
asmlinkage void marker_dispatch_any(const struct marker_event *event, const u64 *args, u32 state);

/**
 * marker_dispatch_inside() - an action of a hit makes another hit
 * @marker:	the marker, which is no site of a module
 * @args:	its arguments
 * @recording:	the one whose action it is: no other one records it
 *
 * The first hit has seen to the recursion, so this one is not skipped.  No action of the
 * second one may make a third.
 *
 * Context: Any, NMI too; in an action: preemption off.
 */
void marker_dispatch_inside(const struct marker *marker, const u64 *args,
			    const struct marker_recording *recording);

/**
 * marker_dispatch_note() - record an event in one recording, whoever else takes it
 * @recording:	the recording
 * @event:	the event
 * @args:	its arguments
 *
 * Context: Process context, outside of the dispatcher.
 * Return: 0; -ENOSPC: there was no room, and it is counted as lost; -EAGAIN: the recording is
 * off, or a command changes its clock.
 */
int marker_dispatch_note(struct marker_recording *recording, const struct marker_event *event,
			 const u64 *args);

/**
 * marker_dispatch_skipped() - hits that came from within a probe or the recorder
 * @cpu:	on that CPU
 *
 * They are neither recorded nor given to probes, and are no events of the ring
 * buffer's statistics.  A full buffer is found out first, so while there is no room,
 * such a hit is lost like others, and does not count here.
 *
 * Context: Any.
 * Return: their number since the module was loaded.
 */
u64 marker_dispatch_skipped(int cpu);

#endif /* _MARKERS_DISPATCH_H */
