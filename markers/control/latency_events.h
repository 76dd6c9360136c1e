/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of latencies: with "event", the end of a pair is a hit of a marker that has no
 * place in any code.  Its module is "latency", its name that of the pair, its fields are the
 * keys of the pair and the latency.  It is enabled, filtered and counted as other markers.
 */
#ifndef _MARKERS_LATENCY_EVENTS_H
#define _MARKERS_LATENCY_EVENTS_H

#include <linux/list.h>

#include <markers/arch.h>
#include <markers/hist/hist.h>
#include <markers/model/event.h>
#include <markers/model/registry.h>

#define MARKER_LATENCY_MODULE	"latency"

/**
 * struct marker_latency_event - such a marker
 * @list:	in the list of all; registry mutex
 * @refs:	actions that hit it; the same mutex
 * @is_known:	the registry has it; the same mutex
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
	struct marker_module module;
	struct marker_site site;
	struct marker marker;
	u8 nr_keys;
	bool is_string[MARKER_HIST_KEYS];
	u8 at[MARKER_HIST_KEYS];
	char text[];
};

/**
 * marker_latency_events_get() - the event of a pair, for one more action
 * @name:	of the pair
 * @len:	of the name
 * @hist:	the keys
 * @format:	of the event that ends the pair
 * @is_used:	will an action that has an event stay after this command?
 * @error:	filled in for -EINVAL, without a place
 *
 * The registry gets to know it when marker_latency_events_update() is called.
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: the event; ERR_PTR(-EINVAL): it cannot be one, or the name has another one;
 * -ENOMEM.
 */
struct marker_latency_event *
marker_latency_events_get(const char *name, unsigned int len, const struct marker_hist *hist,
			  const struct marker_format *format,
			  bool (*is_used)(const struct marker_latency_event *latency_event),
			  struct marker_format_error *error);

/**
 * marker_latency_events_put() - an action that had it is freed
 * @latency_event: from marker_latency_events_get(); may be NULL
 *
 * Context: Process context; registry mutex held.
 */
void marker_latency_events_put(struct marker_latency_event *latency_event);

/**
 * marker_latency_events_update() - tell the registry which of them are there
 *
 * After a command, when the actions that it took away are freed; and after a module has come.
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: there is one that was not there before.
 */
bool marker_latency_events_update(void);

/**
 * marker_latency_events_hit() - a pair has ended
 * @latency_event: its event
 * @key:	the key
 * @latency:	in nanoseconds
 * @recording:	the one that has the pair
 *
 * Context: Any, NMI too; in an action: preemption off.
 */
void marker_latency_events_hit(const struct marker_latency_event *latency_event,
			       const u64 *key, u64 latency,
			       const struct marker_recording *recording);

#endif /* _MARKERS_LATENCY_EVENTS_H */
