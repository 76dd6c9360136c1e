// SPDX-License-Identifier: GPL-2.0
/*
 * The recorder for what the short ways of record.h leave: called by dispatch.c, in
 * whatever context that is.  Size, reserve, write, commit.
 */
#include <linux/kprobes.h>

#include "record.h"

/* Any event. */
static noinline notrace void record_any(const struct marker_event *event,
					const u64 *args)
{
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);
	struct marker_lengths lengths __marker_uninitialized;
	struct ring_record rec;
	u32 size;

	size = marker_serialize_size(&event->format, args, &lengths);
	if (unlikely(!packet_reserve(rc, &rec, event->id, size)))
		return;
	marker_serialize(packet_event_header(&rec, event->id), &event->format,
			 args, &lengths);
	ring_commit(rc, &rec);
}
NOKPROBE_SYMBOL(record_any);

/* A simple one, when the clock is not the CPU's counter. */
static __always_inline bool record_other_clock(const struct marker_event *event,
					       const u64 *args, bool variable)
{
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);
	u64 most = event->least + (variable ? SIMPLE_STRING_MAX - 1 : 0);
	struct ring_spot spot __marker_uninitialized;
	struct ring_record rec __marker_uninitialized;

	if (!ring_look(rc, &spot, most, READ_ONCE(rc->room)) ||
	    !marker_quick_record(rc, &spot, &rec, event, args, event->least,
				 variable, false))
		return false;
	ring_commit(rc, &rec);
	return true;
}

notrace void marker_record(const struct marker_event *event, const u64 *args)
{
	if (!marker_clock.counter) {
		if (event->record == MARKER_RECORD_STRING &&
		    record_other_clock(event, args, true))
			return;
		if (event->record == MARKER_RECORD_INTS &&
		    record_other_clock(event, args, false))
			return;
	}
	if (ring_is_on(raw_cpu_read(marker_ring_cpu)))
		record_any(event, args);
}
NOKPROBE_SYMBOL(marker_record);
