/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Variables that a kernel with CONFIG_INIT_STACK_ALL_ZERO need not clear, since the code
 * writes what it reads of them.
 */
#ifndef _MARKERS_COMPAT_UNINITIALIZED_H
#define _MARKERS_COMPAT_UNINITIALIZED_H

/* GCC has it since 12, together with the option that needs it. */
#if __has_attribute(uninitialized)
#define __marker_uninitialized	__attribute__((uninitialized))
#else
#define __marker_uninitialized
#endif

#endif /* _MARKERS_COMPAT_UNINITIALIZED_H */
