/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring of sub-buffers per CPU, written without locks from any context.
 *
 * The ring knows bytes, sub-buffers and time.  What stands at the start of a
 * sub-buffer is the business of struct ring_ops; what a record is, of whoever
 * reserves it.
 *
 * Writing, with preemption off, on this CPU, in any context including NMI:
 *
 *	struct ring_record rec = { };
 *
 *	if (ring_reserve(ring_this_cpu(ring), &rec, len, 4, 13, false)) {
 *		put a header of 4 bytes, or of 13 if rec.is_long, at rec.data;
 *		put len bytes behind it;
 *		ring_commit(ring_this_cpu(ring), &rec);
 *	}
 *
 * (With the initialiser the compiler drops what nobody reads; without it, kernels
 * that initialise all automatic variables make it store zeroes.)
 *
 * Every reserve that succeeds must be followed by its commit, on the same CPU.
 * A reserve that fails has been counted (unless the ring is stopped).
 *
 * Reading, in a task that may sleep:
 *
 *	ring_reader_lock(ring, cpu);
 *	while (!ring_get(ring, cpu, &packet)) {
 *		use packet.data, packet.size;
 *		ring_put(ring, cpu, &packet);
 *	}
 *	ring_reader_unlock(ring, cpu);
 *	ring_wait(ring, cpu);			and again
 *
 * How it works, and why that is right: ring_internal.h.
 */
#ifndef _MARKERS_RING_H
#define _MARKERS_RING_H

#include <markers/base.h>
#include "clock.h"

/*
 * A short record header has room for this many low bits of the time.  It is used as
 * long as @last_ts is less than a step ago; see ring_take() for why a step is shorter.
 */
#define RING_TIME_BITS		27
#define RING_MAX_NESTED		8	/* task, softirq, interrupt, NMI: twice */
#define RING_TIME_STEP		(BIT(RING_TIME_BITS) / RING_MAX_NESTED)

#define RING_ALL_CPUS		(-1)

/* Sub-buffers are contiguous, and no allocator hands out more than this. */
#define RING_SUBBUF_SIZE_MAX	(4u << 20)
#define RING_NR_SUBBUFS_MAX	(1u << (RING_BUF_BITS - 1))

/**
 * enum ring_mode - what happens to an event when nothing is free
 * @RING_DISCARD:	the new event is lost
 * @RING_OVERWRITE:	the oldest sub-buffer that nobody has read is lost
 */
enum ring_mode {
	RING_DISCARD,
	RING_OVERWRITE,
};

/**
 * struct ring_ops - fills in the head of a sub-buffer
 * @header_size: bytes that the ring keeps free at the start of a sub-buffer
 * @open:	the sub-buffer's first record has time @ts; @seq counts from 0
 * @close:	no further record will be reserved; @used bytes are, and what is
 *		behind them may be written to as well. @ts is not before the last
 *		record, and not after the first one of the next sub-buffer.
 *		Returns how many bytes a reader shall see: >= @used.
 * @deliver:	all @nr_events records are complete
 *
 * They run on the CPU of the writer, in its context, NMI included. @open and
 * @close of one sub-buffer may come in any order, one in the middle of the
 * other, and so must not touch the same bytes; @deliver comes after both.
 * ring_peek() calls @close and @deliver for its copy of what is still open.
 */
struct ring_ops {
	u32 header_size;
	void (*open)(void *data, u64 ts, u64 seq, int cpu, void *private);
	u32 (*close)(void *data, u32 used, u64 ts);
	void (*deliver)(void *data, u32 nr_events);
};

/**
 * struct ring_config - what a ring shall be like
 * @subbuf_size: bytes, a power of two, at least PAGE_SIZE
 * @nr_subbufs:	per CPU, a power of two, at least 2
 * @mode:	see enum ring_mode
 * @ops:	must outlive the ring
 * @private:	handed to @ops->open
 */
struct ring_config {
	u32 subbuf_size;
	u32 nr_subbufs;
	enum ring_mode mode;
	const struct ring_ops *ops;
	void *private;
};

/* Why an event was not recorded. */
enum ring_lost {
	RING_LOST_FULL,		/* no free sub-buffer */
	RING_LOST_BIG,		/* larger than a sub-buffer */
	RING_LOST_NO_BUFFER,	/* no memory when its CPU came up */
	RING_NR_LOST,
};

/* One sub-buffer's place in the ring; see ring_internal.h. */
struct ring_slot {
	atomic_long_t word;	/* sequence, state, number of the buffer */
	local_t commit;		/* complete events << 32 | complete bytes */

