/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Latencies: what the triggers "begin" and "latency" do at a hit.  Both have the same name,
 * so that markers of any modules can be a pair.
 */
#ifndef _MARKERS_LATENCIES_H
#define _MARKERS_LATENCIES_H

#include <linux/list.h>

#include <markers/control/latency_events.h>
#include <markers/hist/hist.h>
#include <markers/hist/pairs.h>
#include <markers/model/action.h>

/**
 * struct marker_latency - what the triggers of one name share, in a recording
 * @list:	in the list of all, while @ends is not empty; registry mutex.  Two of one name
 *		are there during a command that takes all triggers of a name away and makes
 *		others with other keys.
 * @recording:	the recording
 * @ends:	of the actions that have it; registry mutex
 * @refs:	these, and those that have retired; registry mutex
 * @kib:	of the begins
 * @pairs:	the begins
 * @name:	as operators wrote it
 */
struct marker_latency {
	struct list_head list;
	const struct marker_recording *recording;
	struct list_head ends;
	unsigned int refs;
	unsigned long kib;
	struct marker_pairs *pairs;
	char name[];
};

/**
 * struct marker_latency_end - the data of a MARKER_ACTION_BEGIN or _LATENCY
 * @latency:	what it shares with the others of its name
 * @list:	in @latency->ends, until marker_latencies_retire() is called
 * @action:	whose it is
 * @event:	of a MARKER_ACTION_LATENCY: what its hits make, or NULL
 * @task_at:	the word of the key that is the number of a task; -1: there is none
 * @hist:	its keys; there is nothing else in it
 */
struct marker_latency_end {
	struct marker_latency *latency;
	struct list_head list;
	const struct marker_action *action;
	struct marker_latency_event *event;
	int task_at;
	struct marker_hist hist;
};

/**
 * marker_latencies_create() - make the data of an action
 * @action:	MARKER_ACTION_BEGIN or _LATENCY, of an event
 * @error:	filled in for -EINVAL: why, and where in the trigger's text
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0; -EINVAL: it does not fit the event's fields, or the others of that name;
 * -ENOSPC: it would take too much memory, which is noted in error_log; -ENOMEM.
 */
int marker_latencies_create(struct marker_action *action, struct marker_format_error *error);

/**
 * marker_latencies_retire() - an action is not in force any more
 * @action:	MARKER_ACTION_BEGIN or _LATENCY; late hits can have it
 *
 * The next one of that name begins with nothing, if this was the last one.
 *
 * Context: Process context; registry mutex held.
 */
void marker_latencies_retire(struct marker_action *action);

/**
 * marker_latencies_destroy() - free the data of an action
 * @action:	MARKER_ACTION_BEGIN or _LATENCY; no hit can have it; it may have no data
 *
 * Context: Process context; sleeps.
 */
void marker_latencies_destroy(struct marker_action *action);

/**
 * marker_latencies_begin() - a pair begins with this hit
 * @action:	MARKER_ACTION_BEGIN
 * @args:	the arguments of the hit
 *
 * Context: Any, NMI too; in the dispatcher: preemption off.
 */
void marker_latencies_begin(const struct marker_action *action, const u64 *args);

/**
 * marker_latencies_end() - a pair ends with this hit
 * @action:	MARKER_ACTION_LATENCY
 * @args:	the arguments of the hit
 *
 * Context: Any, NMI too; in the dispatcher: preemption off.
 * Return: nanoseconds since it began; -1: it has no begin.
 */
s64 marker_latencies_end(const struct marker_action *action, const u64 *args);

/* All names; registry mutex. */
extern struct list_head marker_latencies;

#endif /* _MARKERS_LATENCIES_H */
