// SPDX-License-Identifier: GPL-2.0
/*
 * What an enabled marker runs, in the context of the code that it stands in, NMI
 * too: the recorder (hit.h), by a direct call, and the probes of other modules, if any.
 * No lock, no allocation; preemption is off, which is what RCU readers here rely
 * on, and what lets the ring buffer work on the data of one CPU.
 *
 * An event that is only recorded takes the quick way (dispatch_quick.c).  A hit from within a
 * hit does not recurse (recursion.h).
 */
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include <markers/format/filter_run.h>
#include <markers/switch/counts.h>
#include <markers/switch/event.h>
#include <markers/switch/rules.h>
#include <markers/arch/valist.h>
#include "actions.h"
#include "channel.h"
#include "copy.h"
#include "dispatch_internal.h"
#include "hists.h"
#include "hit.h"
#include "passes.h"
#include "recursion.h"

DEFINE_PER_CPU(struct recursion, marker_recursion);

static notrace enum context context_of(u32 count)
{
	if (count & NMI_MASK)
		return CONTEXT_NMI;
	if (count & HARDIRQ_MASK)
		return CONTEXT_HARDIRQ;
	return count & SOFTIRQ_OFFSET ? CONTEXT_SOFTIRQ : CONTEXT_TASK;
}
NOKPROBE_SYMBOL(context_of);

notrace void marker_run_deferred_reschedule(void)
{
	preempt_disable_notrace();
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(marker_run_deferred_reschedule);

static __always_inline void call_probes(const struct marker_event *event, va_list *list)
{
	const struct marker_probe *probe = rcu_dereference_raw(event->call);

	READ_ONCE(probe->func)(probe->private, NULL, event->format.text, list);
}

static __always_inline enum marker_outcome record_event(const struct marker_event *event,
							const u64 *args)
{
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);

	if (unlikely(!ring_is_on(rc)))
		return MARKER_HIT_OFF;
	if (likely(marker_hit_any(rc, event, args))) {
		if (unlikely(READ_ONCE(marker_live) == MARKER_LIVE_ENDING))
			marker_channel_count_down(&marker_top);
		return MARKER_HIT_RECORDED;
	}
	return ring_is_on(rc) ? MARKER_HIT_LOST : MARKER_HIT_OFF;
}

/* Only if the state says that there are counts. */
static __always_inline void count_hit(const struct marker_event *event,
				      enum marker_outcome outcome)
{
	/* the state before the counts: set_states() */
	smp_rmb();
	this_cpu_inc(event->counts->nr[outcome]);
}

/* Bits of a state. */
#define RECORDED	(2 * MARKER_RECORD - MARKER_RECORD_NONE)
#define PROBED		(MARKER_PROBED & ~MARKER_MORE)
#define COUNTED		(MARKER_COUNTED & ~MARKER_MORE)
#define FILTERED	(MARKER_FILTERED & ~MARKER_MORE)
#define ACTED		(MARKER_ACTED & ~MARKER_MORE)

/*
 * The test that a hit begins with.  It is at least as new as the state that says that there is
 * one: a filter does not let hits pass that have seen it.
 */
static __always_inline const struct marker_filter_test *
first_test(const struct marker_event *event)
{
	/* the state before the test: set_states() */
	smp_rmb();
	return rcu_dereference_raw(event->run);
}

static noinline notrace enum marker_outcome record_and_probe(const struct marker_event *event,
							     const u64 *args, u32 state)
{
	va_list list __marker_uninitialized;
	enum marker_outcome outcome = MARKER_HIT_OFF;

	if (state & FILTERED && !passes_program(first_test(event), args, -1))
		outcome = MARKER_HIT_FILTERED;
	else if (state & (RECORDED | FILTERED))
		outcome = record_event(event, args);
	/* after the record: so a trace that a trigger ends has the event that triggered it */
	if (state & ACTED) {
		if (unlikely(rcu_access_pointer(event->copies)))
			marker_copy_hit(event, args);
		marker_actions_run(event, args);
	}
	if (state & PROBED) {
		marker_va_list(&list, args);
		call_probes(event, &list);
	}
	return outcome;
}
NOKPROBE_SYMBOL(record_and_probe);