	/* Of the sub-buffer that is or was open here; writers of this CPU. */
	unsigned long start;		/* its first position */
	unsigned long base;		/* address of position 0, so to speak */
	struct ring_slot *next;		/* constant */
	long refused;			/* see ring_is_full() */
} ____cacheline_aligned;

struct ring;
struct ring_buf;

/*
 * struct ring_cpu - one CPU's part of a ring
 *
 * The first cache line is all that the fast path touches besides the slot, the
 * buffer's address and the bytes themselves.
 */
struct ring_cpu {
	local_t offset;			/* writers of this CPU: next free byte */
	local_t last_ts;		/* writers: time of a recent record */
	struct ring_slot *recent;	/* writers: perhaps the one that is open */
	u64 room;			/* @subbuf_size, or 0: ring_stop() */
	u64 counter_room;		/* @room if the clock is the CPU's counter, or 0 */
	u64 left_mask;			/* @subbuf_size - 1, or all ones: ring_stop() */
	u32 subbuf_size;		/* constant */

	/* The slow path of writers. */
	local_t lost[RING_NR_LOST] ____cacheline_aligned;
	struct ring_slot *slots;	/* constant; NULL: no buffer */
	void **data;			/* [buffer number]: its bytes */
	u32 slot_mask;			/* constant: nr_subbufs - 1 */
	u8 subbuf_shift;		/* constant: log2(subbuf_size) */
	local_t delivered;		/* events in delivered sub-buffers */
	local_t overwritten;		/* of these: gone before they were read */
	struct ring_buf *bufs;		/* [buffer number] */
	struct ring *ring;		/* constant */
	int cpu;			/* constant */
	u32 header_size;		/* constant */
	bool overwrite;			/* ring_set_mode() */
	bool wanted;			/* a reader sleeps: RB(wait:A) */
	u64 wanted_seq;			/* and so many sub-buffers must be closed */

	/* Readers. All under @reader_lock, but *_base are read without. */
	struct mutex reader_lock ____cacheline_aligned;
	u64 read_seq;			/* next sub-buffer to be got */
	u64 read;			/* events got; atomic for ring_stats() */
	u32 spare;			/* number of the reader's own buffer */
	bool busy;			/* between get and put */
	u64 lost_base[RING_NR_LOST];	/* ring_stats() counts from here */
	u64 overwritten_base;
	u64 read_base;
};

/*
 * struct ring - the ring buffers of all CPUs
 *
 * All constant after ring_create(), but @ready, @wait, @wake_work,
 * @offline_lock, and @config.mode.
 */
struct ring {
	struct ring_cpu __percpu *cpus;
	struct ring_config config;
	struct hlist_node node;		/* CPU hotplug */
	bool ready;			/* hotplug may not fail any more */
	wait_queue_head_t wait;
	struct irq_work wake_work;
	struct mutex offline_lock;	/* inside of the CPU hotplug lock */
};

/**
 * struct ring_record - one reservation, from ring_reserve() to ring_commit()
 * @data:	where its header starts, no alignment
 * @ts:		its time
 * @slot:	of the ring
 * @len:	bytes, header included
 * @is_long:	the time needs the long header
 */
struct ring_record {
	u8 *data;
	u64 ts;
	struct ring_slot *slot;
	u64 len;
	bool is_long;
};

/* Buffer number: the low bits of ring_slot.word. */
#define RING_BUF_BITS		16
#define RING_BUF_MASK		(BIT(RING_BUF_BITS) - 1)
#define RING_EVENT		(1L << 32)	/* in ring_slot.commit */

/*
 * struct ring_place - what ring_reserve_slow() returns, in two registers
 * @pos:	where, or 0: lost; RING_PLACE_LONG is added for a long header
 * @ts:		when
 *
 * A struct ring_record returned through a pointer would have to live in memory on
 * the fast path, too, with a stack protector around it.
 */
struct ring_place {
	unsigned long pos;
	u64 ts;
};

#define RING_PLACE_LONG		BIT(63)

/* ring_write.c, for the inline functions below only */
struct ring_place ring_reserve_slow(struct ring_cpu *rc, u64 need, u32 extra,
				    bool need_long);
void ring_deliver(struct ring_cpu *rc, struct ring_slot *slot, long commit);

static __always_inline notrace struct ring_cpu *ring_this_cpu(struct ring *ring)
{
	return this_cpu_ptr(ring->cpus);
}

/* A cheap early test; ring_reserve() makes it as well. */
static __always_inline notrace bool ring_is_on(struct ring_cpu *rc)
{
	return READ_ONCE(rc->room);
}

