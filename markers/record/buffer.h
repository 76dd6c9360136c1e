/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring with the trace, the clock and the contexts of its packets, which readers need.
 * One buffer is being written, one may be the snapshot, and open files may hold older
 * ones, until a recording needs their memory, or ends: see marker_buffer_revoke().
 */
#ifndef _MARKERS_BUFFER_H
#define _MARKERS_BUFFER_H

#include <linux/refcount.h>
#include <linux/rwsem.h>

#include <markers/format/context.h>
#include <markers/ring/clock.h>
#include <markers/ring/ring.h>
#include <markers/uapi/ctf.h>

struct marker_recording;

/**
 * struct marker_place - how far a CPU's packets were read
 * @seq:	the next packet
 * @recorded:	events that were recorded before it
 * @overwritten: the count of overwritten events that was reported or cleared; of a reader that
 *		does not consume, when it read the packet before
 * @lost:	the same for other losses; both count as struct ring_packet does
 * @told:	all reported losses: the last packet's count of discarded events
 * @cleared:	after marker_buffer_clear(): the next reader counts from zero
 * @end:	a reader that does not consume reads up to there
 */
struct marker_place {
	u64 seq;
	u64 recorded;
	u64 overwritten;
	u64 lost;
	u64 told;
	bool cleared;
	struct ring_position end;
};

/**
 * struct marker_buffer - a ring and its description
 * @ring:	the ring
 * @recording:	that writes it, or did; hits find it from the ring
 * @refs:	references to the ring: of replace.c, of consumers, and one of all other files
 *		that are open
 * @holds:	references to this struct: one of @refs, and one of each of those files
 * @files_lock:	protects the next two; readers of those files hold it while they look at the ring
 * @nr_files:	those files
 * @is_revoked:	they have no reference to the ring, and cannot get one again
 * @retired:	it is not written any more; never false again while a reader has a
 *		reference
 * @uuid:	of the trace
 * @clock:	its clock
 * @percent:	when to wake readers that wait: buffer_percent
 * @taken:	how far packets were consumed; reader lock of the CPU
 */
struct marker_buffer {
	struct ring *ring;
	struct marker_recording *recording;
	refcount_t refs;
	refcount_t holds;
	struct rw_semaphore files_lock;	/* see above */
	unsigned int nr_files;
	bool is_revoked;
	bool retired;
	u8 uuid[CTF_UUID_SIZE];
	struct marker_clock clock;
	unsigned int percent;
	struct marker_place __percpu *taken;
};

/**
 * marker_buffer_create() - a buffer that is empty and stopped
 * @config:	of the ring; ops and private do not matter
 *
 * The caller sets its recording, uuid, clock and percent.
 *
 * Context: Process context; sleeps.  Takes the CPU hotplug lock.
 * Return: a buffer with one reference, or ERR_PTR(): as ring_create().
 */
struct marker_buffer *marker_buffer_create(const struct ring_config *config);

/**
 * marker_buffer_of() - the buffer that a ring belongs to
 * @ring:	made by marker_buffer_create()
 *
 * Context: Any.
 * Return: the buffer.
 */
static inline const struct marker_buffer *marker_buffer_of(const struct ring *ring)
{
	return container_of(ring->config.private, struct marker_buffer, uuid);
}

/**
 * marker_buffer_put() - drop a reference
 * @buffer:	the buffer; freed with the last reference, when no writer can reach it
 *
 * Context: Process context; sleeps.
 */
void marker_buffer_put(struct marker_buffer *buffer);

/**
 * marker_buffer_open() - become a file that reads it without consuming
 * @buffer:	a reference to it goes to the file
 *
 * Context: Process context; sleeps.
 * Return: false: it has been revoked, and the reference was dropped.
 */
bool marker_buffer_open(struct marker_buffer *buffer);

/**
 * marker_buffer_close() - undo marker_buffer_open()
 * @buffer:	the buffer
 *
 * Context: Process context; sleeps.
 */
void marker_buffer_close(struct marker_buffer *buffer);

/**
 * marker_buffer_enter() - begin to look at the ring
 * @buffer:	from marker_buffer_open()
 *
 * The caller copies nothing to user space before marker_buffer_leave().
 *
 * Context: Process context; sleeps.
 * Return: false: it has been revoked, there is no ring any more.
 */
bool marker_buffer_enter(struct marker_buffer *buffer);

/**
 * marker_buffer_leave() - undo marker_buffer_enter()
 * @buffer:	the same
 *
 * Context: Process context.
 */
