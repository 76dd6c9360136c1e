/* SPDX-License-Identifier: GPL-2.0 */
/* Operations of local_t: an architecture's own, or those of the kernel. */
#ifndef _MARKERS_ARCH_GENERIC_LOCAL_H
#define _MARKERS_ARCH_GENERIC_LOCAL_H

#if defined(CONFIG_X86_64)
#include <arch/x86/include/markers/arch/local.h>
#elif defined(CONFIG_ARM64)
#include <arch/arm64/include/markers/arch/local.h>
#endif

#endif /* _MARKERS_ARCH_GENERIC_LOCAL_H */
