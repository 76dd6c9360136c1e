/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recording: the ring buffers that events go to, and whether they do.
 *
 * Whoever reads gets a reference to a buffer, and keeps what he reads when another
 * takes its place.
 */
#ifndef _MARKERS_CHANNEL_H
#define _MARKERS_CHANNEL_H

#include <linux/init.h>
#include <linux/percpu.h>

#include <markers/ring/ring.h>
#include "buffer.h"

/*
 * Of the ring that is written: the one load of the hot path.  Replaced by channel.c,
 * with a grace period before the old ring goes.
 */
DECLARE_PER_CPU(struct ring_cpu *, marker_ring_cpu);

/* tracing_on; a hit that finds it false need not look at the ring. */
extern bool marker_recording;

/**
 * struct marker_channel_config - parameters of the module
 * @buffer_kb:	KiB for each CPU, not counting the reader's sub-buffer
 * @subbuf_kb:	KiB of each of its sub-buffers
 * @overwrite:	flight recorder
 * @percent:	see marker_channel_set_percent()
 *
 * The sizes are rounded up to a power of two; there are at least two sub-buffers.
 */
struct marker_channel_config {
	unsigned int buffer_kb;
	unsigned int subbuf_kb;
	bool overwrite;
	unsigned int percent;
};

/**
 * marker_channel_init() - make the ring buffers and start
 * @config:	how
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL for a size that cannot be; -ENOMEM.
 */
int __init marker_channel_init(const struct marker_channel_config *config);
void marker_channel_exit(void);

/**
 * marker_channel_get() - a buffer to read from
 * @snapshot:	the snapshot, or the one that is written
 *
 * Context: Process context.
 * Return: the buffer, for marker_buffer_put(); NULL if there is no snapshot.
 */
struct marker_buffer *marker_channel_get(bool snapshot);

/**
 * marker_channel_get_consumer() - become the one who takes packets away
 * @cpu:	of this CPU, or RING_ALL_CPUS
 *
 * The buffer stays the one that is written until marker_channel_put_consumer().
 *
 * Context: Process context; sleeps.
 * Return: the buffer; ERR_PTR(): -EBUSY if somebody else is it, -EINTR.
 */
struct marker_buffer *marker_channel_get_consumer(int cpu);
void marker_channel_put_consumer(struct marker_buffer *buffer, int cpu);

/* tracing_on */
void marker_channel_set_on(bool on);
bool marker_channel_is_on(void);

/*
 * The functions below are for one that writes to a control file.  They run in process
 * context and sleep, for a grace period and while memory is allocated.  They return 0
 * or an error, which is in error_log then; what there was goes on after an error.
 * -EBUSY: somebody consumes.  -ENOMEM: as it says.
 */

/*
 * overwrite: only while tracing is off (-EBUSY).  Events stay where they are.
 */
int marker_channel_set_overwrite(bool overwrite);
bool marker_channel_is_overwriting(void);

/* KiB for each CPU, and of a sub-buffer.  What was recorded is thrown away. */
int marker_channel_set_buffer_kb(unsigned int buffer_kb);
int marker_channel_set_subbuf_kb(unsigned int subbuf_kb);
size_t marker_channel_buffer_kb(void);
size_t marker_channel_subbuf_kb(void);
size_t marker_channel_total_kb(void);

/*
 * See marker_clock_is_offered(), which the caller has done.  What was recorded is thrown
 * away; what happens during the change is not recorded, and not counted.
 */
int marker_channel_set_clock(const char *name);

/* The buffer that is written becomes the snapshot, and an empty one takes its place. */
int marker_channel_take_snapshot(void);
void marker_channel_free_snapshot(void);

/* buffer_percent: 0 to 100 */
void marker_channel_set_percent(unsigned int percent);
unsigned int marker_channel_percent(void);

/* So many sub-buffers of a ring are that; 0: anything will do. */
u32 marker_channel_wanted(const struct ring *ring);

#endif /* _MARKERS_CHANNEL_H */
