/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MARKERS_CHILD_H
#define _MARKERS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * child_start() - run a command, with no signal blocked
 * @argv: its words, ends with NULL
 *
 * Return: its process; or -1, and says why it does not run.
 */
pid_t child_start(char **argv);

/**
 * child_ended() - has it ended?
 * @pid: of child_start()
 * @failed: is set if it has, and not with status 0; this is said
 *
 * Return: whether it has.
 */
bool child_ended(pid_t pid, bool *failed);

#endif /* _MARKERS_CHILD_H */
