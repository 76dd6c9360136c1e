/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The task that carries out what hits ask for, and the data of actions.
 */
#ifndef _MARKERS_DEFERRED_H
#define _MARKERS_DEFERRED_H

#include <linux/init.h>

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

#endif /* _MARKERS_DEFERRED_H */
