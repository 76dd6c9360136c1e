/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hit on its way into the ring buffer, from its first look to the committed bytes.
 * Only dispatch*.c and hit_any.c include this.  The former detect recursion and call probes.
 *
 *	look	hit_fits(): is there room, for these contexts, and is the clock one
 *		instruction?  If not, hit_is_full(): is it certain that there is no room?
 *		Then the hit is lost and counted, before anything has read its arguments.
 *	enter	recursion.h: from here on, what is hit in the same context recurses.
 *		A hit that reads no memory behind pointers and calls nothing need not.
 *	fetch	quick_get_string(), quick_get_tail(): read the memory behind pointers,
 *		once; so the size of the record is known.
 *	take	ring_take(): the time, and as many bytes of the sub-buffer.
 *	write	hit_put_header(), quick_put_*(), hit_put_contexts(): the header, the
 *		fields, and the contexts between them.
 *	commit	ring_add(): the bytes are complete.  The write that
 *		completes a sub-buffer delivers it.
 *
 * There is one function for each state of a marker that is recorded: hit_none(),
 * hit_ints(), hit_fixed(), hit_string(), hit_mixed(), hit_long() for what was too long
 * for hit_string(), and hit_address() for the frequent case of hit_fixed().  Each makes one
 * attempt.  marker_hit_any(), in hit_any.c, does the rest: a new sub-buffer, a gap in time, a
 * string that cannot be read, an interrupt in between, contexts that are not the usual ones.
 *
 * The sizes of an event do not include its contexts, which belong to the ring: rc->tag.
 * In these functions the tag is a constant, 0 or MARKER_CONTEXT_USUAL, so that nothing
 * looks at it again.  Each of the two has a room of its own in the ring, so that the one
 * comparison that tells whether there is room also tells which one it is.
 *
 * No lock, no allocation, no indirect call.
 * Context of all: any, NMI too; preemption off.
 */
#ifndef _MARKERS_HIT_H
#define _MARKERS_HIT_H

#include <markers/format/quick_tail.h>
#include <markers/model/counts.h>
#include <markers/model/event.h>
#include <markers/record/record.h>
#include <markers/ring/packet.h>
#include "context.h"

/*
 * Look
 */

/**
 * hit_look() - where may the event go?
 * @rc:		marker_ring_cpu, or that of an instance
 * @spot:	for the functions below
 * @most:	of the event
 *
 * Before the arguments are looked at: they are taken for as long as they may be.
 *
 * Return: for hit_fits().
 */
static __always_inline u64 hit_look(struct ring_cpu *rc, struct ring_spot *spot, u64 most)
{
	return ring_look(rc, spot, most);
}

/**
 * hit_fits() - is there room, and a clock that is one instruction?
 * @rc:		marker_ring_cpu, or that of an instance
 * @end:	from hit_look()
 * @writer:	of these contexts
 *
 * Return: true: there is, and the spot of hit_look() says where.
 */
static __always_inline bool hit_fits(struct ring_cpu *rc, u64 end, enum marker_writer writer)
{
	/* data_race(): as in ring_look() */
	return likely(end < data_race(rc->counter_room[writer]));
}

/**
 * hit_fits_clock() - is there room, and a clock that has to be called?
 * @rc:		marker_ring_cpu, or that of an instance
 * @end:	from hit_look()
 *
 * Return: true: there is, without contexts or with the usual ones: rc->tag.
 */
static __always_inline bool hit_fits_clock(struct ring_cpu *rc, u64 end)
{
	/* data_race(): as in ring_look() */
	return end < data_race(rc->clock_room);
}

/**
 * hit_is_full() - the quick way found no room: is it certain that there is none?
 * @rc:		marker_ring_cpu, or that of an instance
 * @spot:	from hit_look()
 * @event:	the event
 *
 * Return: true: the event is lost, for ring_lose_full().
 */
