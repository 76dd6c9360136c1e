// SPDX-License-Identifier: GPL-2.0
/*
 * Recordings: the module starts the one at the top, debugfs controls it.  Process context,
 * except where a function is for hits, which know only that one.
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
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uuid.h>

#include <markers/log.h>
#include <markers/marker_types.h>
#include <markers/ring/clock.h>
#include <markers/switch/control.h>
#include "channel.h"
#include "crash_notes.h"

DEFINE_PER_CPU(struct ring_cpu *, marker_ring_cpu);
u32 marker_live __read_mostly = MARKER_LIVE_OFF;

struct marker_recording marker_top = {
	.ring_cpu = &marker_ring_cpu,
	.wanted = &marker_live,
	.clock = &marker_clock,
	.rules = &marker_rules,
};

/* The task that opened a trace_pipe or trace_pipe_raw. */
struct marker_consumer {
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/*
 * Protects the pointers to buffers and taking a reference, and says who uses a recording: a
 * file is released even after its directory has gone, so with the recording its mutex may be
 * gone as soon as nobody uses it.  The innermost lock.
 */
static DEFINE_SPINLOCK(buffers_lock);

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
static void begin_trace(struct marker_recording *recording, struct marker_buffer *buffer)
{
	generate_random_uuid(buffer->uuid);
	buffer->clock = *recording->clock;
	buffer->percent = recording->percent;
}

/* Refuse a request far beyond memory before it evicts everything else. */
static struct marker_buffer *create_buffer(struct marker_recording *recording,
					   const struct ring_config *config)
{
	size_t pages = config_kb(config) / (PAGE_SIZE / 1024) * num_online_cpus();
	struct marker_buffer *buffer;

	if (pages > max(si_mem_available(), 0L))
		return ERR_PTR(-ENOMEM);
	buffer = marker_buffer_create(config);
	if (IS_ERR(buffer))
		return buffer;
	begin_trace(recording, buffer);
	return buffer;
}

static void log_no_memory(const char *what, const struct ring_config *config)
{
	marker_log("%s: no memory for %zu KiB of buffer on each of %u CPUs; nothing was changed",
		   what, config_kb(config), num_online_cpus());
}

static void log_consumer(const struct marker_recording *recording, const char *what, int cpu)
{
	const struct marker_consumer *consumer = &recording->consumers[cpu];

	marker_log("%s: a trace_pipe or trace_pipe_raw is open, by %s (pid %d)",
		   what, consumer->comm, consumer->pid);
}

/* None comes while recording->lock is held, but they go.  Return: a CPU, or nr_cpu_ids. */
static unsigned int first_consumed(const struct marker_recording *recording)
{
	unsigned int cpu;

	spin_lock(&buffers_lock);
	cpu = cpumask_first(&recording->consumed_cpus);
	spin_unlock(&buffers_lock);
	return cpu;
}

static int check_consumers(const struct marker_recording *recording, const char *what)
{
	const unsigned int cpu = first_consumed(recording);

	if (cpu >= nr_cpu_ids)
		return 0;
	log_consumer(recording, what, cpu);
	return -EBUSY;
}

static void set_live(struct marker_recording *recording, struct marker_buffer *buffer)
{
	u32 set;
	int cpu;

	for_each_possible_cpu(cpu) {
		/* Publish the initialised ring; writers order by address dependency. */
		smp_store_release(per_cpu_ptr(recording->ring_cpu, cpu),
				  per_cpu_ptr(buffer->ring->cpus, cpu));
	}
	spin_lock(&buffers_lock);
	WRITE_ONCE(recording->live, buffer);
	spin_unlock(&buffers_lock);
	set = marker_context_set(marker_buffer_contexts(buffer));
	marker_control_allow_stacks(recording->rules,
				    marker_context_has(set, MARKER_CONTEXT_CALLSTACK));
	if (recording == &marker_top)
		marker_crash_notes_update();
}

/*
 * On and off: recording->wanted says what is wanted, and the ring follows.  Tasks and hits
 * change it at the same time, even in NMI, so there is no lock.  Each writer sets the ring,
 * then reads it again and repeats if it has changed: so the last writer leaves the ring
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
static notrace void follow_live(const struct marker_recording *recording)
{
	u32 wanted;

	/* No preemption: a task must not set the ring by an old value later. */
	preempt_disable_notrace();
	do {
		wanted = READ_ONCE(*recording->wanted);
		if (wanted == MARKER_LIVE_OFF || !READ_ONCE(recording->starts_held))
			set_ring((*raw_cpu_ptr(recording->ring_cpu))->ring, wanted);
		/* The ring is set before the second look. */
		smp_mb();
	} while (wanted != READ_ONCE(*recording->wanted));
	preempt_enable_notrace();
}

