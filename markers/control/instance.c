// SPDX-License-Identifier: GPL-2.0
/*
 * The life of instances.  Process context.
 *
 * The end comes in this order: no reader waits and no new one comes; no trigger and no rule
 * is left, and no new one comes, so no hit begins a record; the files go; after a grace period
 * no hit is in a buffer, and the memory goes; files that are still open have no buffer any more.
 */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include <markers/after/last_words.h>
#include <markers/log.h>
#include <markers/model/program.h>
#include "control.h"
#include "instance.h"
#include "triggers.h"

struct marker_instance *marker_instance_create(const char *name)
{
	struct marker_instance *instance = kvzalloc(sizeof(*instance), GFP_KERNEL_ACCOUNT);
	struct marker_recording *recording;
	int err = -ENOMEM;

	if (!instance)
		return ERR_PTR(err);
	recording = &instance->recording;
	marker_rules_init(&instance->rules, name, recording);
	recording->wanted = &instance->wanted;
	recording->clock = &instance->clock;
	recording->rules = &instance->rules;
	recording->ring_cpu = alloc_percpu_gfp(struct ring_cpu *, GFP_KERNEL_ACCOUNT);
	if (recording->ring_cpu)
		err = marker_channel_create(recording);
	if (err)
		goto err_free;
	err = marker_recordings_add(&instance->rules, recording->ring_cpu);
	if (err)
		goto err_channel;
	marker_last_words_add(recording);
	return instance;

err_channel:
	marker_channel_destroy(recording);
err_free:
	free_percpu(recording->ring_cpu);
	kvfree(instance);
	return ERR_PTR(err);
}

int marker_instance_end(struct marker_instance *instance)
{
	int err;

	err = marker_channel_end(&instance->recording);
	if (err)
		return err;
	/* first: an action could enable a marker */
	marker_triggers_end(&instance->rules);
	marker_control_end(&instance->rules);
	return 0;
}

void marker_instance_free(struct marker_instance *instance)
{
	marker_recordings_remove(&instance->rules);
	marker_last_words_remove(&instance->recording);
	marker_channel_destroy(&instance->recording);
	free_percpu(instance->recording.ring_cpu);
	kvfree(instance);
}
