// SPDX-License-Identifier: GPL-2.0
/*
 * How long a loop takes, by the time stamp counter: on this CPU, or on all of them.
 */
#include <linux/irqflags.h>
#include <linux/smp.h>
#include <linux/timex.h>

#include "bench.h"

u64 bench_time(void (*loop)(unsigned long n), unsigned long n)
{
	unsigned long flags;
	u64 from, to;

	local_irq_save(flags);
	from = get_cycles();
	loop(n);
	to = get_cycles();
	local_irq_restore(flags);
	return to - from;
}

static void (*all_loop)(unsigned long n);	/* bench_mutex of main.c */
static unsigned long all_n;

static void all_run(void *unused)
{
	all_loop(all_n);
}

u64 bench_time_all(void (*loop)(unsigned long n), unsigned long n)
{
	u64 from;

	all_loop = loop;
	all_n = n;
	from = get_cycles();
	on_each_cpu(all_run, NULL, 1);
	return get_cycles() - from;
}
