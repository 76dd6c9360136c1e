/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What triggers.c shares with triggers_parse.c, which makes triggers of text, and with
 * triggers_actions.c.
 */
#ifndef _MARKERS_TRIGGERS_INTERNAL_H
#define _MARKERS_TRIGGERS_INTERNAL_H

#include "triggers.h"

/* From marker_triggers_init() on. */
extern const struct marker_trigger_ops *marker_triggers_ops;

/**
 * marker_triggers_act() - does a trigger in force do anything?
 * @trigger:	the trigger; it may be about to be taken away
 *
 * Context: Process context; registry mutex held.
 * Return: false if it fits no event.
 */
bool marker_triggers_act(const struct marker_trigger *trigger);

/**
 * marker_triggers_remove() - take an action from the next program of its event
 * @action:	the action; if the event has it no more, this does nothing
 *
 * Context: Process context; sleeps.  Registry mutex held.
 */
void marker_triggers_remove(struct marker_action *action);

/**
 * marker_triggers_count() - the actions of an event
 * @event:	the event
 * @recording:	of this one
 *
 * Context: Process context; registry mutex held.
 * Return: how many there are, including those that do not run.
 */
unsigned int marker_triggers_count(const struct marker_event *event,
				   const struct marker_recording *recording);

/**
 * marker_triggers_parse() - parse one trigger
 * @recording:	this one
 * @commands:	list that it is added to, even if only a part of it was understood
 * @module:	glob for the module
 * @name:	glob for the marker
 * @text:	a line, for messages
 * @at:		where the trigger begins in @text
 * @remove:	it is to be taken away, as with "!"
 *
 * Context: Process context.
 * Return: 0, or -EINVAL or -ENOMEM; error_log says why.
 */
int marker_triggers_parse(struct marker_recording *recording, struct list_head *commands,
			  const char *module, const char *name, const char *text,
			  unsigned int at, bool remove);

/**
 * marker_triggers_destroy() - free a trigger
 * @trigger:	of marker_triggers_parse(), also if that has failed; it has no actions
 *
 * Context: Process context.
 */
void marker_triggers_destroy(struct marker_trigger *trigger);

/**
 * marker_triggers_parse_lines() - parse lines of patterns and triggers
 * @recording:	this one
 * @commands:	list that they are added to, even if there is an error
 * @text:	as for marker_triggers_set_patterns()
 *
 * Context: Process context.
 * Return: 0, or -EINVAL or -ENOMEM; error_log says why.
 */
int marker_triggers_parse_lines(struct marker_recording *recording, struct list_head *commands,
				const char *text);

#endif /* _MARKERS_TRIGGERS_INTERNAL_H */
