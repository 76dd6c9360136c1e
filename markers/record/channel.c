// SPDX-License-Identifier: GPL-2.0
/*
 * Recordings: the module starts the one at the top, debugfs controls it.  Process context.
 *
 * Some settings cannot change in a ring that is being written.  They change by replacing
 * its buffer, always in these steps:
 *
 *	1. make the new buffer completely; a failure has no effect
 *	2. publish it: a pointer for each CPU, which the hot path loads once
 *	3. wait for a grace period; no hit writes to the old buffer after it
 *	4. drop the old buffer, or keep it as the snapshot
 *
 * Open files read their buffer to its end.  But a recording keeps only a few for them, and
 * none if there is no memory for the next one: then they get -ESTALE.  A consumer of the
 * old buffer would never wake, so replacing it fails with -EBUSY while one is open.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uuid.h>

#include <markers/log.h>
#include <markers/marker_types.h>
#include <markers/model/rules.h>
#include <markers/ring/clock.h>
#include <markers/ring/region.h>
#include "channel_internal.h"
#include "keeper.h"

const struct marker_keeper *marker_keeper;

/* What the recording at the top gets when it goes to a region; until then it has two. */
static u32 subbufs_in_region;

/*
 * Sizes
 */

/* Fill in @config and return NULL, or return an error message. */
static const char *use_sizes(struct ring_config *config, unsigned int buffer_kb,
			     unsigned int subbuf_kb)
{
	unsigned long buffer_size, subbuf_size;

	if (!buffer_kb || buffer_kb > MARKER_MAX_BUFFER_KB)
		return "buffer_size_kb must be 1 to 1048576";
	if (!subbuf_kb || subbuf_kb > buffer_kb)
		return "subbuf_size_kb must be 1 to buffer_size_kb";
	subbuf_size = max(roundup_pow_of_two(subbuf_kb * 1024UL), PAGE_SIZE);
	buffer_size = max(roundup_pow_of_two(buffer_kb * 1024UL),
			  2 * subbuf_size);
	if (subbuf_size > RING_SUBBUF_SIZE_MAX)
		return "subbuf_size_kb must be at most 4096";
	if (buffer_size / subbuf_size > RING_NR_SUBBUFS_MAX)
		return "buffer_size_kb must be at most 32768 times subbuf_size_kb";
	config->subbuf_size = subbuf_size;
	config->nr_subbufs = buffer_size / subbuf_size;
	return NULL;
}

static size_t config_kb(const struct ring_config *config)
{
	return (size_t)config->subbuf_size / 1024 * config->nr_subbufs;
}

/*
 * Buffers
 */

void marker_channel_begin_trace(struct marker_recording *recording, struct marker_buffer *buffer)
{
	generate_random_uuid(buffer->uuid);
	buffer->recording = recording;
	buffer->clock = *recording->clock;
	buffer->percent = recording->percent;
}

/* Let go of those that no file reads any more.  Return: how many are left. */
static unsigned int forget_retired(struct marker_recording *recording)
{
	struct marker_buffer *buffer;
	unsigned int i, nr = 0;

	for (i = 0; i < MARKER_MAX_RETIRED; i++) {
		buffer = recording->retired[i];
		recording->retired[i] = NULL;
		if (!buffer)
			continue;
		if (marker_buffer_has_files(buffer))
			recording->retired[nr++] = buffer;
		else
			marker_buffer_release(buffer);
	}
	return nr;
}

/* Return: whether there were any. */
static bool revoke_retired(struct marker_recording *recording)
{
	const unsigned int nr = forget_retired(recording);
	unsigned int i;

	for (i = 0; i < nr; i++)
		marker_buffer_revoke(recording->retired[i]);
	forget_retired(recording);
	return nr;
}

/* Keep a buffer while files read it.  Otherwise none opens it any more. */
static void retire(struct marker_recording *recording, struct marker_buffer *buffer)
{
	unsigned int nr = forget_retired(recording);

	if (!marker_buffer_has_files(buffer)) {
		marker_buffer_revoke(buffer);
		return;
	}
	if (nr == MARKER_MAX_RETIRED) {
		marker_buffer_revoke(recording->retired[nr - 1]);
		nr = forget_retired(recording);
	}
	memmove(recording->retired + 1, recording->retired, nr * sizeof(recording->retired[0]));
	marker_buffer_hold(buffer);
	recording->retired[0] = buffer;
}

/*
 * Refuse a request far beyond memory before it evicts everything else; and one beyond a region
 * before it writes there.
 */
