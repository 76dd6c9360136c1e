/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the ring works.  For ring*.c only.
 *
 * Positions.  ring_cpu.offset counts the bytes reserved so far and never wraps
 * (64 bits).  Its low bits are the offset in a sub-buffer, its high bits the
 * sub-buffer's sequence number, whose low bits in turn are the number of its
 * slot.  An offset of 0 means that this sub-buffer is not opened yet.
 * The first sequence number is nr_subbufs, so that "one lap before" exists for
 * all of them; outside of ring*.c it counts from 0.
 *
 *	offset:	| sequence ...  slot | offset in sub-buffer |
 *
 * Slots and buffers.  There are nr_subbufs slots, and one buffer more than that.
 * Each slot holds a buffer; the spare one belongs to the reader, which gets a
 * packet by putting its spare in the packet's place.
 *
 *	 slots	| 8: read | 9: full | 10: open | 7: read |
 *	             |         |          |         |
 *	 buffers     2         1          4         0		spare: 3
 *
 * Slot word.  Writers and readers agree by one word: the sequence
 * number, the state, the number of the buffer.
 *
 *	         claim          deliver           get (other buffer)
 *	CONSUMED -----> OPEN --------> DELIVERED -----> CONSUMED
 *	 seq - nr       seq             seq |            seq
 *	                 ^                  | claim, overwrite mode
 *	                 +--- seq + nr -----+
 *
 * A word never comes back: the sequence number goes up with each claim, and the
 * state with each step after that.  So a cmpxchg that succeeds means that nothing
 * has happened in between, and 46 bits of sequence never wrap: no ABA.
 *
 * Only the CPU of the slot makes a word OPEN or DELIVERED; only a reader makes it
 * CONSUMED.  The reader that wants to get a DELIVERED packet and the writer that wants
 * to overwrite it race by cmpxchg, and one of them wins.
 *
 * Writers.  An interrupt on the same CPU runs to its end before the interrupted writer
 * goes on, so there are three ways to be consistent with it: atomic instructions
 * (offset, commit, word), a step that may be done twice (a claim), and ownership (all
 * else; a reservation owns its bytes).
 *
 *	reserve	 one cmpxchg of offset.  When a record does not fit, the cmpxchg
 *		 covers the rest of the sub-buffer, the header of the next one,
 *		 and the record: the winner closes the one and opens the other.
 *		 The next slot is claimed before.  A writer that claimed and then
 *		 lost the cmpxchg leaves an OPEN slot, as the next writer would have
 *		 made it.
 *	commit	 adds bytes << 32 | events to slot.commit.  Each writer adds what it
 *		 has reserved: records, the header, the rest of a closed sub-buffer.
 *		 It starts at -size.  The one addition that makes it non-negative
 *		 delivers: no writer is active in the sub-buffer, and the number of
 *		 its events is exact.
 *	lost	 When the next slot is not free (discard mode), or when an
 *		 interrupted writer has not completed the sub-buffer there (both
 *		 modes), the event is counted and dropped.  The writer keeps the word
 *		 of that slot in slot.refused of the slot before.  As long as the
 *		 word stays the same, ring_is_full() knows at once that a record is
 *		 lost if it does not fit into the rest of the sub-buffer: the word
 *		 shows that the next one is not claimed, so the offset, which had
 *		 come to this one when refused was stored, is still in it.  Since
 *		 a word never comes back, an old one in refused does no harm, and
 *		 need not be cleared; only ring_set_mode() clears it, because then
 *		 the same word has another meaning.
 *
 * Barriers.  In each pair of accesses, what comes before the left one is ordered before
 * what comes after the right one.
 *
 *	label		access				partner
 *	RB(deliver:A)	release, word = DELIVERED	RB(get:A), RB(peek:A)
 *		If a reader sees DELIVERED, it sees the bytes of the packet, its
 *		header, and struct ring_buf.
 *	RB(get:B)	cmpxchg, word = CONSUMED	RB(claim:A)
 *		If a writer gets a buffer that was the reader's spare, the reader
 *		has finished with it (and has stored data[spare], if it replaced
 *		the memory), so the reader does not see the writer's bytes.
 *	RB(claim:B)	cmpxchg, word = OPEN		RB(peek:B)
 *		If a peeking reader copied bytes of the next packet in this
 *		buffer, it sees that the word has changed, and drops the copy.
 *	RB(wait:A)	awaited = true, full barrier	RB(wake:A)
 *		Either the reader sees that a sub-buffer was opened or delivered,
 *		or the writer that did it sees that it is awaited: see ring_wait().
 *	RB(buffer:A)	release, slots = memory		RB(buffer:B)
 *		A context that sees the slots of a CPU sees them, and the rest of
 *		its buffers, initialised.
 *	RB(clear:A)	release, base = counter		RB(clear:B)
 *		The counter that the base is subtracted from is not below it.
 */
