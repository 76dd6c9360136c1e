/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel's macros of per-CPU data, of preempt_count() and of interrupts take an
 * instruction more for.  User space builds have no such data: they get what other architectures do.
 */
#ifndef _MARKERS_ARCH_PERCPU_H
#define _MARKERS_ARCH_PERCPU_H

#if defined(__KERNEL__) && defined(CONFIG_X86_64)
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/version.h>
#include <asm/processor-flags.h>

#ifndef __my_cpu_var		/* before v6.8 */
#define __my_cpu_var(variable)	(variable)
#endif

/**
 * marker_cpu_is_zero() - is a variable of this CPU zero?
 * @variable:	of 32 bits
 *
 * One instruction that compares, where raw_cpu_read() is a load, and a test follows.
 *
 * Context: Any, NMI too; preemption off.
 * Return: true if it is.
 */
#define marker_cpu_is_zero(variable)					\
({									\
	bool __zero;							\
									\
	asm volatile("cmpl $0, " __percpu_arg(1)			\
		     : "=@ccz" (__zero) : "m" (__my_cpu_var(variable)));	\
	__zero;								\
})

/*
 * Set in marker_preempt_raw() as long as the CPU does not want to reschedule.  From 7.3 on the
 * kernel has this in a word of its own, and no bit here.
 */
#define MARKER_PREEMPT_QUIET	((u32)PREEMPT_NEED_RESCHED)

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0) && \
	LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define __marker_preempt_count	pcpu_hot.preempt_count
#else
#define __marker_preempt_count	__preempt_count
#endif

/**
 * marker_preempt_raw() - preempt_count(), with MARKER_PREEMPT_QUIET still in it
 *
 * Context: Any, NMI too.
 * Return: the count; not zero where preemption is off.
 */
static __always_inline u32 marker_preempt_raw(void)
{
	return raw_cpu_read_4(__marker_preempt_count);
}

#define MARKER_IRQS_ON		X86_EFLAGS_IF

/**
 * marker_irqs_on() - are interrupts on?
 *
 * Context: Any, NMI too.
 * Return: MARKER_IRQS_ON, or 0.
 */
static __always_inline u32 marker_irqs_on(void)
{
	return arch_local_save_flags() & MARKER_IRQS_ON;
}
#else
#undef _MARKERS_ARCH_PERCPU_H
#include <arch/generic/include/markers/arch/percpu.h>
#endif

#endif /* _MARKERS_ARCH_PERCPU_H */
