/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers by name: what exists, who wants it, and the one step that turns what
 * is wanted into states and code.
 */
#ifndef _MARKERS_REGISTRY_H
#define _MARKERS_REGISTRY_H

#include <linux/list.h>

#include "arch.h"
#include "event.h"

/**
 * struct marker_module - a loaded module that has markers
 * @list:	in marker_modules; registry mutex
 * @mod:	the module
 * @name:	its name
 * @site:	its sites, those of one event side by side
 * @nr_sites:	how many
 * @dir:	its debugfs directory
 *
 * From the time the module is coming to the time it is going.
 */
struct marker_module {
	struct list_head list;
	struct module *mod;
	const char *name;
	struct marker_site *site;
	unsigned int nr_sites;
	struct dentry *dir;
};

/* All modules with markers, and all events that ever were, by id. */
extern struct list_head marker_modules;		/* registry mutex */
extern struct list_head marker_events;		/* registry mutex; only grows */

/*
 * The registry mutex, and cpus_read_lock() around it, which patching needs.
 * Not to be taken inside any other lock of ours.
 */
void marker_registry_lock(void);
void marker_registry_unlock(void);

/**
 * marker_event_by_id() - what an id in the stream means
 * @id:		the id
 *
 * Context: Any.
 * Return: the event, which stays until markers.ko goes, or NULL.
 */
struct marker_event *marker_event_by_id(u32 id);

/**
 * marker_event_next() - the next event by id that has a name
 * @event:	NULL for the first
 * @name:	the name
 *
 * Context: Process context; registry mutex held.
 * Return: an event of that name, its module loaded or not, or NULL.
 */
struct marker_event *marker_event_next(struct marker_event *event,
				       const char *name);

/**
 * marker_event_get() - the event of a marker of a module that is coming
 * @module:	the module's name
 * @marker:	the marker
 *
 * Finds or makes it.  The first format of a name wins while a loaded module has
 * it.  error_log tells why a marker is refused.
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: the event; ERR_PTR(-EINVAL): its format cannot be recorded; -EPERM:
 * the name is in use with another format; -ENOMEM.
 */
struct marker_event *marker_event_get(const char *module,
				      const struct marker *marker);

/**
 * marker_change_add() - let an event take part in a change
 * @changes:	list of those that do
 * @event:	event of a loaded module; once it is in, what is wanted of it
 *		may be changed
 */
void marker_change_add(struct list_head *changes, struct marker_event *event);

/**
 * marker_change_apply() - make it so
 * @changes:	events; empty on return
 *
 * Brings the states of the events' markers and the code of their sites to what
 * is wanted of them: one batch.  Tries quarantined sites again.
 *
 * Context: Process context; sleeps.  Between marker_registry_lock() and unlock.
 * Return: 0; -ENOMEM: code, states and @wanted are as they were.
 */
int marker_change_apply(struct list_head *changes);

/**
 * marker_set_patterns() - enable and disable by patterns
 * @text:	as marker_rules_parse() takes it
 * @clear:	forget all earlier patterns first, which disables all
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL, -ENOENT for a "!" that speaks of nothing, -ENOMEM; nothing
 * was changed then, and error_log says why.
 */
int marker_set_patterns(const char *text, bool clear);

/**
 * marker_set() - enable or disable the markers of a module, or one of them
 * @module:	glob for the module
 * @name:	glob for the marker
 * @on:		what to do
 *
 * Context: Process context; sleeps.
 * Return: 0 or -ENOMEM: nothing was changed.
 */
int marker_set(const char *module, const char *name, bool on);

/**
 * marker_get() - how many are enabled
 * @module:	of this loaded module; NULL for all
 *
 * Context: Process context; takes the registry mutex.
 * Return: '0' for none, '1' for all, 'X' for some.
 */
char marker_get(const struct marker_module *module);

/**
 * marker_set_mode() - how the sites of an event are armed
 * @event:	the event
 * @mode:	the mode; sites that are armed are switched without losing a hit
 *
 * Context: Process context; sleeps.
 * Return: 0 or -ENOMEM: nothing was changed.
 */
int marker_set_mode(struct marker_event *event, enum marker_mode mode);

/* The same for all events that have no mode of their own; not DEFAULT. */
int marker_set_default_mode(enum marker_mode mode);
enum marker_mode marker_default_mode(void);

/**
 * marker_set_site() - enable one site alone, or no longer
 * @event:	the event
 * @index:	which of its sites, from 0 in the order of the table
 * @on:		what to do; the site is on if either it or its event is
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL for a site that there is not, or that is not patched and
 * not the only one of its marker; -ENOENT if the module is not loaded; -ENOMEM.
 */
int marker_set_site(struct marker_event *event, unsigned int index, bool on);

/**
 * marker_event_leave() - the module of an event is going
 * @event:	the event; switched off without touching code
 *
 * Context: Process context; registry mutex held.
 */
void marker_event_leave(struct marker_event *event);

void marker_registry_exit(void);

#endif /* _MARKERS_REGISTRY_H */
