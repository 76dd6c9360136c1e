/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is decided about a hit before anything is recorded: does it pass the gate of the program,
 * and may an action run?  Only dispatch_quick.c includes this.
 *
 * Context of all: any, NMI too; preemption off, unless it says more.
 */
#ifndef _MARKERS_DISPATCH_GATE_H
#define _MARKERS_DISPATCH_GATE_H

#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include <markers/arch/valist.h>
#include <markers/compat/uninitialized.h>
#include <markers/format/filter_run.h>
#include <markers/model/program.h>
#include <markers/record/record.h>
#include "dispatch_internal.h"
#include "hists.h"
#include "passes.h"
#include "recursion.h"

/*
 * The gate
 */

/* It goes on as if there were no filter. */
static __always_inline void dispatch_passed(const struct marker_event *event, const u64 *args)
{
	const u32 state = marker_program_of(event)->then;

	/* Both disable it first, and reschedule when they enable it. */
	enable_preemption_again();
	if (likely((s32)state > 0))
		marker_dispatch_recorded(event, args, state);
	else if (state)
		marker_dispatch_any(event, args, state);
	else
		marker_run_deferred_reschedule();
}

static __always_inline void finish_gate(const struct marker_event *event, const u64 *args,
					bool passed)
{
	if (unlikely(passed))
		dispatch_passed(event, args);
	else
		enable_preemption();
}

/* Continue at a test that calls something; recursion_enter() has been called. */
static noinline void dispatch_rest(const struct marker_event *event, const u64 *args,
				   const struct marker_filter_test *test)
{
	const bool passed = passes_program(test, args, -1);

	recursion_leave();
	finish_gate(event, args, passed);
}
NOKPROBE_SYMBOL(dispatch_rest);

/* Continue at a test that reads memory. */
static noinline void dispatch_words(const struct marker_event *event, const u64 *args,
				    const struct marker_filter_test *test)
{
	u32 next;

	if (unlikely(!recursion_is_free())) {
		marker_dispatch_all(event, args, MARKER_SHARED);
		return;
	}
	recursion_enter();
	next = marker_filter_run(&test, args, true);
	if (unlikely(next == MARKER_FILTER_MORE)) {
		dispatch_rest(event, args, test);
		return;
	}
	recursion_leave();
	finish_gate(event, args, next == MARKER_FILTER_PASS);
}
NOKPROBE_SYMBOL(dispatch_words);

/**
 * dispatch_gate() - test a hit, and go on if it passes
 * @event:	the event
 * @args:	the arguments of the hit
 *
 * Comparisons of integers call nothing and read no memory.  Enables preemption.
 */
static __always_inline void dispatch_gate(const struct marker_event *event, const u64 *args)
{
	const struct marker_filter_test *test = rcu_dereference_raw(event->gate);
	const u32 next = marker_filter_run(&test, args, false);

	if (unlikely(next == MARKER_FILTER_MORE))
		dispatch_words(event, args, test);
	else
		finish_gate(event, args, next == MARKER_FILTER_PASS);
}

/**
 * dispatch_gated() - dispatch_gate() as a function of its own
 * @event:	the event
 * @args:	the arguments of the hit
 */
static noinline void dispatch_gated(const struct marker_event *event, const u64 *args)
{
	dispatch_gate(event, args);
}
NOKPROBE_SYMBOL(dispatch_gated);

/*
 * Actions
 */

/* A state without the actions. */
static __always_inline u32 without_actions(u32 state)
{
	state &= ~ACTED;
	return state & (PROBED | COUNTED | SHARED) ? state : state & ~MARKER_MORE;
}

/**
 * dispatch_probed() - call the probes of a hit, and no more
 * @event:	the event
 * @args:	the arguments of the hit
 *
 * Context: Preemption as it was at the hit.
 */
static noinline void dispatch_probed(const struct marker_event *event, const u64 *args)
{
	va_list list __marker_uninitialized;

	marker_va_list(&list, args);
	marker_dispatch_probed(event, args, MARKER_ONLY_PROBED, &list);
}
NOKPROBE_SYMBOL(dispatch_probed);

/**
 * dispatch_state() - dispatch a hit by another state
 * @event:	the event
 * @args:	the arguments of the hit
 * @state:	what is left of the state: 0 is nothing
 *
 * Context: Preemption as it was at the hit.
 */
static __always_inline void dispatch_state(const struct marker_event *event, const u64 *args,
					   u32 state)
{
	if (state == MARKER_ONLY_PROBED) {
		dispatch_probed(event, args);
	} else if (state == MARKER_FILTERED) {
		/* the outcome does not matter while tracing is off */
		if (READ_ONCE(marker_top.live) & FILTERED)
			marker_dispatch_filtered(event, args);
	} else if (unlikely(state & MARKER_MORE)) {
		marker_dispatch_any(event, args, state);
	} else if (likely(state)) {
		marker_dispatch_recorded(event, args, state);
	}
}

/* A function of its own: a marker that has only actions needs no register for the rest. */
static noinline void dispatch_unacted(const struct marker_event *event, const u64 *args,
				      u32 state)
{
	enable_preemption();
	dispatch_state(event, args, without_actions(state));
}
NOKPROBE_SYMBOL(dispatch_unacted);

/* A hist of one integer calls nothing, unless the key is new: no test for recursion. */
static noinline void dispatch_hist(const struct marker_event *event, const u64 *args,
				   u32 state, const struct marker_action *hist)
{
	marker_hists_hit(hist, args, -1);
	if (likely(state == MARKER_ACTED))
		enable_preemption();
	else
		dispatch_unacted(event, args, state);
}
NOKPROBE_SYMBOL(dispatch_hist);

/**
 * dispatch_acted() - run the actions of a hit, and go on
 * @event:	the event
 * @args:	the arguments of the hit
 * @state:	the state, with MARKER_ACTED
 *
 * If one comparison of an integer rules all actions out, or the only one is a hist of an
 * integer, the hit goes on as if there were no trigger.  Enables preemption.
 */
static noinline void dispatch_acted(const struct marker_event *event, const u64 *args,
				    u32 state)
{
	const struct marker_program *program = marker_program_of(event);
	const struct marker_actions *actions;
	const struct marker_filter_test *only;

	/* of a program that came after the state */
	if (unlikely(!program->has_actions)) {
		marker_dispatch_all(event, args, state);
		return;
	}
	actions = marker_actions_before(program);
	only = actions->only;
	if (unlikely(!only) || unlikely(marker_filter_in_range(only, args[only->arg]))) {
		if (actions->quick)
			dispatch_hist(event, args, state, actions->quick);
		else
			marker_dispatch_all(event, args, state);
	} else if (state == MARKER_ACTED) {
		enable_preemption();
	} else {
		dispatch_unacted(event, args, state);
	}
}
NOKPROBE_SYMBOL(dispatch_acted);

#endif /* _MARKERS_DISPATCH_GATE_H */
