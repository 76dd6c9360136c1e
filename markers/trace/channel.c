// SPDX-License-Identifier: GPL-2.0
/*
 * The recording: the module starts it, debugfs controls it.  Process context, except where
 * a function is for hits.
 *
 * Some settings cannot change in a ring that is being written.  They change by replacing
 * its buffer, always in these steps:
 *
 *	1. make the new buffer completely; a failure has no effect
 *	2. publish it: a pointer for each CPU, which the hot path loads once
 *	3. wait for a grace period; no hit writes to the old buffer after it
 *	4. drop the old buffer, or keep it as the snapshot
 *
 * Open files keep their buffer by reference and read it to its end.  A consumer of the
 * old buffer would never wake, so replacing it fails with -EBUSY while one is open.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uuid.h>

#include <markers/log.h>
#include <markers/marker_types.h>
#include <markers/ring/clock.h>
#include <markers/switch/control.h>
#include "channel.h"

DEFINE_PER_CPU(struct ring_cpu *, marker_ring_cpu);
u32 marker_live __read_mostly = MARKER_LIVE_OFF;

/* The task that opened a trace_pipe or trace_pipe_raw. */
struct consumer {
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/* Protects all of this file.  Taken before the CPU hotplug lock. */
static DEFINE_MUTEX(channel_mutex);
static unsigned int channel_percent;
static struct cpumask consumed_cpus;
static DEFINE_PER_CPU(struct consumer, consumers);	/* valid for consumed_cpus */

/* Hits do not start the ring; written under the mutex. */
static bool starts_held;
/* While marker_live is MARKER_LIVE_ENDING: events that are still to be recorded. */
static atomic_long_t events_left;

/* Protects these two pointers and taking a reference.  The innermost lock. */
static DEFINE_SPINLOCK(buffers_lock);
static struct marker_buffer *live;
static struct marker_buffer *snapshot;

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

/*
 * Give @buffer, which is empty, a trace of its own.  Readers refuse a copy with files of
 * two traces.
 */
static void begin_trace(struct marker_buffer *buffer)
{
	generate_random_uuid(buffer->uuid);
	buffer->clock = marker_clock;
}

/* Refuse a request far beyond memory before it evicts everything else. */
static struct marker_buffer *create_buffer(const struct ring_config *config)
{
	size_t pages = config_kb(config) / (PAGE_SIZE / 1024) * num_online_cpus();
	struct marker_buffer *buffer;