static notrace void set_wanted(struct marker_recording *recording, u32 wanted)
{
	atomic_long_set(&recording->events_left, 0);
	/* A hit that finds the new state sets the number after us. */
	smp_wmb();
	WRITE_ONCE(*recording->wanted, wanted);
	/* It is written before the ring and starts_held are read. */
	smp_mb();
	follow_live(recording);
}

notrace void marker_channel_hit_on(void)
{
	set_wanted(&marker_top, MARKER_LIVE_ON);
}
NOKPROBE_SYMBOL(marker_channel_hit_on);

/*
 * While events are counted down, the ring shows the quick ways no room, so every event
 * takes the general way, which counts.  The quick ways need no test of their own.
 */
notrace void marker_channel_hit_off(u32 after)
{
	if (!after) {
		set_wanted(&marker_top, MARKER_LIVE_OFF);
		return;
	}
	/*
	 * The hit that changes the state sets the number.  Until then, nothing is counted
	 * down.
	 */
	if (!marker_channel_is_recording() ||
	    cmpxchg(&marker_live, MARKER_LIVE_ON, MARKER_LIVE_ENDING) != MARKER_LIVE_ON)
		return;
	atomic_long_set(&marker_top.events_left, after);
	follow_live(&marker_top);
}
NOKPROBE_SYMBOL(marker_channel_hit_off);

notrace void marker_channel_count_down(void)
{
	if (!atomic_long_dec_if_positive(&marker_top.events_left) &&
	    cmpxchg(&marker_live, MARKER_LIVE_ENDING, MARKER_LIVE_OFF) == MARKER_LIVE_ENDING)
		follow_live(&marker_top);
}
NOKPROBE_SYMBOL(marker_channel_count_down);

/* From here on, no hit starts the ring, which the caller may stop. */
static void hold_starts(struct marker_recording *recording)
{
	WRITE_ONCE(recording->starts_held, true);
	/* wait for hits that have not seen it */
	synchronize_rcu();
}

static void release_starts(struct marker_recording *recording)
{
	WRITE_ONCE(recording->starts_held, false);
	/* Either a hit sees the change, or we see what the hit wants. */
	smp_mb();
	follow_live(recording);
}

/* Steps 2 and 3; returns the old buffer. */
static struct marker_buffer *replace_buffer(struct marker_recording *recording,
					    struct marker_buffer *buffer)
{
	struct marker_buffer *old = recording->live;

	set_ring(buffer->ring, READ_ONCE(*recording->wanted));
	set_live(recording, buffer);
	/* A hit may have changed it meanwhile, and have set the old ring. */
	smp_mb();
	follow_live(recording);
	synchronize_rcu();
	ring_stop(old->ring);
	/* before another clock is chosen */
	ring_flush(old->ring, RING_ALL_CPUS);
	WRITE_ONCE(old->retired, true);
	return old;
}

struct marker_buffer *marker_channel_live(void)
{
	return READ_ONCE(marker_top.live);
}

struct marker_buffer *marker_channel_get(struct marker_recording *recording, bool snapshot)
{
	struct marker_buffer *buffer;

	spin_lock(&buffers_lock);
	buffer = snapshot ? recording->snapshot : recording->live;
	if (buffer)
		refcount_inc(&buffer->refs);
	spin_unlock(&buffers_lock);
	return buffer;
}

/*
 * Consumers
 */

static void note_consumer(struct marker_recording *recording, int cpu)
{
	struct marker_consumer *consumer = &recording->consumers[cpu];

	consumer->pid = task_tgid_nr(current);
	get_task_comm(consumer->comm, current);
	spin_lock(&buffers_lock);
	cpumask_set_cpu(cpu, &recording->consumed_cpus);
	spin_unlock(&buffers_lock);
}

