/* SPDX-License-Identifier: GPL-2.0 */
/* Linux 5.14 has <linux/panic_notifier.h>; before that, the list is in <linux/kernel.h>. */
#ifndef _MARKERS_COMPAT_PANIC_NOTIFIER_H
#define _MARKERS_COMPAT_PANIC_NOTIFIER_H

#include <linux/version.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 14, 0)
#include <linux/panic_notifier.h>
#else
#include <linux/kernel.h>
#endif

#endif /* _MARKERS_COMPAT_PANIC_NOTIFIER_H */
