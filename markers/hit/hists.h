/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hists of events: what the trigger "hist" does at a hit, and what its files need.
 */
#ifndef _MARKERS_HISTS_H
#define _MARKERS_HISTS_H

#include <linux/rcupdate.h>

#include <markers/hist/hist.h>
#include <markers/hist/map.h>
#include <markers/hist/table.h>
#include <markers/model/action.h>

/**
 * struct marker_hist_run - a hist of an event: the data of a MARKER_ACTION_HIST
 * @live:	the map that hits count in, RCU-protected; NULL: it is paused
 * @map:	the same, paused or not; registry mutex
 * @kib:	of the map
 * @hist:	what is counted
 */
struct marker_hist_run {
	struct marker_map __rcu *live;
	struct marker_map *map;
	unsigned long kib;
	struct marker_hist hist;
};

/**
 * marker_hists_charge() - add memory to what all hists and pairs have
 * @action:	which needs it
 * @kib:	how much
 *
 * Context: Process context; registry mutex held.
 * Return: 0, or -ENOSPC: they would have too much, which is noted in error_log.
 */
int marker_hists_charge(const struct marker_action *action, unsigned long kib);

/**
 * marker_hists_hits() - how many hits a hist has counted, or dropped
 * @action:	MARKER_ACTION_HIST, of an event
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: the hits since it was made or cleared.
 */
u64 marker_hists_hits(const struct marker_action *action);

/**
 * marker_hists_uncharge() - subtract what is free again
 * @kib:	as it was added
 *
 * Context: Process context; registry mutex held.
 */
void marker_hists_uncharge(unsigned long kib);

/**
 * marker_hists_create() - make the data of a hist
 * @action:	MARKER_ACTION_HIST, of an event
 * @error:	filled in for -EINVAL: why, and where in the trigger's text
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0; -EINVAL: it does not fit the event's fields; -ENOSPC: it would take too much
 * memory, which is noted in error_log; -ENOMEM.
 */
int marker_hists_create(struct marker_action *action, struct marker_format_error *error);

/**
 * marker_hists_destroy() - free the data of a hist
 * @action:	MARKER_ACTION_HIST; no hit can have it; it may have no data
 *
 * Context: Process context; sleeps.
 */
void marker_hists_destroy(struct marker_action *action);

/**
 * marker_hists_pause() - stop counting, or go on
 * @action:	MARKER_ACTION_HIST
 * @pause:	stop
 *
 * Context: Process context; registry mutex held.
 */
void marker_hists_pause(struct marker_action *action, bool pause);

/**
 * marker_hists_clear() - count from zero again
 * @action:	MARKER_ACTION_HIST
 * @old:	the maps that marker_hists_destroy_old() is to destroy; one is added
 * @kib:	its KiB are added
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0 or -ENOMEM.
 */
int marker_hists_clear(struct marker_action *action, struct marker_map **old,
		       unsigned long *kib);

/**
 * marker_hists_destroy_old() - destroy what was counted before
 * @old:	from marker_hists_clear(); may be NULL
 *
 * Context: Process context; sleeps for a grace period.  Registry mutex not held.
 */
void marker_hists_destroy_old(struct marker_map *old);

/**
 * marker_hists_count() - count a hit, in all cases
 * @run:	of a MARKER_ACTION_HIST
 * @map:	the map
 * @args:	the arguments of the hit
 * @latency:	nanoseconds, or -1: it is not known
 *
 * Context: as marker_hists_hit().
 */
void marker_hists_count(const struct marker_hist_run *run, const struct marker_map *map,
			const u64 *args, s64 latency);

/**
 * marker_hists_hit() - count a hit
 * @action:	MARKER_ACTION_HIST
 * @args:	the arguments of the hit
 * @latency:	nanoseconds, or -1: it is not known
 *
 * Context: Any, NMI too; in the dispatcher: preemption off.
 */
static __always_inline void marker_hists_hit(const struct marker_action *action,
					     const u64 *args, s64 latency)
{
	const struct marker_hist_run *run = action->data;
	const struct marker_map *map = rcu_dereference_raw(run->live);
	const struct marker_hist_term *key = &run->hist.key[0];

	if (unlikely(!map))
		return;
	if (likely(run->hist.is_single))
		marker_map_hit_int(map, marker_hist_int(key, args[key->arg]));
	else
		marker_hists_count(run, map, args, latency);
}

#endif /* _MARKERS_HISTS_H */
