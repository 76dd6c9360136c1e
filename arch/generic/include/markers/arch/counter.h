/* SPDX-License-Identifier: GPL-2.0 */
/* The CPU's counter as a clock, where an architecture's own header knows one. */
#ifndef _MARKERS_ARCH_GENERIC_COUNTER_H
#define _MARKERS_ARCH_GENERIC_COUNTER_H

#if defined(CONFIG_X86_64)

#include <arch/x86/include/markers/arch/counter.h>

#elif defined(CONFIG_ARM64)

#include <arch/arm64/include/markers/arch/counter.h>

#else

#include <linux/types.h>

#define COUNTER_NAME		"cycles"
#define COUNTER_DESCRIPTION	"counter of the CPU"

/**
 * counter_is_trusted() - is it fit to be the default clock?
 *
 * Context: Any.
 * Return: false: nothing is known of it.
 */
static inline bool counter_is_trusted(void)
{
	return false;
}

/**
 * counter_frequency() - how fast it counts
 *
 * Context: Any.
 * Return: 0: it cannot be used.
 */
static inline u64 counter_frequency(void)
{
	return 0;
}

#endif

#endif /* _MARKERS_ARCH_GENERIC_COUNTER_H */