static bool has_room(const struct ring_config *config)
{
	const size_t pages = config_kb(config) / (PAGE_SIZE / 1024) * num_online_cpus();

	if (config->region)
		return ring_region_needed(config, num_online_cpus()) +
		       marker_keeper->needed() <= ring_region_room(config->region);
	return pages <= max(si_mem_available(), 0L);
}

static struct marker_buffer *create_buffer(const struct ring_config *config)
{
	return has_room(config) ? marker_buffer_create(config) : ERR_PTR(-ENOMEM);
}

struct marker_buffer *marker_channel_new_buffer(struct marker_recording *recording,
						const struct ring_config *config)
{
	struct marker_buffer *buffer = create_buffer(config);

	/* A file that is open is no reason to refuse a command. */
	if (buffer == ERR_PTR(-ENOMEM) && revoke_retired(recording))
		buffer = create_buffer(config);
	if (IS_ERR(buffer))
		return buffer;
	marker_channel_begin_trace(recording, buffer);
	return buffer;
}

void marker_channel_log_no_memory(const char *what, const struct ring_config *config,
				  const char *state)
{
	marker_log("%s: no %s for %zu KiB of buffer on each of %u CPUs; %s", what,
		   config->region ? "room in persist=, besides what is there," : "memory",
		   config_kb(config), num_online_cpus(), state);
}

static void set_live(struct marker_recording *recording, struct marker_buffer *buffer)
{
	u32 set;
	int cpu;

	for_each_possible_cpu(cpu) {
		/* Publish the initialised ring; writers order by address dependency. */
		smp_store_release(per_cpu_ptr(recording->ring, cpu),
				  ring_cpu_of(buffer->ring, cpu));
	}
	spin_lock(&marker_buffers_lock);
	WRITE_ONCE(recording->buffer, buffer);
	spin_unlock(&marker_buffers_lock);
	set = marker_context_set(marker_buffer_contexts(buffer));
	WRITE_ONCE(recording->rules.stacks_allowed,
		   marker_context_has(set, MARKER_CONTEXT_CALLSTACK));
	if (recording == &marker_top)
		marker_keeper->try();
}

struct marker_buffer *marker_channel_replace(struct marker_recording *recording,
					     struct marker_buffer *buffer)
{
	struct marker_buffer *old = recording->buffer;

	marker_channel_set_ring(buffer->ring, READ_ONCE(recording->live));
	set_live(recording, buffer);
	/* A hit may have changed it meanwhile, and have set the old ring. */
	smp_mb();
	marker_channel_follow(recording);
	synchronize_rcu();
	ring_stop(old->ring);
	/* before another clock is chosen */
	ring_flush(old->ring, RING_ALL_CPUS);
	WRITE_ONCE(old->retired, true);
	return old;
}

void marker_channel_drop(struct marker_recording *recording, struct marker_buffer *old)
{
	if (old) {
		retire(recording, old);
		marker_buffer_put(old);
	}
	/* Now there may be memory. */
	if (recording == &marker_top)
		marker_keeper->retry();
}

struct marker_buffer *marker_channel_live(const struct marker_recording *recording)
{
	return READ_ONCE(recording->buffer);
}

/*
 * Settings
 */

static int refuse_overwrite(void)
{
	marker_log("overwrite: can be changed only while tracing_on is 0");
	return -EBUSY;
}

int marker_channel_set_overwrite(struct marker_recording *recording, bool overwrite)
{
	int err = 0;

	mutex_lock(&recording->lock);
	if (overwrite == marker_channel_is_overwriting(recording))
		goto out;
	if (marker_channel_is_on(recording)) {
		err = refuse_overwrite();
		goto out;
	}
	marker_channel_hold_starts(recording);
	if (marker_channel_is_on(recording)) {
		err = refuse_overwrite();
	} else {
		ring_stop(recording->buffer->ring);
		/* Wait for the writers that had passed the test. */
		synchronize_rcu();
		ring_set_mode(recording->buffer->ring, overwrite ? RING_OVERWRITE : RING_DISCARD);
	}
	marker_channel_release_starts(recording);
out:
	mutex_unlock(&recording->lock);
	return err;
}

bool marker_channel_is_overwriting(struct marker_recording *recording)
{
	struct marker_buffer *buffer = marker_channel_get(recording, false);
	bool overwrite = READ_ONCE(buffer->ring->config.mode) == RING_OVERWRITE;

	marker_buffer_put(buffer);
	return overwrite;
}

