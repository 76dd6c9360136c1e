// SPDX-License-Identifier: GPL-2.0
/*
 * The life of recordings: the module starts the one at the top, debugfs the others.  Process
 * context.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/slab.h>

#include <markers/marker_types.h>
#include <markers/ring/clock.h>
#include <markers/ring/region.h>
#include "record_internal.h"

/* What the recording at the top gets when it goes to a region; until then it has two. */
static u32 subbufs_in_region;

static void free_recording(struct marker_recording *recording)
{
	mutex_destroy(&recording->lock);
	kvfree(recording->consumers);
}

/* Its ring and clock are there. */
static int begin_recording(struct marker_recording *recording, const struct ring_config *config,
			   unsigned int percent)
{
	struct marker_buffer *buffer;

	mutex_init(&recording->lock);
	recording->percent = percent;
	recording->consumers = kvcalloc(nr_cpu_ids, sizeof(*recording->consumers),
					GFP_KERNEL_ACCOUNT);
	if (!recording->consumers)
		return -ENOMEM;
	buffer = marker_recording_new_buffer(recording, config);
	if (IS_ERR(buffer)) {
		free_recording(recording);
		return PTR_ERR(buffer);
	}
	marker_recording_publish(recording, buffer);
	/* what is recorded before it goes to the region would be lost */
	recording->starts_held = recording->is_loading;
	marker_recording_set_on(recording, true);
	return 0;
}

int __init marker_recordings_init(const struct marker_recording_config *config)
{
	struct ring_config ring_config = {
		.mode = config->overwrite ? RING_OVERWRITE : RING_DISCARD,
		.tag = marker_context_tag(config->contexts),
	};
	const char *wrong;
	int err;

	wrong = marker_config_sizes(&ring_config, config->buffer_kb, config->subbuf_kb);
	if (!wrong && config->percent > 100)
		wrong = "buffer_percent must be 0 to 100";
	if (wrong) {
		pr_err("%s\n", wrong);
		return -EINVAL;
	}
	marker_top.clock = marker_clock;
	marker_top.is_loading = config->to_region;
	/* nothing is recorded before it goes to the region: do not take that memory twice */
	if (config->to_region) {
		subbufs_in_region = ring_config.nr_subbufs;
		ring_config.nr_subbufs = 2;
	}
	err = begin_recording(&marker_top, &ring_config, config->percent);
	if (err && config->to_region)
		pr_err("no memory besides the region: two sub-buffers of %u KiB for each of %u CPUs\n",
		       ring_config.subbuf_size / 1024, num_online_cpus());
	else if (err)
		pr_err("no memory for %zu KiB of buffer on each of %u CPUs: try a smaller buffer_size_kb\n",
		       marker_config_kb(&ring_config), num_online_cpus());
	return err;
}

static struct ring_config __init config_in_region(struct ring_region *region)
{
	struct ring_config config = marker_top.buffer->ring->config;

	config.region = region;
	if (subbufs_in_region)
		config.nr_subbufs = subbufs_in_region;
	return config;
}

size_t __init marker_recording_region_kb(struct ring_region *region, size_t *full)
{
	struct ring_config config = config_in_region(region);

	*full = marker_config_kb(&config);
	for (; config.nr_subbufs >= 2; config.nr_subbufs /= 2) {
		if (marker_config_has_room(&config))
			return marker_config_kb(&config);
	}
	return 0;
}

int __init marker_recording_use_region(struct ring_region *region)
{
	struct marker_buffer *buffer;
	struct ring_config config;

	int err;

	mutex_lock(&marker_top.lock);
	config = config_in_region(region);
	buffer = marker_recording_new_buffer(&marker_top, &config);
	err = PTR_ERR_OR_ZERO(buffer);
	if (err && subbufs_in_region) {
		config.region = NULL;
		buffer = marker_recording_new_buffer(&marker_top, &config);
	}
	if (!IS_ERR(buffer))
		marker_buffer_put(marker_recording_replace(&marker_top, buffer));
	subbufs_in_region = 0;
	marker_top.is_loading = false;
	marker_recording_release_starts(&marker_top);
	mutex_unlock(&marker_top.lock);
	return err;
}

void marker_recordings_exit(void)
{
	marker_recording_destroy(&marker_top);
}

int marker_recording_create(struct marker_recording *recording)
{
	struct ring_config config = { };
	unsigned int percent;

	mutex_lock(&marker_top.lock);
	config.subbuf_size = marker_top.buffer->ring->config.subbuf_size;
	config.nr_subbufs = marker_top.buffer->ring->config.nr_subbufs;
	config.mode = marker_top.buffer->ring->config.mode;
	config.tag = marker_top.buffer->ring->config.tag;
	percent = marker_top.percent;
	recording->clock = marker_top.clock;
	mutex_unlock(&marker_top.lock);
	return begin_recording(recording, &config, percent);
}

/* Nothing can be read from a file that was removed, so open ones keep no buffer. */
void marker_recording_destroy(struct marker_recording *recording)
{
	ring_stop(recording->buffer->ring);
	WRITE_ONCE(recording->buffer->retired, true);
	marker_buffer_revoke(recording->buffer);
	marker_buffer_put(recording->buffer);
	marker_recording_revoke_retired(recording);
	free_recording(recording);
}
