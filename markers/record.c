// SPDX-License-Identifier: GPL-2.0
/*
 * The recorder, called by dispatch.c for each hit of an enabled marker, in
 * whatever context that is: size, reserve, write, commit.
 */
#include <linux/kprobes.h>

#include "channel.h"
#include "event.h"
#include "packet.h"
#include "record.h"
#include "serialize.h"
#include "simple.h"

/* Any event. */
static noinline notrace void record_any(const struct marker_event *event,
					const u64 *args)
{
	struct ring_cpu *rc = ring_this_cpu(marker_ring);
	struct marker_lengths lengths __marker_uninitialized;
	struct ring_record rec;
	u32 size;

	/* before strings are measured */
	if (unlikely(!ring_is_on(rc)))
		return;
	size = marker_serialize_size(&event->format, args, &lengths);
	if (unlikely(!packet_reserve(rc, &rec, event->id, size)))
		return;
	marker_serialize(packet_event_header(&rec, event->id), &event->format,
			 args, &lengths);
	ring_commit(rc, &rec);
}
NOKPROBE_SYMBOL(record_any);

/*
 * The short ways.  What is out of the ordinary is left to record_any(), from the
 * start.
 */
static __always_inline void record_quick(const struct marker_event *event,
					 const u64 *args, bool variable,
					 bool counter)
{
	const struct marker_format *format = &event->format;
	struct ring_cpu *rc = ring_this_cpu(marker_ring);
	struct simple_string string __marker_uninitialized;
	struct ring_record rec __marker_uninitialized;
	u32 size;

	if (unlikely(!simple_size(format, args, variable, &string, &size)) ||
	    unlikely(!packet_reserve_fast(rc, &rec, size, counter))) {
		record_any(event, args);
		return;
	}
	simple_put(packet_event_header(&rec, event->id), format, args, variable,
		   &string, rec.data + rec.len);
	ring_commit(rc, &rec);
}

/* The clock is none that could be read without a call. */
static noinline notrace void record_mono(const struct marker_event *event,
					 const u64 *args)
{
	record_quick(event, args, event->format.variable, false);
}
NOKPROBE_SYMBOL(record_mono);

static noinline notrace void record_string(const struct marker_event *event,
					   const u64 *args)
{
	record_quick(event, args, true, true);
}
NOKPROBE_SYMBOL(record_string);

/*
 * All calls are the last thing that this does, so it saves no register.
 */
notrace void marker_record(const struct marker_event *event, const u64 *args)
{
	if (unlikely(event->way == MARKER_WAY_ANY))
		record_any(event, args);
	else if (unlikely(!marker_clock.counter))
		record_mono(event, args);
	else if (event->way == MARKER_WAY_STRING)
		record_string(event, args);
	else
		record_quick(event, args, false, true);
}
NOKPROBE_SYMBOL(marker_record);