void marker_buffer_leave(struct marker_buffer *buffer);

/**
 * marker_buffer_hold() - keep the struct, but not the ring
 * @buffer:	a buffer with a reference
 *
 * Context: Any.
 */
static inline void marker_buffer_hold(struct marker_buffer *buffer)
{
	refcount_inc(&buffer->holds);
}

/**
 * marker_buffer_release() - undo marker_buffer_hold()
 * @buffer:	the same
 *
 * Context: Process context; sleeps.
 */
void marker_buffer_release(struct marker_buffer *buffer);

/**
 * marker_buffer_revoke() - let open files that do not consume keep it no longer
 * @buffer:	a buffer that is held, and not written; no file opens it after this
 *
 * They can be closed, and no more.
 *
 * Context: Process context; sleeps.
 */
void marker_buffer_revoke(struct marker_buffer *buffer);

/**
 * marker_buffer_revoke_unused() - let no file open it any more, if none has it open now
 * @buffer:	as above
 *
 * Files that consume do not matter.
 *
 * Context: Process context; sleeps.
 * Return: false if files keep it in memory.
 */
bool marker_buffer_revoke_unused(struct marker_buffer *buffer);

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
 * marker_buffer_clear() - drop all events and count from zero
 * @buffer:	the buffer
 * @cpu:	a possible CPU, or RING_ALL_CPUS
 *
 * Context: Process context; sleeps.  Takes the CPU hotplug lock.
 */
void marker_buffer_clear(struct marker_buffer *buffer, int cpu);

/**
 * marker_buffer_begin() - begin to consume packets
 * @buffer:	the buffer
 * @cpu:	a possible CPU, or RING_ALL_CPUS
 *
 * The counts of discarded events in the packets continue those of the previous reader, or
 * begin at zero if the buffer was cleared since.  A clear during a reading does not set
 * them back.
 *
 * Context: Process context; takes a mutex.
 */
void marker_buffer_begin(struct marker_buffer *buffer, int cpu);

/**
 * marker_buffer_rewind() - begin to read without consuming
 * @buffer:	the buffer
 * @cpu:	a possible CPU
 * @place:	set to the range from the oldest packet to the present position
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
 * marker_buffer_is_in_region() - are its sub-buffers in a region?
 * @buffer:	the buffer
 *
 * Context: Any.
 * Return: true: marker_buffer_take() needs a @copy.
 */
static inline bool marker_buffer_is_in_region(const struct marker_buffer *buffer)
{
	return buffer->ring->config.region;
}

/**
 * marker_buffer_take() - consume the oldest packet
 * @buffer:	the buffer
 * @cpu:	a possible CPU
 * @copy:	room for a sub-buffer, for a copy of it; or NULL
 * @data:	if @copy is NULL: memory from ring_subbuf_alloc(), which the ring
 *		gets, and the packet's own is returned here in its place
 * @packet:	its description
 * @gap:	events that are missing at it
 *
 * The packet's count of discarded events has all losses up to its end.
 *
 * Context: Process context; takes a mutex.
 * Return: 0, or -EAGAIN if there is none.
 */
int marker_buffer_take(struct marker_buffer *buffer, int cpu, void *copy,
		       void **data, struct ring_packet *packet,
		       struct marker_gap *gap);

/**
 * marker_buffer_peekable() - may marker_buffer_peek() find a packet?
 * @place:	from marker_buffer_rewind()
 *
 * Context: Any.
 * Return: false if it will not.
 */
static inline bool marker_buffer_peekable(const struct marker_place *place)
{
	return place->recorded < place->end.recorded;
}

/**
 * marker_buffer_peek() - copy the next packet without consuming it
 * @buffer:	the buffer
 * @cpu:	a possible CPU
 * @place:	from marker_buffer_rewind()
 * @copy:	room for a sub-buffer
 * @packet:	its description
 * @gap:	events that are missing at it
 *
 * The last packet is the beginning of the one that was open at marker_buffer_rewind().  If
 * none was open, the last packet has the losses since it was closed.  If those up to there were
 * overwritten, a packet without events follows, with the losses.
 *
 * If a consumer has gone past this reader while packets were overwritten, events that it consumed
 * may be among those that are missing.
 *
 * Context: Process context; takes a mutex.
 * Return: 0, or -EAGAIN if there is none.
 */
int marker_buffer_peek(struct marker_buffer *buffer, int cpu,
		       struct marker_place *place, void *copy,
		       struct ring_packet *packet, struct marker_gap *gap);

#endif /* _MARKERS_BUFFER_H */
