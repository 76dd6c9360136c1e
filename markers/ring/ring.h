/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring of sub-buffers for each CPU, written without locks from any context.
 *
 * The ring knows bytes, sub-buffers and time.  struct ring_ops writes the start of a
 * sub-buffer; the caller that reserves a record knows its meaning.
 *
 * Writing: ring_reserve.h.  Reading, in a task that may sleep:
 *
 *	ring_reader_lock(ring, cpu);
 *	while (!ring_get(ring, cpu, &packet)) {
 *		use packet.data, packet.size;
 *		ring_put(ring, cpu, &packet);
 *	}
 *	ring_reader_unlock(ring, cpu);
 *	ring_wait(ring, cpu);			and again
 *
 * ring_internal.h explains how it works, and why that is right.
 */
#ifndef _MARKERS_RING_H
#define _MARKERS_RING_H

#include "ring_types.h"

struct file;
struct poll_table_struct;

/*
 * Rings: ring.c
 */

/**
 * ring_init() - prepare for rings, before the first ring_create()
 *
 * Context: Process context; sleeps.
 * Return: 0, or an error of the CPU hotplug.
 */
int ring_init(void);

/**
 * ring_exit() - undo ring_init(), after the last ring_destroy()
 *
 * Context: Process context; sleeps.
 */
void ring_exit(void);

/**
 * ring_create() - buffers for all CPUs that are online, and for those to come
 * @config:	is copied
 *
 * The ring is stopped: see ring_start().
 *
 * Context: Process context; sleeps.  Takes the CPU hotplug lock.
 * Return: the ring, or ERR_PTR(): -EINVAL for a bad @config, -ENOMEM.
 */
struct ring *ring_create(const struct ring_config *config);

/**
 * ring_region_needed() - what a ring takes of its region
 * @config:	for ring_create()
 * @nr_cpus:	CPUs that have buffers
 *
 * Context: Any.
 * Return: bytes.
 */
size_t ring_region_needed(const struct ring_config *config, unsigned int nr_cpus);

/**
 * ring_destroy() - free a ring
 * @ring:	from ring_create(); a grace period has passed since a writer could
 *		find it, and no reader is left
 *
 * Context: Process context; sleeps.  Takes the CPU hotplug lock.
 */
void ring_destroy(struct ring *ring);

/**
 * ring_start() - accept records
 * @ring:	the ring
 *
 * The clock must not change before the ring is stopped.
 *
 * Context: Any.
 */
void ring_start(struct ring *ring);

/**
 * ring_start_slow() - accept records, but leave no room for ring_look()
 * @ring:	the ring
 *
 * So that all writers come to ring_reserve().
 *
 * Context: Any.
 */
void ring_start_slow(struct ring *ring);

/**
 * ring_stop() - refuse records, without counting them
 * @ring:	the ring
 *
 * Writers that have passed the test may still be at work when this returns; after
 * a grace period they are not.
 *
 * Context: Any.
 */
void ring_stop(struct ring *ring);

/**
 * ring_set_mode() - change what a full ring loses
 * @ring:	the ring, stopped, and a grace period has passed since
 * @mode:	the new mode; the records in the ring stay
 *
 * Context: Any.
 */
void ring_set_mode(struct ring *ring, enum ring_mode mode);

/**
 * ring_stats() - where the events of one CPU are
 * @ring:	the ring
 * @cpu:	its CPU
 * @stats:	the result; zeroes for a CPU that does not exist
 *
 * Context: Any.
 */
void ring_stats(struct ring *ring, int cpu, struct ring_stats *stats);

/**
 * ring_subbuf_alloc() - memory for a sub-buffer
 * @size:	bytes
 * @cpu:	the CPU whose node it should be on
 * @flags:	further GFP flags, as __GFP_ZERO
 *
 * Contiguous, and yet single pages, each with a reference of its own, that may go
 * into a pipe and be freed one by one.
 *
 * Context: Process context; sleeps.
 * Return: the memory, for ring_subbuf_free(), or NULL.
 */
void *ring_subbuf_alloc(u32 size, int cpu, gfp_t flags);

/**
 * ring_subbuf_free() - free the memory of a sub-buffer
 * @data:	from ring_subbuf_alloc() or ring_exchange(), or NULL
 * @size:	bytes
 *
 * A page that is in a pipe stays until the pipe no longer needs it.
 *
 * Context: Any.
 */
void ring_subbuf_free(void *data, u32 size);

/*
 * How far a CPU has been written: ring_write.c
 */

/**
 * ring_flush() - close partly filled sub-buffers, so that they can be read
 * @ring:	the ring
 * @cpu:	its CPU, or RING_ALL_CPUS
 *
 * Runs on the CPU itself, as an interrupt, so it is just one more writer there.  A
 * sub-buffer without a record stays open.  If a record is being written at the moment,
 * its commit delivers the packet, perhaps after this function has returned.
 *
 * Context: Process context; sleeps, without ring_reader_lock().  Takes the CPU hotplug
 * lock.
 */