/* Only for a position that the caller has reserved. */
static __always_inline notrace void
ring_fill_record(struct ring_cpu *rc, struct ring_record *rec, unsigned long pos,
		 unsigned long off, u64 ts, u32 len, bool is_long)
{
	struct ring_slot *slot;
	long word;

	slot = &rc->slots[(pos >> rc->subbuf_shift) & rc->slot_mask];
	word = atomic_long_read(&slot->word);	/* the buffer stays until delivered */
	rec->data = (u8 *)rc->data[word & RING_BUF_MASK] + off;
	rec->ts = ts;
	rec->slot = slot;
	rec->len = len;
	rec->is_long = is_long;
}

static __always_inline notrace bool
ring_reserve_rest(struct ring_cpu *rc, struct ring_record *rec, u64 need,
		  u32 extra, bool need_long)
{
	struct ring_place place;
	unsigned long pos;
	bool is_long;

	if (unlikely(!ring_is_on(rc)))
		return false;
	place = ring_reserve_slow(rc, need, extra, need_long);
	if (!place.pos)
		return false;
	is_long = place.pos & RING_PLACE_LONG;
	pos = place.pos & ~RING_PLACE_LONG;
	if (is_long && !need_long)
		need += extra;
	ring_fill_record(rc, rec, pos, pos & (rc->subbuf_size - 1), place.ts,
			 need, is_long);
	return true;
}

/**
 * struct ring_spot - where the next record may go
 * @pos:	its position
 * @slot:	perhaps the one that is open
 */
struct ring_spot {
	unsigned long pos;
	struct ring_slot *slot;
};

/**
 * ring_look() - the common case of ring_reserve(), first step: is there room?
 * @rc:		ring_this_cpu()
 * @spot:	for ring_take()
 * @most:	bytes of the record, header included, or more
 * @room:	rc->room, or rc->counter_room
 *
 * Which slot is open?  @recent tells, if the position is in it: @start and @base of a
 * slot are set when it is opened, @base first, and @recent after both.  They do
 * not fit what was loaded from @offset if an interrupt opened another sub-buffer in
 * between, and then the cmpxchg fails; or if we are in an interrupt of who is just
 * about to set them, and then they are those of an earlier sub-buffer, and the
 * position is not in it.
 *
 * One byte always stays free, so that a sub-buffer is never closed but by the slow
 * path, which knows the time.
 *
 * Context: as ring_reserve().
 * Return: false: stopped, or nothing opened, or no room: ring_reserve_slow() must
 * look at it.
 */
static __always_inline notrace bool
ring_look(struct ring_cpu *rc, struct ring_spot *spot, u64 most, u64 room)
{
	spot->pos = local_read(&rc->offset);
	spot->slot = READ_ONCE(rc->recent);
	/*
	 * data_race(): it does not matter when the access is made, and it is to
	 * be an operand of the one instruction that needs it.
	 */
	return likely(spot->pos + most - data_race(spot->slot->start) < room);
}

/**
 * ring_take() - second step: reserve
 * @rc:		as for ring_look()
 * @spot:	from ring_look(), which returned true
 * @rec:	the result
 * @need:	bytes of the record, not more than @most was
 * @is_long:	of which its header has so many
 * @counter:	the clock is the CPU's counter: then this calls nothing
 *
 * The time is stored in @last_ts first, by a cmpxchg from the value that the
 * difference was taken of.  If an interrupt has changed that, it fails; but then the
 * interrupt has moved the offset too, and the second cmpxchg fails as well.  So
 * @last_ts never goes back, whatever interrupts whatever and even if the clock is
 * set back, and it is not older than the predecessor of this record.
 *
 * It may be newer: a writer that is interrupted between its two cmpxchg has stored its
 * time and has no place yet, and one whose second cmpxchg fails may lose its record.
 * For each context that can interrupt another that is less than a step, once for what
 * is under way and once for what was lost; all of them fit into a short header.
 *
 * Context: as ring_reserve().
 * Return: false: a gap in time, a step back, or an interrupt.  Nothing was done, and
 * ring_reserve_slow() must look at it.
 */
static __always_inline notrace bool
ring_take(struct ring_cpu *rc, const struct ring_spot *spot,
	  struct ring_record *rec, u64 need, bool is_long, bool counter)
{
	long pos = spot->pos;
	u64 ts = counter ? get_cycles() : clock_now();
	long last = local_read(&rc->last_ts);

