/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Linux 6.12 has local_try_cmpxchg(), 6.1 has not: there is local_cmpxchg(), whose result
 * has to be compared once more.  An architecture may have a better one, in <markers/arch/local.h>,
 * as marker_local_try_cmpxchg().
 *
 * User space builds bring their own (selftests/unit/kernel.h).
 */
#ifndef _MARKERS_COMPAT_LOCAL_H
#define _MARKERS_COMPAT_LOCAL_H

#include <linux/version.h>
#include <asm/local.h>

#include <markers/arch/local.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0) && !defined(local_try_cmpxchg)
#define local_try_cmpxchg	marker_local_try_cmpxchg

static __always_inline bool marker_local_try_cmpxchg(local_t *local, long *old,
						     long new)
{
	const long seen = local_cmpxchg(local, *old, new);
	const bool done = seen == *old;

	*old = seen;
	return done;
}
#endif

#endif /* _MARKERS_COMPAT_LOCAL_H */