void ring_flush(struct ring *ring, int cpu);

/**
 * ring_position() - how far has a CPU been written?
 * @ring:	the ring
 * @cpu:	its CPU
 * @position:	the result, for ring_peek(); zeroes for a CPU without a buffer
 *
 * Unlike ring_flush(), this changes nothing: an open sub-buffer stays open.  An interrupt
 * on the CPU itself looks at it, and this function waits for that.  So after the return,
 * the caller sees the bytes of all the records before the position.
 *
 * All of them are complete, if as many bytes are complete as were reserved, and all
 * sub-buffers before the open one are delivered.  If not, a writer was interrupted in
 * the middle of a record, at an unknown place; the next try finds it somewhere else.  If
 * that goes on, the sub-buffer is flushed after all, and ring_peek() ends before the
 * first one that is not complete.
 *
 * Context: Process context; sleeps, without ring_reader_lock().  Takes the CPU hotplug
 * lock.
 */
void ring_position(struct ring *ring, int cpu, struct ring_position *position);

/*
 * Reading: ring_read.c
 */

/**
 * ring_reader_lock() - become the reader of a CPU
 * @ring:	the ring
 * @cpu:	a possible CPU
 *
 * Context: Process context; sleeps.  No other lock of the ring is taken inside.
 */
void ring_reader_lock(struct ring *ring, int cpu);

/**
 * ring_reader_unlock() - let others read
 * @ring:	the ring
 * @cpu:	as for ring_reader_lock()
 *
 * Context: Process context; the task that took the lock.
 */
void ring_reader_unlock(struct ring *ring, int cpu);

/**
 * ring_get() - take the oldest complete packet
 * @ring:	the ring
 * @cpu:	its CPU
 * @packet:	the result, the caller's until ring_put() or ring_exchange()
 *
 * Context: Process context, with ring_reader_lock().
 * Return: 0, or -EAGAIN if there is none.
 */
int ring_get(struct ring *ring, int cpu, struct ring_packet *packet);

/**
 * ring_put() - give back the memory of a packet
 * @ring:	the ring
 * @cpu:	its CPU
 * @packet:	from ring_get()
 *
 * Context: Process context, with ring_reader_lock().
 */
void ring_put(struct ring *ring, int cpu, struct ring_packet *packet);

/**
 * ring_exchange() - keep the memory of a packet, in place of ring_put()
 * @ring:	the ring
 * @cpu:	its CPU
 * @packet:	from ring_get(); it stays as it is
 * @data:	what the ring gets in its place, from ring_subbuf_alloc() or an
 *		earlier ring_exchange(), with any contents
 *
 * Context: Process context, with ring_reader_lock().
 */
void ring_exchange(struct ring *ring, int cpu, struct ring_packet *packet,
		   void *data);

/**
 * ring_peek() - copy the oldest packet and leave it there
 * @ring:	the ring
 * @cpu:	its CPU
 * @seq:	at or after this one; set to the next. Start with 0
 * @end:	up to there, from ring_position()
 * @copy:	room for a sub-buffer
 * @packet:	what it is; @packet->data is @copy
 *
 * The last one is the sub-buffer that was open at @end: the copy ends there, as if it
 * had been closed at that time, even if it has grown or was closed since.
 *
 * In overwrite mode the packet may be overwritten while it is copied; then the
 * copy is dropped, and the next one tried.
 *
 * Context: Process context, with ring_reader_lock().
 * Return: 0; -EAGAIN if there is none; -ENODATA if there is none any more, because some were
 * got or overwritten: then @packet is the one after @end, as if it had no bytes yet.
 */
int ring_peek(struct ring *ring, int cpu, u64 *seq, const struct ring_position *end,
	      void *copy, struct ring_packet *packet);

/**
 * ring_last_time() - the latest time of all CPUs
 * @ring:	the ring
 *
 * Context: Any.
 * Return: the time of a recent record of the CPU whose times are the latest; no later
 * than the time now, unless a clock has stepped back, or another CPU's is ahead.
 */
u64 ring_last_time(struct ring *ring);

/**
 * ring_clear() - drop the packets of a CPU's ring; ring_stats() counts from zero
 * @ring:	the ring
 * @cpu:	its CPU
 * @losses:	the counts of packets so far, which go on; zeroes without a buffer
 *
 * An open sub-buffer stays, so call ring_flush() first.  Records that are written while
 * this runs may be dropped or kept.
 *
 * Context: Process context, with ring_reader_lock().
 */
void ring_clear(struct ring *ring, int cpu, struct ring_losses *losses);

/**
 * ring_readable() - is there a complete packet?
 * @ring:	the ring
 * @cpu:	its CPU, or RING_ALL_CPUS
 *
 * Context: Any.
 * Return: whether ring_get() would have succeeded a moment ago.
 */