static __always_inline bool hit_is_full(struct ring_cpu *rc, const struct ring_spot *spot,
					const struct marker_event *event)
{
	return ring_is_full(rc, spot, event->least);
}

/**
 * hit_finds_full() - the same, for a hit that did not call hit_look()
 * @rc:		marker_ring_cpu, or that of an instance
 * @event:	the event
 *
 * Return: as hit_is_full().
 */
static __always_inline bool hit_finds_full(struct ring_cpu *rc, const struct marker_event *event)
{
	struct ring_spot spot __marker_uninitialized;

	hit_look(rc, &spot, event->least);
	return hit_is_full(rc, &spot, event);
}

/*
 * Write
 */

/**
 * hit_take() - ring_take() for an event and its contexts
 * @rc:		marker_ring_cpu, or that of an instance
 * @spot:	from hit_look()
 * @rec:	the record
 * @need:	bytes of the event
 * @ts:		the time, or NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done.
 */
static __always_inline bool hit_take(struct ring_cpu *rc, const struct ring_spot *spot,
				     struct ring_record *rec, u64 need, const u64 *ts,
				     u32 tag)
{
	return ring_take_at(rc, spot, rec, need + marker_context_size(tag), false,
			    ts ? *ts : get_cycles());
}

/**
 * hit_put_header() - write the header
 * @rec:	the record; its data move on by the contexts, so that the fields are found
 *		where they are without
 * @event:	its event
 * @roomy:	it has eight bytes or more
 * @tag:	of the ring
 */
static __always_inline void hit_put_header(struct ring_record *rec,
					   const struct marker_event *event, bool roomy,
					   u32 tag)
{
	u64 word = packet_header_word(event->header, rec->ts);

	if (tag) {
		put64(rec->data, word);
		rec->data += MARKER_CONTEXT_USUAL_SIZE;
		return;
	}
	if (roomy) {
		put64(rec->data, word);
		return;
	}
	put32(rec->data, word);
	if (event->header_size != CTF_COMPACT_SIZE)
		put16(rec->data + CTF_COMPACT_SIZE, word >> 32);
}

/**
 * hit_put_contexts() - write what is between the header and the fields
 * @rec:	the record, after hit_put_header()
 * @event:	its event
 * @tag:	of the ring
 *
 * Written last, when most registers are free.  Writes no byte of a field.
 */
static __always_inline void hit_put_contexts(const struct ring_record *rec,
					     const struct marker_event *event, u32 tag)
{
	if (tag)
		marker_context_write_usual(rec->data + event->header_size -
					   MARKER_CONTEXT_USUAL_SIZE);
}

/* The header and the front of an event whose tail has @size bytes. */
static __always_inline void hit_put_front(struct ring_record *rec,
					  const struct marker_event *event,
					  const u64 *args, u64 size, bool few, u32 tag)
{
	const struct marker_plan *plan = &event->format.plan;

	if (likely(size >= plan->overhang)) {
		hit_put_header(rec, event, true, tag);
		quick_put_front(rec->data, plan, args, few);
	} else {
		hit_put_header(rec, event, false, tag);
		quick_put_narrow(rec->data, plan, args, 0);
	}
}

/*
 * Fetch, take, write.  Without @ts, hit_take() reads the CPU's counter, as late as
 * possible, and hit_none() and hit_ints() call nothing.
 */

/**
 * hit_none() - an event without fields
 * @rc:		marker_ring_cpu, or that of an instance
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @event:	the event
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done.
 */
static __always_inline bool hit_none(struct ring_cpu *rc, const struct ring_spot *spot,
				     struct ring_record *rec,
				     const struct marker_event *event, const u64 *ts,
				     u32 tag)
{
	if (unlikely(!hit_take(rc, spot, rec, event->least, ts, tag)))
		return false;
	hit_put_header(rec, event, false, tag);
	hit_put_contexts(rec, event, tag);
	return true;
}

