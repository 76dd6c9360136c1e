/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hit on its way into the ring buffer, from its first look to the committed bytes.
 * Only dispatch.c includes this: it detects recursion and calls probes.
 *
 *	look	hit_look(): is there room, and is the clock one instruction?  If not,
 *		hit_lose(): is it certain that there is no room?  Then the hit is lost
 *		and counted, before anybody has looked at its arguments.
 *	enter	dispatch.c: from here on, what is hit in the same context recurses.
 *		A hit that reads no memory behind pointers and calls nothing need not.
 *	fetch	quick_get_string(), quick_get_tail(): read the memory behind pointers,
 *		once; so the size of the record is known.
 *	take	ring_take(): the time, and as many bytes of the sub-buffer.
 *	write	hit_put_header(), quick_put_*(): the header, the contexts, and the
 *		fields.
 *	commit	ring_add(): the bytes are complete.  The write that
 *		completes a sub-buffer delivers it.
 *
 * There is one function for each state of a marker that is recorded: hit_none(),
 * hit_ints(), hit_fixed(), hit_string(), hit_mixed().  Each makes one attempt.  hit_any()
 * does the rest: a new sub-buffer, a gap in time, a string that cannot be read, an
 * interrupt in between, contexts that are not the usual ones.
 *
 * The sizes of an event do not include its contexts, which belong to the ring: rc->tag.
 * In these functions the tag is a constant, 0 or MARKER_CONTEXT_USUAL, so that nothing
 * looks at it again.
 *
 * No lock, no allocation, no indirect call.
 * Context of all: any, NMI too; preemption off.
 */
#ifndef _MARKERS_HIT_H
#define _MARKERS_HIT_H

#include <markers/format/quick.h>
#include <markers/format/serialize.h>
#include <markers/ring/packet.h>
#include <markers/switch/event.h>
#include "channel.h"
#include "context.h"

/*
 * Look
 */

/**
 * hit_look() - is there room, and a clock that is one instruction?
 * @rc:		marker_ring_cpu
 * @spot:	for the functions below
 * @most:	of the event
 * @tag:	rc->tag
 *
 * Before the arguments are looked at: they are taken for as long as they may be.
 *
 * Return: true: there is, and @spot says where.
 */
static __always_inline bool hit_look(struct ring_cpu *rc, struct ring_spot *spot,
				     u64 most, u32 tag)
{
	return ring_look(rc, spot, most + marker_context_size(tag),
			 /* data_race(): as in ring_look() */
			 data_race(rc->counter_room));
}

/**
 * hit_lose() - hit_look() failed: is it certain that there is no room?
 * @rc:		marker_ring_cpu
 * @spot:	from hit_look()
 * @event:	the event
 * @tag:	rc->tag
 *
 * Return: true: the event is lost, and has been counted.
 */
static __always_inline bool hit_lose(struct ring_cpu *rc, const struct ring_spot *spot,
				     const struct marker_event *event, u32 tag)
{
	if (unlikely(!ring_is_full(rc, spot->slot,
				   event->least + marker_context_size(tag))))
		return false;
	ring_lose_full(rc);
	return true;
}

/*
 * Write
 */

/**
 * hit_take() - ring_take() for an event and its contexts
 * @rc:		marker_ring_cpu
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
 * hit_put_header() - write what comes before the fields
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
		marker_context_write_usual(rec->data + event->header_size);
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
 * @rc:		marker_ring_cpu
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @event:	the event
 * @least:	event->least
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done.
 */
static __always_inline bool hit_none(struct ring_cpu *rc, const struct ring_spot *spot,
				     struct ring_record *rec,
				     const struct marker_event *event, u64 least,
				     const u64 *ts, u32 tag)
{
	if (unlikely(!hit_take(rc, spot, rec, least, ts, tag)))
		return false;
	hit_put_header(rec, event, false, tag);
	return true;
}

/**
 * hit_ints() - an event of integers
 * @rc:		marker_ring_cpu
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @event:	the event
 * @args:	its arguments
 * @least:	event->least
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done.
 */
static __always_inline bool hit_ints(struct ring_cpu *rc, const struct ring_spot *spot,
				     struct ring_record *rec,
				     const struct marker_event *event, const u64 *args,
				     u64 least, const u64 *ts, u32 tag)
{
	if (unlikely(!hit_take(rc, spot, rec, least, ts, tag)))
		return false;
	hit_put_header(rec, event, true, tag);
	quick_put_ints(rec->data, &event->format.plan, args);
	return true;
}

/**
 * hit_fixed() - an event of integers and bytes of fixed size behind pointers
 * @rc:		marker_ring_cpu
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @event:	the event
 * @args:	its arguments
 * @least:	event->least
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done.
 */
