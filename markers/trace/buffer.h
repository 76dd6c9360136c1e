/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring, and what a reader must know of its packets: their trace, their clock and the
 * contexts of their events.  One buffer is being written, one may be the snapshot, and
 * open files may hold older ones.
 */
#ifndef _MARKERS_BUFFER_H
#define _MARKERS_BUFFER_H

#include <linux/refcount.h>

#include <markers/format/context.h>
#include <markers/ring/clock.h>
#include <markers/ring/ring.h>
#include <markers/uapi/ctf.h>

/**
 * struct marker_place - how far a CPU's packets were read
 * @seq:	the next packet
 * @seen:	events in packets that were read and left there
 * @overwritten: up to where events that were overwritten have been told or cleared
 * @lost:	the same of other losses; both count as struct ring_packet does
 * @told:	losses that were told: the last packet's count of discarded events
 * @cleared:	there was a marker_buffer_clear(): the next reader tells from zero
 * @end:	a reader that takes nothing away reads up to there
 */
struct marker_place {
	u64 seq;
	u64 seen;
	u64 overwritten;
	u64 lost;
	u64 told;
	bool cleared;
	struct ring_position end;
};

/**
 * struct marker_buffer - a ring and its description
 * @ring:	the ring
 * @refs:	references of channel.c and of open files
 * @retired:	nobody writes to it; never false again while anybody else has a
 *		reference
 * @uuid:	of the trace
 * @clock:	its clock
 * @taken:	how far packets were taken away; reader lock of the CPU
 */
struct marker_buffer {
	struct ring *ring;
	refcount_t refs;
	bool retired;
	u8 uuid[CTF_UUID_SIZE];
	struct marker_clock clock;
	struct marker_place __percpu *taken;
};

/**
 * marker_buffer_create() - a buffer that is empty and stopped
 * @config:	of the ring; ops and private do not matter
 *
 * Its uuid and clock are for the caller to set.
 *
 * Context: Process context; sleeps.  Takes the CPU hotplug lock.
 * Return: a buffer with one reference, or ERR_PTR(): as ring_create().
 */
struct marker_buffer *marker_buffer_create(const struct ring_config *config);

/**
 * marker_buffer_put() - drop a reference
 * @buffer:	the buffer; freed with the last reference, when no writer can reach it
 *
 * Context: Process context; sleeps.
 */
void marker_buffer_put(struct marker_buffer *buffer);

/**
 * marker_buffer_contexts() - the contexts of each event in it
 * @buffer:	the buffer
 *
 * Context: Any.
 * Return: MARKER_CONTEXT_TAG().
 */
static inline u32 marker_buffer_contexts(const struct marker_buffer *buffer)
{
	return buffer->ring->config.tag;
}

/**
 * marker_buffer_subbuf_size() - the size of its sub-buffers
 * @buffer:	the buffer
 *
 * Context: Any.
 * Return: bytes.
 */
static inline size_t marker_buffer_subbuf_size(const struct marker_buffer *buffer)
{
	return buffer->ring->config.subbuf_size;
}

/**
 * marker_buffer_time() - how far it has been written
 * @buffer:	the buffer
 *
 * Context: Any task.
 * Return: the time now, to compare with times of events; if the clock was set back, the
 * time of the latest event; U64_MAX if no more events will come.
 */
u64 marker_buffer_time(const struct marker_buffer *buffer);

/**
 * marker_buffer_clear() - drop what is there and count from zero
 * @buffer:	the buffer
 * @cpu:	a possible CPU, or RING_ALL_CPUS
 *
 * Context: Process context; sleeps.  Takes the CPU hotplug lock.
 */
void marker_buffer_clear(struct marker_buffer *buffer, int cpu);

/**
 * marker_buffer_begin() - begin to take packets away
 * @buffer:	the buffer
 * @cpu:	a possible CPU, or RING_ALL_CPUS
 *
 * The counts of discarded events in the packets go on from the reader before, or
 * from zero if the buffer was cleared since.  What is cleared while a reader takes
 * packets does not set them back.
 *
 * Context: Process context; takes a mutex.
 */
void marker_buffer_begin(struct marker_buffer *buffer, int cpu);

/**
 * marker_buffer_rewind() - begin to read without taking away
 * @buffer:	the buffer
 * @cpu:	a possible CPU
 * @place:	from what was not taken to what has been recorded until now
 *
 * Context: Process context; sleeps.  Takes the CPU hotplug lock, and then a mutex.
 */
void marker_buffer_rewind(struct marker_buffer *buffer, int cpu,
			  struct marker_place *place);

/**
 * struct marker_gap - events that are missing
 * @before:	before the first event of a packet
 * @after:	after its last event
 */
struct marker_gap {
	u64 before;
	u64 after;
};

/**
 * marker_buffer_take() - take the oldest packet away
 * @buffer:	the buffer
 * @cpu:	a possible CPU
 * @copy:	room for a sub-buffer, for a copy of it; or NULL
 * @data:	if @copy is NULL: memory from ring_subbuf_alloc(), which the ring
 *		gets, and the packet's own is returned here in its place
 * @packet:	what it is
 * @gap:	what is missing at it
 *
 * The packet's count of discarded events has all that were told up to its end.
 *
 * Context: Process context; takes a mutex.
 * Return: 0, or -EAGAIN if there is none.
 */
int marker_buffer_take(struct marker_buffer *buffer, int cpu, void *copy,
		       void **data, struct ring_packet *packet,
		       struct marker_gap *gap);

/**
 * marker_buffer_peekable() - will marker_buffer_peek() find a packet?
 * @buffer:	the buffer
 * @cpu:	a possible CPU
 * @place:	from marker_buffer_rewind()
 *
 * Context: Process context; takes a mutex.
 * Return: true if it would have a moment ago.
 */
bool marker_buffer_peekable(struct marker_buffer *buffer, int cpu,
			    const struct marker_place *place);

/**
 * marker_buffer_peek() - copy the next packet and leave all as it is
 * @buffer:	the buffer
 * @cpu:	a possible CPU
 * @place:	from marker_buffer_rewind()
 * @copy:	room for a sub-buffer
 * @packet:	what it is
 * @gap:	what is missing at it
 *
 * The last one is what has been recorded of a packet that was open when the place was
 * made.  If none was, the last one has the losses since it was closed.
 *
 * Context: Process context; takes a mutex.
 * Return: 0, or -EAGAIN if there is none.
 */
int marker_buffer_peek(struct marker_buffer *buffer, int cpu,
		       struct marker_place *place, void *copy,
		       struct ring_packet *packet, struct marker_gap *gap);

#endif /* _MARKERS_BUFFER_H */
