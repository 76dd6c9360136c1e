/* SPDX-License-Identifier: GPL-2.0 */
/* marker_va_list(): the arguments of a marker for probes, see the architecture's. */
#ifndef _MARKERS_VALIST_H
#define _MARKERS_VALIST_H

#if defined(CONFIG_X86_64)
#include "../arch/x86/valist.h"
#else
#include "../arch/generic/valist.h"
#endif

#endif /* _MARKERS_VALIST_H */
