/* SPDX-License-Identifier: GPL-2.0 */
/* The addresses that a fault-safe read may be tried on, see <markers/compat/nofault.h>. */
#ifndef _MARKERS_ARCH_NOFAULT_H
#define _MARKERS_ARCH_NOFAULT_H

#include <linux/mm.h>
#include <asm/vsyscall.h>

/**
 * marker_nofault_may_read() - may a read of this address be tried?
 * @from:	the address
 *
 * Two comparisons exclude all below the direct mapping (user space, and the
 * non-canonical hole: a read there is fixed up, but warns about it) and all from the
 * vsyscall page up (user memory, and error pointers).  A string that starts below that
 * page and runs up to it meets a page that is not mapped.
 *
 * Context: Any, NMI too.
 * Return: false if a read must not even be tried.
 */
static __always_inline bool marker_nofault_may_read(const void *from)
{
	return (unsigned long)from >= PAGE_OFFSET &&
	       (unsigned long)from < VSYSCALL_ADDR;
}

#endif /* _MARKERS_ARCH_NOFAULT_H */
