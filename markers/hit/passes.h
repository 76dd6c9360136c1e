/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does a hit pass a filter?  Only dispatch*.c, actions.c and hists.c include this.
 *
 * Context of all: any, NMI too; in the dispatcher, preemption off.
 */
#ifndef _MARKERS_PASSES_H
#define _MARKERS_PASSES_H

#include <linux/sched.h>
#include <linux/smp.h>

#include <markers/compat/uninitialized.h>
#include <markers/format/filter_run.h>
#include <markers/model/action.h>
#include "context.h"

/**
 * fill_contexts() - get the contexts that a filter may test
 * @contexts:	room for MARKER_NR_FILTER_CONTEXTS; those that @needs leaves out are not written
 * @needs:	enum marker_contexts_needed
 * @latency:	nanoseconds, or -1
 */
static __always_inline void fill_contexts(u64 *contexts, u8 needs, s64 latency)
{
	contexts[MARKER_FILTER_TID] = current->pid;
	contexts[MARKER_FILTER_PID] = current->tgid;
	contexts[MARKER_FILTER_CPU] = raw_smp_processor_id();
	contexts[MARKER_FILTER_FLAGS] = marker_context_flags();
	contexts[MARKER_FILTER_PROCNAME] = (uintptr_t)current->comm;
	contexts[MARKER_FILTER_LATENCY] = latency;
	if (unlikely(needs == MARKER_NEEDS_GROUP))
		contexts[MARKER_FILTER_CGROUP_ID] = marker_context_group();
}

/**
 * marker_passes_with_contexts() - run a filter that tests contexts
 * @test:	its first test, or the first that is left
 * @args:	the arguments of the hit
 * @latency:	nanoseconds, or -1: it is not known
 *
 * Context: Any, NMI too; in the dispatcher, preemption off.
 * Return: whether the hit passes.
 */
bool marker_passes_with_contexts(const struct marker_filter_test *test, const u64 *args,
				 s64 latency);

/**
 * passes_program() - run a filter
 * @test:	its first test, or the first that is left
 * @args:	the arguments of the hit
 * @latency:	nanoseconds, or -1: it is not known
 *
 * Reads memory behind pointers: a fault may lead to markers.
 *
 * Return: whether the hit passes.
 */
static __always_inline bool passes_program(const struct marker_filter_test *test,
					   const u64 *args, s64 latency)
{
	if (unlikely(test->contexts))
		return marker_passes_with_contexts(test, args, latency);
	return marker_filter_passes(test, args, NULL);
}

/**
 * passes_filter() - does a hit pass the filter of a take?
 * @filter:	the filter, or NULL
 * @args:	the arguments of the hit
 *
 * Integers first: that calls nothing.
 *
 * Return: whether the hit passes.
 */
static __always_inline bool passes_filter(const struct marker_event_filter *filter,
					  const u64 *args)
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

/**
 * passes_action() - does a hit pass the filter of an action?
 * @action:	the action
 * @args:	the arguments of the hit
 * @latency:	nanoseconds, or -1: it is not known, and no filter for it passes
 *
 * Return: whether the hit passes.
 */
static __always_inline bool passes_action(const struct marker_action *action, const u64 *args,
					  s64 latency)
{
	const struct marker_event_filter *filter = action->filter;

	if (!filter)
		return true;
	return !(filter->program.latency && latency < 0) &&
	       passes_program(&filter->program.cell[0].test, args, latency);
}

#endif /* _MARKERS_PASSES_H */
