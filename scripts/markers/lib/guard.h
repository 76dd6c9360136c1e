/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that restores the settings of markers.ko when the command ends, however
 * it ends: it waits for the end of a pipe that only the command holds. So there is one
 * way of restoring, and it works after SIGKILL, too.
 */
#ifndef _MARKERS_GUARD_H
#define _MARKERS_GUARD_H

#include <sys/types.h>

struct settings;

struct guard {
	pid_t pid;
	int pipe;
};

/**
 * guard_start() - from now on, the settings will be restored
 * @guard: is filled
 * @settings: what to restore
 * @dir: the recording that recording_end() then completes; or -1
 *
 * Call it before any trace_pipe is opened, and before there are threads.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int guard_start(struct guard *guard, const struct settings *settings, int dir);

/**
 * guard_end() - restore the settings now
 * @guard: of guard_start()
 *
 * Return: STATUS_OK; or STATUS_FAILED, if not all could be restored.
 */
int guard_end(struct guard *guard);

#endif /* _MARKERS_GUARD_H */
