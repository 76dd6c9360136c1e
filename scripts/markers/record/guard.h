/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that restores the settings of markers.ko when the command ends, or removes the
 * instance that was made for it. It waits for
 * end of file on a pipe whose other end only the command holds. So one way of restoring
 * serves every end of the command, SIGKILL included.
 */
#ifndef _MARKERS_GUARD_H
#define _MARKERS_GUARD_H

#include <sys/types.h>

struct recording;
struct settings;

struct guard {
	pid_t pid;
	int pipe;
	const struct settings *settings;
	const struct recording *recording;
};

/**
 * guard_start() - start the process that will restore the settings
 * @guard: gets its state; stays where it is, as does what follows, until guard_end()
 * @settings: the settings to restore; NULL: instance_remove() instead
 * @recording: the recording that the process completes with recording_end(); or NULL
 *
 * Call it before you open a trace_pipe or start a thread.
 *
 * Return: STATUS_OK; or STATUS_FAILED, and says why.
 */
int guard_start(struct guard *guard, const struct settings *settings,
		const struct recording *recording);

/**
 * guard_end() - restore the settings now, or remove the instance
 * @guard: from guard_start()
 *
 * If somebody has killed the process, it says so, and does that itself.
 *
 * Return: STATUS_OK; or STATUS_FAILED, if a setting could not be restored.
 */
int guard_end(const struct guard *guard);

#endif /* _MARKERS_GUARD_H */