/* In all cases; preemption is off and will be on again. */
noinline notrace void marker_dispatch_all(const struct marker_event *event,
					  const u64 *args, u32 state)
{
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);
	enum marker_outcome outcome;
	enum context here;

	if (!state)
		goto out;
	/* as dispatch_full() */
	if (state & RECORDED && !(state & (PROBED | ACTED)) && hit_finds_full(rc, event)) {
		ring_lose_full(rc);
		outcome = MARKER_HIT_LOST;
		goto count;
	}
	if (recursion_is_free()) {
		recursion_enter();
		outcome = record_and_probe(event, args, state);
		recursion_leave();
		goto count;
	}
	here = context_of(preempt_count());
	if (here == context_of(raw_cpu_read(marker_recursion.base)) ||
	    raw_cpu_read(marker_recursion.active[here])) {
		this_cpu_inc(marker_recursion.skipped);
		outcome = MARKER_HIT_SKIPPED;
		goto count;
	}
	raw_cpu_write(marker_recursion.active[here], true);
	barrier();
	outcome = record_and_probe(event, args, state);
	barrier();
	raw_cpu_write(marker_recursion.active[here], false);
count:
	if (state & COUNTED)
		count_hit(event, outcome);
out:
	enable_preemption();
}
NOKPROBE_SYMBOL(marker_dispatch_all);

/* It goes on as if there were no filter, and is counted as its event is. */
static __always_inline void dispatch_passed(struct marker_event *event, const u64 *args)
{
	const u32 state = READ_ONCE(event->passed.state);

	/* Both disable it first, and reschedule when they enable it. */
	enable_preemption_again();
	if (unlikely(state & MARKER_MORE))
		marker_dispatch_any(&event->passed, args, state);
	else
		marker_dispatch_recorded(&event->passed, args, state);
}

static __always_inline void finish_filter(struct marker_event *event, const u64 *args,
					  bool passed)
{
	if (unlikely(passed))
		dispatch_passed(event, args);
	else
		enable_preemption();
}

/* Continue at a test that calls something; recursion_enter() has been called. */
static noinline notrace void dispatch_rest(struct marker_event *event, const u64 *args,
					   const struct marker_filter_test *test)
{
	const bool passed = passes_program(test, args, -1);

	recursion_leave();
	finish_filter(event, args, passed);
}
NOKPROBE_SYMBOL(dispatch_rest);

/* Continue at a test that reads memory. */
static noinline notrace void dispatch_program(struct marker_event *event, const u64 *args,
					      const struct marker_filter_test *test)
{
	u32 next;

	if (unlikely(!recursion_is_free())) {
		marker_dispatch_all(event, args, MARKER_FILTERED);
		return;
	}
	recursion_enter();
	next = marker_filter_run(&test, args, true);
	if (unlikely(next == MARKER_FILTER_MORE)) {
		dispatch_rest(event, args, test);
		return;
	}
	recursion_leave();
	finish_filter(event, args, next == MARKER_FILTER_PASS);
}
NOKPROBE_SYMBOL(dispatch_program);

/* A state without the actions. */
static __always_inline u32 without_actions(u32 state)
{
	state &= ~ACTED;
	return state & (PROBED | COUNTED | FILTERED) ? state : state & ~MARKER_MORE;
}

static noinline notrace void dispatch_probed(struct marker *marker, const u64 *args)
{
	va_list list __marker_uninitialized;

	marker_va_list(&list, args);
	marker_dispatch_probed(marker, args, MARKER_ONLY_PROBED, &list);
}
NOKPROBE_SYMBOL(dispatch_probed);

static __always_inline void dispatch_state(struct marker *marker, const u64 *args, u32 state)
{
	if (state == MARKER_ONLY_PROBED) {
		dispatch_probed(marker, args);
	} else if (state == MARKER_FILTERED) {
		/* the outcome does not matter while tracing is off */
		if (READ_ONCE(marker_live) & FILTERED)
			marker_dispatch_filtered(marker, args);
	} else if (unlikely(!state || state & MARKER_MORE)) {
		marker_dispatch_any(marker, args, state);
	} else {
		marker_dispatch_recorded(marker, args, state);
	}
}

