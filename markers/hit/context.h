/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the contexts of a hit as bytes, see format/context.h: the usual set inline, any other
 * by a function.
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

#include <markers/arch/percpu.h>
#include <markers/format/context.h>
#include <markers/format/word.h>

#ifdef _TIF_NEED_RESCHED_LAZY
#define CONTEXT_RESCHED		(_TIF_NEED_RESCHED | _TIF_NEED_RESCHED_LAZY)
#else
#define CONTEXT_RESCHED		_TIF_NEED_RESCHED
#endif

/* With CONFIG_PREEMPT_RT, preempt_count() has no softirq bits. */
#ifdef CONFIG_PREEMPT_RT
#define CONTEXT_HAS_RT		true
#else
#define CONTEXT_HAS_RT		false
#endif

/*
 * The flag, if @is.  By a branch: the case is rare, and a conditional move needs one more
 * register, which all hits would have to save.
 */
static __always_inline void context_add_flag(u32 *flags, bool is, u32 flag)
{
	if (is) {
		*flags |= flag;
		barrier();
	}
}

/**
 * context_all_flags() - marker_context_flags() in all cases
 * @raw:	marker_preempt_raw() in the dispatcher
 *
 * Context: Any, NMI too; in the dispatcher.
 * Return: CTF_FLAG_*.
 */
static __always_inline u32 context_all_flags(u32 raw)
{
	const u32 count = (raw & ~MARKER_PREEMPT_QUIET) - IS_ENABLED(CONFIG_PREEMPT_COUNT);
	const unsigned long thread = READ_ONCE(current_thread_info()->flags);
#ifdef CONFIG_PREEMPT_RT
	const u32 softirqs = softirq_count();
#else
	const u32 softirqs = count;
#endif
	u32 flags = (count & PREEMPT_MASK) | (softirqs & SOFTIRQ_OFFSET);

	context_add_flag(&flags, !marker_irqs_on(), CTF_FLAG_IRQS_OFF);
	context_add_flag(&flags, count & HARDIRQ_MASK, CTF_FLAG_HARDIRQ);
	context_add_flag(&flags, count & NMI_MASK, CTF_FLAG_NMI);
	context_add_flag(&flags, softirqs & SOFTIRQ_MASK & ~SOFTIRQ_OFFSET, CTF_FLAG_BH_OFF);
	context_add_flag(&flags, thread & _TIF_NEED_RESCHED, CTF_FLAG_RESCHED);
	context_add_flag(&flags, thread & CONTEXT_RESCHED & ~_TIF_NEED_RESCHED,
			 CTF_FLAG_LAZY_RESCHED);
	context_add_flag(&flags, test_preempt_need_resched(), CTF_FLAG_PREEMPT_RESCHED);
	return flags;
}

/**
 * marker_context_flags() - the state of this CPU: CTF_FLAG_*
 *
 * Nearly always there is only a depth, a softirq, or interrupts that are off.  These have the
 * same bits in both, and one test finds out that there is nothing else.
 *
 * Context: Any, NMI too; in the dispatcher.
 * Return: as ftrace would say at the place that was hit.
 */
static __always_inline u32 marker_context_flags(void)
{
	const u32 raw = marker_preempt_raw();
	/* As if interrupts were off. */
	const u32 flags = raw - MARKER_PREEMPT_QUIET - IS_ENABLED(CONFIG_PREEMPT_COUNT) +
			  CTF_FLAG_IRQS_OFF;

	BUILD_BUG_ON(PREEMPT_MASK != CTF_FLAG_DEPTH || SOFTIRQ_OFFSET != CTF_FLAG_SOFTIRQ ||
		     CTF_FLAG_IRQS_OFF != 2 * SOFTIRQ_OFFSET ||
		     CTF_FLAG_IRQS_OFF != MARKER_IRQS_ON);
	/* With the next bit of softirqs set, the sum has a higher one. */
	if (CONTEXT_HAS_RT ||
	    unlikely(flags & ~(PREEMPT_MASK | SOFTIRQ_OFFSET | CTF_FLAG_IRQS_OFF)) ||
	    /*
	     * A CPU that wants to reschedule has a task with such a flag, except for an instant
	     * that only an NMI sees.  data_race(): to be an operand of the one instruction that
	     * needs it.
	     */
	    unlikely(data_race(current_thread_info()->flags) & CONTEXT_RESCHED))
		return context_all_flags(raw);
	return flags - marker_irqs_on();
}

/**
 * marker_context_group() - the group of this task in the unified hierarchy
 *
 * Context: as marker_context_flags().
 * Return: the inode number of its directory; 0: this kernel has no groups.
 */
u64 marker_context_group(void);

/**
 * context_put_task() - write the number of a task
 * @to:		room for CTF_TASK_SIZE bytes
 * @number:	of whatever namespace
 *
 * Context: Any.
 * Return: the first byte after it.
 */
static __always_inline u8 *context_put_task(u8 *to, s32 number)
{
	BUILD_BUG_ON(CTF_TASK_SIZE != 3);
	put16(to, number);
	to[2] = number >> 16;
	return to + CTF_TASK_SIZE;
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
 * Another task may be changing the name: then it is half the old and half the new one.
 *
 * Context: as marker_context_flags().
 */
static __always_inline void marker_context_write_usual(u8 *to)
{
	const struct task_struct *task = current;

	/* a byte too much, which the flags overwrite */
	put32(to, task->pid);
	put16(to + CTF_TASK_SIZE, marker_context_flags());
	context_put_procname(to + CTF_TASK_SIZE + 2, task);
}

/**
 * marker_context_write_any() - write the contexts of any set
 * @to:		room for marker_context_size() of its tag
 * @set:	the contexts
 *
 * A stack is last, and left empty: the caller may add to it.
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
