/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recordings: the ring buffers that events go to, and whether they do.
 *
 * A reader gets a reference to a buffer.  It keeps that buffer when another one replaces
 * it.
 */
#ifndef _MARKERS_RECORD_H
#define _MARKERS_RECORD_H

#include <linux/init.h>

#include <markers/model/recording.h>
#include <markers/ring/ring.h>
#include "buffer.h"

struct ring_region;

#define MARKER_MAX_BUFFER_KB	(1U << 20)	/* 1 GiB for each CPU */
#define MARKER_MAX_SUBBUF_KB	(RING_SUBBUF_SIZE_MAX / 1024)

/**
 * struct marker_recording_config - parameters of the module
 * @buffer_kb:	KiB for each CPU, not counting the reader's sub-buffer
 * @subbuf_kb:	KiB of each of its sub-buffers
 * @overwrite:	flight recorder
 * @percent:	see marker_recording_set_percent()
 * @contexts:	the contexts of each event: a set, see format/context.h
 * @to_region:	marker_recording_use_region() will follow: nothing is recorded and no one can
 *		consume before it, and the buffers are small until then
 *
 * The sizes are rounded up to a power of two; there are at least two sub-buffers.
 */
struct marker_recording_config {
	unsigned int buffer_kb;
	unsigned int subbuf_kb;
	bool overwrite;
	unsigned int percent;
	u32 contexts;
	bool to_region;
};

/**
 * marker_recordings_init() - make the ring buffers of the recording at the top, and start
 * @config:	how
 *
 * Context: Process context; sleeps.
 * Return: 0; -EINVAL for an impossible size; -ENOMEM.
 */
int __init marker_recordings_init(const struct marker_recording_config *config);
void marker_recordings_exit(void);

/**
 * marker_recording_region_kb() - would the recording at the top fit in a region?
 * @region:	this one
 * @full:	the KiB of buffer on each CPU that it is to have
 *
 * Context: Process context, while the module is loaded; sleeps.
 * Return: the KiB that fit, at most @full; 0: none.
 */
size_t __init marker_recording_region_kb(struct ring_region *region, size_t *full);

/**
 * marker_recording_use_region() - let the recording at the top begin in a region, or go on there
 * @region:	its buffers are there from now on, those of snapshots too
 *
 * Context: Process context; allocates, and sleeps for a grace period.
 * Return: 0; -ENOMEM: there is no room, or no memory for the rest: it has ordinary memory now, as
 * much as it was to have in the region if there is that much.
 */
int __init marker_recording_use_region(struct ring_region *region);

/**
 * marker_recording_create() - make the ring buffers of an instance, and start
 * @recording:	of an instance, after marker_recording_init(); its ring is there
 *
 * With the settings of the recording at the top.
 *
 * Context: Process context; sleeps.
 * Return: 0; -ENOMEM.
 */
int marker_recording_create(struct marker_recording *recording);

/**
 * marker_recording_end() - let no one begin to consume, or to change the rules
 * @recording:	of an instance
 *
 * Context: Process context; sleeps.
 * Return: 0; -EBUSY, noted in error_log: some task does so.
 */
int marker_recording_end(struct marker_recording *recording);

/**
 * marker_recording_destroy() - drop the ring buffers of an instance
 * @recording:	it has ended, has no snapshot, and a grace period has passed since a hit could find
 *		it
 *
 * Context: Process context; sleeps.
 */
void marker_recording_destroy(struct marker_recording *recording);

/**
 * marker_recording_get_writer() - begin to change the rules
 * @recording:	of this recording, which does not end before marker_recording_put_writer()
 *
 * Context: Process context; sleeps.
 * Return: 0, or -ENODEV: it has ended.
 */
int marker_recording_get_writer(struct marker_recording *recording);

/**
 * marker_recording_put_writer() - undo marker_recording_get_writer()
 * @recording:	the same
 *
 * Context: Process context; sleeps.
 */
void marker_recording_put_writer(struct marker_recording *recording);

/**
 * marker_recording_get() - a buffer to read from
 * @recording:	of this recording
 * @snapshot:	the snapshot, or the buffer that is written
 *
 * Context: Process context.
 * Return: the buffer, for marker_buffer_put(); NULL if there is no snapshot.
 */
struct marker_buffer *marker_recording_get(struct marker_recording *recording, bool snapshot);

/**
 * marker_recording_open() - a buffer for a file that does not consume
 * @recording:	of this recording
 * @snapshot:	the snapshot, or the buffer that is written
 *
 * Once the recording goes on in another one, the file can read to the end of this.  But when
 * MARKER_MAX_RETIRED later ones are kept for other files, or memory is short, it is revoked.
 *
 * Context: Process context; sleeps.
 * Return: the buffer, for marker_buffer_close(); NULL if there is no snapshot.
 */
