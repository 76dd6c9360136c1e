/* SPDX-License-Identifier: GPL-2.0 */
/* Per-CPU data, preempt_count() and interrupts: the kernel's macros do. */
#include <arch/generic/include/markers/arch/percpu.h>
