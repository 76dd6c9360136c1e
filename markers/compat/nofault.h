/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading kernel memory that may not be mapped, in any context.
 *
 * copy_from_kernel_nofault() would do, but it is a call, a loop and two writes
 * to the task for each string; the macro below it, __get_kernel_nofault(), is
 * one load with an entry in the exception table.  Linux 5.8 brought it for x86,
 * 5.11 for arm64.  (In 7.x, architectures define arch_get_kernel_nofault() and
 * <linux/uaccess.h> makes __get_kernel_nofault() of it.)
 *
 * The macro alone is not safe.  copy_from_kernel_nofault() also checks the address, so
 * check each pointer once by the architecture's marker_nofault_may_read().  A fault on a
 * kernel address is fixed up without sleeping, in NMI too; a fault on a user address is
 * not: user memory might be read in, or SMAP makes it an oops.
 *
 * User space builds bring their own (selftests/unit/nofault.h, same guard).
 */
#ifndef _MARKERS_COMPAT_NOFAULT_H
#define _MARKERS_COMPAT_NOFAULT_H

#include <linux/uaccess.h>

#include <markers/arch/nofault.h>

/*
 * The reads.  @from passed marker_nofault_may_read(), or follows a byte that was read.
 * Context: Any, NMI too; preemption disabled.
 * Return: false after a fault.
 */
#ifdef __get_kernel_nofault
static __always_inline bool marker_nofault_read_word(u64 *to, const void *from)
{
	__get_kernel_nofault(to, from, u64, fault);
	return true;
fault:
	return false;
}

static __always_inline bool marker_nofault_read_byte(u8 *to, const void *from)
{
	__get_kernel_nofault(to, from, u8, fault);
	return true;
fault:
	return false;
}
#else
static __always_inline bool marker_nofault_read_word(u64 *to, const void *from)
{
	return !copy_from_kernel_nofault(to, from, sizeof(*to));
}

static __always_inline bool marker_nofault_read_byte(u8 *to, const void *from)
{
	return !copy_from_kernel_nofault(to, from, sizeof(*to));
}
#endif

#endif /* _MARKERS_COMPAT_NOFAULT_H */
