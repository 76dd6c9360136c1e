/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/stdarg.h>: v5.15, c0891ac15f04; before that, the compiler's own. */
#ifndef _MARKERS_COMPAT_STDARG_H
#define _MARKERS_COMPAT_STDARG_H

/* sparse 0.6.4 cannot even parse __has_include(), so it must not see it. */
#ifdef __CHECKER__
#include <linux/version.h>
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 15, 0)
#include <stdarg.h>
#else
#include <linux/stdarg.h>
#endif
#elif __has_include(<linux/stdarg.h>)
#include <linux/stdarg.h>
#else
#include <stdarg.h>
#endif

#endif /* _MARKERS_COMPAT_STDARG_H */
