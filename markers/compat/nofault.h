/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading kernel memory that may not be there, in any context.
 *
 * copy_from_kernel_nofault() would do, but it is a call, a loop and two writes
 * to the task for each string; the macro below it, __get_kernel_nofault(), is
 * one load with an entry in the exception table.  Linux 5.8 brought it for x86,
 * 5.11 for arm64.  (In 7.x, architectures define arch_get_kernel_nofault() and
 * <linux/uaccess.h> makes __get_kernel_nofault() of it.)
 *
 * The macro alone is not safe.  What copy_from_kernel_nofault() also does must
 * be done here, once for each pointer: marker_nofault_may_read().  A fault on a kernel
 * address is fixed up without sleeping, in NMI too; a fault on a user address
 * is not, since user memory might be read in, or SMAP makes it an oops.
 *
 * User space builds bring their own (selftests/unit/nofault.h, same guard).
 */
#ifndef _MARKERS_COMPAT_NOFAULT_H
#define _MARKERS_COMPAT_NOFAULT_H

#include <linux/mm.h>
#include <linux/uaccess.h>

#ifdef CONFIG_X86_64
#include <asm/vsyscall.h>
#endif

/**
 * marker_nofault_may_read() - is this an address that a read may be tried on?
 * @from:	the address
 *
 * On x86-64 two comparisons leave out what is below the direct mapping (user
 * space, and the non-canonical hole: a read there is fixed up, but warns about
 * it) and all from the vsyscall page up (user memory, and error pointers).  A
 * string that starts below and runs up to there meets a page that is not
 * mapped.  On arm64 the bits above 55 may
 * be a tag, in user space and kernel pointers alike.
 *
 * Return: false if reading there must not even be tried.
 */
static __always_inline bool marker_nofault_may_read(const void *from)
{
#ifdef CONFIG_X86_64
	return (unsigned long)from >= PAGE_OFFSET &&
	       (unsigned long)from < VSYSCALL_ADDR;
#elif defined(CONFIG_ARM64)
	return (unsigned long)from & BIT(55);
#else
	return (unsigned long)from >= TASK_SIZE_MAX;
#endif
}

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
