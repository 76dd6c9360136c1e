/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Force-included before base.h: libc has an __always_inline of its own, which
 * base.h is about to define as the kernel does.
 */
#include <sys/cdefs.h>
#undef __always_inline
