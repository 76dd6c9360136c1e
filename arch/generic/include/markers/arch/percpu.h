/* SPDX-License-Identifier: GPL-2.0 */
/* Per-CPU data, preempt_count() and interrupts, as the kernel's macros have them. */
#ifndef _MARKERS_ARCH_PERCPU_H
#define _MARKERS_ARCH_PERCPU_H

#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

/* Without an instruction for it, the kernel's is a plain load, which a compiler may repeat. */
#if defined(__KERNEL__) && !defined(CONFIG_X86_64)
#undef raw_cpu_read
#define raw_cpu_read(variable)		READ_ONCE(*raw_cpu_ptr(&(variable)))
#endif

/**
 * marker_cpu_is_zero() - is a variable of this CPU zero?
 * @variable:	of 32 bits
 *
 * Context: Any, NMI too; preemption off.
 * Return: true if it is.
 */
#define marker_cpu_is_zero(variable)	(!raw_cpu_read(variable))

/* Set in marker_preempt_raw() where that is the kernel's way to say "do not reschedule": no bit. */
#define MARKER_PREEMPT_QUIET	0u

/**
 * marker_preempt_raw() - preempt_count(), with MARKER_PREEMPT_QUIET still in it
 *
 * Context: Any, NMI too.
 * Return: the count; not zero where preemption is off.
 */
static __always_inline u32 marker_preempt_raw(void)
{
	return preempt_count();
}

#define MARKER_IRQS_ON		0x200

/**
 * marker_irqs_on() - are interrupts on?
 *
 * Context: Any, NMI too.
 * Return: MARKER_IRQS_ON, or 0.
 */
static __always_inline u32 marker_irqs_on(void)
{
	return raw_irqs_disabled() ? 0 : MARKER_IRQS_ON;
}

#endif /* _MARKERS_ARCH_PERCPU_H */
