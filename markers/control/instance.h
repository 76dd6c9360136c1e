/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instances: recordings besides the one at the top.
 */
#ifndef _MARKERS_INSTANCE_H
#define _MARKERS_INSTANCE_H

#include <markers/model/recording.h>

/**
 * marker_instance_create() - make an instance, which records nothing yet
 * @name:	its name, which stays until marker_instance_free() returns
 *
 * It has the sizes, the clock, the contexts, the mode and buffer_percent that the recording at
 * the top has now.
 *
 * Context: Process context; sleeps.
 * Return: the instance; ERR_PTR(-ENOMEM).
 */
struct marker_recording *marker_instance_create(const char *name);

/**
 * marker_instance_end() - stop recording for good
 * @recording:	the instance
 *
 * Its triggers are gone then.  Files of it can still be opened, but no command changes what it
 * records.
 *
 * Context: Process context; sleeps.
 * Return: 0; -EBUSY: a reader that takes events away has a file open, or a writer its
 * set_marker or triggers, which is in error_log; nothing was changed then.
 */
int marker_instance_end(struct marker_recording *recording);

/**
 * marker_instance_free() - free an instance
 * @recording:	marker_instance_end() has succeeded, and its files are removed; readers may
 *		still have its buffers
 *
 * Context: Process context; sleeps for a grace period.
 */
void marker_instance_free(struct marker_recording *recording);

#endif /* _MARKERS_INSTANCE_H */
