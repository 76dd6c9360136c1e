// SPDX-License-Identifier: GPL-2.0
/*
 * What a hit records in instances, in its context, NMI too: no lock, no allocation.
 *
 * The quick ways of hit.h serve here, too, in one function for all states and contexts: the
 * recording at the top has one for each, and pays nothing for this.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>

#include <markers/format/filter_run.h>
#include <markers/switch/rules.h>
#include "channel.h"
#include "copy.h"
#include "hit.h"
#include "passes.h"
#include "recursion.h"

/* Integers first: that calls nothing. */
static __always_inline bool passes(const struct marker_event_filter *filter, const u64 *args)
{
	const struct marker_filter_test *test;
	u32 next;

	if (!filter)
		return true;
	test = &filter->program.cell[0].test;
	next = marker_filter_run(&test, args, false);
	if (unlikely(next == MARKER_FILTER_MORE))
		return passes_program(test, args, -1);
	return next == MARKER_FILTER_PASS;
}

/* Return: false: nothing was done. */
static __always_inline bool record_quickly(struct ring_cpu *rc, const struct marker_event *event,
					   const u64 *args)
{
	struct ring_record rec __marker_uninitialized;
	struct ring_spot spot __marker_uninitialized;
	const u64 end = hit_look(rc, &spot, event->most);
	const u64 *time = NULL;
	u64 ts;

	if (!hit_fits(rc, end, MARKER_WRITER_USUAL) && !hit_fits(rc, end, MARKER_WRITER_PLAIN)) {
		if (!hit_fits_clock(rc, end))
			return false;
		ts = clock_read(rc->clock);
		time = &ts;
	}
	if (unlikely(!hit_write(event, args, rc, &spot, &rec, event->record, true, time,
				rc->tag)))
		return false;
	ring_commit(rc, &rec);
	return true;
}

static noinline notrace bool record_any(struct ring_cpu *rc, const struct marker_event *event,
					const u64 *args, const struct marker_copy *copy)
{
	bool recorded = false;

	if (!ring_is_on(rc))
		return false;
	if (hit_finds_full(rc, event))
		ring_lose_full(rc);
	else if (marker_context_has(marker_context_set(rc->tag), MARKER_CONTEXT_CALLSTACK))
		recorded = marker_hit_callstack(rc, event, args,
						marker_rules_stack_depth(copy->asked),
						copy->rules);
	else
		recorded = marker_hit_any(rc, event, args);
	if (recorded && unlikely(marker_channel_is_ending(copy->recording)))
		marker_channel_count_down(copy->recording);
	return recorded;
}
NOKPROBE_SYMBOL(record_any);

static __always_inline bool record(struct ring_cpu *rc, const struct marker_copy *copy,
				   const struct marker_event *event, const u64 *args)
{
	return likely(record_quickly(rc, event, args)) || record_any(rc, event, args, copy);
}

/* @only: of one instance, or NULL: of all */
static __always_inline void record_copies(const struct marker_event *event, const u64 *args,
					  const struct marker_rules *only)
{
	const struct marker_copies *copies = rcu_dereference_raw(event->copies);
	const struct marker_copy *copy;
	unsigned int i;

	/* a command has just removed them, or there are only triggers */
	if (!copies)
		return;
	for (i = 0; i < copies->nr; i++) {
		copy = &copies->copy[i];
		if ((only && copy->rules != only) || !passes(copy->filter, args))
			continue;
		record(*raw_cpu_ptr(copy->recording->ring_cpu), copy, event, args);
	}
}

notrace void marker_copy_hit(const struct marker_event *event, const u64 *args)
{
	record_copies(event, args, NULL);
}
NOKPROBE_SYMBOL(marker_copy_hit);

notrace int marker_copy_note(struct marker_recording *recording,
			     const struct marker_event *event, const u64 *args)
{
	const struct marker_copy copy = {
		.rules = recording->rules,
		.recording = recording,
		.asked = MARKER_ASK_RECORD,
	};
	struct ring_cpu *rc;
	int err = 0;

	preempt_disable_notrace();
	recursion_enter();
	rc = *raw_cpu_ptr(recording->ring_cpu);
	if (!record(rc, &copy, event, args))
		err = ring_is_on(rc) ? -ENOSPC : -EAGAIN;
	recursion_leave();
	enable_preemption();
	return err;
}
NOKPROBE_SYMBOL(marker_copy_note);

notrace void marker_copy_hit_of(const struct marker_event *event, const u64 *args,
				const struct marker_rules *rules)
{
	record_copies(event, args, rules);
}
NOKPROBE_SYMBOL(marker_copy_hit_of);