/**
 * hit_ints() - an event of integers
 * @rc:		marker_ring_cpu, or that of an instance
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @event:	the event
 * @args:	its arguments
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done.
 */
static __always_inline bool hit_ints(struct ring_cpu *rc, const struct ring_spot *spot,
				     struct ring_record *rec,
				     const struct marker_event *event, const u64 *args,
				     const u64 *ts, u32 tag)
{
	if (unlikely(!hit_take(rc, spot, rec, event->least, ts, tag)))
		return false;
	hit_put_header(rec, event, true, tag);
	quick_put_ints(rec->data, &event->format.plan, args);
	hit_put_contexts(rec, event, tag);
	return true;
}

/**
 * hit_fixed() - an event of integers and bytes of fixed size behind pointers
 * @rc:		marker_ring_cpu, or that of an instance
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @event:	the event
 * @args:	its arguments
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done.
 */
static __always_inline bool hit_fixed(struct ring_cpu *rc, const struct ring_spot *spot,
				      struct ring_record *rec,
				      const struct marker_event *event, const u64 *args,
				      const u64 *ts, u32 tag)
{
	const struct marker_plan *plan = &event->format.plan;

	if (unlikely(!hit_take(rc, spot, rec, event->least, ts, tag)))
		return false;
	hit_put_header(rec, event, true, tag);
	quick_put_front(rec->data, plan, args, false);
	quick_put_fixed(rec->data + event->front, plan, args);
	hit_put_contexts(rec, event, tag);
	return true;
}

/**
 * hit_address() - an event of integers and, at its end, one short address (%pM, %pI4)
 * @rc:		marker_ring_cpu, or that of an instance
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @event:	the event
 * @args:	its arguments
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done; it may be an event for hit_fixed().
 */
static __always_inline bool hit_address(struct ring_cpu *rc, const struct ring_spot *spot,
					struct ring_record *rec,
					const struct marker_event *event, const u64 *args,
					const u64 *ts, u32 tag)
{
	const struct marker_plan *plan = &event->format.plan;
	u64 word;

	if (unlikely(!quick_is_address(plan)) ||
	    unlikely(!quick_get_address(&word, args[plan->nr_front])) ||
	    unlikely(!hit_take(rc, spot, rec, event->least, ts, tag)))
		return false;
	hit_put_header(rec, event, true, tag);
	quick_put_front(rec->data, plan, args, false);
	quick_put_address(rec->data + event->front, plan, word);
	hit_put_contexts(rec, event, tag);
	return true;
}

/**
 * hit_put_string() - write an event whose string has been read
 * @rc:		marker_ring_cpu, or that of an instance
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @event:	the event
 * @args:	its arguments
 * @string:	the string
 * @where:	from quick_get_string(), a constant: QUICK_ONE_WORD or QUICK_TWO_WORDS
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done.
 */
static __always_inline bool hit_put_string(struct ring_cpu *rc, const struct ring_spot *spot,
					   struct ring_record *rec,
					   const struct marker_event *event,
					   const u64 *args,
					   const struct quick_string *string,
					   enum quick_where where, const u64 *ts, u32 tag)
{
	const u64 need = event->front + string->size;

	if (unlikely(!hit_take(rc, spot, rec, need, ts, tag)))
		return false;
	/* Nine bytes or more are more than any overhang: no need to look. */
	hit_put_front(rec, event, args,
		      where == QUICK_ONE_WORD ? string->size : QUICK_ENOUGH, true, tag);
	quick_put_string(rec->data + event->front,
			 rec->data - marker_context_size(tag) + rec->len, string, where);
	hit_put_contexts(rec, event, tag);
	return true;
}

/**
 * hit_long() - an event of integers and, at its end, a string of more than 15 characters
 * @rc:		marker_ring_cpu, or that of an instance
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @event:	the event
 * @args:	its arguments
 * @string:	from hit_string(), which returned QUICK_LONGER
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done.
 */
