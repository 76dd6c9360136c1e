// SPDX-License-Identifier: GPL-2.0
/*
 * From an event that several recordings take, or one with a filter, to their ring buffers: what
 * is behind pointers is fetched once, and written for each.  Integers, and a string of up to 15
 * characters after them; all others go the general way.
 *
 * Each take has its own filter, contexts and clock, and counts its own losses.
 *
 * Context of all: any, NMI too; preemption off.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include <markers/model/event.h>
#include "dispatch_internal.h"
#include "hit.h"
#include "passes.h"
#include "recursion.h"

/* @string was read to @where, a constant; QUICK_NOWHERE: there is none. */
static __always_inline bool put_record(struct ring_cpu *rc, const struct ring_spot *spot,
				       struct ring_record *rec, const struct marker_event *event,
				       const u64 *args, const struct quick_string *string,
				       enum quick_where where, u32 tag)
{
	if (where == QUICK_NOWHERE)
		return hit_ints(rc, spot, rec, event, args, NULL, tag);
	return hit_put_string(rc, spot, rec, event, args, string, where, NULL, tag);
}

static __always_inline bool try_take(struct ring_cpu *rc, struct ring_record *rec,
				     const struct marker_event *event, const u64 *args,
				     const struct quick_string *string, enum quick_where where)
{
	struct ring_spot spot __marker_uninitialized;
	const u64 end = hit_look(rc, &spot, event->most);

	if (hit_fits(rc, end, MARKER_WRITER_USUAL))
		return put_record(rc, &spot, rec, event, args, string, where,
				  MARKER_CONTEXT_USUAL);
	return hit_fits(rc, end, MARKER_WRITER_PLAIN) &&
	       put_record(rc, &spot, rec, event, args, string, where, 0);
}

/* recursion_enter() has been called. */
static __always_inline void record_takes(const struct marker_event *event, const u64 *args,
					 const struct quick_string *string,
					 enum quick_where where)
{
	const struct marker_program *program = marker_program_of(event);
	const struct marker_take *take, *end = program->take + program->nr;
	struct ring_record rec __marker_uninitialized;
	struct ring_cpu *rc;

	for (take = program->take; take < end; take++) {
		if (!passes_filter(take->filter, args))
			continue;
		rc = raw_cpu_read(*take->ring);
		if (likely(try_take(rc, &rec, event, args, string, where)))
			ring_commit(rc, &rec);
		else
			marker_hit_record(rc, event, args);
	}
	recursion_leave();
	enable_preemption();
}

static noinline void shared_string(const struct marker_event *event, const u64 *args)
{
	struct quick_string string __marker_uninitialized;
	enum quick_where where;

	recursion_enter();
	where = quick_get_string(args[event->format.plan.nr_front], &string);
	if (likely(where == QUICK_TWO_WORDS)) {
		record_takes(event, args, &string, QUICK_TWO_WORDS);
	} else if (likely(where == QUICK_ONE_WORD)) {
		record_takes(event, args, &string, QUICK_ONE_WORD);
	} else {
		recursion_leave();
		marker_dispatch_all(event, args, MARKER_SHARED);
	}
}
NOKPROBE_SYMBOL(shared_string);

static noinline void shared_ints(const struct marker_event *event, const u64 *args)
{
	recursion_enter();
	record_takes(event, args, NULL, QUICK_NOWHERE);
}
NOKPROBE_SYMBOL(shared_ints);

void marker_dispatch_shared(const struct marker_event *event, const u64 *args)
{
	if (unlikely(!recursion_is_free()))
		marker_dispatch_all(event, args, MARKER_SHARED);
	else if (likely(event->record == MARKER_RECORD_STRING))
		shared_string(event, args);
	else if (likely(event->record == MARKER_RECORD_INTS))
		shared_ints(event, args);
	else
		marker_dispatch_all(event, args, MARKER_SHARED);
}
NOKPROBE_SYMBOL(marker_dispatch_shared);
