// SPDX-License-Identifier: GPL-2.0
/*
 * A hit into any ring buffer: the quick ways of hit.h in one function, and the general way of any
 * event, any contexts, any state of the buffer.
 *
 * Context of all: any, NMI too; preemption off.
 */
#include <linux/kprobes.h>

#include <markers/format/serialize.h>
#include <markers/model/event.h>
#include <markers/model/rules.h>
#include <markers/record/record.h>
#include <markers/ring/packet.h>
#include "actions.h"
#include "callstack.h"
#include "context.h"
#include "hit.h"

/* Return addresses that a recording wants of all hits; 0: triggers may ask for some. */
static unsigned int stack_depth(const struct marker_program *program,
				const struct marker_recording *recording)
{
	unsigned int i;

	for (i = 0; i < program->nr; i++) {
		if (program->take[i].recording == recording)
			return marker_rules_stack_depth(program->take[i].asked);
	}
	return 0;
}
NOKPROBE_SYMBOL(stack_depth);

/* In a ring whose contexts include the stack. */
static noinline bool hit_callstack(struct ring_cpu *rc, const struct marker_event *event,
				   const u64 *args)
{
	const struct marker_program *program = marker_program_of(event);
	const struct marker_recording *recording = hit_recording(rc);
	unsigned int i, depth = stack_depth(program, recording);
	struct marker_action *asking = NULL;
	struct marker_lengths lengths __marker_uninitialized;
	struct marker_callstack stack __marker_uninitialized;
	struct ring_record rec __marker_uninitialized;
	u32 size;
	u8 *to;

	stack.nr = 0;
	if (!depth && program->has_actions) {
		asking = marker_actions_ask_stack(program, recording, args);
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
NOKPROBE_SYMBOL(hit_callstack);

bool marker_hit_any(struct ring_cpu *rc, const struct marker_event *event,
		    const u64 *args)
{
	struct marker_lengths lengths __marker_uninitialized;
	struct ring_record rec __marker_uninitialized;
	u32 size;
	u8 *to;

	if (marker_context_has(marker_context_set(rc->tag), MARKER_CONTEXT_CALLSTACK))
		return hit_callstack(rc, event, args);
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

/* Nothing fits. */
static noinline enum marker_outcome hit_full(struct ring_cpu *rc,
					     const struct marker_event *event,
					     const u64 *args)
{
	if (!hit_finds_full(rc, event))
		return hit_slowly(rc, event, args);
	ring_lose_full(rc);
	return MARKER_HIT_LOST;
}
NOKPROBE_SYMBOL(hit_full);

enum marker_outcome marker_hit_record(struct ring_cpu *rc,
				      const struct marker_event *event, const u64 *args)
{
	struct ring_record rec __marker_uninitialized;
	struct ring_spot spot __marker_uninitialized;
	const u64 end = hit_look(rc, &spot, event->most);
	const u64 *time = NULL;
	u64 ts;

	if (!hit_fits(rc, end, MARKER_WRITER_USUAL) && !hit_fits(rc, end, MARKER_WRITER_PLAIN)) {
		if (!hit_fits_clock(rc, end))
			return hit_full(rc, event, args);
		ts = clock_read(rc->clock);
		time = &ts;
	}
	if (unlikely(!hit_write(event, args, rc, &spot, &rec, event->record, true, time,
				rc->tag)))
		return hit_slowly(rc, event, args);
	ring_commit(rc, &rec);
	return MARKER_HIT_RECORDED;
}
NOKPROBE_SYMBOL(marker_hit_record);
