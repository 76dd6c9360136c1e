/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The markers of all modules that are or were loaded, and the mutex for all changes.
 */
#ifndef _MARKERS_REGISTRY_H
#define _MARKERS_REGISTRY_H

#include <linux/list.h>

#include <markers/arch.h>
#include "event.h"

/**
 * struct marker_module - a loaded module that has markers
 * @list:	in marker_modules; registry mutex
 * @mod:	the module
 * @name:	its name
 * @site:	its sites, those of one event side by side, and in there those of one
 *		marker
 * @nr_sites:	how many
 * @bridge:	its bridges, if it is an optional client
 * @nr_bridges:	how many
 * @refused:	names that it has and that cannot be recorded, or not in each place:
 *		struct marker_refusal; does not change once the module is there
 * @id:		they ascend in marker_modules
 * @is_preview:	to look at its events before it comes: nothing is said about those that are refused
 * @is_going:	nobody may find it any more, but who has found it may use it
 *
 * Exists from the time the module comes to the time it goes.
 */
struct marker_module {
	struct list_head list;
	struct module *mod;
	const char *name;
	struct marker_site *site;
	unsigned int nr_sites;
	struct marker_site *bridge;
	unsigned int nr_bridges;
	struct list_head refused;
	u32 id;
	bool is_preview;
	bool is_going;
};

/**
 * struct marker_refusal - why a module's markers of one name cannot be recorded
 * @list:	in marker_module.refused
 * @module:	the module
 * @id:		of no other refusal
 * @name:	the name
 * @why:	lines for a person: what is wrong, the format, a caret
 *
 * Another trace_mark() of that name may be good: then there is an event, too.
 */
struct marker_refusal {
	struct list_head list;
	const struct marker_module *module;
	u32 id;
	const char *name;
	char *why;
};

/* For the iterators below; registry mutex. */
extern struct list_head marker_modules;
extern struct marker_event *marker_first_event;	/* events only become more */

/* Modules with markers that are loaded. */
#define for_each_marker_module(module)					\
	list_for_each_entry(module, &marker_modules, list)

/* Their sites. */
#define for_each_module_site(module, pos)				\
	for ((pos) = (module)->site;					\
	     (pos) < (module)->site + (module)->nr_sites; (pos)++)

/* The refused markers of one of them. */
#define for_each_refusal(module, refusal)				\
	list_for_each_entry(refusal, &(module)->refused, list)

/* All events, also of unloaded modules, by id. */
#define for_each_event(event)						\
	for ((event) = marker_first_event; (event); (event) = (event)->next)

/* The events of loaded modules. */
#define for_each_loaded_event(event)					\
	for_each_event(event)						\
		if (!(event)->module)					\
			continue;					\
		else

/* The events of one module; of one that is still coming, once its sites are sorted. */
#define for_each_module_event(mod, event)				\
	for ((event) = marker_module_event(mod, 0); (event);		\
	     (event) = marker_module_event(mod, (event)->first_site +	\
						(event)->nr_sites))

/* The events with a name. */
#define for_each_named_event(event, name)				\
	for ((event) = marker_registry_next(NULL, name); (event);	\
	     (event) = marker_registry_next(event, name))

/* The sites of an event; @end is a variable for the loop.  None if its module is not loaded. */
#define for_each_event_site(event, pos, end)				\
	for ((pos) = marker_event_site(event, 0), (end) = (pos) + (event)->nr_sites; \
	     (pos) < (end); (pos)++)

/**
 * marker_module_event() - the event that has a site
 * @module:	its module
 * @site:	from 0, in the module's table
 *
 * Context: Process context; registry mutex held, or the module is coming.
 * Return: the event, or NULL: the module has no more sites.
 */
static inline struct marker_event *
marker_module_event(const struct marker_module *module, unsigned int site)
{
	return site < module->nr_sites ? module->site[site].marker->event : NULL;
}

/**
 * marker_event_site() - a site by its number in the file sites
 * @event:	the event
 * @index:	from 0
 *
 * Context: Process context; registry mutex held.
 * Return: the site, or NULL: the event has no more, or its module is not loaded.
 */
static inline struct marker_site *marker_event_site(const struct marker_event *event,
						    unsigned int index)
{
	if (index >= event->nr_sites)
		return NULL;
	return &event->module->site[event->first_site + index];
}

/**
 * marker_registry_lock() - take the registry mutex
 *
 * Takes cpus_read_lock() first, because patching needs it.  Documentation/locking.rst
 * says which locks the caller may hold.
 *
 * Context: Process context; sleeps.
 */
void marker_registry_lock(void);

/**
 * marker_registry_unlock() - release the registry mutex, and cpus_read_lock()
 *
 * Context: Process context; the mutex is held.
 */
void marker_registry_unlock(void);

/**
 * marker_registry_lock_to_look() - take the registry mutex, but not cpus_read_lock()
 *
 * The lookup of a file takes it under the lock of an inode, which others may hold when they wait
 * for the hotplug lock.
 *
 * Context: Process context; sleeps.  For what needs the registry mutex and changes nothing.
 */
void marker_registry_lock_to_look(void);

/**
 * marker_registry_unlock_looked() - release it
 *
 * Context: Process context.
 */
void marker_registry_unlock_looked(void);

/**
 * marker_registry_assert_locked() - complain if the registry mutex is not held
 *
 * Context: Any; only lockdep sees it.
 */
void marker_registry_assert_locked(void);

/**
 * marker_registry_by_id() - the event of an id in the stream
 * @id:		the id
 *
 * Context: Any.
 * Return: the event, which stays until markers.ko is unloaded, or NULL.
 */
struct marker_event *marker_registry_by_id(u32 id);

/**
 * marker_registry_next() - the next event by id that has a name
 * @event:	NULL for the first
 * @name:	the name
 *
 * Context: Process context; registry mutex held.
 * Return: an event of that name, its module loaded or not, or NULL.
 */
struct marker_event *marker_registry_next(struct marker_event *event,
					  const char *name);

/**
 * marker_registry_find() - the event of a loaded module that has a name
 * @module:	the module
 * @name:	the name
 *
 * Context: Process context; registry mutex held.
 * Return: the event or NULL.
 */
struct marker_event *marker_registry_find(const struct marker_module *module,
					  const char *name);

/**
 * marker_registry_refusal() - was a marker of that name refused?
 * @module:	the module
 * @name:	the name
 *
 * Context: Process context.
 * Return: the refusal, which stays until the module is unloaded, or NULL.
 */
struct marker_refusal *marker_registry_refusal(const struct marker_module *module,
					       const char *name);

/**
 * marker_registry_get() - the event of a marker of a module that is coming
 * @module:	the module
 * @marker:	the marker
 *
 * Finds or makes it.  The first format that a module has for a name wins.  A refusal
 * goes to both logs and to the module's list.
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: the event; ERR_PTR(-EINVAL): its format cannot be recorded; -EPERM:
 * the module has the name with another format; -ENOMEM.
 */
struct marker_event *marker_registry_get(struct marker_module *module,
					 const struct marker *marker);

/**
 * marker_registry_free_refusals() - free the refusals of a module
 * @module:	the module, which is going; no other task can reach it
 *
 * Context: Process context.
 */
void marker_registry_free_refusals(struct marker_module *module);

void marker_registry_exit(void);

#endif /* _MARKERS_REGISTRY_H */