static __always_inline bool hit_long(struct ring_cpu *rc, const struct ring_spot *spot,
				     struct ring_record *rec,
				     const struct marker_event *event, const u64 *args,
				     const struct quick_string *string, const u64 *ts,
				     u32 tag)
{
	const struct marker_plan *plan = &event->format.plan;
	struct quick_tail tail __marker_uninitialized;
	u64 size, need;

	if (unlikely(!quick_get_long(&tail, &size, args[plan->nr_front], string)))
		return false;
	need = event->front + size;
	/* The look was for one that is not longer than QUICK_SHORT. */
	if (unlikely(spot->pos + need + marker_context_size(tag) -
		     /* data_race(): as in ring_look() */
		     data_race(spot->slot->start) >= READ_ONCE(rc->room)))
		return false;
	if (unlikely(!hit_take(rc, spot, rec, need, ts, tag)))
		return false;
	hit_put_header(rec, event, true, tag);
	quick_put_front(rec->data, plan, args, true);
	quick_put_long(rec->data + event->front, &tail, size);
	hit_put_contexts(rec, event, tag);
	return true;
}

/**
 * hit_string() - an event of integers and, at its end, a string of up to 15 characters
 * @rc:		marker_ring_cpu, or that of an instance
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @event:	the event
 * @args:	its arguments
 * @string:	the string
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: QUICK_NOWHERE or QUICK_LONGER: nothing was done.
 */
static __always_inline enum quick_where
hit_string(struct ring_cpu *rc, const struct ring_spot *spot, struct ring_record *rec,
	   const struct marker_event *event, const u64 *args, struct quick_string *string,
	   const u64 *ts, u32 tag)
{
	/* Copies of the rest: none asks again, and each needs fewer registers. */
	switch (quick_get_string(args[event->format.plan.nr_front], string)) {
	case QUICK_ONE_WORD:
		return hit_put_string(rc, spot, rec, event, args, string, QUICK_ONE_WORD,
				      ts, tag) ? QUICK_ONE_WORD : QUICK_NOWHERE;
	case QUICK_TWO_WORDS:
		return hit_put_string(rc, spot, rec, event, args, string, QUICK_TWO_WORDS,
				      ts, tag) ? QUICK_TWO_WORDS : QUICK_NOWHERE;
	case QUICK_LONGER:
		return QUICK_LONGER;
	default:
		return QUICK_NOWHERE;
	}
}

/**
 * hit_mixed() - an event of anything that the quick way knows
 * @rc:		marker_ring_cpu, or that of an instance
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @event:	the event
 * @args:	its arguments
 * @rare:	its plan has what is rare; a constant
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done.
 */
static __always_inline bool hit_mixed(struct ring_cpu *rc, const struct ring_spot *spot,
				      struct ring_record *rec,
				      const struct marker_event *event, const u64 *args,
				      bool rare, const u64 *ts, u32 tag)
{
	struct quick_tail tail __marker_uninitialized;
	u64 size, need;

	if (unlikely(!quick_get_tail(&tail, &size, &event->format.plan, args, rare)))
		return false;
	need = event->front + size;
	if (unlikely(!hit_take(rc, spot, rec, need, ts, tag)))
		return false;
	/* More than any overhang: no need to look. */
	if (likely(size >= QUICK_SHORT)) {
		hit_put_front(rec, event, args, QUICK_ENOUGH, false, tag);
		quick_put_long(rec->data + event->front, &tail, size);
	} else {
		hit_put_front(rec, event, args, size, false, tag);
		if (likely(size))
			quick_put_tail(rec->data + event->front, &tail, size);
	}
	hit_put_contexts(rec, event, tag);
	return true;
}

