/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations of local_t where the kernel's have more than is needed.  On x86 they have not; but
 * Linux before 6.12 lacks local_try_cmpxchg(): local_cmpxchg() is made of the same macro, which
 * has the CPU's flag.  What is between does with this, too.
 */
#ifndef _MARKERS_ARCH_LOCAL_H
#define _MARKERS_ARCH_LOCAL_H

#include <linux/version.h>
#include <asm/local.h>

#if defined(CONFIG_X86_64) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#include <linux/instrumented.h>
#include <asm/cmpxchg.h>

#undef local_try_cmpxchg
#define local_try_cmpxchg	marker_local_try_cmpxchg

/**
 * marker_local_try_cmpxchg() - local_try_cmpxchg()
 * @local:	a word of this CPU
 * @old:	what it has to be; if it is not, what it is
 * @new:	what it becomes
 *
 * Context: Any, NMI too; preemption off.
 * Return: true if it was @old.
 */
static __always_inline bool marker_local_try_cmpxchg(local_t *local, long *old,
						     long new)
{
	s64 *at = &local->a.counter;

	instrument_atomic_read_write(at, sizeof(*at));
	return __raw_try_cmpxchg(at, old, new, sizeof(*at), "");
}
#endif

#endif /* _MARKERS_ARCH_LOCAL_H */
