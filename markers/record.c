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

/* The same, without a stack frame while tracing is off. */
static noinline notrace void record_slow(const struct marker_event *event,
					 const u64 *args)
{
	if (ring_is_on(raw_cpu_read(marker_ring_cpu)))
		record_any(event, args);
}
NOKPROBE_SYMBOL(record_slow);

/*
 * The short ways.  What is out of the ordinary is left to record_slow(), from the
 * start.
 */
static __always_inline void record_quick(const struct marker_event *event,
					 const u64 *args, bool variable,
					 bool counter)
{
	const struct marker_format *format = &event->format;
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);
	struct simple_string string __marker_uninitialized;
	struct ring_record rec __marker_uninitialized;
	u32 size;

	/* before strings are measured */
	if ((variable && unlikely(!ring_is_on(rc))) ||
	    unlikely(!simple_size(format, args, variable, &string, &size)) ||
	    unlikely(!packet_reserve_fast(rc, &rec, size, counter))) {
		record_slow(event, args);
		return;
	}
	simple_put(packet_event_header(&rec, event->id), format, args, variable,
		   &string, rec.data + rec.len);
	ring_commit(rc, &rec);
}

static noinline notrace void record_string(const struct marker_event *event,
					   const u64 *args)
{
	record_quick(event, args, true, true);
}
NOKPROBE_SYMBOL(record_string);

/* The clock is none that is read by one instruction. */
static noinline notrace void record_other_clock(const struct marker_event *event,
						const u64 *args)
{
	if (event->way == MARKER_WAY_ANY)
		record_slow(event, args);
	else
		record_quick(event, args, event->way == MARKER_WAY_STRING, false);
}
NOKPROBE_SYMBOL(record_other_clock);

/*
 * All calls are the last thing that this does, so it saves no register.
 */
notrace void marker_record(const struct marker_event *event, const u64 *args)
{
	if (unlikely(!marker_clock.counter))
		record_other_clock(event, args);
	else if (event->way == MARKER_WAY_INTS)
		record_quick(event, args, false, true);
	else if (event->way == MARKER_WAY_STRING)
		record_string(event, args);
	else
		record_slow(event, args);
}
NOKPROBE_SYMBOL(marker_record);
