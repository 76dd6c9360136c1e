/* SPDX-License-Identifier: GPL-2.0 */
/* The CPU's counter as a clock: on x86 the time stamp counter. */
#ifndef _MARKERS_ARCH_COUNTER_H
#define _MARKERS_ARCH_COUNTER_H

#include <linux/types.h>

#define COUNTER_NAME		"tsc"
#define COUNTER_DESCRIPTION	"time stamp counter of the CPU"

#ifdef CONFIG_X86_TSC
#include <asm/cpufeature.h>
#include <asm/tsc.h>
#endif

/**
 * counter_is_trusted() - is it fit to be the default clock?
 *
 * Context: Any.
 * Return: true if it runs at one rate, and does so in idle states.
 */
static inline bool counter_is_trusted(void)
{
#ifdef CONFIG_X86_TSC
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) &&
	       boot_cpu_has(X86_FEATURE_NONSTOP_TSC);
#else
	return false;
#endif
}

/**
 * counter_frequency() - how fast it counts
 *
 * Context: Any.
 * Return: ticks per second, or 0 if the kernel found it unstable.
 */
static inline u64 counter_frequency(void)
{
#ifdef CONFIG_X86_TSC
	return check_tsc_unstable() ? 0 : (u64)tsc_khz * 1000;
#else
	return 0;
#endif
}

#endif /* _MARKERS_ARCH_COUNTER_H */