#ifndef _MARKERS_RING_INTERNAL_H
#define _MARKERS_RING_INTERNAL_H

#include "ring_reserve.h"

/**
 * struct ring_buf - what belongs to a buffer besides its bytes
 * @size:	bytes for the reader
 * @nr_events:	records
 * @lost_before: see struct ring_packet
 * @lost:	see struct ring_packet
 *
 * Written by the writer while the slot is OPEN. Constant while it is DELIVERED,
 * and then the reader's.
 */
struct ring_buf {
	u32 size;
	u32 nr_events;
	u64 lost_before;
	u64 lost;
};

enum ring_state {
	RING_OPEN,		/* being written, or claimed for that */
	RING_DELIVERED,		/* complete, not read */
	RING_CONSUMED,		/* read: holds a buffer, nothing in it */
};

/* The word of a slot: sequence << 18 | state << 16 | number of the buffer. */
#define RING_STATE_SHIFT	RING_BUF_BITS
#define RING_STATE_BITS		2
#define RING_SEQ_SHIFT		(RING_STATE_SHIFT + RING_STATE_BITS)

/**
 * ring_word() - make the word of a slot
 * @seq:	sequence number
 * @state:	its state
 * @buf:	number of the buffer
 *
 * Context: Any, NMI included.
 * Return: the word.
 */
static __always_inline long
ring_word(u64 seq, enum ring_state state, u32 buf)
{
	return seq << RING_SEQ_SHIFT | (u64)state << RING_STATE_SHIFT | buf;
}

/**
 * ring_word_seq() - the sequence number in the word of a slot
 * @word:	the word
 *
 * Context: Any, NMI included.
 * Return: the sequence number.
 */
static __always_inline u64 ring_word_seq(long word)
{
	return (u64)word >> RING_SEQ_SHIFT;
}

/**
 * ring_word_state() - the state in the word of a slot
 * @word:	the word
 *
 * Context: Any, NMI included.
 * Return: the state.
 */
static __always_inline enum ring_state ring_word_state(long word)
{
	return (u64)word >> RING_STATE_SHIFT & (BIT(RING_STATE_BITS) - 1);
}

/**
 * ring_word_buf() - the number of the buffer in the word of a slot
 * @word:	the word
 *
 * Context: Any, NMI included.
 * Return: the number.
 */
static __always_inline u32 ring_word_buf(long word)
{
	return word & RING_BUF_MASK;
}

/* A slot for ring_cpu.recent: no position is in it, and no writer was refused. */
extern struct ring_slot ring_nothing_open;

/**
 * ring_slot() - the slot of a sub-buffer
 * @rc:		a CPU's part of a ring, with a buffer
 * @seq:	the sub-buffer's sequence number
 *
 * Context: Any, NMI included.
 * Return: the slot.
 */
static __always_inline struct ring_slot *
ring_slot(struct ring_cpu *rc, u64 seq)
{
	return &rc->slots[seq & rc->slot_mask];
}

/**
 * ring_nr() - the number of slots
 * @rc:		a CPU's part of a ring
 *
 * Context: Any, NMI included.
 * Return: the number, which is also the first sequence number.
 */
static __always_inline u64 ring_nr(const struct ring_cpu *rc)
{
	return (u64)rc->slot_mask + 1;
}

/**
 * ring_commit_nothing() - the commit of a sub-buffer of which nothing is complete
 * @rc:		a CPU's part of a ring
 *
 * Context: Any, NMI included.
 * Return: the value of ring_slot.commit.
 */
static __always_inline long ring_commit_nothing(const struct ring_cpu *rc)
{
	return -((long)rc->subbuf_size << RING_BYTES_SHIFT);
}

/**
 * ring_since() - what was counted since ring_clear()
 * @counter:	the counter
 * @base:	what it was then
 *
 * Context: Any.
 * Return: the difference, which is never below 0.
 */
static __always_inline u64
ring_since(const local_t *counter, const u64 *base)
{
	/* RB(clear:B): load the counter after the base; pairs with RB(clear:A). */
	u64 from = smp_load_acquire(base);

	return local_read(counter) - from;
}

/**
 * ring_cpu_get() - a CPU's part of a ring
 * @ring:	the ring
 * @cpu:	any number
 *
 * Context: Any.
 * Return: the part; NULL if there is no such CPU, or it has no buffer.
 */
struct ring_cpu *ring_cpu_get(struct ring *ring, int cpu);

#endif /* _MARKERS_RING_INTERNAL_H */
