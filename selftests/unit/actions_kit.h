/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of actions share: the markers of dispatch_kit.h with hists and latencies.
 */
#ifndef _UNIT_ACTIONS_KIT_H
#define _UNIT_ACTIONS_KIT_H

#include <markers/control/latency_events.h>
#include "dispatch_kit.h"

static inline void has_acted(const char *wanted, const char *what)
{
	is_str(acted, wanted, "%s", what);
	acted[0] = '\0';
}

/* In place of those of deferred.c. */
static inline int create_hist(struct marker_action *action, struct marker_format_error *error)
{
	if (action->kind == MARKER_ACTION_BEGIN || action->kind == MARKER_ACTION_LATENCY)
		return marker_latencies_create(action, error) ?:
		       marker_latency_events_get(action, error);
	return action->kind == MARKER_ACTION_HIST ? marker_hists_create(action, error) : 0;
}

static inline void destroy_hist(struct marker_action *action)
{
	if (action->kind == MARKER_ACTION_BEGIN || action->kind == MARKER_ACTION_LATENCY) {
		marker_latency_events_put(action);
		marker_latencies_destroy(action);
	}
	if (action->kind == MARKER_ACTION_HIST)
		marker_hists_destroy(action);
}

static inline void retire_hist(struct marker_action *action)
{
	if (action->kind == MARKER_ACTION_BEGIN || action->kind == MARKER_ACTION_LATENCY)
		marker_latencies_retire(action);
	kit_action_retire(action);
}

static const struct marker_trigger_ops hist_ops = {
	.create = create_hist,
	.retire = retire_hist,
	.destroy = destroy_hist,
	.wait = kit_action_wait,
};

/* The first action of a marker. */
static inline struct marker_action *hist_of(const char *name)
{
	return marker_program_actions(kit_event(&m, name))->action[0];
}

/* What the first hist of a marker has counted: "KEY*HITS ", sorted by hits. */
static inline const char *hist_rows(const char *name)
{
	static char text[1024];
	const struct marker_hist_run *run = hist_of(name)->data;
	struct marker_table *table = marker_table_read(&run->hist, run->map);
	unsigned int i;

	marker_table_sort(table, &run->hist);
	*text = '\0';
	for (i = 0; i < table->nr; i++)
		sprintf(text + strlen(text), "%lld*%llu ",
			(long long)marker_table_row(table, i)[1],
			(unsigned long long)marker_table_row(table, i)[0]);
	kvfree(table);
	return text;
}

static inline int clear_hist(const char *name)
{
	struct marker_map *old = NULL;
	unsigned long kib = 0;
	int err = marker_hists_clear(hist_of(name), &old, &kib);

	marker_hists_destroy_old(old);
	return err;
}

#endif /* _UNIT_ACTIONS_KIT_H */
