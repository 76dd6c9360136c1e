/* SPDX-License-Identifier: GPL-2.0 */
/* <linux/stdarg.h>: v5.15, c0891ac15f04; before that, the compiler's own. */
#ifndef _MARKERS_COMPAT_STDARG_H
#define _MARKERS_COMPAT_STDARG_H

/* sparse does not know __has_include() */
#if defined(__CHECKER__) || __has_include(<linux/stdarg.h>)
#include <linux/stdarg.h>
#else
#include <stdarg.h>
#endif

#endif /* _MARKERS_COMPAT_STDARG_H */