static __always_inline bool hit_fixed(struct ring_cpu *rc, const struct ring_spot *spot,
				      struct ring_record *rec,
				      const struct marker_event *event, const u64 *args,
				      u64 least, const u64 *ts, u32 tag)
{
	const struct marker_plan *plan = &event->format.plan;

	if (unlikely(!hit_take(rc, spot, rec, least, ts, tag)))
		return false;
	hit_put_header(rec, event, true, tag);
	quick_put_front(rec->data, plan, args, false);
	quick_put_fixed(rec->data + event->front, plan, args);
	return true;
}

/* The string has been read to @where, a constant. */
static __always_inline bool hit_put_string(struct ring_cpu *rc, const struct ring_spot *spot,
					   struct ring_record *rec,
					   const struct marker_event *event,
					   const u64 *args, u64 most,
					   const struct quick_string *string,
					   const struct quick_tail *tail,
					   enum quick_where where, const u64 *ts, u32 tag)
{
	/* Of a long string, @most would be in the way in a register. */
	const u64 need = (where == QUICK_ON_STACK ? event->front : most - QUICK_SHORT) +
			 string->size;

	/* The look was for a string in one word or two. */
	if (where == QUICK_ON_STACK &&
	    unlikely(spot->pos + need + marker_context_size(tag) -
		     /* data_race(): as in ring_look() */
		     data_race(spot->slot->start) >= READ_ONCE(rc->room)))
		return false;
	if (unlikely(!hit_take(rc, spot, rec, need, ts, tag)))
		return false;
	/* Nine bytes or more are more than any overhang: no need to look. */
	hit_put_front(rec, event, args,
		      where == QUICK_ONE_WORD ? string->size : QUICK_ENOUGH, true, tag);
	quick_put_string(rec->data + event->front, rec->data + need, string, tail, where);
	return true;
}

/**
 * hit_string() - an event of integers and, at its end, a string
 * @rc:		marker_ring_cpu
 * @spot:	from hit_look()
 * @rec:	the record, for the commit
 * @event:	the event
 * @args:	its arguments
 * @most:	event->most
 * @ts:		the time, read after @spot; NULL: the CPU's counter
 * @tag:	rc->tag
 *
 * Return: false: nothing was done.
 */
static __always_inline bool hit_string(struct ring_cpu *rc, const struct ring_spot *spot,
				       struct ring_record *rec,
				       const struct marker_event *event, const u64 *args,
				       u64 most, const u64 *ts, u32 tag)
{
	struct quick_string string __marker_uninitialized;
	struct quick_tail tail __marker_uninitialized;

	/* Copies of the rest: none asks again, and each needs fewer registers. */
	switch (quick_get_string(args[event->format.plan.nr_front], &string, &tail)) {
	case QUICK_ONE_WORD:
		return hit_put_string(rc, spot, rec, event, args, most, &string, &tail,
				      QUICK_ONE_WORD, ts, tag);
	case QUICK_TWO_WORDS:
		return hit_put_string(rc, spot, rec, event, args, most, &string, &tail,
				      QUICK_TWO_WORDS, ts, tag);
	case QUICK_ON_STACK:
		return hit_put_string(rc, spot, rec, event, args, most, &string, &tail,
				      QUICK_ON_STACK, ts, tag);
	default:
		return false;
	}
}

/**
 * hit_mixed() - an event of anything that the quick way knows
 * @rc:		marker_ring_cpu
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
	hit_put_front(rec, event, args, size, false, tag);
	quick_put_tail(rec->data + event->front, &tail, size);
	return true;
}

/*
 * All that is left
 */

/**
 * hit_any() - the general way of any event
 * @rc:		marker_ring_cpu
 * @event:	the event
 * @args:	its arguments
 *
 * Records it, or counts it as lost.
 *
 * Return: true: it was recorded; false: it is lost, or the ring is stopped.
 */
static noinline notrace bool hit_any(struct ring_cpu *rc, const struct marker_event *event,
				     const u64 *args)
{
	struct marker_lengths lengths __marker_uninitialized;
	struct ring_record rec;
	u32 size;
	u8 *to;

	size = marker_serialize_size(&event->format, args, &lengths) +
	       marker_context_size(rc->tag);
	if (unlikely(!packet_reserve(rc, &rec, event->id, size)))
		return false;
	to = marker_context_write(packet_event_header(&rec, event->id), rc->tag);
	marker_serialize(to, &event->format, args, &lengths);
	ring_commit(rc, &rec);
	return true;
}
NOKPROBE_SYMBOL(hit_any);

#endif /* _MARKERS_HIT_H */
