/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recordings: what each of them takes of which events, and where to.
 */
#ifndef _MARKERS_RECORDING_H
#define _MARKERS_RECORDING_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>

#include <markers/marker_types.h>
#include <markers/ring/clock.h>
#include "rules.h"

struct marker_buffer;
struct marker_consumer;
struct marker_counts;
struct marker_program;
struct ring_cpu;

#define MARKER_MAX_RETIRED	2

/**
 * struct marker_recording - where hits are recorded, which, and what else they do
 * @live:	MARKER_LIVE_*: on or off; first, for the thunk
 * @starts_held: hits do not start the ring
 * @is_loading:	a region will replace its buffer: no one may begin to record, consume, or replace
 *		it, yet
 * @ended:	of an instance: no one may begin to consume, and no command add a rule
 * @ring:	the ring that is written, for each CPU
 * @whole:	the program of all events of which it takes all hits, and no other any
 * @name:	of an instance; NULL: the one at the top
 * @node:	in the list of all recordings; RCU
 * @triggers:	what else hits do: see for_each_trigger(); registry mutex
 * @rules:	which events it takes, by patterns; registry mutex
 * @counts:	of the events that it counts or has counted, by id, else NULL; registry mutex.  Hits
 *		find them in a take
 * @nr_counts:	the size of @counts
 * @events_left: while @live is MARKER_LIVE_ENDING: events that are still to be recorded
 * @lock:	protects the rest, and serialises changes.  Taken before the CPU hotplug lock
 * @percent:	see marker_recording_set_percent()
 * @consumed_cpus: those that have a consumer; changes under marker_buffers_lock, and is empty
 *		before the recording goes
 * @consumers:	these, by CPU
 * @buffer:	the buffer that is written; changes under marker_buffers_lock, too
 * @snapshot:	the same, or NULL
 * @nr_writers:	of files that change its rules; as @consumed_cpus
 * @retired:	buffers that were replaced, and that open files still read: held, the newest first
 * @clock:	of its times; each buffer has a copy
 *
 * Hits read the members before @rules, and write some of those after it.  The rules are between
 * them, so no cache line has both.
 */
struct marker_recording {
	u32 live;
	bool starts_held;
	bool is_loading;
	bool ended;
	struct ring_cpu * __percpu *ring;
	struct marker_program *whole;
	const char *name;
	struct list_head node;
	struct list_head triggers;
	struct marker_rules rules;
	struct marker_counts __percpu **counts;
	u32 nr_counts;
	atomic_long_t events_left;
	struct mutex lock;	/* see above */
	unsigned int percent;
	struct cpumask consumed_cpus;
	struct marker_consumer *consumers;
	struct marker_buffer *buffer;
	struct marker_buffer *snapshot;
	unsigned int nr_writers;
	struct marker_buffer *retired[MARKER_MAX_RETIRED];
	struct marker_clock clock;
};

/*
 * @live: the bits of struct marker.state that count: all, or with tracing_on=0,
 * MARKER_LIVE_OFF.  A hit that finds none of its bits in it is done.
 */
#define MARKER_LIVE_OFF		(MARKER_ONLY_PROBED | MARKER_COUNTED | MARKER_ACTED)
#define MARKER_LIVE_ON		(~0u)
#define MARKER_LIVE_ENDING	(~(1u << 30))	/* on, events are counted: see tracing_on.c */

/* The first recording: of the files at the top.  The thunk reads its state. */
extern struct marker_recording marker_top;

/*
 * Its ring that is written: the one load of the hot path.  replace.c replaces it, and
 * waits for a grace period before it drops the old ring.
 */
DECLARE_PER_CPU(struct ring_cpu *, marker_ring_cpu);

/* All recordings, by @node, the one at the top first: registry mutex, or RCU. */
extern struct list_head marker_recordings;

#define for_each_recording(recording)					\
	list_for_each_entry(recording, &marker_recordings, node)

#define for_each_recording_rcu(recording)				\
	list_for_each_entry_rcu(recording, &marker_recordings, node)

/**
 * marker_recording_init() - begin without rules and triggers
 * @recording:	of an instance: zeroes
 * @name:	its name, which stays as long as it
 *
 * Context: Any.
 */
void marker_recording_init(struct marker_recording *recording, const char *name);

#endif /* _MARKERS_RECORDING_H */