	if (pages > max(si_mem_available(), 0L))
		return ERR_PTR(-ENOMEM);
	buffer = marker_buffer_create(config);
	if (IS_ERR(buffer))
		return buffer;
	begin_trace(buffer);
	return buffer;
}

static void log_no_memory(const char *what, const struct ring_config *config)
{
	marker_log("%s: no memory for %zu KiB of buffer on each of %u CPUs; nothing was changed",
		   what, config_kb(config), num_online_cpus());
}

static void log_consumer(const char *what, int cpu)
{
	const struct consumer *consumer = per_cpu_ptr(&consumers, cpu);

	marker_log("%s: a trace_pipe or trace_pipe_raw is open, by %s (pid %d)",
		   what, consumer->comm, consumer->pid);
}

static int check_consumers(const char *what)
{
	if (cpumask_empty(&consumed_cpus))
		return 0;
	log_consumer(what, cpumask_first(&consumed_cpus));
	return -EBUSY;
}

static void set_live(struct marker_buffer *buffer)
{
	u32 set;
	int cpu;

	for_each_possible_cpu(cpu) {
		/* Publish the initialised ring; writers order by address dependency. */
		smp_store_release(per_cpu_ptr(&marker_ring_cpu, cpu),
				  per_cpu_ptr(buffer->ring->cpus, cpu));
	}
	spin_lock(&buffers_lock);
	live = buffer;
	spin_unlock(&buffers_lock);
	set = marker_context_set(marker_buffer_contexts(buffer));
	marker_control_allow_stacks(marker_context_has(set, MARKER_CONTEXT_CALLSTACK));
}

/*
 * On and off: marker_live says what is wanted, and the ring follows.  Tasks and hits change
 * it at the same time, even in NMI, so there is no lock.  Each writer sets the ring, then
 * reads marker_live again and repeats if it has changed: so the last writer leaves the ring
 * in the state that is wanted.
 */

static notrace void set_ring(struct ring *ring, u32 wanted)
{
	if (wanted == MARKER_LIVE_OFF)
		ring_stop(ring);
	else if (wanted == MARKER_LIVE_ENDING)
		ring_start_slow(ring);
	else
		ring_start(ring);
}

/*
 * All CPUs write the same ring, except while it is being replaced: then either we find the
 * new one here, or replace_buffer() finds what we want.
 */
static notrace void follow_live(void)
{
	u32 wanted;

	/* No preemption: a task must not set the ring by an old value later. */
	preempt_disable_notrace();
	do {
		wanted = READ_ONCE(marker_live);
		if (wanted == MARKER_LIVE_OFF || !READ_ONCE(starts_held))
			set_ring(raw_cpu_read(marker_ring_cpu)->ring, wanted);
		/* The ring is set before the second look. */
		smp_mb();
	} while (wanted != READ_ONCE(marker_live));
	preempt_enable_notrace();
}

static notrace void set_wanted(u32 wanted)
{
	atomic_long_set(&events_left, 0);
	/* A hit that finds the new state sets the number after us. */
	smp_wmb();
	WRITE_ONCE(marker_live, wanted);
	/* It is written before the ring and starts_held are read. */
	smp_mb();
	follow_live();
}

notrace void marker_channel_hit_on(void)
{
	set_wanted(MARKER_LIVE_ON);
}
NOKPROBE_SYMBOL(marker_channel_hit_on);

/*
 * While events are counted down, the ring shows the quick ways no room, so every event
 * takes the general way, which counts.  The quick ways need no test of their own.
 */
notrace void marker_channel_hit_off(u32 after)
{
	if (!after) {
		set_wanted(MARKER_LIVE_OFF);
		return;
	}
	/*
	 * The hit that changes the state sets the number.  Until then, nothing is counted
	 * down.
	 */
	if (!marker_channel_is_recording() ||
	    cmpxchg(&marker_live, MARKER_LIVE_ON, MARKER_LIVE_ENDING) != MARKER_LIVE_ON)
		return;
	atomic_long_set(&events_left, after);
	follow_live();
}
NOKPROBE_SYMBOL(marker_channel_hit_off);

notrace void marker_channel_count_down(void)
{
	if (!atomic_long_dec_if_positive(&events_left) &&
	    cmpxchg(&marker_live, MARKER_LIVE_ENDING, MARKER_LIVE_OFF) == MARKER_LIVE_ENDING)
		follow_live();
}
NOKPROBE_SYMBOL(marker_channel_count_down);

/* From here on, no hit starts the ring, which the caller may stop. */
static void hold_starts(void)
{
	WRITE_ONCE(starts_held, true);
	/* wait for hits that have not seen it */
	synchronize_rcu();
}

static void release_starts(void)
{
	WRITE_ONCE(starts_held, false);
	/* Either a hit sees the change, or we see what the hit wants. */
	smp_mb();
	follow_live();
}

static void start_buffer(struct marker_buffer *buffer)
{
	set_ring(buffer->ring, READ_ONCE(marker_live));
}

/* Steps 2 and 3; returns the old buffer. */
static struct marker_buffer *replace_buffer(struct marker_buffer *buffer)
{
	struct marker_buffer *old = live;

	start_buffer(buffer);
	set_live(buffer);
	/* A hit may have changed it meanwhile, and have set the old ring. */
	smp_mb();
	follow_live();
	synchronize_rcu();
	ring_stop(old->ring);
	/* before another clock is chosen */
	ring_flush(old->ring, RING_ALL_CPUS);
	WRITE_ONCE(old->retired, true);
	return old;
}

struct marker_buffer *marker_channel_get(bool want_snapshot)
{
	struct marker_buffer *buffer;

