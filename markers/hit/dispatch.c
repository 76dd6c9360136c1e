// SPDX-License-Identifier: GPL-2.0
/*
 * What an enabled marker runs, in the context of the code that it stands in, NMI
 * too: the recorder (hit.h), by a direct call, and the probes of other modules, if any.
 * No lock, no allocation; preemption is off, which is what RCU readers here rely
 * on, and what lets the ring buffer work on the data of one CPU.
 *
 * The state of the marker chooses the function, the program of the event says what is done.
 * They change one after the other, and nothing orders them: any state may meet any program.  So
 * a hit does what one program says, at most one change late.
 *
 * An event that one recording takes as a whole goes the quick way (dispatch_quick.c).  A hit
 * from within a hit does not recurse (recursion.h).
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include <markers/format/filter_run.h>
#include <markers/model/counts.h>
#include <markers/model/event.h>
#include <markers/model/rules.h>
#include <markers/arch/valist.h>
#include <markers/record/channel.h>
#include "actions.h"
#include "dispatch_internal.h"
#include "hists.h"
#include "hit.h"
#include "latencies.h"
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

/* Only if the state says that there are counts. */
static __always_inline void count_hit(const struct marker_event *event,
				      enum marker_outcome outcome)
{
	/* the state before the counts: set_states() */
	smp_rmb();
	this_cpu_inc(event->counts->nr[outcome]);
}

/* Bits of a state. */
#define PROBED		(MARKER_PROBED & ~MARKER_MORE)
#define COUNTED		(MARKER_COUNTED & ~MARKER_MORE)
#define FILTERED	(MARKER_FILTERED & ~MARKER_MORE)
#define ACTED		(MARKER_ACTED & ~MARKER_MORE)
#define SHARED		(MARKER_SHARED & ~MARKER_MORE)
#define NOT_TOP		(MARKER_NOT_TOP & ~MARKER_MORE)

static __always_inline bool is_top(const struct marker_take *take)
{
	return take->recording == &marker_top;
}

/*
 * The actions of an event, of one recording or, without @only, of all: those of a recording in the
 * order in which their triggers were written.  The end of a pair is followed by a hit of its
 * event, unless this is one.
 */
static __always_inline void run_actions(const struct marker_event *event, const u64 *args,
					const struct marker_recording *only, bool may_follow)
{
	const struct marker_actions *actions = rcu_dereference_raw(event->actions);
	const struct marker_recording *recording = NULL;
	struct marker_follow follow __marker_uninitialized;
	struct marker_action *action;
	s64 latency = -1;
	unsigned int i;

	/* A command has just removed them. */
	if (unlikely(!actions))
		return;
	for (i = 0; i < actions->nr; i++) {
		action = actions->action[i];
		if (only && action->recording != only)
			continue;
		if (action->recording != recording)
			latency = -1;
		recording = action->recording;
		if (!passes_action(action, args, latency))
			continue;
		if (likely(action->kind == MARKER_ACTION_HIST)) {
			marker_hists_hit(action, args, latency);
			continue;
		}
		follow.marker = NULL;
		marker_actions_run(action, args, &latency, &follow);
		if (may_follow && unlikely(follow.marker))
			marker_dispatch_inside(follow.marker, follow.args, recording);
	}
}

/* A function of its own: most events have none. */
static noinline notrace void run_all_actions(const struct marker_event *event, const u64 *args)
{
	run_actions(event, args, NULL, true);
}
NOKPROBE_SYMBOL(run_all_actions);

/*
 * Do what the program says.  Only the parts that are not in it are run by the state: actions,
 * and probes.
 *
 * Return: the outcome at the top, which is what counts.
 */
static noinline notrace enum marker_outcome run_program(const struct marker_event *event,
							const u64 *args, u32 state)
{
	va_list list __marker_uninitialized;
	const struct marker_program *program = marker_program_of(event);
	const struct marker_take *take, *end = program->take + program->nr;
	enum marker_outcome outcome, counted = MARKER_HIT_OFF;

	for (take = program->take; take < end; take++) {
		if (is_top(take) && state & NOT_TOP)
			continue;
		outcome = !passes_filter(take->filter, args) ? MARKER_HIT_FILTERED :
			  marker_hit_record(raw_cpu_read(*take->ring), event, args);
		if (is_top(take))
			counted = outcome;
	}
	/* after the record: so a trace that a trigger ends has the event that triggered it */
	if (state & ACTED)
		run_all_actions(event, args);
	if (state & PROBED) {
		marker_va_list(&list, args);
		call_probes(event, &list);
	}
	return counted;
}
NOKPROBE_SYMBOL(run_program);