/* A function of its own: a marker that has only actions needs no register for the rest. */
static noinline notrace void dispatch_unacted(struct marker *marker, const u64 *args, u32 state)
{
	enable_preemption();
	dispatch_state(marker, args, without_actions(state));
}
NOKPROBE_SYMBOL(dispatch_unacted);

/* A hist of one integer calls nothing, unless the key is new: no test for recursion. */
static noinline notrace void dispatch_hist(struct marker *marker, const u64 *args, u32 state,
					   const struct marker_action *hist)
{
	marker_hists_hit(hist, args, -1);
	if (likely(state == MARKER_ACTED))
		enable_preemption();
	else
		dispatch_unacted(marker, args, state);
}
NOKPROBE_SYMBOL(dispatch_hist);

/* Instances record it, and then it goes on as if there were none. */
static noinline notrace void dispatch_copied(struct marker *marker, const u64 *args, u32 state)
{
	const struct marker_event *event = marker->event;

	if (unlikely(rcu_dereference_raw(event->actions)) || unlikely(!recursion_is_free())) {
		marker_dispatch_all(event, args, state);
		return;
	}
	recursion_enter();
	marker_copy_hit(event, args);
	recursion_leave();
	if (state == MARKER_ACTED)
		enable_preemption();
	else
		dispatch_unacted(marker, args, state);
}
NOKPROBE_SYMBOL(dispatch_copied);

/*
 * Run the actions.  If one comparison of an integer rules them out, or the only action is a
 * hist of an integer, the hit goes on as if there were no trigger.
 */
static noinline notrace void dispatch_acted(struct marker *marker, const u64 *args, u32 state)
{
	const struct marker_actions *actions = rcu_dereference_raw(marker->event->actions);
	const struct marker_filter_test *only = likely(actions) ? READ_ONCE(actions->only) : NULL;
	const struct marker_action *quick;

	if (unlikely(!only) || unlikely(marker_filter_in_range(only, args[only->arg]))) {
		quick = likely(actions) ? READ_ONCE(actions->quick) : NULL;
		/* Without @only, a filter was to be it: both are being set or taken away. */
		if (quick && (likely(only) || !quick->filter))
			dispatch_hist(marker, args, state, quick);
		else
			dispatch_copied(marker, args, state);
	} else if (state == MARKER_ACTED) {
		enable_preemption();
	} else {
		dispatch_unacted(marker, args, state);
	}
}
NOKPROBE_SYMBOL(dispatch_acted);

/* To the recorder only. */
noinline notrace void marker_dispatch_slow(const struct marker_event *event, const u64 *args)
{
	recursion_enter();
	record_event(event, args);
	recursion_leave();
	enable_preemption();
}
NOKPROBE_SYMBOL(marker_dispatch_slow);

/*
 * To the recorder, and counted.  The quick way serves here, too, in one function for all
 * states: an event that is counted pays for that, and for all others nothing changes.
 */
static noinline notrace void dispatch_counted(const struct marker_event *event,
					      const u64 *args, u32 state)
{
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);
	struct ring_record rec __marker_uninitialized;
	struct ring_spot spot __marker_uninitialized;
	const u64 end = hit_look(rc, &spot, event->most);
	const u32 way = state & ~MARKER_COUNTED;

	if (unlikely(way > MARKER_RECORD_MIXED) || unlikely(!recursion_is_free()) ||
	    (!hit_fits(rc, end, MARKER_WRITER_USUAL) &&
	     unlikely(!hit_fits(rc, end, MARKER_WRITER_PLAIN)))) {
		marker_dispatch_all(event, args, state);
		return;
	}
	recursion_enter();
	if (unlikely(!hit_write(event, args, rc, &spot, &rec, way, true, NULL, rc->tag))) {
		recursion_leave();
		marker_dispatch_all(event, args, state);
		return;
	}
	recursion_leave();
	ring_commit(rc, &rec);
	count_hit(event, MARKER_HIT_RECORDED);
	enable_preemption();
}
NOKPROBE_SYMBOL(dispatch_counted);

