/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations of local_t: the kernel's are those of atomic_long_t, fully ordered, for any CPU.
 * A local_t is changed by one CPU, and its interrupts, which are ordered by the program: the
 * relaxed forms do, between two barriers for the compiler.  What other CPUs see of it is
 * ordered by what publishes it, see the RB(...) pairs of ring_internal.h.
 */
#ifndef _MARKERS_ARCH_LOCAL_H
#define _MARKERS_ARCH_LOCAL_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <asm/local.h>

#undef local_cmpxchg
#define local_cmpxchg		marker_local_cmpxchg
#undef local_try_cmpxchg
#define local_try_cmpxchg	marker_local_try_cmpxchg
#undef local_add_negative
#define local_add_negative	marker_local_add_negative

/**
 * marker_local_cmpxchg() - local_cmpxchg()
 * @local:	a word of this CPU
 * @old:	what it has to be
 * @new:	what it becomes then
 *
 * Context: Any, NMI too; preemption off.
 * Return: what it was.
 */
static __always_inline long marker_local_cmpxchg(local_t *local, long old, long new)
{
	long seen;

	barrier();
	seen = atomic_long_cmpxchg_relaxed(&local->a, old, new);
	barrier();
	return seen;
}

/**
 * marker_local_try_cmpxchg() - local_try_cmpxchg()
 * @local:	a word of this CPU
 * @old:	what it has to be; if it is not, what it is
 * @new:	what it becomes
 *
 * Context: Any, NMI too; preemption off.
 * Return: true if it was @old.
 */
static __always_inline bool marker_local_try_cmpxchg(local_t *local, long *old, long new)
{
	const long seen = marker_local_cmpxchg(local, *old, new);
	const bool done = seen == *old;

	*old = seen;
	return done;
}

/**
 * marker_local_add_negative() - local_add_negative()
 * @n:		what is added
 * @local:	a word of this CPU
 *
 * Context: Any, NMI too; preemption off.
 * Return: true if the sum is negative.
 */
static __always_inline bool marker_local_add_negative(long n, local_t *local)
{
	long sum;

	barrier();
	sum = atomic_long_add_return_relaxed(n, &local->a);
	barrier();
	return sum < 0;
}

#endif /* _MARKERS_ARCH_LOCAL_H */