/*
 * Is it certain that one recording takes the hit, and has no room?  That is found out before
 * the look at the recursion.
 */
static __always_inline bool lose_full(const struct marker_event *event, u32 state)
{
	const struct marker_program *program = marker_program_of(event);
	struct ring_cpu *rc;

	if (state & (PROBED | ACTED | NOT_TOP) || program->nr != 1 || program->take[0].filter)
		return false;
	rc = raw_cpu_read(*program->take[0].ring);
	if (!hit_finds_full(rc, event))
		return false;
	ring_lose_full(rc);
	return true;
}

/* In all cases; preemption is off and will be on again. */
noinline notrace void marker_dispatch_all(const struct marker_event *event,
					  const u64 *args, u32 state)
{
	enum marker_outcome outcome;
	enum context here;

	if (lose_full(event, state)) {
		outcome = MARKER_HIT_LOST;
		goto count;
	}
	if (recursion_is_free()) {
		recursion_enter();
		outcome = run_program(event, args, state);
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
	outcome = run_program(event, args, state);
	barrier();
	raw_cpu_write(marker_recursion.active[here], false);
count:
	if (state & COUNTED)
		count_hit(event, outcome);
	enable_preemption();
}
NOKPROBE_SYMBOL(marker_dispatch_all);

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
static noinline notrace void dispatch_rest(const struct marker_event *event, const u64 *args,
					   const struct marker_filter_test *test)
{
	const bool passed = passes_program(test, args, -1);

	recursion_leave();
	finish_gate(event, args, passed);
}
NOKPROBE_SYMBOL(dispatch_rest);

/* Continue at a test that reads memory. */
static noinline notrace void dispatch_words(const struct marker_event *event, const u64 *args,
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

/* Comparisons of integers call nothing and read no memory. */
static __always_inline void dispatch_gate(const struct marker_event *event, const u64 *args)
{
	const struct marker_filter_test *test = rcu_dereference_raw(event->gate);
	const u32 next = marker_filter_run(&test, args, false);

	if (unlikely(next == MARKER_FILTER_MORE))
		dispatch_words(event, args, test);
	else
		finish_gate(event, args, next == MARKER_FILTER_PASS);
}

asmlinkage notrace void marker_dispatch_filtered(const struct marker_event *event, const u64 *args)
{
	preempt_disable_notrace();
	dispatch_gate(event, args);
}
NOKPROBE_SYMBOL(marker_dispatch_filtered);

noinline notrace void marker_dispatch_gated(const struct marker_event *event, const u64 *args)
{
	dispatch_gate(event, args);
}
NOKPROBE_SYMBOL(marker_dispatch_gated);

/*
 * Actions
 */

/* A state without the actions. */
static __always_inline u32 without_actions(u32 state)
{
	state &= ~ACTED;
	return state & (PROBED | COUNTED | SHARED) ? state : state & ~MARKER_MORE;
}

static noinline notrace void dispatch_probed(const struct marker_event *event, const u64 *args)
{
	va_list list __marker_uninitialized;

	marker_va_list(&list, args);
	marker_dispatch_probed(event, args, MARKER_ONLY_PROBED, &list);
}
NOKPROBE_SYMBOL(dispatch_probed);

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
static noinline notrace void dispatch_unacted(const struct marker_event *event, const u64 *args,
					      u32 state)
{
	enable_preemption();
	dispatch_state(event, args, without_actions(state));
}
NOKPROBE_SYMBOL(dispatch_unacted);

/* A hist of one integer calls nothing, unless the key is new: no test for recursion. */
static noinline notrace void dispatch_hist(const struct marker_event *event, const u64 *args,
					   u32 state, const struct marker_action *hist)
{
	marker_hists_hit(hist, args, -1);
	if (likely(state == MARKER_ACTED))
		enable_preemption();
	else
		dispatch_unacted(event, args, state);
}
NOKPROBE_SYMBOL(dispatch_hist);

/*
 * If one comparison of an integer rules all actions out, or the only one is a hist of an
 * integer, the hit goes on as if there were no trigger.
 */
noinline notrace void marker_dispatch_acted(const struct marker_event *event, const u64 *args,
					    u32 state)
{
	const struct marker_actions *actions = rcu_dereference_raw(event->actions);
	const struct marker_filter_test *only = likely(actions) ? actions->only : NULL;

	if (unlikely(!only) || unlikely(marker_filter_in_range(only, args[only->arg]))) {
		if (likely(actions) && actions->quick)
			dispatch_hist(event, args, state, actions->quick);
		else
			marker_dispatch_all(event, args, state);
	} else if (state == MARKER_ACTED) {
		enable_preemption();
	} else {
		dispatch_unacted(event, args, state);
	}
}
NOKPROBE_SYMBOL(marker_dispatch_acted);

/*
 * One recording
 */

noinline notrace void marker_dispatch_slow(const struct marker_event *event, const u64 *args,
					   struct ring_cpu *rc)
{
	/* of a program that came after the state */
	if (unlikely(!rc->ring)) {
		marker_dispatch_all(event, args, MARKER_SHARED);
		return;
	}
	recursion_enter();
	hit_slowly(rc, event, args);
	recursion_leave();
	enable_preemption();
}
NOKPROBE_SYMBOL(marker_dispatch_slow);

static const struct marker_take *find_take(const struct marker_program *program,
					   const struct marker_recording *recording)
{
	unsigned int i;

	for (i = 0; i < program->nr; i++) {
		if (program->take[i].recording == recording)
			return &program->take[i];
	}
	return NULL;
}

/* As run_program(), but for one recording; probes and counts are those of the top. */
notrace void marker_dispatch_inside(const struct marker *marker, const u64 *args,
				    const struct marker_recording *recording)
{
	const u32 state = READ_ONCE(marker->state);
	const bool is_of_top = recording == &marker_top;
	enum marker_outcome outcome = MARKER_HIT_OFF;
	const struct marker_event *event;
	const struct marker_take *take;
	va_list list __marker_uninitialized;

	if (!state)
		return;
	/* it is hit while it comes: set_states() writes the state after the event */
	smp_rmb();
	event = READ_ONCE(marker->event);
	take = find_take(marker_program_of(event), recording);
	if (take)
		outcome = !passes_filter(take->filter, args) ? MARKER_HIT_FILTERED :
			  marker_hit_record(raw_cpu_read(*take->ring), event, args);
	if (is_of_top && state & PROBED) {
		marker_va_list(&list, args);
		call_probes(event, &list);
	}
	if (state & ACTED)
		run_actions(event, args, recording, false);
	if (is_of_top && state & COUNTED)
		count_hit(event, outcome);
}
NOKPROBE_SYMBOL(marker_dispatch_inside);

notrace int marker_dispatch_note(struct marker_recording *recording,
				 const struct marker_event *event, const u64 *args)
{
	enum marker_outcome outcome;

	preempt_disable_notrace();
	recursion_enter();
	outcome = marker_hit_record(raw_cpu_read(*recording->ring), event, args);
	recursion_leave();
	enable_preemption();
	if (outcome == MARKER_HIT_OFF)
		return -EAGAIN;
	return outcome == MARKER_HIT_RECORDED ? 0 : -ENOSPC;
}
NOKPROBE_SYMBOL(marker_dispatch_note);

/*
 * All calls of the functions below are the last thing that they do, so they save no
 * register for them.
 *
 * The state is cleared before the site is patched out: a late hit finds it so.
 */

asmlinkage notrace void marker_dispatch_probed(const struct marker_event *event, const u64 *args,
					       u32 state, va_list *list)
{
	preempt_disable_notrace();
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

asmlinkage notrace void marker_dispatch(struct marker *marker, const u64 *args)
{
	const u32 state = READ_ONCE(marker->state);

	dispatch_state(marker->event, args, state);
}
NOKPROBE_SYMBOL(marker_dispatch);

u64 marker_dispatch_skipped(int cpu)
{
	return READ_ONCE(per_cpu(marker_recursion.skipped, cpu));
}
