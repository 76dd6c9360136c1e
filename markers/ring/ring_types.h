/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The types of the ring: first those for users of ring.h, then those of the ring itself.
 * Only ring*.c and ring_reserve.h look into struct ring_slot, struct ring_cpu and struct
 * ring.
 */
#ifndef _MARKERS_RING_TYPES_H
#define _MARKERS_RING_TYPES_H

#include <markers/base.h>

/*
 * A short record header has room for this many low bits of the time.  It is used as
 * long as @last_ts is less than a step ago; see ring_take() for why a step is shorter.
 */
#define RING_TIME_BITS		27
#define RING_MAX_NESTED		8	/* task, softirq, interrupt, NMI: twice */
#define RING_TIME_STEP		(BIT(RING_TIME_BITS) / RING_MAX_NESTED)

#define RING_ALL_CPUS		(-1)

#define RING_NR_KINDS		2

/* Buffer number: the low bits of ring_slot.word. */
#define RING_BUF_BITS		16
#define RING_BUF_MASK		(BIT(RING_BUF_BITS) - 1)
/* In ring_slot.commit. */
#define RING_EVENT		1L
#define RING_BYTES_SHIFT	32

/* Sub-buffers are contiguous, and no allocator hands out more than this. */
#define RING_SUBBUF_SIZE_MAX	(4u << 20)
#define RING_NR_SUBBUFS_MAX	(1u << (RING_BUF_BITS - 1))

/**
 * enum ring_mode - what happens to an event when nothing is free
 * @RING_DISCARD:	the new event is lost
 * @RING_OVERWRITE:	the oldest sub-buffer that was not read is lost
 */
enum ring_mode {
	RING_DISCARD,
	RING_OVERWRITE,
};

/* Why an event was not recorded. */
enum ring_lost {
	RING_LOST_FULL,		/* no free sub-buffer */
	RING_LOST_BIG,		/* larger than a sub-buffer */
	RING_LOST_NO_BUFFER,	/* no memory when its CPU came up */
	RING_NR_LOST,
};

/**
 * struct ring_ops - fills in the head of a sub-buffer
 * @header_size: bytes that the ring keeps free at the start of a sub-buffer
 * @open:	the sub-buffer's first record has time @ts; @seq counts from 0
 * @close:	no further record will be reserved; @used bytes are reserved, and the
 *		bytes after them may be written as well. @ts is not before the last
 *		record, and not after the first one of the next sub-buffer. Returns
 *		the bytes that a reader gets: @used or more.
 * @deliver:	all @nr_events records are complete
 *
 * They run on the CPU of the writer, in its context, NMI included. @open and
 * @close of one sub-buffer may come in any order, one in the middle of the
 * other, and so must not touch the same bytes; @deliver comes after both.
 * ring_peek() calls @close and @deliver for its copy of a sub-buffer that is open.  The
 * writer may be in them while the bytes are copied, so what they store must not depend on
 * what was stored there before.
 */
struct ring_ops {
	u32 header_size;
	void (*open)(void *data, u64 ts, u64 seq, int cpu, void *private);
	u32 (*close)(void *data, u32 used, u64 ts);
	void (*deliver)(void *data, u32 nr_events);
};

struct marker_clock;
struct ring_region;

/**
 * struct ring_config - parameters of ring_create()
 * @subbuf_size: bytes, a power of two, at least PAGE_SIZE
 * @nr_subbufs:	for each CPU, a power of two, at least 2
 * @mode:	see enum ring_mode
 * @ops:	must outlive the ring
 * @private:	handed to @ops->open
 * @tag:	for the writers; the ring does not look at it
 * @kind:	of writers, which have a room of their own: see ring_look(); or
 *		RING_NR_KINDS: none
 * @added:	bytes that writers of this kind add to what they tell ring_look()
 * @clock:	of its times; does not change while a record is written, and lives as long
 *		as the ring.  NULL: marker_clock
 * @region:	where the memory is that a reader needs when the kernel is dead; lives as long
 *		as the ring.  ring_exchange() must not be called then.  NULL: the kernel's memory
 */
struct ring_config {
	u32 subbuf_size;
	u32 nr_subbufs;
	enum ring_mode mode;
	const struct ring_ops *ops;
	void *private;
	u32 tag;
	u32 kind;
	u32 added;
	const struct marker_clock *clock;
	struct ring_region *region;
};

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

/**
 * struct ring_position - how far a CPU had been written at some time
 * @pos:	a position, see ring_internal.h
 * @nr_events:	records in the sub-buffer that was open, if one was
 * @ts:		the time then; if the ring is stopped, of the last record
 * @lost:	events not recorded until then, since the ring was created
 * @recorded:	the events that were; U64_MAX: not known
 */
struct ring_position {
	unsigned long pos;
	u32 nr_events;
	u64 ts;
	u64 lost;
	u64 recorded;
};