/* Continue in an empty buffer with this @config. */
static int renew_buffer(struct marker_recording *recording, const char *what,
			const struct ring_config *config)
{
	struct marker_buffer *buffer;
	int err;

	err = marker_channel_check_consumers(recording, what);
	if (err)
		return err;
	buffer = marker_channel_new_buffer(recording, config);
	if (IS_ERR(buffer)) {
		marker_channel_log_no_memory(what, config, "nothing was changed");
		return PTR_ERR(buffer);
	}
	marker_channel_drop(recording, marker_channel_replace(recording, buffer));
	return 0;
}

static int resize_buffer(struct marker_recording *recording, const char *what,
			 unsigned int buffer_kb, unsigned int subbuf_kb)
{
	struct ring_config config = recording->buffer->ring->config;
	const char *wrong;

	wrong = use_sizes(&config, buffer_kb, subbuf_kb);
	if (wrong) {
		marker_log("%s", wrong);
		return -EINVAL;
	}
	if (config.subbuf_size == recording->buffer->ring->config.subbuf_size &&
	    config.nr_subbufs == recording->buffer->ring->config.nr_subbufs)
		return 0;
	return renew_buffer(recording, what, &config);
}

int marker_channel_set_buffer_kb(struct marker_recording *recording, unsigned int buffer_kb)
{
	int err;

	mutex_lock(&recording->lock);
	err = resize_buffer(recording, "buffer_size_kb", buffer_kb,
			    marker_channel_subbuf_kb(recording));
	mutex_unlock(&recording->lock);
	return err;
}

int marker_channel_set_subbuf_kb(struct marker_recording *recording, unsigned int subbuf_kb)
{
	int err;

	mutex_lock(&recording->lock);
	err = resize_buffer(recording, "subbuf_size_kb", marker_channel_buffer_kb(recording),
			    subbuf_kb);
	mutex_unlock(&recording->lock);
	return err;
}

size_t marker_channel_buffer_kb(struct marker_recording *recording)
{
	struct marker_buffer *buffer = marker_channel_get(recording, false);
	size_t kb = config_kb(&buffer->ring->config);

	marker_buffer_put(buffer);
	return kb;
}

size_t marker_channel_subbuf_kb(struct marker_recording *recording)
{
	struct marker_buffer *buffer = marker_channel_get(recording, false);
	size_t kb = buffer->ring->config.subbuf_size / 1024;

	marker_buffer_put(buffer);
	return kb;
}

size_t marker_channel_total_kb(struct marker_recording *recording)
{
	return marker_channel_buffer_kb(recording) * num_possible_cpus();
}

int marker_channel_set_contexts(struct marker_recording *recording, u32 set)
{
	struct ring_config config;
	int err = 0;

	mutex_lock(&recording->lock);
	config = recording->buffer->ring->config;
	config.tag = marker_context_tag(set);
	if (config.tag != recording->buffer->ring->config.tag)
		err = renew_buffer(recording, "contexts", &config);
	mutex_unlock(&recording->lock);
	return err;
}

u32 marker_channel_contexts(struct marker_recording *recording)
{
	struct marker_buffer *buffer = marker_channel_get(recording, false);
	u32 set = marker_context_set(marker_buffer_contexts(buffer));

	marker_buffer_put(buffer);
	return set;
}

/* Stop the ring, and flush it while the clock is still the old one. */
static int change_clock(struct marker_recording *recording, struct marker_buffer *buffer,
			const char *name)
{
	struct marker_buffer *live = recording->buffer;
	int err;

	ring_stop(live->ring);
	synchronize_rcu();
	ring_flush(live->ring, RING_ALL_CPUS);
	WRITE_ONCE(live->retired, true);
	err = clock_set(recording->clock, name);
	if (err) {
		marker_log("trace_clock: %s is not right any more on this machine", name);
		WRITE_ONCE(live->retired, false);
		return err;
	}
	/*
	 * A writer that has read the old clock may not have loaded the pointer to the
	 * ring yet.  It must find the old ring, which is stopped.
	 */
	synchronize_rcu();

	marker_channel_begin_trace(recording, buffer);
	marker_channel_drop(recording, marker_channel_replace(recording, buffer));
	return 0;
}

