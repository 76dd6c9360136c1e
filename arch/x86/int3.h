/* SPDX-License-Identifier: GPL-2.0 */
/* The trap side of the patch protocol: see int3.c. */
#ifndef _MARKERS_ARCH_X86_INT3_H
#define _MARKERS_ARCH_X86_INT3_H

#include <linux/init.h>

int __init marker_int3_init(void);
void marker_int3_exit(void);

#endif /* _MARKERS_ARCH_X86_INT3_H */
