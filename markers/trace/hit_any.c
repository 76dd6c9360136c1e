// SPDX-License-Identifier: GPL-2.0
/*
 * The general way of a hit into the ring buffer: any event, any contexts, any state of the
 * buffer.  The quick ways are in hit.h.
 *
 * Context of all: any, NMI too; preemption off.
 */
#include <linux/kprobes.h>

#include <markers/format/serialize.h>
#include <markers/ring/packet.h>
#include <markers/switch/event.h>
#include <markers/switch/rules.h>
#include "actions.h"
#include "callstack.h"
#include "channel.h"
#include "context.h"
#include "hit.h"

notrace bool marker_hit_callstack(struct ring_cpu *rc, const struct marker_event *event,
				  const u64 *args, unsigned int depth,
				  const struct marker_rules *rules)
{
	struct marker_action *asking = NULL;
	struct marker_lengths lengths __marker_uninitialized;
	struct marker_callstack stack __marker_uninitialized;
	struct ring_record rec;
	unsigned int i;
	u32 size;
	u8 *to;

	stack.nr = 0;
	if (!depth) {
		asking = marker_actions_ask_stack(event, rules, args);
		depth = asking ? MARKER_STACK_DEPTH : 0;
	}
	if (depth)
		marker_callstack_take(&stack, depth);
	size = marker_serialize_size(&event->format, args, &lengths) +
	       marker_context_size(rc->tag) + stack.nr * sizeof(u64);
	if (unlikely(!packet_reserve(rc, &rec, event->id, size))) {
		if (asking)
			marker_actions_return_turn(asking);
		return false;
	}
	to = marker_context_write(packet_event_header(&rec, event->id), rc->tag);
	to[-1] = stack.nr;
	for (i = 0; i < stack.nr; i++, to += sizeof(u64))
		put64(to, stack.address[stack.first + i]);
	marker_serialize(to, &event->format, args, &lengths);
	ring_commit(rc, &rec);
	return true;
}
NOKPROBE_SYMBOL(marker_hit_callstack);

notrace bool marker_hit_any(struct ring_cpu *rc, const struct marker_event *event,
			    const u64 *args)
{
	struct marker_lengths lengths __marker_uninitialized;
	struct ring_record rec;
	u32 size;
	u8 *to;

	if (marker_context_has(marker_context_set(rc->tag), MARKER_CONTEXT_CALLSTACK))
		return marker_hit_callstack(rc, event, args, READ_ONCE(event->stack_depth),
					    marker_top.rules);
	size = marker_serialize_size(&event->format, args, &lengths) +
	       marker_context_size(rc->tag);
	if (unlikely(!packet_reserve(rc, &rec, event->id, size)))
		return false;
	to = marker_context_write(packet_event_header(&rec, event->id), rc->tag);
	marker_serialize(to, &event->format, args, &lengths);
	ring_commit(rc, &rec);
	return true;
}
NOKPROBE_SYMBOL(marker_hit_any);