/* As record_and_probe(), but for one recording; probes and counts are those of the top. */
notrace void marker_dispatch_inside(const struct marker *marker, const u64 *args,
				    const struct marker_rules *rules)
{
	const u32 state = READ_ONCE(marker->state);
	const bool is_top = rules == &marker_rules;
	enum marker_outcome outcome = MARKER_HIT_OFF;
	const struct marker_event *event;

	if (!state)
		return;
	/* it is hit while it comes: set_states() writes the state after the event */
	smp_rmb();
	event = READ_ONCE(marker->event);
	if (is_top)
		outcome = record_and_probe(event, args, state & ~ACTED);
	if (state & ACTED) {
		if (!is_top)
			marker_copy_hit_of(event, args, rules);
		marker_actions_run_of(event, args, rules);
	}
	if (is_top && state & COUNTED)
		count_hit(event, outcome);
}
NOKPROBE_SYMBOL(marker_dispatch_inside);

/*
 * All calls of the functions below are the last thing that they do, so they save no
 * register for them.
 *
 * The state is cleared before the site is patched out: a late hit finds it so.
 */

asmlinkage notrace void marker_dispatch_probed(struct marker *marker, const u64 *args,
					       u32 state, va_list *list)
{
	const struct marker_event *event;

	preempt_disable_notrace();
	event = marker->event;
	if (unlikely(!recursion_is_free())) {
		marker_dispatch_all(event, args, state);
		return;
	}
	recursion_enter();
	call_probes(event, list);
	recursion_leave();
	enable_preemption();
}
NOKPROBE_SYMBOL(marker_dispatch_probed);

/* Comparisons of integers call nothing and read no memory. */
asmlinkage notrace void marker_dispatch_filtered(struct marker *marker, const u64 *args)
{
	const struct marker_filter_test *test;
	struct marker_event *event;
	u32 next;

	preempt_disable_notrace();
	event = marker->event;
	test = first_test(event);
	next = marker_filter_run(&test, args, false);
	if (unlikely(next == MARKER_FILTER_MORE))
		dispatch_program(event, args, test);
	else
		finish_filter(event, args, next == MARKER_FILTER_PASS);
}
NOKPROBE_SYMBOL(marker_dispatch_filtered);

/* The same, and it is counted, also if it does not pass. */
static __always_inline void dispatch_filtered_counted(struct marker_event *event,
						      const u64 *args, u32 state)
{
	const struct marker_filter_test *test = first_test(event);
	const u32 next = marker_filter_run(&test, args, false);

	if (unlikely(next == MARKER_FILTER_MORE)) {
		marker_dispatch_all(event, args, state);
		return;
	}
	if (next == MARKER_FILTER_DROP)
		count_hit(event, MARKER_HIT_FILTERED);
	finish_filter(event, args, next == MARKER_FILTER_PASS);
}

asmlinkage notrace void marker_dispatch_any(struct marker *marker, const u64 *args,
					    u32 state)
{
	struct marker_event *event = marker->event;

	/* One instruction, on whatever CPU; the counts stay as long as the event. */
	if (state == MARKER_COUNTED) {
		count_hit(event, MARKER_HIT_OFF);
		return;
	}
	preempt_disable_notrace();
	if (state & ACTED)
		dispatch_acted(marker, args, state);
	else if (state == (MARKER_FILTERED | MARKER_COUNTED))
		dispatch_filtered_counted(event, args, state);
	else if (state & COUNTED)
		dispatch_counted(event, args, state);
	else
		marker_dispatch_all(event, args, state);
}
NOKPROBE_SYMBOL(marker_dispatch_any);

asmlinkage notrace void marker_dispatch(struct marker *marker, const u64 *args)
{
	dispatch_state(marker, args, READ_ONCE(marker->state));
}
NOKPROBE_SYMBOL(marker_dispatch);

u64 marker_dispatch_skipped(int cpu)
{
	return READ_ONCE(per_cpu(marker_recursion.skipped, cpu));
}
