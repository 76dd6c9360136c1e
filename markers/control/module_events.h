/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which event each marker of a module has.
 */
#ifndef _MARKERS_MODULE_EVENTS_H
#define _MARKERS_MODULE_EVENTS_H

#include <markers/model/registry.h>

/**
 * marker_module_events_find() - find or make the events of a module that is coming
 * @module:	has its sites
 *
 * A marker that is refused has an ERR_PTR() in place of its event, until
 * marker_module_events_sort().
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: 0; -ENOMEM: some markers have none.
 */
int marker_module_events_find(struct marker_module *module);

/**
 * marker_module_events_sort() - put the sites of an event side by side
 * @module:	after marker_module_events_find()
 *
 * Among them, those of each marker are side by side, too.  The sites of refused markers are
 * cut off.
 *
 * Context: Process context; registry mutex held.
 */
void marker_module_events_sort(struct marker_module *module);

#endif /* _MARKERS_MODULE_EVENTS_H */
