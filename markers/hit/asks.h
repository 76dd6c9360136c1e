/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a hit asks for and cannot do itself: changing markers, a snapshot, a dump.  Tasks above
 * carry it out.
 */
#ifndef _MARKERS_ASKS_H
#define _MARKERS_ASKS_H

#include <linux/irq_work.h>
#include <linux/llist.h>

#include <markers/model/action.h>

#define MARKER_DUMP_EVENTS	100	/* of each CPU, unless a trigger says how many */

/* They start the tasks, whose files initialise them. */
extern struct irq_work marker_asks_actions;
extern struct irq_work marker_asks_dump;

/**
 * struct marker_asked_dump - the dump that a hit has asked for
 * @nr:		events of each CPU; not 0: claimed, until the dump is complete
 * @recording:	whose events
 * @next_time:	jiffies: no hit claims one before
 */
struct marker_asked_dump {
	unsigned int nr;
	struct marker_recording *recording;
	unsigned long next_time;
};

extern struct marker_asked_dump marker_asked_dump;

/**
 * marker_asks_queue() - ask for an action
 * @action:	MARKER_ACTION_ENABLE, _DISABLE or _SNAPSHOT
 *
 * The task carries out actions in the order of their last hits.  If the action is queued
 * already, it does it once for both hits.
 *
 * Context: Any, NMI too; in the dispatcher.
 */
void marker_asks_queue(struct marker_action *action);

/**
 * marker_asks_are_busy() - is an action queued, or being carried out?
 *
 * If not, struct marker_rules.changes, read after this call, includes all their changes.
 *
 * Context: Any, NMI too; in the dispatcher.
 * Return: true if it is.
 */
bool marker_asks_are_busy(void);

/**
 * marker_asks_take() - begin to carry out what is queued
 *
 * Context: One task at a time.
 * Return: the actions, linked by marker_action.node.  The caller clears marker_action.is_queued of
 * each before it carries it out, and then calls marker_asks_done().
 */
struct llist_node *marker_asks_take(void);

/**
 * marker_asks_done() - all that marker_asks_take() returned was carried out
 *
 * Context: That task.
 */
void marker_asks_done(void);

/**
 * marker_asks_claim_dump() - be the only hit that asks for a dump
 * @recording:	of this recording
 * @nr:		events of each CPU; 0: MARKER_DUMP_EVENTS
 *
 * Context: Any, NMI too; in the dispatcher.
 * Return: false: there is one under way, or there was one in the last second; true: the caller
 * queues marker_asks_dump or calls marker_asks_end_dump().
 */
bool marker_asks_claim_dump(struct marker_recording *recording, unsigned int nr);

/**
 * marker_asks_end_dump() - the dump that was claimed is complete, or none is needed
 *
 * Context: Any, NMI too.
 */
void marker_asks_end_dump(void);

#endif /* _MARKERS_ASKS_H */
