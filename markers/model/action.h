/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trigger, and the actions of events that it becomes: what hits run.
 */
#ifndef _MARKERS_ACTION_H
#define _MARKERS_ACTION_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>

#include <markers/format/filter.h>
#include <markers/format/trigger.h>
#include "event.h"
#include "recording.h"

/**
 * struct marker_trigger - one trigger
 * @list:	in the list of its recording, or of those that are being set
 * @recording:	of its recording
 * @actions:	what it became, for each event; registry mutex
 * @kind:	what it does
 * @remove:	of those that are being set: it removes such triggers
 * @is_gone:	it is being taken away, or was; freed with its last action
 * @is_failing:	the last time that a task carried out one of @actions was an error; the
 *		first of some in a row is in error_log
 * @after:	see struct marker_action
 * @count:	see struct marker_action.left; 0: no limit
 * @module:	glob for the module's name
 * @name:	glob for the marker's name
 * @what:	its text up to the count
 * @filter:	its filter's text, or NULL
 * @misfit:	the last event that it did not fit, so that it became no action; NULL: none
 * @why:	why not, and where in @what
 * @target:	of MARKER_ACTION_ENABLE and _DISABLE: a rule with the pattern and the
 *		options, in no list; NULL: with @remove, for any target
 */
struct marker_trigger {
	struct list_head list;
	struct marker_recording *recording;
	struct list_head actions;
	enum marker_action_kind kind;
	bool remove;
	bool is_gone;
	bool is_failing;
	u32 after;
	u32 count;
	char *module;
	char *name;
	char *what;
	char *filter;
	const struct marker_event *misfit;
	struct marker_format_error why;
	struct marker_rule *target;
};

/**
 * struct marker_action - what a trigger does at the hits of one event
 * @kind:	its kind of action
 * @limited:	@left counts
 * @is_quick:	a hit calls nothing for it and reads no memory behind pointers; set by
 *		marker_trigger_ops.create()
 * @asks_latency: it does nothing while the latency is not known: set as @is_quick; then also
 *		for its filter
 * @after:	of MARKER_ACTION_TRACEOFF: events that are still recorded; of
 *		MARKER_ACTION_DUMP: events of each CPU, or 0
 * @left:	how often it may still run
 * @hits:	how often it ran
 * @filter:	its own filter, or NULL
 * @event:	of this event
 * @recording:	of the recording that it acts on
 * @trigger:	where it comes from
 * @of_trigger:	in the list of @trigger; registry mutex
 * @data:	what its kind needs besides, or NULL: set by marker_trigger_ops.create()
 * @node:	in the queue of what is left to a task, while @is_queued
 * @is_queued:	it is there
 * @pending:	of the task, while it carries out the action
 * @retired:	among those that are to be freed
 * @number:	of the newest hit that queued it; the task carries actions out in this order
 * @settled:	@recording->changes when there was nothing left for it to do
 * @done:	how often a task carried it out
 * @failed:	of these, how often with an error
 *
 * Belongs to triggers.c.  Hits find it under RCU.  It stays with the event when the module
 * goes.
 */
struct marker_action {
	enum marker_action_kind kind;
	bool limited;
	bool is_quick;
	bool asks_latency;
	u32 after;
	atomic_long_t left;
	atomic_long_t hits;
	struct marker_event_filter *filter;
	struct marker_event *event;
	struct marker_recording *recording;
	struct marker_trigger *trigger;
	struct list_head of_trigger;
	void *data;
	struct llist_node node;
	unsigned long is_queued;
	struct list_head pending;
	struct llist_node retired;
	unsigned long number;
	unsigned long settled;
	unsigned long done;
	unsigned long failed;
};

/**
 * struct marker_actions - the actions of a program
 * @only:	the one test that decides if any of the first @nr runs; NULL: there is none
 * @quick:	the only one that a hit runs, if it is quick and has no filter but @only
 * @action:	all of them
 * @nr:		those that a hit runs, in the order in which they were written
 * @nr_stacks:	after these: MARKER_ACTION_STACKTRACE, which the recorder asks
 * @nr_misfits:	after these: with a filter that does not fit the event's fields
 */
struct marker_actions {
	const struct marker_filter_test *only;
	const struct marker_action *quick;
	struct marker_action **action;
	u16 nr;
	u16 nr_stacks;
	u16 nr_misfits;
};

/**
 * marker_action_fits() - can an action run at the hits of its event?
 * @action:	the action
 *
 * Context: Any.
 * Return: false if its filter does not fit the fields of the event.
 */
static inline bool marker_action_fits(const struct marker_action *action)
{
	return !action->filter || !action->filter->error.why;
}

/**
 * marker_actions_before() - the actions of a program that has some
 * @program:	the program: @program->has_actions
 *
 * Context: Any, NMI too.
 * Return: the actions.
 */
static __always_inline struct marker_actions *
marker_actions_before(const struct marker_program *program)
{
	return (struct marker_actions *)program->take - 1;
}

/**
 * marker_actions_of() - the actions of a program
 * @program:	the program
 *
 * Context: Any, NMI too.
 * Return: the actions; NULL: none.
 */
static __always_inline const struct marker_actions *
marker_actions_of(const struct marker_program *program)
{
	return program->has_actions ? marker_actions_before(program) : NULL;
}

/**
 * marker_actions_nr() - how many actions there are
 * @actions:	the actions, or NULL
 *
 * Context: Any.
 * Return: the number, including those that do not run.
 */
static inline unsigned int marker_actions_nr(const struct marker_actions *actions)
{
	return actions ? actions->nr + actions->nr_stacks + actions->nr_misfits : 0;
}

/* Why a hist or a filter does not fit an event. */
#define MARKER_NO_LATENCY	"the latency is not known: write the trigger latency:NAME:keys=FIELD first"

/* The triggers of a recording, pairs first, then oldest first; registry mutex. */
#define for_each_trigger(recording, trigger)				\
	list_for_each_entry(trigger, &(recording)->triggers, list)

/* An action of a trigger. */
#define for_each_trigger_action(trigger, action)			\
	list_for_each_entry(action, &(trigger)->actions, of_trigger)

#endif /* _MARKERS_ACTION_H */
