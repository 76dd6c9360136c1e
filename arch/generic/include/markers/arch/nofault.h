/* SPDX-License-Identifier: GPL-2.0 */
/* The addresses that a fault-safe read may be tried on, see <markers/compat/nofault.h>. */
#ifndef _MARKERS_ARCH_GENERIC_NOFAULT_H
#define _MARKERS_ARCH_GENERIC_NOFAULT_H

#if defined(CONFIG_X86_64)

#include <arch/x86/include/markers/arch/nofault.h>

#else

#include <linux/mm.h>

/**
 * marker_nofault_may_read() - may a read of this address be tried?
 * @from:	the address
 *
 * On arm64 the bits above 55 may be a tag, in user space and kernel pointers alike.
 *
 * Context: Any, NMI too.
 * Return: false if a read must not even be tried.
 */
static __always_inline bool marker_nofault_may_read(const void *from)
{
#ifdef CONFIG_ARM64
	return (unsigned long)from & BIT(55);
#else
	return (unsigned long)from >= TASK_SIZE_MAX;
#endif
}

#endif

#endif /* _MARKERS_ARCH_GENERIC_NOFAULT_H */