	spin_lock(&buffers_lock);
	buffer = want_snapshot ? snapshot : live;
	if (buffer)
		refcount_inc(&buffer->refs);
	spin_unlock(&buffers_lock);
	return buffer;
}

/*
 * Consumers
 */

static void note_consumer(int cpu)
{
	struct consumer *consumer = per_cpu_ptr(&consumers, cpu);

	cpumask_set_cpu(cpu, &consumed_cpus);
	consumer->pid = task_tgid_nr(current);
	get_task_comm(consumer->comm, current);
}

static int add_consumer(int cpu)
{
	int err;

	if (cpu == RING_ALL_CPUS) {
		err = check_consumers("one reader at a time");
		if (err)
			return err;
		for_each_possible_cpu(cpu)
			note_consumer(cpu);
		return 0;
	}
	if (cpumask_test_cpu(cpu, &consumed_cpus)) {
		log_consumer("one reader at a time", cpu);
		return -EBUSY;
	}
	note_consumer(cpu);
	return 0;
}

struct marker_buffer *marker_channel_get_consumer(int cpu)
{
	struct marker_buffer *buffer;
	int err;

	if (mutex_lock_interruptible(&channel_mutex))
		return ERR_PTR(-EINTR);
	err = add_consumer(cpu);
	if (err) {
		buffer = ERR_PTR(err);
	} else {
		buffer = marker_channel_get(false);
		marker_buffer_begin(buffer, cpu);
	}
	mutex_unlock(&channel_mutex);
	return buffer;
}

void marker_channel_put_consumer(struct marker_buffer *buffer, int cpu)
{
	mutex_lock(&channel_mutex);
	if (cpu == RING_ALL_CPUS)
		cpumask_clear(&consumed_cpus);
	else
		cpumask_clear_cpu(cpu, &consumed_cpus);
	mutex_unlock(&channel_mutex);
	marker_buffer_put(buffer);
}

/*
 * Settings
 */

void marker_channel_set_on(bool on)
{
	mutex_lock(&channel_mutex);
	set_wanted(on ? MARKER_LIVE_ON : MARKER_LIVE_OFF);
	mutex_unlock(&channel_mutex);
}

bool marker_channel_is_on(void)
{
	return READ_ONCE(marker_live) != MARKER_LIVE_OFF;
}

static int refuse_overwrite(void)
{
	marker_log("overwrite: can be changed only while tracing_on is 0");
	return -EBUSY;
}

int marker_channel_set_overwrite(bool overwrite)
{
	int err = 0;

	mutex_lock(&channel_mutex);
	if (overwrite == marker_channel_is_overwriting())
		goto out;
	if (marker_channel_is_on()) {
		err = refuse_overwrite();
		goto out;
	}
	hold_starts();
	if (marker_channel_is_on()) {
		err = refuse_overwrite();
	} else {
		ring_stop(live->ring);
		/* Wait for the writers that had passed the test. */
		synchronize_rcu();
		ring_set_mode(live->ring, overwrite ? RING_OVERWRITE : RING_DISCARD);
	}
	release_starts();
out:
	mutex_unlock(&channel_mutex);
	return err;
}

bool marker_channel_is_overwriting(void)
{
	struct marker_buffer *buffer = marker_channel_get(false);
	bool overwrite = READ_ONCE(buffer->ring->config.mode) == RING_OVERWRITE;

	marker_buffer_put(buffer);
	return overwrite;
}

/* Continue in an empty buffer with this @config. */
static int renew_buffer(const char *what, const struct ring_config *config)
{
	struct marker_buffer *buffer;
	int err;

	err = check_consumers(what);
	if (err)
		return err;
	buffer = create_buffer(config);
	if (IS_ERR(buffer)) {
		log_no_memory(what, config);
		return PTR_ERR(buffer);
	}
	marker_buffer_put(replace_buffer(buffer));
	return 0;
}

static int resize_buffer(const char *what, unsigned int buffer_kb, unsigned int subbuf_kb)
{
	struct ring_config config = live->ring->config;
	const char *wrong;

	wrong = use_sizes(&config, buffer_kb, subbuf_kb);
	if (wrong) {
		marker_log("%s", wrong);
		return -EINVAL;
	}
	if (config.subbuf_size == live->ring->config.subbuf_size &&
	    config.nr_subbufs == live->ring->config.nr_subbufs)
		return 0;
	return renew_buffer(what, &config);
}

int marker_channel_set_buffer_kb(unsigned int buffer_kb)
{
	int err;

	mutex_lock(&channel_mutex);
	err = resize_buffer("buffer_size_kb", buffer_kb, marker_channel_subbuf_kb());
	mutex_unlock(&channel_mutex);
	return err;
}

int marker_channel_set_subbuf_kb(unsigned int subbuf_kb)
{
	int err;

	mutex_lock(&channel_mutex);
	err = resize_buffer("subbuf_size_kb", marker_channel_buffer_kb(), subbuf_kb);
	mutex_unlock(&channel_mutex);
	return err;
}

size_t marker_channel_buffer_kb(void)
{
	struct marker_buffer *buffer = marker_channel_get(false);
	size_t kb = config_kb(&buffer->ring->config);

	marker_buffer_put(buffer);
	return kb;
}

size_t marker_channel_subbuf_kb(void)
{
	struct marker_buffer *buffer = marker_channel_get(false);
	size_t kb = buffer->ring->config.subbuf_size / 1024;

	marker_buffer_put(buffer);
	return kb;
}

size_t marker_channel_total_kb(void)
{
	return marker_channel_buffer_kb() * num_possible_cpus();
}

int marker_channel_set_contexts(u32 set)
{
	struct ring_config config;
	int err = 0;

	mutex_lock(&channel_mutex);
	config = live->ring->config;
	config.tag = marker_context_tag(set);
	if (config.tag != live->ring->config.tag)
		err = renew_buffer("contexts", &config);
	mutex_unlock(&channel_mutex);
	return err;
}

u32 marker_channel_contexts(void)
{
	struct marker_buffer *buffer = marker_channel_get(false);
	u32 set = marker_context_set(marker_buffer_contexts(buffer));

	marker_buffer_put(buffer);
	return set;
}

/* Stop the ring, and flush it while the clock is still the old one. */
static int change_clock(struct marker_buffer *buffer, const char *name)
{
	int err;

	ring_stop(live->ring);
	synchronize_rcu();
	ring_flush(live->ring, RING_ALL_CPUS);
	WRITE_ONCE(live->retired, true);
	err = clock_set(&marker_clock, name);
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

	begin_trace(buffer);
	marker_buffer_put(replace_buffer(buffer));
	return 0;
}

int marker_channel_set_clock(const char *name)
{
	struct marker_buffer *buffer;
	int err = 0;

	mutex_lock(&channel_mutex);
	if (!strcmp(name, marker_clock.name))
		goto out;
	err = check_consumers("trace_clock");
	if (err)
		goto out;
	buffer = create_buffer(&live->ring->config);
	if (IS_ERR(buffer)) {
		log_no_memory("trace_clock", &live->ring->config);
		err = PTR_ERR(buffer);
		goto out;
	}
	hold_starts();
	err = change_clock(buffer, name);
	release_starts();
	if (err)
		marker_buffer_put(buffer);
out:
	mutex_unlock(&channel_mutex);
	return err;
}

/*
 * Snapshots
 */

/* Publish @buffer, or NULL, as the snapshot and return the one before. */
static struct marker_buffer *swap_snapshot(struct marker_buffer *buffer)
{
	spin_lock(&buffers_lock);
	swap(snapshot, buffer);
	spin_unlock(&buffers_lock);
	return buffer;
}

/* Was it written by the clock in use?  A clock that is chosen again may restart. */
static bool is_current(const struct marker_clock *clock)
{
	return clock->name == marker_clock.name &&
	       clock->offset_s == marker_clock.offset_s &&
	       clock->offset == marker_clock.offset;
}

/* Can the recording go on in this buffer? */
static bool is_spare(const struct marker_buffer *buffer)
{
	const struct ring_config *config = &buffer->ring->config;

	return refcount_read(&buffer->refs) == 1 &&
	       config->subbuf_size == live->ring->config.subbuf_size &&
	       config->nr_subbufs == live->ring->config.nr_subbufs &&
	       config->tag == live->ring->config.tag &&
	       is_current(&buffer->clock);
}

/* The snapshot's buffer, unpublished, if the recording can go on in it; else NULL. */
static struct marker_buffer *reuse_snapshot(void)
{
	struct marker_buffer *buffer = NULL;

