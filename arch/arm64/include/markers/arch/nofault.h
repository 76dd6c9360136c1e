/* SPDX-License-Identifier: GPL-2.0 */
/* The addresses that a fault-safe read may be tried on, see <markers/compat/nofault.h>. */
#ifndef _MARKERS_ARCH_NOFAULT_H
#define _MARKERS_ARCH_NOFAULT_H

#include <linux/bits.h>
#include <linux/types.h>

/**
 * marker_nofault_may_read() - may a read of this address be tried?
 * @from:	the address
 *
 * Bit 55 says whose address it is.  The bits above may be a tag, in user space and kernel
 * pointers alike.
 *
 * Context: Any, NMI too.
 * Return: false if a read must not even be tried.
 */
static __always_inline bool marker_nofault_may_read(const void *from)
{
	return (unsigned long)from & BIT(55);
}

#endif /* _MARKERS_ARCH_NOFAULT_H */
