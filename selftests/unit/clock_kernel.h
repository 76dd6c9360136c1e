/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <asm/tsc.h> and <asm/cpufeature.h> for clock_test.c: a TSC whose state the test sets.
 */
#ifndef _CLOCK_KERNEL_H
#define _CLOCK_KERNEL_H

#define X86_FEATURE_CONSTANT_TSC	0
#define X86_FEATURE_NONSTOP_TSC		1

extern unsigned int tsc_khz;
extern bool tsc_unstable;

static inline int check_tsc_unstable(void)
{
	return tsc_unstable;
}

static inline bool boot_cpu_has(int feature)
{
	return feature == X86_FEATURE_CONSTANT_TSC || feature == X86_FEATURE_NONSTOP_TSC;
}

#endif /* _CLOCK_KERNEL_H */
