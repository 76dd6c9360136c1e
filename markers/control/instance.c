// SPDX-License-Identifier: GPL-2.0
/*
 * The life of instances.  Process context.
 *
 * The end comes in this order: no reader waits and no new one comes; no trigger and no rule
 * is left, and no new one comes, so no hit begins a record; the files go; after a grace period
 * no hit is in a buffer, and the memory goes; files that are still open have no buffer any more.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include <markers/after/last_words.h>
#include <markers/model/program.h>
#include <markers/record/record.h>
#include "control.h"
#include "instance.h"
#include "triggers.h"

struct marker_recording *marker_instance_create(const char *name)
{
	struct marker_recording *recording = kvzalloc(sizeof(*recording), GFP_KERNEL_ACCOUNT);
	int err = -ENOMEM;

	if (!recording)
		return ERR_PTR(err);
	marker_recording_init(recording, name);
	recording->ring = alloc_percpu_gfp(struct ring_cpu *, GFP_KERNEL_ACCOUNT);
	if (recording->ring)
		err = marker_recording_create(recording);
	if (err)
		goto err_free;
	err = marker_recordings_add(recording);
	if (err)
		goto err_recording;
	return recording;

err_recording:
	marker_recording_destroy(recording);
err_free:
	free_percpu(recording->ring);
	kvfree(recording);
	return ERR_PTR(err);
}

int marker_instance_end(struct marker_recording *recording)
{
	int err;

	err = marker_recording_end(recording);
	if (err)
		return err;
	/* first: an action could enable a marker */
	marker_triggers_end(recording);
	marker_control_end(recording);
	return 0;
}

void marker_instance_free(struct marker_recording *recording)
{
	marker_recordings_remove(recording);
	marker_last_words_flush();
	marker_recording_free_snapshot(recording);
	marker_recording_destroy(recording);
	free_percpu(recording->ring);
	kvfree(recording);
}
