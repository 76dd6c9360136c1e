/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MARKERS_CHILD_H
#define _MARKERS_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * struct child_signals - signal settings that we found at our start, for the command
 * @mask: blocked signals
 * @on_pipe: what SIGPIPE does
 */
struct child_signals {
	sigset_t mask;
	struct sigaction on_pipe;
};

/**
 * child_find() - look for a command where child_start() looks for it
 * @name: its first word
 *
 * The command may still fail to run: its interpreter may be missing.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why the command does not run.
 */
int child_find(const char *name);

/**
 * child_start() - run a command
 * @argv: its words, then NULL
 * @signals: the signal settings that it gets
 *
 * Return: its process; or -1, and says why the command does not run.
 */
pid_t child_start(char **argv, const struct child_signals *signals);

/**
 * child_ended() - has a command ended?
 * @pid: from child_start()
 * @failed: if it has ended: set to whether its status is not 0, which prints a message
 *
 * Return: whether it has.
 */
bool child_ended(pid_t pid, bool *failed);

#endif /* _MARKERS_CHILD_H */
