// SPDX-License-Identifier: GPL-2.0
/*
 * Who uses a recording: the files that have a reference to one of its buffers, those that
 * consume it, and those that change its rules.  Process context.
 */

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include <markers/log.h>
#include "record_internal.h"

DEFINE_SPINLOCK(marker_buffers_lock);

struct marker_buffer *marker_recording_get(struct marker_recording *recording, bool snapshot)
{
	struct marker_buffer *buffer;

	spin_lock(&marker_buffers_lock);
	buffer = snapshot ? recording->snapshot : recording->buffer;
	if (buffer)
		refcount_inc(&buffer->refs);
	spin_unlock(&marker_buffers_lock);
	return buffer;
}

struct marker_buffer *marker_recording_open(struct marker_recording *recording, bool snapshot)
{
	struct marker_buffer *buffer;

	/* a buffer that was just replaced cannot be opened, but its successor can */
	do {
		buffer = marker_recording_get(recording, snapshot);
	} while (buffer && !marker_buffer_open(buffer));
	return buffer;
}

/*
 * Consumers
 */

static void log_consumer(const struct marker_recording *recording, const char *what, int cpu)
{
	const struct marker_consumer *consumer = &recording->consumers[cpu];

	marker_log("%s: a trace_pipe or trace_pipe_raw is open, by %s (pid %d)",
		   what, consumer->comm, consumer->pid);
}

unsigned int marker_recording_first_consumed(const struct marker_recording *recording)
{
	unsigned int cpu;

	spin_lock(&marker_buffers_lock);
	cpu = cpumask_first(&recording->consumed_cpus);
	spin_unlock(&marker_buffers_lock);
	return cpu;
}

int marker_recording_check_consumers(const struct marker_recording *recording, const char *what)
{
	const unsigned int cpu = marker_recording_first_consumed(recording);

	if (recording->is_loading) {
		marker_log("%s: the module is still being loaded", what);
		return -EBUSY;
	}
	if (cpu >= nr_cpu_ids)
		return 0;
	log_consumer(recording, what, cpu);
	return -EBUSY;
}

static void note_consumer(struct marker_recording *recording, int cpu)
{
	struct marker_consumer *consumer = &recording->consumers[cpu];

	consumer->pid = task_tgid_nr(current);
	get_task_comm(consumer->comm, current);
	spin_lock(&marker_buffers_lock);
	cpumask_set_cpu(cpu, &recording->consumed_cpus);
	spin_unlock(&marker_buffers_lock);
}

static int add_consumer(struct marker_recording *recording, int cpu)
{
	int err;

	if (cpu == RING_ALL_CPUS || recording->is_loading) {
		err = marker_recording_check_consumers(recording, "one reader at a time");
		if (err)
			return err;
	}
	if (cpu == RING_ALL_CPUS) {
		for_each_possible_cpu(cpu)
			note_consumer(recording, cpu);
		return 0;
	}
	if (cpumask_test_cpu(cpu, &recording->consumed_cpus)) {
		log_consumer(recording, "one reader at a time", cpu);
		return -EBUSY;
	}
	note_consumer(recording, cpu);
	return 0;
}

struct marker_buffer *marker_recording_get_consumer(struct marker_recording *recording, int cpu)
{
	struct marker_buffer *buffer;
	int err;

	if (mutex_lock_interruptible(&recording->lock))
		return ERR_PTR(-EINTR);
	err = recording->ended ? -ENODEV : add_consumer(recording, cpu);
	if (err) {
		buffer = ERR_PTR(err);
	} else {
		buffer = marker_recording_get(recording, false);
		marker_buffer_begin(buffer, cpu);
	}
	mutex_unlock(&recording->lock);
	return buffer;
}

void marker_recording_put_consumer(struct marker_recording *recording,
				   struct marker_buffer *buffer, int cpu)
{
	/* @recording may be gone after this */
	spin_lock(&marker_buffers_lock);
	if (cpu == RING_ALL_CPUS)
		cpumask_clear(&recording->consumed_cpus);
	else
		cpumask_clear_cpu(cpu, &recording->consumed_cpus);
	spin_unlock(&marker_buffers_lock);
	marker_buffer_put(buffer);
}

/*
 * Writers of the rules, and the end of an instance
 */

int marker_recording_get_writer(struct marker_recording *recording)
{
	int err = 0;

	mutex_lock(&recording->lock);
	spin_lock(&marker_buffers_lock);
	if (recording->ended)
		err = -ENODEV;
	else
		recording->nr_writers++;
	spin_unlock(&marker_buffers_lock);
	mutex_unlock(&recording->lock);
	return err;
}

void marker_recording_put_writer(struct marker_recording *recording)
{
	/* @recording may be gone after this */
	spin_lock(&marker_buffers_lock);
	recording->nr_writers--;
	spin_unlock(&marker_buffers_lock);
}

static bool has_writers(const struct marker_recording *recording)
{
	bool has;

	spin_lock(&marker_buffers_lock);
	has = recording->nr_writers;
	spin_unlock(&marker_buffers_lock);
	return has;
}

int marker_recording_end(struct marker_recording *recording)
{
	int err;

	mutex_lock(&recording->lock);
	err = marker_recording_check_consumers(recording, "instances/remove");
	if (!err && has_writers(recording)) {
		marker_log("instances/remove: its set_marker or triggers is open for writing");
		err = -EBUSY;
	}
	WRITE_ONCE(recording->ended, !err);
	mutex_unlock(&recording->lock);
	return err;
}
