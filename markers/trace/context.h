/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the contexts of a hit as bytes, see format/context.h: the usual set inline, in
 * 32 to 43 instructions; any other by a function.
 *
 * The dispatcher has switched preemption off once more; the flags do not count that.
 */
#ifndef _MARKERS_TRACE_CONTEXT_H
#define _MARKERS_TRACE_CONTEXT_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/thread_info.h>

#include <markers/format/context.h>
#include <markers/format/quick.h>

#ifdef _TIF_NEED_RESCHED_LAZY
#define CONTEXT_RESCHED		(_TIF_NEED_RESCHED | _TIF_NEED_RESCHED_LAZY)
#else
#define CONTEXT_RESCHED		_TIF_NEED_RESCHED
#endif

/**
 * context_interrupt_flags() - the flags of interrupts, which are seldom set
 * @count:	preempt_count() at the hit
 * @softirqs:	the count of softirqs: the same, but with PREEMPT_RT
 *
 * Context: as marker_context_flags().
 * Return: CTF_FLAG_HARDIRQ, CTF_FLAG_NMI, CTF_FLAG_BH_OFF.
 */
static __always_inline u32 context_interrupt_flags(u32 count, u32 softirqs)
{
	u32 flags = 0;

	if (count & HARDIRQ_MASK)
		flags |= CTF_FLAG_HARDIRQ;
	if (count & NMI_MASK)
		flags |= CTF_FLAG_NMI;
	if (softirqs & SOFTIRQ_MASK & ~SOFTIRQ_OFFSET)
		flags |= CTF_FLAG_BH_OFF;
	return flags;
}

/**
 * context_resched_flags() - the flags of a reschedule that is due
 * @thread:	its flags
 * @by_cpu:	the CPU says so
 *
 * Context: as marker_context_flags().
 * Return: CTF_FLAG_RESCHED and the two others.
 */
static __always_inline u32 context_resched_flags(unsigned long thread, bool by_cpu)
{
	u32 flags = 0;

	if (thread & _TIF_NEED_RESCHED)
		flags |= CTF_FLAG_RESCHED;
	if (thread & CONTEXT_RESCHED & ~_TIF_NEED_RESCHED)
		flags |= CTF_FLAG_LAZY_RESCHED;
	if (by_cpu)
		flags |= CTF_FLAG_PREEMPT_RESCHED;
	return flags;
}

/**
 * marker_context_flags() - the state of this CPU: CTF_FLAG_*
 *
 * Context: Any, NMI too; in the dispatcher.
 * Return: as ftrace would say at the place that was hit.
 */
static __always_inline u32 marker_context_flags(void)
{
	const u32 count = preempt_count() - IS_ENABLED(CONFIG_PREEMPT_COUNT);
	const unsigned long thread = READ_ONCE(current_thread_info()->flags);
	const bool by_cpu = test_preempt_need_resched();
#ifdef CONFIG_PREEMPT_RT
	const u32 softirqs = softirq_count();
#else
	const u32 softirqs = count;
#endif
	u32 flags;

	BUILD_BUG_ON(PREEMPT_MASK != CTF_FLAG_DEPTH || SOFTIRQ_OFFSET != CTF_FLAG_SOFTIRQ);
	flags = (count & PREEMPT_MASK) | (softirqs & SOFTIRQ_OFFSET);
	if (raw_irqs_disabled())
		flags |= CTF_FLAG_IRQS_OFF;
	if (unlikely(count & (HARDIRQ_MASK | NMI_MASK)) ||
	    unlikely(softirqs & SOFTIRQ_MASK & ~SOFTIRQ_OFFSET))
		flags |= context_interrupt_flags(count, softirqs);
	if (unlikely(thread & CONTEXT_RESCHED) || unlikely(by_cpu))
		flags |= context_resched_flags(thread, by_cpu);
	return flags;
}

/**
 * context_put_procname() - write the name of a task, as two words that overlap
 * @to:		room for CTF_PROCNAME_SIZE bytes
 * @task:	this one
 *
 * Context: as marker_context_flags().
 */
static __always_inline void context_put_procname(u8 *to, const struct task_struct *task)
{
	const unsigned int rest = CTF_PROCNAME_SIZE - sizeof(u64);

	BUILD_BUG_ON(CTF_PROCNAME_SIZE + 1 != TASK_COMM_LEN);
	/* data_race(): another task may be changing it */
	put64(to, data_race(get64(task->comm)));
	/* data_race(): as above */
	put64(to + rest, data_race(get64(task->comm + rest)));
}

/**
 * marker_context_write_usual() - write the contexts of MARKER_CONTEXT_USUAL
 * @to:		room for MARKER_CONTEXT_USUAL_SIZE bytes
 *
 * The name is what it is at this moment: one that is being changed by another task may
 * be half the old and half the new one.
 *
 * Context: as marker_context_flags().
 */
static __always_inline void marker_context_write_usual(u8 *to)
{
	const struct task_struct *task = current;

	put32(to, task->pid);
	put16(to + 4, marker_context_flags());
	context_put_procname(to + 6, task);
}

/**
 * marker_context_write_any() - write the contexts of any set
 * @to:		room for marker_context_size() of its tag
 * @set:	the contexts
 *
 * Context: as marker_context_flags().
 * Return: the first byte after them.
 */
u8 *marker_context_write_any(u8 *to, u32 set);

/**
 * marker_context_write() - write the contexts of a tag
 * @to:		room for marker_context_size()
 * @tag:	MARKER_CONTEXT_TAG()
 *
 * Context: as marker_context_flags().
 * Return: the first byte after them.
 */
static __always_inline u8 *marker_context_write(u8 *to, u32 tag)
{
	if (likely(tag == MARKER_CONTEXT_USUAL)) {
		marker_context_write_usual(to);
		return to + MARKER_CONTEXT_USUAL_SIZE;
	}
	return tag ? marker_context_write_any(to, marker_context_set(tag)) : to;
}

#endif /* _MARKERS_TRACE_CONTEXT_H */
