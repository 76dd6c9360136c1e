// SPDX-License-Identifier: GPL-2.0
/*
 * The events of a module that comes: one for each name of its markers, and its sites in the order
 * of the events.  Process context.
 */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/sort.h>

#include "module_events.h"

/*
 * A refused marker keeps the error in @event until its sites are cut off.  So a marker with
 * many sites is refused once.
 */
static int find_events_of(struct marker_module *module, bool by_line)
{
	struct marker_event *event;
	struct marker_site *site;
	struct marker *marker;

	for_each_module_site(module, site) {
		marker = site->marker;
		if (marker->event || marker->by_line != by_line)
			continue;
		cond_resched();
		event = marker_registry_get(module, marker);
		if (event == ERR_PTR(-ENOMEM))
			return -ENOMEM;
		if (!IS_ERR(event)) {
			event->module = module;
			event->marker = marker;
		}
		marker->event = event;
	}
	return 0;
}

/* A debug statement leaves its name to a trace_mark() that has it. */
int marker_module_events_find(struct marker_module *module)
{
	return find_events_of(module, false) ?: find_events_of(module, true);
}

static u32 site_id(const struct marker_site *site)
{
	return IS_ERR(site->marker->event) ? U32_MAX : site->marker->event->id;
}

static int compare_site_places(const void *a, const void *b)
{
	const struct marker_site *x = a, *y = b;

	if (site_id(x) != site_id(y))
		return site_id(x) < site_id(y) ? -1 : 1;
	if (x->marker != y->marker)
		return x->marker < y->marker ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* From @first on, the sites belong to refused markers, which have no event. */
static void cut_off(struct marker_module *module, unsigned int first)
{
	unsigned int i;

	for (i = first; i < module->nr_sites; i++)
		module->site[i].marker->event = NULL;
	module->nr_sites = first;
}

void marker_module_events_sort(struct marker_module *module)
{
	struct marker_event *event, *last = NULL;
	unsigned int i;

	sort(module->site, module->nr_sites, sizeof(*module->site),
	     compare_site_places, NULL);
	for (i = 0; i < module->nr_sites; i++) {
		if (site_id(&module->site[i]) == U32_MAX)
			break;
		event = module->site[i].marker->event;
		if (event != last)
			event->first_site = i;
		event->nr_sites = i + 1 - event->first_site;
		last = event;
	}
	cut_off(module, i);
}