int marker_channel_set_clock(struct marker_recording *recording, const char *name)
{
	struct marker_buffer *buffer;
	int err = 0;

	mutex_lock(&recording->lock);
	if (!strcmp(name, recording->clock->name))
		goto out;
	err = marker_channel_check_consumers(recording, "trace_clock");
	if (err)
		goto out;
	buffer = marker_channel_new_buffer(recording, &recording->buffer->ring->config);
	if (IS_ERR(buffer)) {
		marker_channel_log_no_memory("trace_clock", &recording->buffer->ring->config,
					     "nothing was changed");
		err = PTR_ERR(buffer);
		goto out;
	}
	marker_channel_hold_starts(recording);
	err = change_clock(recording, buffer, name);
	marker_channel_release_starts(recording);
	if (err)
		marker_buffer_put(buffer);
out:
	mutex_unlock(&recording->lock);
	return err;
}

/*
 * buffer_percent
 */

void marker_channel_set_percent(struct marker_recording *recording, unsigned int percent)
{
	mutex_lock(&recording->lock);
	WRITE_ONCE(recording->percent, percent);
	WRITE_ONCE(recording->buffer->percent, percent);
	/* Wake all waiters: each looks at the new value. */
	ring_wakeup(recording->buffer->ring);
	mutex_unlock(&recording->lock);
}

unsigned int marker_channel_percent(const struct marker_recording *recording)
{
	return READ_ONCE(recording->percent);
}

u32 marker_channel_wanted(const struct ring *ring)
{
	const struct marker_buffer *buffer = marker_buffer_of(ring);
	unsigned int percent = READ_ONCE(buffer->percent);

	return percent ? max(ring->config.nr_subbufs * percent / 100, 1U) : 0;
}

/*
 * Recordings
 */

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
	buffer = marker_channel_new_buffer(recording, config);
	if (IS_ERR(buffer)) {
		free_recording(recording);
		return PTR_ERR(buffer);
	}
	set_live(recording, buffer);
	marker_channel_set_on(recording, true);
	return 0;
}

int __init marker_channel_init(const struct marker_channel_config *config)
{
	struct ring_config ring_config = {
		.mode = config->overwrite ? RING_OVERWRITE : RING_DISCARD,
		.tag = marker_context_tag(config->contexts),
	};
	const char *wrong;
	int err;

	wrong = use_sizes(&ring_config, config->buffer_kb, config->subbuf_kb);
	if (!wrong && config->percent > 100)
		wrong = "buffer_percent must be 0 to 100";
	if (wrong) {
		pr_err("%s\n", wrong);
		return -EINVAL;
	}
	marker_top.clock = &marker_clock;
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
		       config_kb(&ring_config), num_online_cpus());
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

size_t __init marker_channel_region_kb(struct ring_region *region, size_t *wanted)
{
	struct ring_config config = config_in_region(region);

	*wanted = config_kb(&config);
	for (; config.nr_subbufs >= 2; config.nr_subbufs /= 2) {
		if (has_room(&config))
			return config_kb(&config);
	}
	return 0;
}

int __init marker_channel_use_region(struct ring_region *region)
{
	struct marker_buffer *buffer;
	struct ring_config config;

	int err;

	mutex_lock(&marker_top.lock);
	config = config_in_region(region);
	buffer = marker_channel_new_buffer(&marker_top, &config);
	err = PTR_ERR_OR_ZERO(buffer);
	if (err && subbufs_in_region) {
		config.region = NULL;
		buffer = marker_channel_new_buffer(&marker_top, &config);
	}
	if (!IS_ERR(buffer))
		marker_buffer_put(marker_channel_replace(&marker_top, buffer));
	subbufs_in_region = 0;
	marker_top.is_loading = false;
	mutex_unlock(&marker_top.lock);
	return err;
}

void marker_channel_exit(void)
{
	marker_channel_destroy(&marker_top);
}

/*
 * Instances
 */

int marker_channel_create(struct marker_recording *recording)
{
	struct ring_config config = { };
	unsigned int percent;

	mutex_lock(&marker_top.lock);
	config.subbuf_size = marker_top.buffer->ring->config.subbuf_size;
	config.nr_subbufs = marker_top.buffer->ring->config.nr_subbufs;
	config.mode = marker_top.buffer->ring->config.mode;
	config.tag = marker_top.buffer->ring->config.tag;
	percent = marker_top.percent;
	*recording->clock = *marker_top.clock;
	mutex_unlock(&marker_top.lock);
	return begin_recording(recording, &config, percent);
}

/* Nothing can be read from a file that was removed, so open ones keep no buffer. */
void marker_channel_destroy(struct marker_recording *recording)
{
	ring_stop(recording->buffer->ring);
	WRITE_ONCE(recording->buffer->retired, true);
	marker_buffer_revoke(recording->buffer);
	marker_buffer_put(recording->buffer);
	revoke_retired(recording);
	free_recording(recording);
}
