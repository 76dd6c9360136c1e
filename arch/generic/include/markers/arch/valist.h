/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An array of arguments as a va_list, by the calling convention of the
 * compiler's target.  What is not known here does not compile.
 */
#ifndef _MARKERS_ARCH_GENERIC_VALIST_H
#define _MARKERS_ARCH_GENERIC_VALIST_H

#if defined(__x86_64__)
#include <arch/x86/include/markers/arch/valist.h>
#elif defined(__aarch64__)
#include <arch/arm64/include/markers/arch/valist.h>
#else
#error "tell how a va_list looks on this architecture"
#endif

#endif /* _MARKERS_ARCH_GENERIC_VALIST_H */
