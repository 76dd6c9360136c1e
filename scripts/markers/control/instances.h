/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instances that a command makes for itself, and that go when it ends. A command holds a lock on
 * the directory of its own, so one without a lock belongs to a command that was killed.
 */
#ifndef _MARKERS_INSTANCES_H
#define _MARKERS_INSTANCES_H

/* How the name of such an instance begins; the number of the process follows. */
#define INSTANCE_PREFIX	"markers-cmd-"

enum instance_made {
	INSTANCE_MADE,
	INSTANCE_NONE,		/* there can be none here: use the recording that is there */
	INSTANCE_FAILED,	/* and says why */
};

/**
 * instance_make() - make an instance, and use it from now on
 *
 * Removes those of commands that were killed, and says so.
 *
 * Return: see above.
 */
enum instance_made instance_make(void);

/**
 * instance_name() - the name of the instance that instance_make() has made
 *
 * Return: the name, or NULL.
 */
const char *instance_name(void);

/**
 * instance_remove() - remove the instance that instance_make() has made
 *
 * As long as a reader keeps it busy, it waits, five seconds at most. Nothing can be read or
 * written below its directory any more.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int instance_remove(void);

#endif /* _MARKERS_INSTANCES_H */
