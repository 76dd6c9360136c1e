// SPDX-License-Identifier: GPL-2.0
/*
 * The snapshot of a recording: the buffer that was written before the present one.  Process
 * context.
 */

#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>

#include "record_internal.h"

/* Publish @buffer, or NULL, as the snapshot and return the one before. */
static struct marker_buffer *swap_snapshot(struct marker_recording *recording,
					   struct marker_buffer *buffer)
{
	spin_lock(&marker_buffers_lock);
	swap(recording->snapshot, buffer);
	spin_unlock(&marker_buffers_lock);
	return buffer;
}

/* Was it written by the clock in use?  A clock that is chosen again may restart. */
static bool is_current(const struct marker_recording *recording, const struct marker_clock *clock)
{
	return clock->name == recording->clock.name &&
	       clock->offset_s == recording->clock.offset_s &&
	       clock->offset == recording->clock.offset;
}

/* Can the recording go on in this buffer? */
static bool is_spare(const struct marker_recording *recording,
		     const struct marker_buffer *buffer)
{
	const struct ring_config *config = &buffer->ring->config;
	const struct ring_config *live = &recording->buffer->ring->config;

	return refcount_read(&buffer->refs) == 1 &&
	       config->subbuf_size == live->subbuf_size &&
	       config->nr_subbufs == live->nr_subbufs &&
	       config->tag == live->tag &&
	       config->region == live->region &&
	       is_current(recording, &buffer->clock);
}

/* The snapshot's buffer, unpublished, if the recording can go on in it; else NULL. */
static struct marker_buffer *reuse_snapshot(struct marker_recording *recording)
{
	struct marker_buffer *buffer = NULL;

	spin_lock(&marker_buffers_lock);
	if (recording->snapshot && is_spare(recording, recording->snapshot))
		swap(recording->snapshot, buffer);
	spin_unlock(&marker_buffers_lock);
	return buffer;
}

/* If there is room for it only without the last snapshot, which files read, drop that. */
static struct marker_buffer *new_spare(struct marker_recording *recording)
{
	const struct ring_config *config = &recording->buffer->ring->config;
	struct marker_buffer *buffer, *last;

	buffer = marker_recording_new_buffer(recording, config);
	if (buffer != ERR_PTR(-ENOMEM) || !recording->snapshot)
		return buffer;
	last = swap_snapshot(recording, NULL);
	marker_buffer_revoke(last);
	marker_recording_drop(recording, last);
	return marker_recording_new_buffer(recording, config);
}

/*
 * An empty buffer for the recording to go on in: the last snapshot's if it fits, or a new
 * one.  With a new one, readers have the last snapshot until the next is complete.
 */
static struct marker_buffer *find_spare(struct marker_recording *recording)
{
	struct marker_buffer *buffer = reuse_snapshot(recording);

	if (!buffer)
		return new_spare(recording);
	marker_buffer_clear(buffer, RING_ALL_CPUS);
	marker_recording_begin_trace(recording, buffer);
	ring_set_mode(buffer->ring, recording->buffer->ring->config.mode);
	WRITE_ONCE(buffer->retired, false);
	return buffer;
}

int marker_recording_take_snapshot(struct marker_recording *recording, bool log)
{
	struct marker_buffer *buffer, *old;
	bool had_one;
	int err;

	mutex_lock(&recording->lock);
	if (log)
		err = marker_recording_check_consumers(recording, "snapshot");
	else
		err = recording->is_loading ||
		      marker_recording_first_consumed(recording) < nr_cpu_ids ? -EBUSY : 0;
	if (err)
		goto out;
	had_one = recording->snapshot;
	buffer = find_spare(recording);
	if (IS_ERR(buffer)) {
		if (log)
			marker_recording_log_no_memory("snapshot", &recording->buffer->ring->config,
						       had_one && !recording->snapshot ?
						       "the last snapshot made room, and is gone" :
						       "nothing was changed");
		err = PTR_ERR(buffer);
		goto out;
	}
	old = marker_recording_replace(recording, buffer);
	marker_recording_drop(recording, swap_snapshot(recording, old));
out:
	mutex_unlock(&recording->lock);
	return err;
}

void marker_recording_free_snapshot(struct marker_recording *recording)
{
	mutex_lock(&recording->lock);
	marker_recording_drop(recording, swap_snapshot(recording, NULL));
	mutex_unlock(&recording->lock);
}
