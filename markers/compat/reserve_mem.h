/* SPDX-License-Identifier: GPL-2.0 */
/* Linux 6.11 has reserve_mem= on the kernel's command line; before that, there is no such range. */
#ifndef _MARKERS_COMPAT_RESERVE_MEM_H
#define _MARKERS_COMPAT_RESERVE_MEM_H

#include <linux/mm.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
static inline int reserve_mem_find_by_name(const char *name, phys_addr_t *start,
					   phys_addr_t *size)
{
	return 0;
}
#endif

#endif /* _MARKERS_COMPAT_RESERVE_MEM_H */