	spin_lock(&buffers_lock);
	if (snapshot && is_spare(snapshot))
		swap(snapshot, buffer);
	spin_unlock(&buffers_lock);
	return buffer;
}

/*
 * An empty buffer for the recording to go on in: the last snapshot's if it fits, or a new
 * one.  With a new one, readers have the last snapshot until the next is complete.
 */
static struct marker_buffer *find_spare(void)
{
	struct marker_buffer *buffer = reuse_snapshot();

	if (!buffer)
		return create_buffer(&live->ring->config);
	marker_buffer_clear(buffer, RING_ALL_CPUS);
	begin_trace(buffer);
	ring_set_mode(buffer->ring, live->ring->config.mode);
	WRITE_ONCE(buffer->retired, false);
	return buffer;
}

int marker_channel_take_snapshot(bool log)
{
	struct marker_buffer *buffer, *old;
	int err;

	mutex_lock(&channel_mutex);
	err = log ? check_consumers("snapshot") : cpumask_empty(&consumed_cpus) ? 0 : -EBUSY;
	if (err)
		goto out;
	buffer = find_spare();
	if (IS_ERR(buffer)) {
		if (log)
			log_no_memory("snapshot", &live->ring->config);
		err = PTR_ERR(buffer);
		goto out;
	}
	old = swap_snapshot(replace_buffer(buffer));
	if (old)
		marker_buffer_put(old);
out:
	mutex_unlock(&channel_mutex);
	return err;
}

void marker_channel_free_snapshot(void)
{
	struct marker_buffer *old;

	mutex_lock(&channel_mutex);
	old = swap_snapshot(NULL);
	if (old)
		marker_buffer_put(old);
	mutex_unlock(&channel_mutex);
}

/*
 * buffer_percent
 */

void marker_channel_set_percent(unsigned int percent)
{
	mutex_lock(&channel_mutex);
	WRITE_ONCE(channel_percent, percent);
	/* Wake all waiters: each looks at the new value. */
	ring_wakeup(live->ring);
	mutex_unlock(&channel_mutex);
}

unsigned int marker_channel_percent(void)
{
	return READ_ONCE(channel_percent);
}

u32 marker_channel_wanted(const struct ring *ring)
{
	unsigned int percent = marker_channel_percent();

	return percent ? max(ring->config.nr_subbufs * percent / 100, 1U) : 0;
}

/*
 * Module
 */

int __init marker_channel_init(const struct marker_channel_config *config)
{
	struct ring_config ring_config = {
		.mode = config->overwrite ? RING_OVERWRITE : RING_DISCARD,
		.tag = marker_context_tag(config->contexts),
	};
	struct marker_buffer *buffer;
	const char *wrong;

	wrong = use_sizes(&ring_config, config->buffer_kb, config->subbuf_kb);
	if (!wrong && config->percent > 100)
		wrong = "buffer_percent must be 0 to 100";
	if (wrong) {
		pr_err("%s\n", wrong);
		return -EINVAL;
	}
	channel_percent = config->percent;
	buffer = create_buffer(&ring_config);
	if (IS_ERR(buffer)) {
		pr_err("no memory for %zu KiB of buffer on each of %u CPUs: try a smaller buffer_size_kb\n",
		       config_kb(&ring_config), num_online_cpus());
		return PTR_ERR(buffer);
	}
	set_live(buffer);
	marker_channel_set_on(true);
	return 0;
}

void marker_channel_exit(void)
{
	marker_channel_free_snapshot();
	marker_buffer_put(live);
}