bool ring_readable(struct ring *ring, int cpu);

/**
 * ring_wait() - sleep until there is something to read
 * @ring:	the ring
 * @cpu:	a possible CPU, or RING_ALL_CPUS
 *
 * Any record will do: partly filled sub-buffers are flushed.
 *
 * Context: Process context; sleeps, without ring_reader_lock().  Takes the CPU hotplug
 * lock.
 * Return: 0 if it is worth trying ring_get() again, though another reader, or
 * ring_wakeup(), may have come first; -ERESTARTSYS for a signal.
 */
int ring_wait(struct ring *ring, int cpu);

/**
 * ring_wait_filled() - sleep until several sub-buffers are full
 * @ring:	the ring
 * @cpu:	a possible CPU; the caller is its only reader
 * @needed:	their number, all but one at most; 0: ring_wait(). The answer may
 *		change at any time, if ring_wakeup() follows
 *
 * It does not flush partly filled sub-buffers.
 *
 * Context: Process context; sleeps, without ring_reader_lock().  Takes the CPU hotplug
 * lock.
 * Return: 0 if it is worth trying ring_get() again; -ERESTARTSYS for a signal.
 */
int ring_wait_filled(struct ring *ring, int cpu, ring_needed_fn *needed);

/**
 * ring_poll() - for a file's poll method
 * @ring:	the ring
 * @cpu:	a possible CPU, or RING_ALL_CPUS
 * @file:	of the method
 * @table:	of the method
 *
 * Context: Process context; may sleep, without ring_reader_lock().  Takes the CPU
 * hotplug lock.
 * Return: is there something to read?
 */
bool ring_poll(struct ring *ring, int cpu, struct file *file,
	       struct poll_table_struct *table);

/**
 * ring_poll_filled() - ring_poll() that waits as ring_wait_filled() does
 * @ring:	the ring
 * @cpu:	a possible CPU; the caller is its only reader
 * @needed:	as for ring_wait_filled()
 * @file:	of the method
 * @table:	of the method
 *
 * Context: Process context; may sleep, without ring_reader_lock().  Takes the CPU
 * hotplug lock.
 * Return: is that number of them full?
 */
bool ring_poll_filled(struct ring *ring, int cpu, ring_needed_fn *needed,
		      struct file *file, struct poll_table_struct *table);

/**
 * ring_wakeup() - wake up all readers, so that they look again
 * @ring:	the ring
 *
 * For reasons to stop waiting that the ring does not know.
 *
 * Context: Any.
 */
void ring_wakeup(struct ring *ring);

/*
 * Looking at sub-buffers where they lie, in any context, while their writers may be
 * stopped in the middle of a record: ring_view.c
 */

/**
 * ring_view_end() - where to begin with ring_view(), from the newest sub-buffer on
 * @ring:	the ring
 * @cpu:	any number
 *
 * Context: Any, NMI included; the ring is not destroyed meanwhile.
 * Return: the sequence number after that of the newest sub-buffer; 0: there is none.
 */
u64 ring_view_end(struct ring *ring, int cpu);

/**
 * ring_view() - look at a sub-buffer
 * @ring:	the ring
 * @cpu:	its CPU
 * @seq:	the sub-buffer's sequence number, as in struct ring_packet
 * @view:	the result
 *
 * If a writer is in the middle of a record, this waits for it, but not for long.
 *
 * Context: Any, NMI included; the ring is not destroyed meanwhile.
 * Return: false: it was read or overwritten, or is not opened yet.
 */
bool ring_view(struct ring *ring, int cpu, u64 seq, struct ring_view *view);

/**
 * ring_view_holds() - is it still the same sub-buffer?
 * @ring:	the ring
 * @cpu:	its CPU
 * @view:	from ring_view()
 *
 * Context: Any, NMI included; the ring is not destroyed meanwhile.
 * Return: true: all bytes that were copied from @view->data belong to it.
 */
bool ring_view_holds(struct ring *ring, int cpu, const struct ring_view *view);

/**
 * struct ring_words - where the ring says how far a CPU has come: addresses of u64
 * @offset:	the bytes that were ever reserved; see ring_internal.h, "Positions"
 * @last:	the time of a recent record
 * @commit:	of the first slot: see there, "commit"; NULL: the CPU has no buffer yet
 * @stride:	bytes from there to that of the next slot
 * @lost:	RING_NR_LOST counts of lost events
 * @overwritten: events that were overwritten before they were read
 */
struct ring_words {
	const void *offset;
	const void *last;
	const void *commit;
	u32 stride;
	const void *lost;
	const void *overwritten;
};

/**
 * ring_view_words() - for those who look when the kernel is dead
 * @ring:	the ring
 * @cpu:	any number
 * @words:	the result
 *
 * Context: Any.
 * Return: false: there cannot be such a CPU.
 */
bool ring_view_words(struct ring *ring, int cpu, struct ring_words *words);

#endif /* _MARKERS_RING_H */
