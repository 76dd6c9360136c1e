/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one gate to kernel headers for the pure files.
 *
 * format, serialize, print, metadata, packet and ring*.c get kernel headers only
 * through this one.  A user space build (selftests/unit) force-includes its own
 * base.h, which has the same guard, and compiles the same .c files.
 */
#ifndef _MARKERS_BASE_H
#define _MARKERS_BASE_H

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

/* For the ring and the clock: what a lockless buffer per CPU needs. */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/crc32.h>
#include <linux/gfp.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/poll.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/sort.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include <linux/wait.h>

#include <asm/local64.h>

/* some architectures have a get_cycles() of their own there */
#include <markers/arch/counter.h>

#include "compat/local.h"

#endif /* _MARKERS_BASE_H */