static int add_consumer(struct marker_recording *recording, int cpu)
{
	int err;

	if (cpu == RING_ALL_CPUS) {
		err = check_consumers(recording, "one reader at a time");
		if (err)
			return err;
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

struct marker_buffer *marker_channel_get_consumer(struct marker_recording *recording, int cpu)
{
	struct marker_buffer *buffer;
	int err;

	if (mutex_lock_interruptible(&recording->lock))
		return ERR_PTR(-EINTR);
	err = recording->ended ? -ENODEV : add_consumer(recording, cpu);
	if (err) {
		buffer = ERR_PTR(err);
	} else {
		buffer = marker_channel_get(recording, false);
		marker_buffer_begin(buffer, cpu);
	}
	mutex_unlock(&recording->lock);
	return buffer;
}

void marker_channel_put_consumer(struct marker_recording *recording,
				 struct marker_buffer *buffer, int cpu)
{
	/* @recording may be gone after this */
	spin_lock(&buffers_lock);
	if (cpu == RING_ALL_CPUS)
		cpumask_clear(&recording->consumed_cpus);
	else
		cpumask_clear_cpu(cpu, &recording->consumed_cpus);
	spin_unlock(&buffers_lock);
	marker_buffer_put(buffer);
}

/*
 * Settings
 */

void marker_channel_set_on(struct marker_recording *recording, bool on)
{
	mutex_lock(&recording->lock);
	set_wanted(recording, on ? MARKER_LIVE_ON : MARKER_LIVE_OFF);
	mutex_unlock(&recording->lock);
}

bool marker_channel_is_on(const struct marker_recording *recording)
{
	return READ_ONCE(*recording->wanted) != MARKER_LIVE_OFF;
}

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
	hold_starts(recording);
	if (marker_channel_is_on(recording)) {
		err = refuse_overwrite();
	} else {
		ring_stop(recording->live->ring);
		/* Wait for the writers that had passed the test. */
		synchronize_rcu();
		ring_set_mode(recording->live->ring, overwrite ? RING_OVERWRITE : RING_DISCARD);
	}
	release_starts(recording);
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

	err = check_consumers(recording, what);
	if (err)
		return err;
	buffer = create_buffer(recording, config);
	if (IS_ERR(buffer)) {
		log_no_memory(what, config);
		return PTR_ERR(buffer);
	}
	marker_buffer_put(replace_buffer(recording, buffer));
	return 0;
}

static int resize_buffer(struct marker_recording *recording, const char *what,
			 unsigned int buffer_kb, unsigned int subbuf_kb)
{
	struct ring_config config = recording->live->ring->config;
	const char *wrong;

	wrong = use_sizes(&config, buffer_kb, subbuf_kb);
	if (wrong) {
		marker_log("%s", wrong);
		return -EINVAL;
	}
	if (config.subbuf_size == recording->live->ring->config.subbuf_size &&
	    config.nr_subbufs == recording->live->ring->config.nr_subbufs)
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
	config = recording->live->ring->config;
	config.tag = marker_context_tag(set);
	if (config.tag != recording->live->ring->config.tag)
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
	struct marker_buffer *live = recording->live;
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

	begin_trace(recording, buffer);
	marker_buffer_put(replace_buffer(recording, buffer));
	return 0;
}

int marker_channel_set_clock(struct marker_recording *recording, const char *name)
{
	struct marker_buffer *buffer;
	int err = 0;

	mutex_lock(&recording->lock);
	if (!strcmp(name, recording->clock->name))
		goto out;
	err = check_consumers(recording, "trace_clock");
	if (err)
		goto out;
	buffer = create_buffer(recording, &recording->live->ring->config);
	if (IS_ERR(buffer)) {
		log_no_memory("trace_clock", &recording->live->ring->config);
		err = PTR_ERR(buffer);
		goto out;
	}
	hold_starts(recording);
	err = change_clock(recording, buffer, name);
	release_starts(recording);
	if (err)
		marker_buffer_put(buffer);
out:
	mutex_unlock(&recording->lock);
	return err;
}

/*
 * Snapshots
 */

/* Publish @buffer, or NULL, as the snapshot and return the one before. */
static struct marker_buffer *swap_snapshot(struct marker_recording *recording,
					   struct marker_buffer *buffer)
{
	spin_lock(&buffers_lock);
	swap(recording->snapshot, buffer);
	spin_unlock(&buffers_lock);
	return buffer;
}

/* Was it written by the clock in use?  A clock that is chosen again may restart. */
static bool is_current(const struct marker_recording *recording, const struct marker_clock *clock)
{
	return clock->name == recording->clock->name &&
	       clock->offset_s == recording->clock->offset_s &&
	       clock->offset == recording->clock->offset;
}

/* Can the recording go on in this buffer? */
static bool is_spare(const struct marker_recording *recording,
		     const struct marker_buffer *buffer)
{
	const struct ring_config *config = &buffer->ring->config;
	const struct ring_config *live = &recording->live->ring->config;

	return refcount_read(&buffer->refs) == 1 &&
	       config->subbuf_size == live->subbuf_size &&
	       config->nr_subbufs == live->nr_subbufs &&
	       config->tag == live->tag &&
	       is_current(recording, &buffer->clock);
}

/* The snapshot's buffer, unpublished, if the recording can go on in it; else NULL. */
static struct marker_buffer *reuse_snapshot(struct marker_recording *recording)
{
	struct marker_buffer *buffer = NULL;

	spin_lock(&buffers_lock);
	if (recording->snapshot && is_spare(recording, recording->snapshot))
		swap(recording->snapshot, buffer);
	spin_unlock(&buffers_lock);
	return buffer;
}

/*
 * An empty buffer for the recording to go on in: the last snapshot's if it fits, or a new
 * one.  With a new one, readers have the last snapshot until the next is complete.
 */
static struct marker_buffer *find_spare(struct marker_recording *recording)
{
	struct marker_buffer *buffer = reuse_snapshot(recording);

	if (!buffer)
		return create_buffer(recording, &recording->live->ring->config);
	marker_buffer_clear(buffer, RING_ALL_CPUS);
	begin_trace(recording, buffer);
	ring_set_mode(buffer->ring, recording->live->ring->config.mode);
	WRITE_ONCE(buffer->retired, false);
	return buffer;
}

int marker_channel_take_snapshot(struct marker_recording *recording, bool log)
{
	struct marker_buffer *buffer, *old;
	int err;

	mutex_lock(&recording->lock);
	if (log)
		err = check_consumers(recording, "snapshot");
	else
		err = first_consumed(recording) < nr_cpu_ids ? -EBUSY : 0;
	if (err)
		goto out;
	buffer = find_spare(recording);
	if (IS_ERR(buffer)) {
		if (log)
			log_no_memory("snapshot", &recording->live->ring->config);
		err = PTR_ERR(buffer);
		goto out;
	}
	old = swap_snapshot(recording, replace_buffer(recording, buffer));
	if (old)
		marker_buffer_put(old);
out:
	mutex_unlock(&recording->lock);
	return err;
}

void marker_channel_free_snapshot(struct marker_recording *recording)
{
	struct marker_buffer *old;

	mutex_lock(&recording->lock);
	old = swap_snapshot(recording, NULL);
	if (old)
		marker_buffer_put(old);
	mutex_unlock(&recording->lock);
}

/*
 * buffer_percent
 */

void marker_channel_set_percent(struct marker_recording *recording, unsigned int percent)
{
	mutex_lock(&recording->lock);
	WRITE_ONCE(recording->percent, percent);
	WRITE_ONCE(recording->live->percent, percent);
	/* Wake all waiters: each looks at the new value. */
	ring_wakeup(recording->live->ring);
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
 * Module
 */

/*
 * Recordings
 */

static void free_recording(struct marker_recording *recording)
{
	mutex_destroy(&recording->lock);
	kvfree(recording->consumers);
}

/* Its ring_cpu, wanted, clock and rules are set. */
static int begin_recording(struct marker_recording *recording, const struct ring_config *config,
			   unsigned int percent)
{
	struct marker_buffer *buffer;

	mutex_init(&recording->lock);
	recording->percent = percent;
	recording->consumers = kvcalloc(nr_cpu_ids, sizeof(*recording->consumers), GFP_KERNEL);
	if (!recording->consumers)
		return -ENOMEM;
	buffer = create_buffer(recording, config);
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
	err = begin_recording(&marker_top, &ring_config, config->percent);
	if (err)
		pr_err("no memory for %zu KiB of buffer on each of %u CPUs: try a smaller buffer_size_kb\n",
		       config_kb(&ring_config), num_online_cpus());
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
	config.subbuf_size = marker_top.live->ring->config.subbuf_size;
	config.nr_subbufs = marker_top.live->ring->config.nr_subbufs;
	config.mode = marker_top.live->ring->config.mode;
	config.tag = marker_top.live->ring->config.tag;
	percent = marker_top.percent;
	*recording->clock = *marker_top.clock;
	mutex_unlock(&marker_top.lock);
	return begin_recording(recording, &config, percent);
}

static bool has_writers(const struct marker_recording *recording)
{
	bool has;

	spin_lock(&buffers_lock);
	has = recording->nr_writers;
	spin_unlock(&buffers_lock);
	return has;
}

int marker_channel_end(struct marker_recording *recording)
{
	int err;

	mutex_lock(&recording->lock);
	err = check_consumers(recording, "instances/remove");
	if (!err && has_writers(recording)) {
		marker_log("instances/remove: its set_marker is open for writing");
		err = -EBUSY;
	}
	recording->ended = !err;
	mutex_unlock(&recording->lock);
	return err;
}

void marker_channel_go_on(struct marker_recording *recording)
{
	mutex_lock(&recording->lock);
	recording->ended = false;
	mutex_unlock(&recording->lock);
}

void marker_channel_destroy(struct marker_recording *recording)
{
	marker_channel_free_snapshot(recording);
	ring_stop(recording->live->ring);
	WRITE_ONCE(recording->live->retired, true);
	marker_buffer_put(recording->live);
	free_recording(recording);
}

int marker_channel_get_writer(struct marker_recording *recording)
{
	int err = 0;

	mutex_lock(&recording->lock);
	spin_lock(&buffers_lock);
	if (recording->ended)
		err = -ENODEV;
	else
		recording->nr_writers++;
	spin_unlock(&buffers_lock);
	mutex_unlock(&recording->lock);
	return err;
}

void marker_channel_put_writer(struct marker_recording *recording)
{
	/* @recording may be gone after this */
	spin_lock(&buffers_lock);
	recording->nr_writers--;
	spin_unlock(&buffers_lock);
}
