/* SPDX-License-Identifier: GPL-2.0 */
/* The CPU's counter as a clock: on arm64 the virtual counter of the generic timer. */
#ifndef _MARKERS_ARCH_COUNTER_H
#define _MARKERS_ARCH_COUNTER_H

#include <linux/timex.h>
#include <linux/types.h>
#include <asm/arch_timer.h>
#include <asm/sysreg.h>

#define COUNTER_NAME		"cntvct"
#define COUNTER_DESCRIPTION	"virtual counter of the CPU"

/*
 * The kernel's get_cycles() is a call through a pointer, of a function with an ISB.  Without
 * the ISB a CPU may read the counter before it executes what comes earlier in the program, by
 * as much as it speculates.  What is between an interrupt and its return is read between them.
 */
#undef get_cycles
#define get_cycles()		((cycles_t)read_sysreg(cntvct_el0))

/**
 * counter_is_trusted() - is it fit to be the default clock?
 *
 * It runs at one rate for all CPUs, in idle states too.  But some CPUs read it wrongly now and
 * then, and the kernel reads theirs in another way, which is not inline.
 *
 * Context: Any.
 * Return: true if no CPU is known to do so.
 */
static inline bool counter_is_trusted(void)
{
#ifdef CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND
	int cpu;

	for_each_possible_cpu(cpu) {
		if (per_cpu(timer_unstable_counter_workaround, cpu))
			return false;
	}
#endif
	return true;
}

/**
 * counter_frequency() - how fast it counts
 *
 * The register has what firmware wrote there.
 *
 * Context: Any.
 * Return: ticks per second, or 0 if firmware wrote nothing, or the counter is not trusted.
 */
static inline u64 counter_frequency(void)
{
	return counter_is_trusted() ? read_sysreg(cntfrq_el0) : 0;
}

#endif /* _MARKERS_ARCH_COUNTER_H */
