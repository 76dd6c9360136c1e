/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a hit asks for and cannot do itself: it leaves that to a task.
 */
#ifndef _MARKERS_DEFERRED_H
#define _MARKERS_DEFERRED_H

#include <linux/init.h>

#include <markers/model/action.h>

/**
 * marker_deferred_init() - begin to take triggers, and what their actions leave to a task
 *
 * Context: Process context; allocates.
 * Return: 0 or -ENOMEM.
 */
int __init marker_deferred_init(void);

/**
 * marker_deferred_exit() - carry out what is left, and free all triggers
 *
 * Context: Process context; sleeps.  There are no more hits.
 */
void marker_deferred_exit(void);

/**
 * marker_deferred_queue() - leave an action to a task
 * @action:	MARKER_ACTION_ENABLE, _DISABLE or _SNAPSHOT
 *
 * The task carries out actions in the order of their last hits.  If the action is queued
 * already, it does it once for both hits.
 *
 * Context: Any, NMI too; in the dispatcher.
 */
void marker_deferred_queue(struct marker_action *action);

/**
 * marker_deferred_is_busy() - is an action queued, or being carried out?
 *
 * If not, struct marker_rules.changes, read after this call, includes all their changes.
 *
 * Context: Any, NMI too; in the dispatcher.
 * Return: true if it is.
 */
bool marker_deferred_is_busy(void);

#endif /* _MARKERS_DEFERRED_H */
