// SPDX-License-Identifier: GPL-2.0
/*
 * The general way of a hit, which does all that a program says: the recorder (hit.h), by a
 * direct call, the actions, and the probes of other modules.  A hit from within a hit does not
 * recurse (recursion.h).
 *
 * Context of all: any, NMI too; preemption off but at marker_dispatch_probed().
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include <markers/model/counts.h>
#include <markers/model/event.h>
#include <markers/model/rules.h>
#include <markers/arch/valist.h>
#include <markers/record/record.h>
#include "actions.h"
#include "dispatch_internal.h"
#include "hists.h"
#include "hit.h"
#include "latencies.h"
#include "passes.h"
#include "recursion.h"

DEFINE_PER_CPU(struct recursion, marker_recursion);

static enum context context_of(u32 count)
{
	if (count & NMI_MASK)
		return CONTEXT_NMI;
	if (count & HARDIRQ_MASK)
		return CONTEXT_HARDIRQ;
	return count & SOFTIRQ_OFFSET ? CONTEXT_SOFTIRQ : CONTEXT_TASK;
}
NOKPROBE_SYMBOL(context_of);

void marker_run_deferred_reschedule(void)
{
	preempt_disable_notrace();
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(marker_run_deferred_reschedule);

static __always_inline void call_probes(const struct marker_event *event,
					const struct marker_program *program, va_list *list)
{
	program->call.func(program->call.private, NULL, event->format.text, list);
}

static __always_inline void count_hit(const struct marker_take *take, enum marker_outcome outcome)
{
	if (unlikely(take->counts))
		this_cpu_inc(take->counts->nr[outcome]);
}

/* A hit that runs no take: @taken is the outcome for those that would take it. */
static noinline void count_untaken(const struct marker_program *program,
				   enum marker_outcome taken, enum marker_outcome rest)
{
	unsigned int i;

	for (i = 0; i < program->nr; i++)
		count_hit(&program->take[i], taken);
	for (; i < program->nr + program->nr_waiting; i++)
		count_hit(&program->take[i], rest);
}
NOKPROBE_SYMBOL(count_untaken);

static __always_inline bool is_top(const struct marker_take *take)
{
	return take->recording == &marker_top;
}

static __always_inline enum marker_outcome take_hit(const struct marker_take *take,
						    const struct marker_event *event,
						    const u64 *args)
{
	return !passes_filter(take->filter, args) ? MARKER_HIT_FILTERED :
	       marker_hit_record(raw_cpu_read(*take->ring), event, args);
}

/*
 * The actions of an event, of one recording or, without @only, of all: those of a recording in the
 * order in which their triggers were written.  The end of a pair is followed by a hit of its
 * event, unless this is one.
 */