/* Both ways of a string, where a stack is no matter. */
static __always_inline bool hit_any_string(struct ring_cpu *rc, const struct ring_spot *spot,
					   struct ring_record *rec,
					   const struct marker_event *event, const u64 *args,
					   const u64 *ts, u32 tag)
{
	struct quick_string string __marker_uninitialized;
	enum quick_where where;

	where = hit_string(rc, spot, rec, event, args, &string, ts, tag);
	if (where == QUICK_LONGER)
		return hit_long(rc, spot, rec, event, args, &string, ts, tag);
	return where != QUICK_NOWHERE;
}

/**
 * hit_write() - an event, by the quick way of its state
 * @event:	the event
 * @args:	its arguments
 * @rc:		marker_ring_cpu, or that of an instance
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @state:	MARKER_RECORD_*
 * @rare:	its plan may have what is rare
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done.
 */
static __always_inline bool hit_write(const struct marker_event *event, const u64 *args,
				      struct ring_cpu *rc, const struct ring_spot *spot,
				      struct ring_record *rec, u32 state, bool rare,
				      const u64 *ts, u32 tag)
{
	if (state == MARKER_RECORD_NONE)
		return hit_none(rc, spot, rec, event, ts, tag);
	if (state == MARKER_RECORD_INTS)
		return hit_ints(rc, spot, rec, event, args, ts, tag);
	if (state == MARKER_RECORD_STRING)
		return hit_any_string(rc, spot, rec, event, args, ts, tag);
	if (state == MARKER_RECORD_FIXED && !rare)
		return hit_address(rc, spot, rec, event, args, ts, tag);
	if (state == MARKER_RECORD_FIXED)
		return hit_fixed(rc, spot, rec, event, args, ts, tag);
	return hit_mixed(rc, spot, rec, event, args, rare, ts, tag);
}

/*
 * All that is left
 */

/**
 * marker_hit_any() - the general way of any event
 * @rc:		marker_ring_cpu, or that of an instance
 * @event:	the event
 * @args:	its arguments
 *
 * Records it, or counts it as lost.
 *
 * Return: true: it was recorded; false: it is lost, or the ring is stopped.
 */
bool marker_hit_any(struct ring_cpu *rc, const struct marker_event *event, const u64 *args);

/**
 * hit_recording() - the recording that a ring belongs to
 * @rc:		marker_ring_cpu, or that of an instance
 *
 * Return: the recording.
 */
static __always_inline struct marker_recording *hit_recording(const struct ring_cpu *rc)
{
	return marker_buffer_of(rc->ring)->recording;
}

/**
 * hit_slowly() - marker_hit_any(), which counts events down if the recording is ending
 * @rc:		marker_ring_cpu, or that of an instance
 * @event:	the event
 * @args:	its arguments
 *
 * Inline: a stack that is recorded has no frame more.
 *
 * Return: MARKER_HIT_RECORDED, _LOST or _OFF.
 */
static __always_inline enum marker_outcome
hit_slowly(struct ring_cpu *rc, const struct marker_event *event, const u64 *args)
{
	struct marker_recording *recording;

	if (unlikely(!ring_is_on(rc)))
		return MARKER_HIT_OFF;
	if (unlikely(!marker_hit_any(rc, event, args)))
		return ring_is_on(rc) ? MARKER_HIT_LOST : MARKER_HIT_OFF;
	recording = hit_recording(rc);
	if (unlikely(marker_recording_is_ending(recording)))
		marker_recording_count_down(recording);
	return MARKER_HIT_RECORDED;
}

/**
 * marker_hit_record() - any event, any contexts and clock: by the quick way if that is possible
 * @rc:		marker_ring_cpu, or that of an instance
 * @event:	the event
 * @args:	its arguments
 *
 * One function for all, which needs all registers: for hits that do more than this.
 *
 * Return: as hit_slowly().
 */
enum marker_outcome marker_hit_record(struct ring_cpu *rc, const struct marker_event *event,
				      const u64 *args);

#endif /* _MARKERS_HIT_H */
