/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MARKERS_CHILD_H
#define _MARKERS_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * struct child_signals - what a command inherits, as it was when we were started
 * @mask: signals that are blocked
 * @on_pipe: what SIGPIPE does
 */
struct child_signals {
	sigset_t mask;
	struct sigaction on_pipe;
};

/**
 * child_find() - look for a command, where child_start() does
 * @name: its first word
 *
 * It may still not run, as an interpreter may be missing.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why it does not run.
 */
int child_find(const char *name);

/**
 * child_start() - run a command
 * @argv: its words, ends with NULL
 * @signals: of the command
 *
 * Return: its process; or -1, and says why it does not run.
 */
pid_t child_start(char **argv, const struct child_signals *signals);

/**
 * child_ended() - has it ended?
 * @pid: of child_start()
 * @failed: is set, with a message, if it ended with another status than 0
 *
 * Return: whether it has.
 */
bool child_ended(pid_t pid, bool *failed);

#endif /* _MARKERS_CHILD_H */
