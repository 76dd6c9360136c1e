/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Up to Linux 5.14, printk() in an NMI writes to a buffer of the CPU, and drops what does not
 * fit: 93d102f094be.
 */
#ifndef _MARKERS_COMPAT_PRINTK_NMI_H
#define _MARKERS_COMPAT_PRINTK_NMI_H

#include <linux/limits.h>
#include <linux/preempt.h>
#include <linux/version.h>

/**
 * marker_printk_room() - how much can be printed here before anything is dropped
 *
 * panic() empties the buffer before it calls its notifiers, but not with
 * crash_kexec_post_notifiers.  So three eighths of it, 3 KiB, are left for what panic() prints.
 *
 * Context: Any, NMI too.
 * Return: bytes, with the 3 that printk() adds to a line; U32_MAX: there is no such limit.
 */
static inline u32 marker_printk_room(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 15, 0) && defined(CONFIG_PRINTK_SAFE_LOG_BUF_SHIFT)
	if (in_nmi())
		return (1 << CONFIG_PRINTK_SAFE_LOG_BUF_SHIFT) / 8 * 5;
#endif
	return U32_MAX;
}

#endif /* _MARKERS_COMPAT_PRINTK_NMI_H */
