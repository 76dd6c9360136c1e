/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a hit to the recordings of instances.
 */
#ifndef _MARKERS_COPY_H
#define _MARKERS_COPY_H

#include <markers/switch/event.h>

/**
 * marker_copy_hit() - record a hit in each instance that wants it
 * @event:	the event
 * @args:	the arguments of the hit
 *
 * Each instance has its own filter, contexts and clock, and counts its own losses.
 *
 * Context: Any, NMI too; in the dispatcher, which detects recursion; preemption off.
 */
void marker_copy_hit(const struct marker_event *event, const u64 *args);

/**
 * marker_copy_note() - record a note
 * @recording:	in this recording
 * @event:	of the note
 * @args:	its arguments
 *
 * Context: Process context, outside of the dispatcher.
 * Return: 0; -ENOSPC: there was no room, and it is counted as lost; -EAGAIN: the recording is
 * off, or a command changes its clock.
 */
int marker_copy_note(struct marker_recording *recording, const struct marker_event *event,
		     const u64 *args);

/**
 * marker_copy_hit_of() - record a hit in one instance, if that wants it
 * @event:	the event
 * @args:	the arguments of the hit
 * @rules:	of the instance
 *
 * Context: as marker_copy_hit().
 */
void marker_copy_hit_of(const struct marker_event *event, const u64 *args,
			const struct marker_rules *rules);

#endif /* _MARKERS_COPY_H */
