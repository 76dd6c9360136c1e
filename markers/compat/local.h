/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Linux 6.12 has local_try_cmpxchg(), 6.1 has not: there is local_cmpxchg(), whose result
 * has to be compared once more.  On x86 both are made of one macro, which has the CPU's
 * flag.  What is between does with this, too.
 *
 * User space builds bring their own (selftests/unit/kernel.h).
 */
#ifndef _MARKERS_COMPAT_LOCAL_H
#define _MARKERS_COMPAT_LOCAL_H

#include <linux/version.h>
#include <asm/local.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#undef local_try_cmpxchg
#define local_try_cmpxchg	marker_local_try_cmpxchg

#ifdef CONFIG_X86_64
#include <linux/instrumented.h>
#include <asm/cmpxchg.h>

static __always_inline bool marker_local_try_cmpxchg(local_t *local, long *old,
						     long new)
{
	s64 *at = &local->a.counter;

	instrument_atomic_read_write(at, sizeof(*at));
	return __raw_try_cmpxchg(at, old, new, sizeof(*at), "");
}
#else
static __always_inline bool marker_local_try_cmpxchg(local_t *local, long *old,
						     long new)
{
	const long seen = local_cmpxchg(local, *old, new);
	const bool done = seen == *old;

	*old = seen;
	return done;
}
#endif
#endif

#endif /* _MARKERS_COMPAT_LOCAL_H */