	if (unlikely(ts - last >= RING_TIME_STEP))
		return false;
	local_cmpxchg(&rc->last_ts, last, ts);
	if (unlikely(!local_try_cmpxchg(&rc->offset, &pos, pos + need)))
		return false;
	/* data_race(): as in ring_look() */
	rec->data = (u8 *)(data_race(spot->slot->base) + pos);
	rec->ts = ts;
	rec->slot = spot->slot;
	rec->len = need;
	rec->is_long = is_long;
	return true;
}

/**
 * ring_is_full() - is it certain that a record will be lost?
 * @rc:		ring_this_cpu()
 * @slot:	any of its slots; with the one that is open it is more than a guess
 * @need:	bytes of the record, header included, or less
 *
 * A cheap early test, for a ring that is full for a long time.  Who was refused the
 * sub-buffer after @slot left the word of that next slot in @refused.  As long as the
 * slot still has this very word, nobody has freed or claimed it, so the sub-buffer that
 * is open is the same as then, and all that counts is what is left of it.  A word never
 * comes back, so there is nothing to be reset.
 *
 * The order of the three loads matters: what interrupts us may write.  The offset
 * is not before the time when @refused was stored, nor after the time when the slot
 * still had the word.
 *
 * Context: as ring_reserve().
 * Return: true: no such record fits; call ring_lose_full().  Never, once ring_stop() has
 * returned.
 */
static __always_inline notrace bool
ring_is_full(struct ring_cpu *rc, const struct ring_slot *slot, u64 need)
{
	long refused = READ_ONCE(slot->refused);
	unsigned long pos = local_read(&rc->offset);

	barrier();
	/* data_race(): as in ring_look() */
	if (need < (-pos & data_race(rc->left_mask)))
		return false;
	/* likewise */
	return data_race(slot->next->word.counter) == refused;
}

/* Count a record that was not tried. */
static __always_inline notrace void ring_lose_full(struct ring_cpu *rc)
{
	local_inc(&rc->lost[RING_LOST_FULL]);
}

/**
 * ring_reserve() - get room for one record
 * @rc:		ring_this_cpu()
 * @rec:	the result
 * @len:	bytes without the header
 * @short_size:	bytes of a header with RING_TIME_BITS of time
 * @long_size:	bytes of a header with all of the time
 * @need_long:	the caller wants a long header in any case
 *
 * The order of records in the buffer is the order of their times, whatever
 * interrupts whatever: the clock is read between the load of the offset and the
 * cmpxchg, so that a record which comes in between makes the cmpxchg fail, and
 * the clock is read again.
 *
 * See ring_take() for what is stored in @last_ts, and when.
 *
 * Context: any, preemption off, on the CPU of @rc.
 * Return: false if the event is lost (counted), or the ring is stopped.
 */
static __always_inline notrace bool
ring_reserve(struct ring_cpu *rc, struct ring_record *rec, u32 len,
	     u32 short_size, u32 long_size, bool need_long)
{
	u64 need = (u64)len + (need_long ? long_size : short_size);
	u32 extra = need_long ? 0 : long_size - short_size;
	struct ring_spot spot;

	if (ring_look(rc, &spot, need, READ_ONCE(rc->room)) &&
	    ring_take(rc, &spot, rec, need, need_long, false))
		return true;
	return ring_reserve_rest(rc, rec, need, extra, need_long);
}

/**
 * ring_add() - a record is complete, without the consequences
 * @rc:		as for ring_reserve()
 * @rec:	from ring_reserve()
 *
 * For a caller who wants ring_deliver() to be the last thing that he does.  The others
 * call ring_commit().
 *
 * Context: as ring_reserve().
 * Return: 0, or @commit for ring_deliver(), which must be called.
 */
static __always_inline notrace long
ring_add(struct ring_cpu *rc, const struct ring_record *rec)
{
	long commit = local_add_return(RING_EVENT + rec->len, &rec->slot->commit);

	/* the bytes are not 0, so the sum is not */
	return unlikely((u32)commit == rc->subbuf_size) ? commit : 0;
}

/**
 * ring_commit() - a record is complete
 * @rc:		as for ring_reserve()
 * @rec:	from ring_reserve()
 *
 * The bytes of the record come before the addition in the program order of this
 * CPU, and so does everything that it interrupted or that interrupted it; one
 * release, in ring_deliver(), publishes them all: RB(deliver:A).
 *
 * Context: as ring_reserve().
 */
static __always_inline notrace void
ring_commit(struct ring_cpu *rc, const struct ring_record *rec)
{
	long commit = ring_add(rc, rec);

	if (unlikely(commit))
		ring_deliver(rc, rec->slot, commit);
}

