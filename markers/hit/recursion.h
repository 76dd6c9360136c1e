/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which contexts of a CPU are inside the recorder, and leaving it.  Only dispatch*.c include this.
 *
 * A marker that is hit while this CPU is in the recorder already, in the same context
 * (task, softirq, interrupt, NMI), comes from a probe or from what the recorder
 * stumbled over.  It is counted and skipped, so that it cannot recurse.
 *
 * Context of all: any, NMI too; preemption off.
 */
#ifndef _MARKERS_RECURSION_H
#define _MARKERS_RECURSION_H

#include <linux/percpu.h>
#include <linux/preempt.h>

#include <markers/arch/percpu.h>

enum context {
	CONTEXT_TASK,
	CONTEXT_SOFTIRQ,
	CONTEXT_HARDIRQ,
	CONTEXT_NMI,
	NR_CONTEXTS
};

/**
 * struct recursion - which contexts are inside the recorder
 * @base:	0: no hit.  Else recursion_count() of the first one
 * @active:	the contexts that interrupted it
 * @skipped:	hits that would have recursed
 *
 * Each is set and cleared by one context in pairs, so an interrupt leaves it as it
 * found it.
 */
struct recursion {
	u32 base;
	bool active[NR_CONTEXTS];
	unsigned long skipped;
};

DECLARE_PER_CPU(struct recursion, marker_recursion);

/**
 * recursion_is_free() - is this CPU outside of the recorder, in all contexts?
 *
 * Return: true if it is.
 */
static __always_inline bool recursion_is_free(void)
{
	return likely(marker_cpu_is_zero(marker_recursion.base));
}

/* Bits of preempt_count() that tell the context, and never 0: preemption is off. */
static __always_inline u32 recursion_count(void)
{
#ifdef CONFIG_PREEMPT_COUNT
	return marker_preempt_raw();
#else
	return preempt_count() | BIT(31);
#endif
}

/**
 * recursion_enter() - this context is inside from here on; recursion_is_free() was true
 */
static __always_inline void recursion_enter(void)
{
	raw_cpu_write(marker_recursion.base, recursion_count());
	barrier();
}

/**
 * recursion_leave() - undo recursion_enter()
 */
static __always_inline void recursion_leave(void)
{
	barrier();
	raw_cpu_write(marker_recursion.base, 0);
}

/**
 * marker_run_deferred_reschedule() - run the reschedule that was deferred
 *
 * Context: Any, NMI too; preemption has just been enabled.
 */
void marker_run_deferred_reschedule(void);

/**
 * enable_preemption() - preempt_enable_notrace() with nothing but a jump in it
 *
 * So it needs no frame.
 */
static __always_inline void enable_preemption(void)
{
#ifdef CONFIG_PREEMPTION
	barrier();
	if (unlikely(__preempt_count_dec_and_test()))
		marker_run_deferred_reschedule();
#else
	preempt_enable_notrace();
#endif
}

/**
 * enable_preemption_again() - the same for a caller that will disable and enable it once more
 */
static __always_inline void enable_preemption_again(void)
{
#ifdef CONFIG_PREEMPTION
	barrier();
	__preempt_count_dec();
#else
	preempt_enable_notrace();
#endif
}

#endif /* _MARKERS_RECURSION_H */
