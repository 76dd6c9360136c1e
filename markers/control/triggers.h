/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Triggers: what is to happen at the hits of the markers that match a pattern.  A trigger
 * becomes an action of each of their events, with the filter compiled for its fields.
 */
#ifndef _MARKERS_TRIGGERS_H
#define _MARKERS_TRIGGERS_H

#include <markers/model/action.h>

/* Limits of a recording and of an event. */
#define MARKER_MAX_TRIGGERS	1024	/* each is compared with each marker that comes */
#define MARKER_MAX_ACTIONS	16	/* of an event: each costs its hits */

/**
 * struct marker_trigger_ops - what triggers.c needs from above
 * @create:	an action is about to come into force: set its data.  0; -EINVAL: it does
 *		not fit the event, and @error has why, and where in trigger->what; others:
 *		what is not for lack of memory is noted in error_log.  Process context;
 *		registry mutex held.
 * @retire:	an action is not in force any more, or never was: call
 *		marker_triggers_free() when no hit can have it and no task has work for it.
 *		Process context; registry mutex held.
 * @destroy:	free its data.  Process context.
 * @wait:	until those that retired were freed, and what was left to a task for them is
 *		done.  Process context; no lock held.
 */
struct marker_trigger_ops {
	int (*create)(struct marker_action *action, struct marker_format_error *error);
	void (*retire)(struct marker_action *action);
	void (*destroy)(struct marker_action *action);
	void (*wait)(void);
};

/**
 * marker_triggers_init() - begin to take triggers
 * @ops:	functions from above
 *
 * Context: Process context.
 */
void marker_triggers_init(const struct marker_trigger_ops *ops);

/**
 * marker_triggers_exit() - free all triggers and all actions
 *
 * Context: Process context.  There are no more hits, and no instances.
 */
void marker_triggers_exit(void);

/**
 * marker_triggers_set() - set or take away one trigger
 * @recording:	of this recording
 * @module:	glob for the module
 * @name:	glob for the marker
 * @text:	the trigger, as marker_trigger_parse() takes it
 *
 * It holds for markers that come later, too.  Setting the same trigger again replaces the
 * first: its count begins again.  With "!", this removes those of the same action whose
 * patterns match no other markers; if an argument or a filter is given, it must be the
 * same.
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL for what is no trigger, or fits none of the markers; -ENOENT: there is
 * none to take away; -ENODEV: the instance has ended; -ENOSPC; -ENOMEM; nothing was changed
 * then, and error_log says why.
 */
int marker_triggers_set(struct marker_recording *recording, const char *module, const char *name,
			const char *text);

/**
 * marker_triggers_set_patterns() - set and take away triggers of patterns
 * @recording:	this one
 * @text:	lines: "[!]PATTERN TRIGGER", as above; or a comment, which begins with "#"
 * @clear:	take all others away first
 *
 * Context: Process context; sleeps.
 * Return: as marker_triggers_set().
 */
int marker_triggers_set_patterns(struct marker_recording *recording, const char *text, bool clear);

/**
 * marker_triggers_end() - take all triggers of an instance away
 * @recording:	the instance, for which no command comes any more
 *
 * On return no hit runs one of their actions, and nothing is left for a task to do for them.
 *
 * Context: Process context; sleeps.
 */
void marker_triggers_end(struct marker_recording *recording);

/**
 * marker_triggers_have() - does an event have a trigger of some kind?
 * @event:	the event
 * @recording:	this one
 * @kind:	what it does
 *
 * Context: Process context; registry mutex held.
 * Return: true if it does, once the change in progress is done.
 */
bool marker_triggers_have(const struct marker_event *event,
			  const struct marker_recording *recording,
			  enum marker_action_kind kind);

/**
 * marker_triggers_lacks_latency() - does an action ask for a latency that nothing tells?
 * @action:	the action
 *
 * Context: Process context; registry mutex held.
 * Return: true if the pair of the event has been taken away; of those in force.
 */
bool marker_triggers_lacks_latency(const struct marker_action *action);

/**
 * marker_triggers_is_misfit() - does a trigger not fit an event?
 * @trigger:	the trigger
 * @event:	the event
 *
 * Not for its filter: then it has an action all the same.  @trigger->why has the reason.
 *
 * Context: Process context; registry mutex held.
 * Return: false also if it does not match, or the event's module is not loaded.
 */
bool marker_triggers_is_misfit(const struct marker_trigger *trigger,
			       const struct marker_event *event);

/**
 * marker_triggers_misfits() - how many events does a trigger not fit so?
 * @trigger:	the trigger
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: the number of events for which marker_triggers_is_misfit().
 */
unsigned int marker_triggers_misfits(const struct marker_trigger *trigger);

/**
 * marker_triggers_cost() - what the filters of the newest actions of an event cost
 * @event:	the event
 *
 * Context: Process context; registry mutex held.
 * Return: the sum of marker_event_filter.cost.
 */
u64 marker_triggers_cost(const struct marker_event *event);

/**
 * marker_triggers_connect() - choose the actions of an event whose module comes
 * @event:	the event; it has those of an earlier load
 *
 * If there is no room or no memory for some, it leaves them out; error_log says so.
 *
 * Context: Process context; sleeps.  Registry mutex held.
 */
void marker_triggers_connect(struct marker_event *event);

/**
 * marker_triggers_retry() - set triggers again for the events that they did not fit
 *
 * For pairs whose events have waited for a name. What does not succeed is as before;
 * error_log says so.
 *
 * Context: Process context; sleeps.  Registry mutex held.
 */
void marker_triggers_retry(void);

/**
 * marker_triggers_settle() - retire the actions that only the unused program of an event has
 * @event:	the event, which has one; before marker_program_settle()
 *
 * Context: Process context; registry mutex held.
 */
void marker_triggers_settle(const struct marker_event *event);

/**
 * marker_triggers_free() - free an action
 * @action:	was retired
 *
 * Context: Process context; registry mutex held.
 */
void marker_triggers_free(struct marker_action *action);

#endif /* _MARKERS_TRIGGERS_H */