/* ring.c */
int ring_init(void);
void ring_exit(void);
struct ring *ring_create(const struct ring_config *config);
void ring_destroy(struct ring *ring);
void ring_start(struct ring *ring);
void ring_stop(struct ring *ring);
void ring_set_mode(struct ring *ring, enum ring_mode mode);
void *ring_subbuf_alloc(u32 size, int cpu, gfp_t flags);
void ring_subbuf_free(void *data, u32 size);

/**
 * struct ring_stats - where the events of one CPU are
 * @written:	offered: @delivered + @open + what was lost before it was recorded
 * @delivered:	recorded in sub-buffers that are complete
 * @open:	recorded in sub-buffers that are not
 * @read:	in packets that ring_get() gave away
 * @unread:	in complete packets that wait for ring_get()
 * @lost:	not recorded, by enum ring_lost
 * @overwritten: recorded, and overwritten before they were read
 *
 * When no writer is running, written == read + the sum of lost + overwritten +
 * unread + open, exactly. While writers run, each number is right for some
 * moment of the call.
 */
struct ring_stats {
	u64 written;
	u64 delivered;
	u64 open;
	u64 read;
	u64 unread;
	u64 lost[RING_NR_LOST];
	u64 overwritten;
};

void ring_stats(struct ring *ring, int cpu, struct ring_stats *stats);

/**
 * struct ring_position - how far a CPU had been written at some time
 * @pos:	so far: a position, for ring*.c
 * @nr_events:	records in the sub-buffer that was open, if one was
 * @ts:		the time then; if the ring is stopped, of the last record
 * @lost:	events not recorded until then, since the ring was created
 */
struct ring_position {
	unsigned long pos;
	u32 nr_events;
	u64 ts;
	u64 lost;
};

/* ring_write.c */
void ring_flush(struct ring *ring, int cpu);
void ring_position(struct ring *ring, int cpu, struct ring_position *position);

/**
 * struct ring_packet - one complete sub-buffer
 * @data:	its bytes, page aligned
 * @size:	how many of them count, as ring_ops.close() said
 * @nr_events:	records
 * @seq:	counts the sub-buffers of this CPU from 0; a gap means packets
 *		that were overwritten or cleared
 * @lost_before: events not recorded before it was opened
 * @lost:	events not recorded before it was closed
 * @overwritten: events in packets that were overwritten. If it is the oldest
 *		packet, these were before it, all of them; but if a writer is just
 *		overwriting one, that one may be counted with the next packet.
 * @is_last:	ring_peek() has no packet after this one
 *
 * The three counts begin when the ring is created and never go back.
 */
struct ring_packet {
	void *data;
	u32 size;
	u32 nr_events;
	u64 seq;
	u64 lost_before;
	u64 lost;
	u64 overwritten;
	bool is_last;
};

/**
 * struct ring_losses - the counts of struct ring_packet as of ring_clear()
 * @lost:	events not recorded
 * @overwritten: events overwritten
 */
struct ring_losses {
	u64 lost;
	u64 overwritten;
};

/* For how many sub-buffers who waits wants to wait; 0: for any record. */
typedef u32 ring_wanted_fn(const struct ring *ring);

/* ring_read.c */
void ring_reader_lock(struct ring *ring, int cpu);
void ring_reader_unlock(struct ring *ring, int cpu);
int ring_get(struct ring *ring, int cpu, struct ring_packet *packet);
void ring_put(struct ring *ring, int cpu, struct ring_packet *packet);
void ring_exchange(struct ring *ring, int cpu, struct ring_packet *packet,
		   void *data);
bool ring_peekable(struct ring *ring, int cpu, u64 seq, const struct ring_position *end);
int ring_peek(struct ring *ring, int cpu, u64 *seq, const struct ring_position *end,
	      void *copy, struct ring_packet *packet);
u64 ring_last_time(struct ring *ring);
void ring_clear(struct ring *ring, int cpu, struct ring_losses *losses);
bool ring_readable(struct ring *ring, int cpu);
int ring_wait(struct ring *ring, int cpu);
int ring_wait_filled(struct ring *ring, int cpu, ring_wanted_fn *wanted);
bool ring_poll_filled(struct ring *ring, int cpu, ring_wanted_fn *wanted,
		      struct file *file, struct poll_table_struct *table);
bool ring_poll(struct ring *ring, int cpu, struct file *file,
	       struct poll_table_struct *table);
void ring_wakeup(struct ring *ring);

#endif /* _MARKERS_RING_H */
