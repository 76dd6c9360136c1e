/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recorder: an event and its arguments become bytes in the ring buffer.
 *
 * marker_record() does all events.  The inline functions are a short way for those
 * that most are, simple ones (see simple.h) with a clock that is one instruction.
 * They call nothing, so no register has to be saved for them.
 *
 *	if (marker_quick_look(rc, &spot, event, variable)) {
 *		if (marker_quick_record(rc, &spot, &rec, event, args, event->least,
 *					variable, true))
 *			ring_commit(rc, &rec)
 *	} else if (marker_quick_lose(rc, &spot, event)) {
 *		lost, and counted
 *	}
 *	else leave it to marker_record()
 *
 * where variable is a constant: MARKER_RECORD_STRING, not MARKER_RECORD_INTS.
 */
#ifndef _MARKERS_RECORD_H
#define _MARKERS_RECORD_H

#include <markers/format/serialize.h>
#include <markers/format/simple.h>
#include <markers/ring/packet.h>
#include <markers/switch/event.h>
#include "channel.h"

/**
 * marker_record() - write an event
 * @event:	what it is
 * @args:	its arguments
 *
 * An event that finds no room is counted by the ring.
 *
 * Context: Any, NMI too; preemption off.  No lock, no allocation.
 */
void marker_record(const struct marker_event *event, const u64 *args);

/**
 * marker_quick_look() - is there room, and a clock that is one instruction?
 * @rc:		marker_ring_cpu
 * @spot:	for marker_quick_record()
 * @event:	the event
 * @variable:	it has a string
 *
 * Before the string is looked at: it is taken for as long as it may be.
 *
 * Context: as marker_record().
 */
static __always_inline bool marker_quick_look(struct ring_cpu *rc,
					      struct ring_spot *spot,
					      const struct marker_event *event,
					      bool variable)
{
	u64 most = event->least + (variable ? SIMPLE_STRING_MAX - 1 : 0);

	/* data_race(): as in ring_look() */
	return ring_look(rc, spot, most, data_race(rc->counter_room));
}

/**
 * marker_quick_lose() - marker_quick_look() failed: is it certain that there is no room?
 * @rc:		as there
 * @spot:	from there
 * @event:	as there
 *
 * Context: as marker_record().
 * Return: true: the event is lost, and has been counted.
 */
static __always_inline bool marker_quick_lose(struct ring_cpu *rc,
					      const struct ring_spot *spot,
					      const struct marker_event *event)
{
	if (unlikely(!ring_is_full(rc, spot->slot, event->least)))
		return false;
	ring_lose_full(rc);
	return true;
}

/* The same, with the string, if any, at hand; NULL: none. */
static __always_inline bool marker_quick_write(struct ring_cpu *rc,
					       const struct ring_spot *spot,
					       struct ring_record *rec,
					       const struct marker_event *event,
					       const u64 *args, u64 need,
					       const struct simple_string *string,
					       bool counter)
{
	u8 *to;

	if (string)
		need += simple_string_len(string);
	if (unlikely(!ring_take(rc, spot, rec, need, false, counter)))
		return false;
	to = packet_event_header(rec, event->id);
	if (string)
		simple_put_string(to, rec->data + need, &event->format, string);
	if (string || event->format.nr_fields)
		simple_put_ints(to, &event->format, args);
	return true;
}

/**
 * marker_quick_record() - reserve and write a simple event
 * @rc:		as for marker_quick_look()
 * @spot:	from there
 * @rec:	the result, for ring_commit()
 * @event:	as there
 * @args:	its arguments
 * @least:	@event->least
 * @variable:	as there
 * @counter:	the clock is the CPU's counter
 *
 * With @counter and without a string, it calls nothing and cannot fault.  The string may
 * be behind a bad pointer.
 *
 * Context: as marker_record().
 * Return: false: nothing was done.
 */
static __always_inline bool marker_quick_record(struct ring_cpu *rc,
						const struct ring_spot *spot,
						struct ring_record *rec,
						const struct marker_event *event,
						const u64 *args, u64 least,
						bool variable, bool counter)
{
	struct simple_string string __marker_uninitialized;

	if (!variable)
		return marker_quick_write(rc, spot, rec, event, args, least,
					  NULL, counter);
	if (unlikely(!simple_get_string(&event->format, args, &string)))
		return false;
	/* Two copies of the rest: neither asks again, and each needs fewer registers. */
	if (string.is_long)
		return marker_quick_write(rc, spot, rec, event, args, least,
					  &string, counter);
	return marker_quick_write(rc, spot, rec, event, args, least, &string,
				  counter);
}

#endif /* _MARKERS_RECORD_H */
