/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing to a ring: the fast path, inline.  The slow one is in ring_write.c.
 *
 * With preemption off, on this CPU, in any context including NMI:
 *
 *	struct ring_record rec = { };
 *
 *	if (ring_reserve(ring_this_cpu(ring), &rec, len, 4, 13, false)) {
 *		put a header of 4 bytes, or of 13 if rec.is_long, at rec.data;
 *		put len bytes after it;
 *		ring_commit(ring_this_cpu(ring), &rec);
 *	}
 *
 * (With the initialiser the compiler drops stores that are not read; without it, kernels
 * that initialise all automatic variables make it store zeroes.)
 *
 * Every reserve that succeeds must be followed by its commit, on the same CPU.
 * A reserve that fails has been counted (unless the ring is stopped).
 *
 * ring_internal.h explains how it works, and why that is right.
 */
#ifndef _MARKERS_RING_RESERVE_H
#define _MARKERS_RING_RESERVE_H

#include "clock.h"
#include "ring.h"

/*
 * struct ring_place - what ring_reserve_slow() returns, in two registers
 * @pos:	the position, or 0: lost; RING_PLACE_LONG is added for a long header
 * @ts:		the time
 *
 * A struct ring_record returned through a pointer would have to live in memory on
 * the fast path, too, with a stack protector around it.
 */
struct ring_place {
	unsigned long pos;
	u64 ts;
};

#define RING_PLACE_LONG		BIT(63)

/**
 * ring_reserve_slow() - ring_reserve() in all cases, for the functions below
 * @rc:		ring_this_cpu()
 * @need:	bytes of the record, header included
 * @extra:	more bytes if the time needs a long header; 0 if @need_long
 * @need_long:	the caller wants a long header in any case
 *
 * When the ring is full, each event calls this, so it tests for that first, before all
 * the work, and without a stack frame.
 *
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 * Return: see struct ring_place.
 */
struct ring_place ring_reserve_slow(struct ring_cpu *rc, u64 need, u32 extra,
				    bool need_long);

/**
 * ring_deliver() - give a complete sub-buffer to the readers
 * @rc:		ring_this_cpu()
 * @slot:	its slot
 *
 * Only for the writer to which ring_add() returned true.  All writers of the sub-buffer
 * have committed, and none can reserve in it; so it belongs to the caller.  It stays OPEN
 * until the end, so a writer that interrupts us here and wants the slot for the next lap
 * drops its event, and @slot->commit is set back before any writer can add to it again.
 *
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 */
void ring_deliver(struct ring_cpu *rc, struct ring_slot *slot);

/**
 * ring_this_cpu() - this CPU's part of a ring
 * @ring:	the ring
 *
 * Context: Any, NMI included; preemption off for as long as the result is used.
 * Return: the part, with or without a buffer.
 */
static __always_inline struct ring_cpu *ring_this_cpu(struct ring *ring)
{
	return ring_cpu_of(ring, smp_processor_id());
}

/**
 * ring_is_on() - a cheap early test, which ring_reserve() makes as well
 * @rc:		a CPU's part of a ring
 *
 * Context: Any, NMI included.
 * Return: false: the ring is stopped.
 */
static __always_inline bool ring_is_on(struct ring_cpu *rc)
{
	return READ_ONCE(rc->room);
}

/**
 * ring_fill_record() - describe a record that ring_reserve_slow() has reserved
 * @rc:		ring_this_cpu()
 * @rec:	the result
 * @pos:	its position
 * @off:	the part of @pos that is inside of the sub-buffer
 * @ts:		its time, ticks
 * @len:	its bytes, header included
 * @is_long:	it has a long header
 *
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 */
static __always_inline void
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

/**
 * ring_reserve_rest() - ring_reserve() after the common case has failed
 * @rc:		ring_this_cpu()
 * @rec:	the result
 * @need:	as for ring_reserve_slow()
 * @extra:	as for ring_reserve_slow()
 * @need_long:	as for ring_reserve_slow()
 *
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 * Return: false if the event is lost (counted), or the ring is stopped.
 */
static __always_inline bool
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
 * ring_look_at() - the second half of ring_look()
 * @rc:		ring_this_cpu()
 * @spot:	with its position, loaded from @rc->offset before
 * @most:	bytes of the record, header included, or more
 *
 * For a caller that does something else between the halves: the slot may be loaded at
 * any time between the position and ring_take().
 *
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 * Return: as ring_look().
 */
static __always_inline u64
ring_look_at(struct ring_cpu *rc, struct ring_spot *spot, u64 most)
{
	spot->slot = READ_ONCE(rc->recent);
	/*
	 * data_race(): it does not matter when the access is made, and it is to
	 * be an operand of the one instruction that needs it.
	 */
	return spot->pos + most - data_race(spot->slot->start);
}

/**
 * ring_look() - the common case of ring_reserve(), first step: where would it end?
 * @rc:		ring_this_cpu()
 * @spot:	for ring_take()
 * @most:	bytes of the record, header included, or more
 *
 * If the result is less than rc->room, the record may be taken.  There are other rooms for
 * writers of a kind, less by what these add.  One of rc->counter_room[] is 0 unless the
 * clock is the CPU's counter and the ring is for this kind; rc->clock_room, unless it is
 * another clock and the ring is for one of the kinds.  All are 0 for a ring that is
 * stopped.  So a writer finds out all of that by one comparison.
 *
 * Which slot is open?  It is @recent, if the position is in it: @start and @base of a
 * slot are set when it is opened, @base first.  They may not fit what was loaded from
 * @offset, in two cases:
 *
 * (1) An interrupt opened another sub-buffer in between.  Then the cmpxchg fails.
 * (2) We interrupt the opener, which is about to set them.  Then @recent is none, or has
 *     the @start of a lap before, so it cannot contain the position.
 *
 * @recent is also none while a writer that we interrupt moves the offset in the slow
 * path: @last_ts is not the time of its record yet; see move_offset().
 *
 * One byte always stays free, so that only the slow path, which knows the time, closes
 * a sub-buffer.
 *
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 * Return: where it would end in the sub-buffer; if not less than the room: stopped, or
 * nothing opened, or no room, and ring_reserve_slow() must look at it.
 */