/**
 * struct ring_packet - one complete sub-buffer
 * @data:	its bytes, page aligned
 * @size:	bytes of @data that count, as ring_ops.close() said
 * @nr_events:	records
 * @seq:	counts the sub-buffers of this CPU from 0; a gap means packets
 *		that were overwritten or cleared
 * @lost_before: events not recorded before it was opened
 * @lost:	events not recorded before it was closed
 * @overwritten: events in packets that were overwritten. If it is the oldest
 *		packet, these were before it, all of them; but if a writer is just
 *		overwriting one, that one may be counted with the next packet.
 * @gone:	those, and events in packets that ring_get() gave away
 * @is_last:	ring_peek() has no packet after this one
 *
 * The four counts begin when the ring is created and never go back.
 */
struct ring_packet {
	void *data;
	u32 size;
	u32 nr_events;
	u64 seq;
	u64 lost_before;
	u64 lost;
	u64 overwritten;
	u64 gone;
	bool is_last;
};

/**
 * struct ring_view - a sub-buffer where it lies: it may change at any time
 * @data:	its bytes; they are read by marker_nofault_read_*() only
 * @size:	bytes of @data that count
 * @nr_events:	records that are complete
 * @incomplete:	bytes of records that writers have begun and not completed
 * @is_open:	it is the newest one, and not closed: @size bytes are reserved. If it is not the
 *		newest one, and a writer was stopped in it, @size is that of all sub-buffers.
 * @ts:		if it @is_open: not before the last record
 * @word:	for ring_view_holds()
 */
struct ring_view {
	const u8 *data;
	u32 size;
	u32 nr_events;
	u32 incomplete;
	bool is_open;
	u64 ts;
	long word;
};

/**
 * struct ring_losses - the counts of struct ring_packet as of ring_clear()
 * @lost:	events not recorded
 * @overwritten: events overwritten
 * @gone:	those, and events that were read or cleared
 */
struct ring_losses {
	u64 lost;
	u64 overwritten;
	u64 gone;
};

struct ring;
struct ring_buf;

/* Closed sub-buffers that a waiting reader needs before it is woken; 0: any record. */
typedef u32 ring_needed_fn(const struct ring *ring);

/* One sub-buffer's place in the ring; see ring_internal.h. */
struct ring_slot {
	atomic_long_t word;	/* sequence, state, number of the buffer */
	local_t commit;		/* (complete bytes - size) << 32 | complete events */

	/* The sub-buffer that is or was open here; for writers of this CPU. */
	unsigned long start;		/* its first position */
	unsigned long base;		/* address of its bytes, less @start */
	struct ring_slot *next;		/* constant */
	long refused;			/* see ring_is_full() */
} ____cacheline_aligned;

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
	u64 counter_room[RING_NR_KINDS]; /* see ring_look() */
	u64 clock_room;			/* see ring_look() */
	s64 full_room;			/* see ring_is_full(); S64_MAX: ring_stop() */

	/* The slow path of writers. */
	local_t lost[RING_NR_LOST] ____cacheline_aligned;
	u32 subbuf_size;		/* constant */
	u32 tag;			/* constant: ring_config.tag */
	struct ring_slot *slots;	/* constant; NULL: no buffer */
	void **data;			/* [buffer number]: its bytes */
	u32 slot_mask;			/* constant: nr_subbufs - 1 */
	u8 subbuf_shift;		/* constant: log2(subbuf_size) */
	local_t floor_ts;		/* see move_offset() */
	local_t delivered;		/* events in delivered sub-buffers */
	local_t overwritten;		/* of these: overwritten before they were read */
	struct ring_buf *bufs;		/* [buffer number] */
	struct ring *ring;		/* constant */
	int cpu;			/* constant */
	u32 header_size;		/* constant */
	bool overwrite;			/* ring_set_mode() */
	bool awaited;			/* a reader sleeps: RB(wait:A) */
	u64 awaited_seq;			/* until this many sub-buffers are closed */
	const struct marker_clock *clock; /* constant */

	/* Readers. All under @reader_lock, but *_base are read without. */
	struct mutex reader_lock ____cacheline_aligned;
	u64 read_seq;			/* next sub-buffer to get */
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
	struct ring_cpu **cpus;		/* [CPU]: if possible */
	struct ring_cpu __percpu *own;	/* these, or NULL ... */
	struct ring_cpu *in_region;	/* ... if they are in @config.region */
	struct ring_config config;
	struct hlist_node node;		/* CPU hotplug */
	bool ready;			/* hotplug may not fail any more */
	wait_queue_head_t wait;
	struct irq_work wake_work;
	struct mutex offline_lock;	/* inside of the CPU hotplug lock */
};

/**
 * ring_cpu_of() - a CPU's part of a ring
 * @ring:	the ring
 * @cpu:	a possible CPU
 *
 * Context: Any, NMI included.
 * Return: the part, with or without a buffer.
 */
static __always_inline struct ring_cpu *ring_cpu_of(const struct ring *ring, int cpu)
{
	return ring->cpus[cpu];
}

/**
 * struct ring_record - one reservation, from ring_reserve() to ring_commit()
 * @data:	where its header starts, no alignment
 * @ts:		its time, ticks
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

/**
 * struct ring_spot - where the next record may go
 * @pos:	its position
 * @slot:	perhaps the one that is open
 */
struct ring_spot {
	unsigned long pos;
	struct ring_slot *slot;
};

#endif /* _MARKERS_RING_TYPES_H */
