/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends all recordings in a directory, as a service that records into a new one at each start
 * leaves them.
 */
#ifndef _MARKERS_EACH_H
#define _MARKERS_EACH_H

#include <signal.h>
#include <stdbool.h>

/**
 * each_run() - send each recording in a directory, the oldest first, and wait for the next
 * @path: the directory; by their names the recordings are in the order of time
 * @stop: set when a signal came
 * @send: send one, in a process of its own; if it @is_whole, as it is now. Return: as sender_run()
 * @ctx: for @send
 *
 * The last one is followed until there is a later one. One that cannot be sent is tried again every
 * some seconds; an older one while the last one is followed, too, but then after a minute at most.
 * If @send of an older one returns STATUS_LOST, something is missing in it, and all else is sent:
 * that is left out.
 *
 * Return: STATUS_OK after a signal; or STATUS_FAILED, and says why.
 */
int each_run(const char *path, volatile sig_atomic_t *stop,
	     int (*send)(void *ctx, const char *path, bool is_whole), void *ctx);

#endif /* _MARKERS_EACH_H */
