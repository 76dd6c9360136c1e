/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Switching markers: the one step that gives markers the states, and sites the code,
 * that rules ask for.
 */
#ifndef _MARKERS_SWITCH_H
#define _MARKERS_SWITCH_H

#include <markers/model/registry.h>

/**
 * marker_switch_add() - add an event to a change
 * @changes:	list of the events that change
 * @event:	after this call the caller may edit its program; if its module is not loaded, only
 *		its actions
 *
 * Context: Process context; registry mutex held.
 */
void marker_switch_add(struct list_head *changes, struct marker_event *event);

/**
 * marker_switch_forget() - carry out no change
 * @changes:	events; empty on return
 *
 * Context: Process context; registry mutex held.
 */
void marker_switch_forget(struct list_head *changes);

/**
 * marker_switch_apply() - carry out a change
 * @changes:	events; empty on return
 *
 * Gives the markers of the events the states, and their sites the code, that are
 * asked for: one batch.  Tries quarantined sites again.
 *
 * Context: Process context; sleeps.  Between marker_registry_lock() and unlock.
 * Return: 0; -ENOMEM or an error of marker_arch_patch(): code, states and what is wanted
 * are as they were.
 */
int marker_switch_apply(struct list_head *changes);

/**
 * marker_switch_take_away() - carry out a change that asks for less than before
 * @changes:	events; empty on return
 *
 * As marker_switch_apply(), but it cannot fail: a site for which there is no memory stays
 * armed, and its hits do nothing.
 *
 * Context: as marker_switch_apply().
 */
void marker_switch_take_away(struct list_head *changes);

/**
 * marker_switch_set_mode() - set how the sites of an event are armed
 * @event:	the event
 * @mode:	the mode; sites that are armed are switched without losing a hit
 *
 * Context: Process context; sleeps.
 * Return: 0, or an error of marker_arch_patch(): nothing was changed.
 */
int marker_switch_set_mode(struct marker_event *event, enum marker_mode mode);

/**
 * marker_switch_set_default_mode() - set the mode of events without one of their own
 * @mode:	the mode, not MARKER_MODE_DEFAULT
 *
 * Context: Process context; sleeps.
 * Return: 0, or an error of marker_arch_patch(): nothing was changed.
 */
int marker_switch_set_default_mode(enum marker_mode mode);

/**
 * marker_switch_default_mode() - get the mode of events without one of their own
 *
 * Context: Any.
 * Return: the mode, never MARKER_MODE_DEFAULT.
 */
enum marker_mode marker_switch_default_mode(void);

/**
 * marker_switch_set_site() - enable one site alone, or no longer
 * @event:	the event
 * @index:	which of its sites, from 0 in the order of the table
 * @on:		what to do; the site is on if either it or its event is
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL for a site that does not exist, or one that is not patched and
 * shares its marker with others; -ENOENT if the module is not loaded; an error of
 * marker_arch_patch().
 */
int marker_switch_set_site(struct marker_event *event, unsigned int index, bool on);

/**
 * marker_switch_guard_page() - unmap the guard page, or map it again
 * @event:	the event whose sites or state have changed
 *
 * Context: Process context; between marker_registry_lock() and unlock.  Allocates
 * nothing.
 * Return: 0, or -EOPNOTSUPP if this machine's page tables do not allow it.
 */
int marker_switch_guard_page(struct marker_event *event);

/**
 * marker_switch_leave() - disable an event whose module is going
 * @event:	the event; its code is not touched
 *
 * Context: Process context; registry mutex held.
 */
void marker_switch_leave(struct marker_event *event);

#endif /* _MARKERS_SWITCH_H */