struct marker_buffer *marker_recording_open(struct marker_recording *recording, bool snapshot);

/**
 * marker_recording_buffer() - the buffer that is written, without a reference
 * @recording:	by this recording
 *
 * Context: Any, NMI too; preemption off for as long as it is used.
 * Return: the buffer.
 */
struct marker_buffer *marker_recording_buffer(const struct marker_recording *recording);

/**
 * marker_recording_get_consumer() - become the reader that consumes packets
 * @recording:	of this recording
 * @cpu:	of this CPU, or RING_ALL_CPUS
 *
 * The buffer is not replaced before marker_recording_put_consumer().  On -EBUSY, error_log
 * names the task that has the other file open, or says that the module is being loaded.
 *
 * Context: Process context; sleeps.
 * Return: the buffer; ERR_PTR(): -EBUSY if there is such a reader, or while
 * marker_recording_use_region() is still to come; -EINTR; -ENODEV if the recording has ended.
 */
struct marker_buffer *marker_recording_get_consumer(struct marker_recording *recording, int cpu);

/**
 * marker_recording_put_consumer() - undo marker_recording_get_consumer()
 * @recording:	of this recording
 * @buffer:	from marker_recording_get_consumer()
 * @cpu:	the same as for it
 *
 * Context: Process context; sleeps.
 */
void marker_recording_put_consumer(struct marker_recording *recording,
				   struct marker_buffer *buffer, int cpu);

/**
 * marker_recording_set_on() - start or stop recording: tracing_on
 * @recording:	of this recording
 * @on:		which
 *
 * Context: Process context; sleeps.
 */
void marker_recording_set_on(struct marker_recording *recording, bool on);

/**
 * marker_recording_is_on() - is tracing_on 1?
 * @recording:	of this recording
 *
 * Context: Any.
 * Return: true if hits are recorded.
 */
bool marker_recording_is_on(const struct marker_recording *recording);

/*
 * The same for hits.  They take effect at once, on all CPUs.
 */

/**
 * marker_recording_is_recording() - is tracing_on 1, without an end in sight?
 * @recording:	of this recording
 *
 * Context: Any, NMI too.
 * Return: true if it is.
 */
static __always_inline bool marker_recording_is_recording(const struct marker_recording *recording)
{
	return READ_ONCE(recording->live) == MARKER_LIVE_ON;
}

/**
 * marker_recording_is_ending() - does tracing_on become 0 after some more events?
 * @recording:	of this recording
 *
 * Context: Any, NMI too.
 * Return: true if it does: each event is to be counted by marker_recording_count_down().
 */
static __always_inline bool marker_recording_is_ending(const struct marker_recording *recording)
{
	return READ_ONCE(recording->live) == MARKER_LIVE_ENDING;
}

/**
 * marker_recording_hit_on() - set tracing_on to 1
 * @recording:	of this recording
 *
 * Context: Any, NMI too; preemption off.
 */
void marker_recording_hit_on(struct marker_recording *recording);

/**
 * marker_recording_hit_off() - set tracing_on to 0
 * @recording:	of this recording
 * @after:	after this many more events; 0: at once
 *
 * Records that other CPUs have begun may not be counted.  Does nothing if an end is in
 * sight already and @after is not 0.
 *
 * Context: Any, NMI too; preemption off.
 */
void marker_recording_hit_off(struct marker_recording *recording, u32 after);

/**
 * marker_recording_count_down() - an event was recorded, while marker_recording_is_ending()
 * @recording:	by this recording
 *
 * Context: Any, NMI too; preemption off.
 */
void marker_recording_count_down(struct marker_recording *recording);

/*
 * The functions below serve writers of control files.  On an error nothing changes, and
 * error_log has a message.
 */

/**
 * marker_recording_set_overwrite() - choose what a full buffer loses
 * @recording:	of this recording
 * @overwrite:	the oldest events, or the newest
 *
 * The buffers keep their events.
 *
 * Context: Process context; sleeps for a grace period.
 * Return: 0, or -EBUSY while recording is on.
 */
int marker_recording_set_overwrite(struct marker_recording *recording, bool overwrite);

/**
 * marker_recording_is_overwriting() - does a full buffer lose the oldest events?
 * @recording:	of this recording
 *
 * Context: Process context.
 * Return: true if it does.
 */
bool marker_recording_is_overwriting(struct marker_recording *recording);

