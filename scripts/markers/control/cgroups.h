/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Groups of tasks: cgroups of the unified hierarchy, which the kernel's filters know by number.
 */
#ifndef _MARKERS_CGROUPS_H
#define _MARKERS_CGROUPS_H

/**
 * cgroups_filter() - a filter for the hits of the tasks in a group
 * @path: the directory of the group; or its path below where the hierarchy is mounted, as in
 *	/proc/PID/cgroup
 * @others: a filter as this one, which hits may pass as well; or NULL
 * @filter: set to the filter, to be freed by the caller
 *
 * The groups below it that are there now belong to it. If there are some, it says so.
 *
 * Return: NULL; or why there is no such filter, to be freed by the caller.
 */
char *cgroups_filter(const char *path, const char *others, char **filter);

#endif /* _MARKERS_CGROUPS_H */
