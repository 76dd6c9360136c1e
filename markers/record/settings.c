// SPDX-License-Identifier: GPL-2.0
/*
 * Settings: sizes, overwrite, contexts, the clock, buffer_percent.  Process context.
 */
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include <markers/log.h>
#include <markers/ring/clock.h>
#include "record_internal.h"

/* Fill in @config and return NULL, or return an error message. */
const char *marker_config_sizes(struct ring_config *config, unsigned int buffer_kb,
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

static int refuse_overwrite(void)
{
	marker_log("overwrite: can be changed only while tracing_on is 0");
	return -EBUSY;
}

int marker_recording_set_overwrite(struct marker_recording *recording, bool overwrite)
{
	int err = 0;

	mutex_lock(&recording->lock);
	if (overwrite == marker_recording_is_overwriting(recording))
		goto out;
	if (marker_recording_is_on(recording)) {
		err = refuse_overwrite();
		goto out;
	}
	marker_recording_hold_starts(recording);
	if (marker_recording_is_on(recording)) {
		err = refuse_overwrite();
	} else {
		ring_stop(recording->buffer->ring);
		/* Wait for the writers that had passed the test. */
		synchronize_rcu();
		ring_set_mode(recording->buffer->ring, overwrite ? RING_OVERWRITE : RING_DISCARD);
	}
	marker_recording_release_starts(recording);
out:
	mutex_unlock(&recording->lock);
	return err;
}

bool marker_recording_is_overwriting(struct marker_recording *recording)
{
	struct marker_buffer *buffer = marker_recording_get(recording, false);
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

	err = marker_recording_check_consumers(recording, what);
	if (err)
		return err;
	buffer = marker_recording_new_buffer(recording, config);
	if (IS_ERR(buffer)) {
		marker_recording_log_no_memory(what, config, "nothing was changed");
		return PTR_ERR(buffer);
	}
	marker_recording_drop(recording, marker_recording_replace(recording, buffer));
	return 0;
}

static int resize_buffer(struct marker_recording *recording, const char *what,
			 unsigned int buffer_kb, unsigned int subbuf_kb)
{
	struct ring_config config = recording->buffer->ring->config;
	const char *wrong;

	wrong = marker_config_sizes(&config, buffer_kb, subbuf_kb);
	if (wrong) {
		marker_log("%s", wrong);
		return -EINVAL;
	}
	if (config.subbuf_size == recording->buffer->ring->config.subbuf_size &&
	    config.nr_subbufs == recording->buffer->ring->config.nr_subbufs)
		return 0;
	return renew_buffer(recording, what, &config);
}

int marker_recording_set_buffer_kb(struct marker_recording *recording, unsigned int buffer_kb)
{
	int err;

	mutex_lock(&recording->lock);
	err = resize_buffer(recording, "buffer_size_kb", buffer_kb,
			    marker_recording_subbuf_kb(recording));
	mutex_unlock(&recording->lock);
	return err;
}

int marker_recording_set_subbuf_kb(struct marker_recording *recording, unsigned int subbuf_kb)
{
	int err;

	mutex_lock(&recording->lock);
	err = resize_buffer(recording, "subbuf_size_kb", marker_recording_buffer_kb(recording),
			    subbuf_kb);
	mutex_unlock(&recording->lock);
	return err;
}

size_t marker_recording_buffer_kb(struct marker_recording *recording)
{
	struct marker_buffer *buffer = marker_recording_get(recording, false);
	size_t kb = marker_config_kb(&buffer->ring->config);

	marker_buffer_put(buffer);
	return kb;
}

size_t marker_recording_subbuf_kb(struct marker_recording *recording)
{
	struct marker_buffer *buffer = marker_recording_get(recording, false);
	size_t kb = buffer->ring->config.subbuf_size / 1024;

	marker_buffer_put(buffer);
	return kb;
}

size_t marker_recording_total_kb(struct marker_recording *recording)
{
	return marker_recording_buffer_kb(recording) * num_possible_cpus();
}

int marker_recording_set_contexts(struct marker_recording *recording, u32 set)
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

u32 marker_recording_contexts(struct marker_recording *recording)
{
	struct marker_buffer *buffer = marker_recording_get(recording, false);
	u32 set = marker_context_set(marker_buffer_contexts(buffer));

	marker_buffer_put(buffer);
	return set;
}

/* Stop the ring, and flush it while the clock is still the old one. */
static int change_clock(struct marker_recording *recording, struct marker_buffer *buffer,
			const char *name)
{
	struct marker_buffer *old = recording->buffer;
	int err;

	ring_stop(old->ring);
	synchronize_rcu();
	ring_flush(old->ring, RING_ALL_CPUS);
	WRITE_ONCE(old->retired, true);
	err = clock_set(&recording->clock, name);
	if (err) {
		marker_log("trace_clock: %s is not right any more on this machine", name);
		WRITE_ONCE(old->retired, false);
		return err;
	}
	/*
	 * A writer that has read the old clock may not have loaded the pointer to the
	 * ring yet.  It must find the old ring, which is stopped.
	 */
	synchronize_rcu();

	marker_recording_begin_trace(recording, buffer);
	marker_recording_drop(recording, marker_recording_replace(recording, buffer));
	return 0;
}

int marker_recording_set_clock(struct marker_recording *recording, const char *name)
{
	struct marker_buffer *buffer;
	int err = 0;

	mutex_lock(&recording->lock);
	if (!strcmp(name, recording->clock.name))
		goto out;
	err = marker_recording_check_consumers(recording, "trace_clock");
	if (err)
		goto out;
	buffer = marker_recording_new_buffer(recording, &recording->buffer->ring->config);
	if (IS_ERR(buffer)) {
		marker_recording_log_no_memory("trace_clock", &recording->buffer->ring->config,
					       "nothing was changed");
		err = PTR_ERR(buffer);
		goto out;
	}
	marker_recording_hold_starts(recording);
	err = change_clock(recording, buffer, name);
	marker_recording_release_starts(recording);
	if (err)
		marker_buffer_put(buffer);
out:
	mutex_unlock(&recording->lock);
	return err;
}

void marker_recording_set_percent(struct marker_recording *recording, unsigned int percent)
{
	mutex_lock(&recording->lock);
	WRITE_ONCE(recording->percent, percent);
	WRITE_ONCE(recording->buffer->percent, percent);
	/* Wake all waiters: each looks at the new value. */
	ring_wakeup(recording->buffer->ring);
	mutex_unlock(&recording->lock);
}

unsigned int marker_recording_percent(const struct marker_recording *recording)
{
	return READ_ONCE(recording->percent);
}

u32 marker_recording_needed(const struct ring *ring)
{
	const struct marker_buffer *buffer = marker_buffer_of(ring);
	unsigned int percent = READ_ONCE(buffer->percent);

	return percent ? max(ring->config.nr_subbufs * percent / 100, 1U) : 0;
}