/**
 * marker_recording_set_buffer_kb() - make the buffers larger or smaller
 * @recording:	of this recording
 * @buffer_kb:	KiB for each CPU; rounded up to a power of two
 *
 * Discards all recorded events.
 *
 * Context: Process context; allocates, and sleeps for a grace period.
 * Return: 0; -EINVAL for a size out of range, -EBUSY while there is a consumer,
 * -ENOMEM.
 */
int marker_recording_set_buffer_kb(struct marker_recording *recording, unsigned int buffer_kb);

/**
 * marker_recording_set_subbuf_kb() - make the sub-buffers larger or smaller
 * @recording:	of this recording
 * @subbuf_kb:	KiB; rounded up to a power of two
 *
 * Discards all recorded events.
 *
 * Context: Process context; allocates, and sleeps for a grace period.
 * Return: as marker_recording_set_buffer_kb().
 */
int marker_recording_set_subbuf_kb(struct marker_recording *recording, unsigned int subbuf_kb);

/**
 * marker_recording_buffer_kb() - the size of one CPU's buffer
 * @recording:	of this recording
 *
 * Context: Process context.
 * Return: KiB, without the reader's sub-buffer.
 */
size_t marker_recording_buffer_kb(struct marker_recording *recording);

/**
 * marker_recording_subbuf_kb() - the size of a sub-buffer
 * @recording:	of this recording
 *
 * Context: Process context.
 * Return: KiB.
 */
size_t marker_recording_subbuf_kb(struct marker_recording *recording);

/**
 * marker_recording_total_kb() - the size of the buffers of all possible CPUs
 * @recording:	of this recording
 *
 * Context: Process context.
 * Return: KiB, without the readers' sub-buffers.
 */
size_t marker_recording_total_kb(struct marker_recording *recording);

/**
 * marker_recording_set_clock() - record times of another clock
 * @recording:	of this recording
 * @name:	a clock that clock_is_offered()
 *
 * Discards all recorded events.  Hits during the change are neither recorded nor
 * counted.
 *
 * Context: Process context; allocates, and sleeps for grace periods.
 * Return: 0; -EBUSY while there is a consumer, -ENOMEM, -EINVAL if the clock has just
 * become unusable.
 */
int marker_recording_set_clock(struct marker_recording *recording, const char *name);

/**
 * marker_recording_set_contexts() - record other contexts with each event
 * @recording:	of this recording
 * @set:	which ones, see format/context.h
 *
 * Discards all recorded events.
 *
 * Context: Process context; allocates, and sleeps for a grace period.
 * Return: 0; -EBUSY while there is a consumer, -ENOMEM.
 */
int marker_recording_set_contexts(struct marker_recording *recording, u32 set);

/**
 * marker_recording_contexts() - the contexts that are recorded
 * @recording:	of this recording
 *
 * Context: Process context.
 * Return: a set.
 */
u32 marker_recording_contexts(struct marker_recording *recording);

/**
 * marker_recording_take_snapshot() - keep the events in the buffers
 * @recording:	of this recording
 * @log:	write an error to error_log
 *
 * The buffer that is written becomes the snapshot, and an empty one replaces it.  The
 * previous snapshot is freed when its last reader closes it.
 *
 * Context: Process context; allocates, and sleeps for a grace period.
 * Return: 0; -EBUSY while there is a consumer, -ENOMEM.
 */
int marker_recording_take_snapshot(struct marker_recording *recording, bool log);

/**
 * marker_recording_free_snapshot() - drop the snapshot
 * @recording:	of this recording
 *
 * Context: Process context; sleeps.
 */
void marker_recording_free_snapshot(struct marker_recording *recording);

/**
 * marker_recording_set_percent() - when to wake readers that wait: buffer_percent
 * @recording:	of this recording
 * @percent:	0 to 100: the part of a CPU's sub-buffers that must be complete; 0: any
 *		record wakes
 *
 * Context: Process context; sleeps.
 */
void marker_recording_set_percent(struct marker_recording *recording, unsigned int percent);

/**
 * marker_recording_percent() - the value of buffer_percent
 * @recording:	of this recording
 *
 * Context: Any.
 * Return: 0 to 100.
 */
unsigned int marker_recording_percent(const struct marker_recording *recording);

/**
 * marker_recording_needed() - buffer_percent as a number of sub-buffers
 * @ring:	of this ring, which belongs to a struct marker_buffer
 *
 * Context: Any.
 * Return: complete sub-buffers that a waiting reader needs; 0: any record wakes it.
 */
u32 marker_recording_needed(const struct ring *ring);

#endif /* _MARKERS_RECORD_H */
