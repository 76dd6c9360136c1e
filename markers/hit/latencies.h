/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Latencies: what the triggers "begin" and "latency" do at a hit.  Both have the same name,
 * so that markers of any modules can be a pair.
 */
#ifndef _MARKERS_LATENCIES_H
#define _MARKERS_LATENCIES_H

#include <linux/list.h>

#include <markers/arch.h>
#include <markers/hist/hist.h>
#include <markers/hist/pairs.h>
#include <markers/model/action.h>
#include <markers/model/registry.h>

#define MARKER_LATENCY_MODULE	"latency"

/**
 * struct marker_latency_event - such a marker
 * @list:	in the list of all; registry mutex
 * @refs:	actions that hit it; the same mutex
 * @is_known:	the registry has it; the same mutex
 * @waits:	but refuses it: a marker of a module has the name; the same mutex
 * @module:	in place of a module
 * @site:	in place of a place in code
 * @marker:	what is hit
 * @nr_keys:	fields before the latency
 * @is_string:	of a field: its argument is an address
 * @at:		of a field: its first word in the key
 * @text:	the name, and after it the format
 */
struct marker_latency_event {
	struct list_head list;
	unsigned int refs;
	bool is_known;
	bool waits;
	struct marker_module module;
	struct marker_site site;
	struct marker marker;
	u8 nr_keys;
	bool is_string[MARKER_HIST_KEYS];
	u8 at[MARKER_HIST_KEYS];
	char text[];
};

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
 * @event:	of a MARKER_ACTION_LATENCY: what its hits make, or NULL; see latency_events.h
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
 * struct marker_follow - the end of a pair is a hit of its event, which follows at once
 * @marker:	of the event
 * @args:	its arguments
 * @key:	of the pair: strings of @args are there
 */
struct marker_follow {
	const struct marker *marker;
	u64 args[MARKER_HIST_KEYS + 1];
	u64 key[MARKER_PAIRS_WORDS];
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
 * @follow:	filled in if it has a begin, and an event: the caller hits @follow->marker.  Else
 *		@follow->marker stays as it is.
 *
 * Context: Any, NMI too; in the dispatcher: preemption off.
 * Return: nanoseconds since it began; -1: it has no begin.
 */
s64 marker_latencies_end(const struct marker_action *action, const u64 *args,
			 struct marker_follow *follow);

/* All names; registry mutex. */
extern struct list_head marker_latencies;

#endif /* _MARKERS_LATENCIES_H */
