/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The CPU steps through some code one instruction at a time, and after the n-th one comes an
 * interrupt: step_hook().  A test does that for some n, or with UNIT_STEPS in the environment
 * for all of them, which takes long:
 *
 *	steps_begin(hook);
 *	for_each_point(points) {
 *		point_begin(&points);
 *		single_step(true);
 *		...
 *		single_step(false);
 *		point_end(&points, 150);
 *	}
 *	steps_end();
 *
 * Neither under ThreadSanitizer nor on other CPUs than x86.
 */
#ifndef _UNIT_SINGLE_STEP_H
#define _UNIT_SINGLE_STEP_H

#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#include "kernel.h"

static long steps, step_at;
static void (*step_hook)(void);

static void on_trap(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	if (++steps != step_at)
		return;
	step_hook();
	/* and no more steps */
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~0x100;
}

/* The handler runs at full speed, and returns to a single step. */
static __always_inline void single_step(bool on)
{
	if (on)
		__asm__ __volatile__("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp"
				     : : : "memory", "cc");
	else
		__asm__ __volatile__("lea -128(%%rsp), %%rsp; pushfq; andq $~0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp"
				     : : : "memory", "cc");
}

/**
 * struct points - where an operation is interrupted, one after another
 * @at:		after which instruction; 0: after none, it is only counted
 * @total:	instructions of the operation
 * @stride:	to the next point
 * @nr:		points so far, without the one after none
 */
struct points {
	long at;
	long total;
	long stride;
	long nr;
};

#define for_each_point(points)						\
	for (; (points).at <= (points).total; (points).nr += !!(points).at,	\
						(points).at += (points).stride)

static inline void point_begin(const struct points *points)
{
	steps = 0;
	step_at = points->at;
}

/* @nr: about so many points; 0: after each instruction. */
static inline void point_end(struct points *points, long nr)
{
	if (points->at)
		return;
	points->total = steps;
	points->stride = nr && !getenv("UNIT_STEPS") ? steps / (nr + 1) + 1 : 1;
}

/* Has the interrupt come?  An operation is not as long each time. */
static inline bool was_interrupted(const struct points *points)
{
	return points->at && steps >= points->at;
}

/* The other CPUs are left out: a test makes thousands of rings or maps. */
static inline void leave_cpus_out(bool out)
{
	int cpu;

	for (cpu = 1; cpu < NR_CPUS; cpu++)
		unit_cpu_offline[cpu] = out;
}

static inline void steps_begin(void (*hook)(void))
{
	const struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	step_hook = hook;
	sigaction(SIGTRAP, &action, NULL);
}

static inline void steps_end(void)
{
	signal(SIGTRAP, SIG_DFL);
}

#endif /* _UNIT_SINGLE_STEP_H */
