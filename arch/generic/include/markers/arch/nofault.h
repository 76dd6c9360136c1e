/* SPDX-License-Identifier: GPL-2.0 */
/* The addresses that a fault-safe read may be tried on, see <markers/compat/nofault.h>. */
#ifndef _MARKERS_ARCH_GENERIC_NOFAULT_H
#define _MARKERS_ARCH_GENERIC_NOFAULT_H

#if defined(CONFIG_X86_64)

#include <arch/x86/include/markers/arch/nofault.h>

#elif defined(CONFIG_ARM64)

#include <arch/arm64/include/markers/arch/nofault.h>

#else

#include <linux/mm.h>

/**
 * marker_nofault_may_read() - may a read of this address be tried?
 * @from:	the address
 *
 * Context: Any, NMI too.
 * Return: false if a read must not even be tried.
 */
static __always_inline bool marker_nofault_may_read(const void *from)
{
	return (unsigned long)from >= TASK_SIZE_MAX;
}

#endif

#endif /* _MARKERS_ARCH_GENERIC_NOFAULT_H */