static __always_inline void run_actions(const struct marker_program *program, const u64 *args,
					const struct marker_recording *only, bool may_follow)
{
	const struct marker_recording *recording = NULL;
	const struct marker_actions *actions;
	struct marker_follow follow __marker_uninitialized;
	struct marker_action *action;
	s64 latency = -1;
	unsigned int i;

	/* of a program that came after the state */
	if (unlikely(!program->has_actions))
		return;
	actions = marker_actions_before(program);
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
static noinline void run_all_actions(const struct marker_program *program,
				     const u64 *args)
{
	run_actions(program, args, NULL, true);
}
NOKPROBE_SYMBOL(run_all_actions);

/*
 * Do what the program says.  Actions and probes only if the state says so, too: a quick way may
 * have run them, or is about to.
 */
static noinline void run_program(const struct marker_event *event, const u64 *args,
				 u32 state, const struct marker_program *program)
{
	va_list list __marker_uninitialized;
	const struct marker_take *take, *end = program->take + program->nr;

	for (take = program->take; take < end; take++) {
		if (is_top(take) && state & NOT_TOP)
			count_hit(take, MARKER_HIT_OFF);
		else
			count_hit(take, take_hit(take, event, args));
	}
	if (state & COUNTED) {
		for (end += program->nr_waiting; take < end; take++)
			count_hit(take, MARKER_HIT_OFF);
	}
	/* after the record: so a trace that a trigger ends has the event that triggered it */
	if (state & ACTED)
		run_all_actions(program, args);
	if (state & PROBED) {
		marker_va_list(&list, args);
		call_probes(event, program, &list);
	}
}
NOKPROBE_SYMBOL(run_program);

/*
 * Is it certain that one recording takes the hit, and has no room?  That is found out before
 * the look at the recursion.
 */
static __always_inline bool lose_full(const struct marker_event *event, u32 state,
				      const struct marker_program *program)
{
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
noinline void marker_dispatch_all(const struct marker_event *event,
				  const u64 *args, u32 state)
{
	/* the only one: what it says is done, and counted */
	const struct marker_program *program = marker_program_of(event);
	enum context here;

	if (lose_full(event, state, program)) {
		if (state & COUNTED)
			count_untaken(program, MARKER_HIT_LOST, MARKER_HIT_OFF);
		goto out;
	}
	if (recursion_is_free()) {
		recursion_enter();
		run_program(event, args, state, program);
		recursion_leave();
		goto out;
	}
	here = context_of(preempt_count());
	if (here == context_of(raw_cpu_read(marker_recursion.base)) ||
	    raw_cpu_read(marker_recursion.active[here])) {
		this_cpu_inc(marker_recursion.skipped);
		if (state & COUNTED)
			count_untaken(program, MARKER_HIT_SKIPPED, MARKER_HIT_SKIPPED);
		goto out;
	}
	raw_cpu_write(marker_recursion.active[here], true);
	barrier();
	run_program(event, args, state, program);
	barrier();
	raw_cpu_write(marker_recursion.active[here], false);
out:
	enable_preemption();
}
NOKPROBE_SYMBOL(marker_dispatch_all);

/*
 * One recording
 */

noinline void marker_dispatch_slow(const struct marker_event *event, const u64 *args,
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

/* As run_program(), but for one recording; probes are those of the top. */
void marker_dispatch_inside(const struct marker *marker, const u64 *args,
			    const struct marker_recording *recording)
{
	const u32 state = READ_ONCE(marker->state);
	const struct marker_program *program;
	const struct marker_event *event;
	va_list list __marker_uninitialized;
	const struct marker_take *take;
	unsigned int i;

	if (!state)
		return;
	/* it is hit while it comes: set_states() writes the state after the event */
	smp_rmb();
	event = READ_ONCE(marker->event);
	program = marker_program_of(event);
	for (i = 0; i < program->nr + program->nr_waiting; i++) {
		take = &program->take[i];
		if (take->recording == recording)
			count_hit(take, i < program->nr ? take_hit(take, event, args) :
				  MARKER_HIT_OFF);
	}
	if (recording == &marker_top && state & PROBED) {
		marker_va_list(&list, args);
		call_probes(event, program, &list);
	}
	if (state & ACTED)
		run_actions(program, args, recording, false);
}
NOKPROBE_SYMBOL(marker_dispatch_inside);

int marker_dispatch_note(struct marker_recording *recording,
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

asmlinkage void marker_dispatch_probed(const struct marker_event *event, const u64 *args,
				       u32 state, va_list *list)
{
	preempt_disable_notrace();
	if (unlikely(!recursion_is_free())) {
		/* the program may have a take of the top for a site that is enabled alone */
		marker_dispatch_all(event, args, state | NOT_TOP);
		return;
	}
	recursion_enter();
	call_probes(event, marker_program_of(event), list);
	recursion_leave();
	enable_preemption();
}
NOKPROBE_SYMBOL(marker_dispatch_probed);

u64 marker_dispatch_skipped(int cpu)
{
	return READ_ONCE(per_cpu(marker_recursion.skipped, cpu));
}
