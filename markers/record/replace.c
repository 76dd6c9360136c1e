// SPDX-License-Identifier: GPL-2.0
/*
 * The buffer that is written.  Process context.
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
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uuid.h>

#include <markers/log.h>
#include <markers/ring/region.h>
#include "record_internal.h"
#include "keeper.h"

const struct marker_keeper *marker_keeper;

void marker_recording_begin_trace(struct marker_recording *recording, struct marker_buffer *buffer)
{
	generate_random_uuid(buffer->uuid);
	buffer->recording = recording;
	buffer->clock = recording->clock;
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
		if (marker_buffer_revoke_unused(buffer))
			marker_buffer_release(buffer);
		else
			recording->retired[nr++] = buffer;
	}
	return nr;
}

/* Return: whether there were any. */
bool marker_recording_revoke_retired(struct marker_recording *recording)
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

	if (marker_buffer_revoke_unused(buffer))
		return;
	if (nr == MARKER_MAX_RETIRED) {
		marker_buffer_revoke(recording->retired[nr - 1]);
		nr = forget_retired(recording);
	}
	memmove(recording->retired + 1, recording->retired, nr * sizeof(recording->retired[0]));
	marker_buffer_hold(buffer);
	recording->retired[0] = buffer;
}

bool marker_config_has_room(const struct ring_config *config)
{
	size_t pages;

	if (config->region)
		return ring_region_needed(config, num_online_cpus()) +
		       marker_keeper->needed() <= ring_region_room(config->region);
	pages = marker_config_kb(config) / (PAGE_SIZE / 1024) * num_online_cpus();
	return pages <= max(si_mem_available(), 0L);
}

static struct marker_buffer *create_buffer(const struct ring_config *config)
{
	return marker_config_has_room(config) ? marker_buffer_create(config) : ERR_PTR(-ENOMEM);
}

struct marker_buffer *marker_recording_new_buffer(struct marker_recording *recording,
						  const struct ring_config *config)
{
	struct marker_buffer *buffer = create_buffer(config);

	/* A file that is open is no reason to refuse a command. */
	if (buffer == ERR_PTR(-ENOMEM) && marker_recording_revoke_retired(recording))
		buffer = create_buffer(config);
	if (IS_ERR(buffer))
		return buffer;
	marker_recording_begin_trace(recording, buffer);
	return buffer;
}

void marker_recording_log_no_memory(const char *what, const struct ring_config *config,
				    const char *state)
{
	marker_log("%s: no %s for %zu KiB of buffer on each of %u CPUs; %s", what,
		   config->region ? "room in persist=, besides what is there," : "memory",
		   marker_config_kb(config), num_online_cpus(), state);
}

void marker_recording_publish(struct marker_recording *recording, struct marker_buffer *buffer)
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

struct marker_buffer *marker_recording_replace(struct marker_recording *recording,
					       struct marker_buffer *buffer)
{
	struct marker_buffer *old = recording->buffer;

	marker_recording_set_ring(buffer->ring, READ_ONCE(recording->live));
	marker_recording_publish(recording, buffer);
	/* A hit may have changed it meanwhile, and have set the old ring. */
	smp_mb();
	marker_recording_follow(recording);
	synchronize_rcu();
	ring_stop(old->ring);
	/* before another clock is chosen */
	ring_flush(old->ring, RING_ALL_CPUS);
	WRITE_ONCE(old->retired, true);
	return old;
}

void marker_recording_drop(struct marker_recording *recording, struct marker_buffer *old)
{
	if (old) {
		retire(recording, old);
		marker_buffer_put(old);
	}
	/* Now there may be memory. */
	marker_keeper->retry();
}

struct marker_buffer *marker_recording_buffer(const struct marker_recording *recording)
{
	return READ_ONCE(recording->buffer);
}