static __always_inline u64
ring_look(struct ring_cpu *rc, struct ring_spot *spot, u64 most)
{
	spot->pos = local_read(&rc->offset);
	return ring_look_at(rc, spot, most);
}

/**
 * ring_take_at() - ring_take() with a time that was read
 * @rc:		ring_this_cpu()
 * @spot:	from ring_look() or ring_look_at()
 * @rec:	the result
 * @need:	bytes of the record, not more than the look allowed
 * @is_long:	its header is a long one
 * @ts:		the time, read after the position of @spot
 *
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 * Return: as ring_take().
 */
static __always_inline bool
ring_take_at(struct ring_cpu *rc, const struct ring_spot *spot,
	     struct ring_record *rec, u64 need, bool is_long, u64 ts)
{
	long pos = spot->pos, last;
	u64 gap;

	/* For the compiler: this order, and @gap in the register of @ts, are shortest. */
	OPTIMIZER_HIDE_VAR(ts);
	last = local_read(&rc->last_ts);
	gap = ts - last;
	OPTIMIZER_HIDE_VAR(gap);
	if (unlikely(gap >= RING_TIME_STEP))
		return false;
	ts = last + gap;
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
 * ring_take() - second step: reserve
 * @rc:		as for ring_look()
 * @spot:	from ring_look(), whose result was less than the room
 * @rec:	the result
 * @need:	bytes of the record, not more than @most was
 * @is_long:	its header is a long one
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
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 * Return: false: a gap in time, a step back, or an interrupt.  Nothing is reserved, and
 * ring_reserve_slow() must look at it.
 */
static __always_inline bool
ring_take(struct ring_cpu *rc, const struct ring_spot *spot,
	  struct ring_record *rec, u64 need, bool is_long, bool counter)
{
	return ring_take_at(rc, spot, rec, need, is_long,
			    counter ? get_cycles() : clock_read(rc->clock));
}

/**
 * ring_is_full() - is it certain that a record will be lost?
 * @rc:		ring_this_cpu()
 * @spot:	from ring_look(), a moment ago
 * @need:	bytes of the record, header included, or less; without what writers of the
 *		ring's kind add
 *
 * A cheap early test, for a ring that is full for a long time.  A writer that was
 * refused the sub-buffer after the slot left the word of that next slot in @refused.  As
 * long as the slot still has this very word, it was neither freed nor claimed.  So the
 * sub-buffer that is open is the same as then, and only what is left of it counts.  A
 * word never comes back, so there is nothing to be reset.
 *
 * An interrupt may write records between any two of the loads.  We load @refused first, then
 * the start of the slot, then the word.  If the word is @refused, nobody claimed the next slot
 * in between, so the start is that of the open sub-buffer.  A position before the start is from
 * an older sub-buffer: nothing is certain.  Any other position is in this sub-buffer, where the
 * room only shrinks: what did not fit then does not fit now.
 *
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 * Return: true: no such record fits; call ring_lose_full().  Never, once ring_stop() has
 * returned.
 */
static __always_inline bool
ring_is_full(struct ring_cpu *rc, const struct ring_spot *spot, u64 need)
{
	const struct ring_slot *slot = spot->slot;
	const u64 end = spot->pos + need;
	const long refused = READ_ONCE(slot->refused);

	barrier();
	/* data_race(): as in ring_look() */
	if ((s64)(end - data_race(slot->start)) < data_race(rc->full_room))
		return false;
	barrier();
	/* data_race(): as in ring_look() */
	return data_race(slot->next->word.counter) == refused;
}

/**
 * ring_lose_full() - count a record that was not tried
 * @rc:		ring_this_cpu()
 *
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 */
static __always_inline void ring_lose_full(struct ring_cpu *rc)
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
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 * Return: false if the event is lost (counted), or the ring is stopped.
 */
static __always_inline bool
ring_reserve(struct ring_cpu *rc, struct ring_record *rec, u32 len,
	     u32 short_size, u32 long_size, bool need_long)
{
	u64 need = (u64)len + (need_long ? long_size : short_size);
	u32 extra = need_long ? 0 : long_size - short_size;
	struct ring_spot spot;

	if (likely(ring_look(rc, &spot, need) < READ_ONCE(rc->room)) &&
	    ring_take(rc, &spot, rec, need, need_long, false))
		return true;
	return ring_reserve_rest(rc, rec, need, extra, need_long);
}

/**
 * ring_add() - a record is complete, without the consequences
 * @rec:	from ring_reserve()
 *
 * For a caller that wants ring_deliver() to be the last thing that it does.  The others
 * call ring_commit().
 *
 * Context: Any, NMI included; preemption off, on the CPU of the ring.
 * Return: true: it was the last one of its sub-buffer, and ring_deliver() must be called.
 */
static __always_inline bool ring_add(const struct ring_record *rec)
{
	return unlikely(!local_add_negative((rec->len << RING_BYTES_SHIFT) + RING_EVENT,
					    &rec->slot->commit));
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
 * Context: Any, NMI included; preemption off, on the CPU of @rc.
 */
static __always_inline void
ring_commit(struct ring_cpu *rc, const struct ring_record *rec)
{
	if (ring_add(rec))
		ring_deliver(rc, rec->slot);
}

#endif /* _MARKERS_RING_RESERVE_H */
