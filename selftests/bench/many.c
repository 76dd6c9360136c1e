// SPDX-License-Identifier: GPL-2.0
/*
 * bench_many: a thousand markers of one site each.  Ten copies under other names make
 * ten thousand.  Nothing runs the code.
 */
#include <linux/module.h>

#include <markers/marker.h>

#include "bench.h"

/* crowd_a000 to crowd_a999 */
#define MARKER(nr)	trace_mark(crowd_##nr, "number %d big %lu", a, b);
#define MARKERS(nr)							\
static noinline __used void crowd_##nr(int a, unsigned long b)		\
{									\
	BENCH_NR_10_AGAIN(MARKER, nr)					\
}

BENCH_NR_100(MARKERS, a)

static int __init bench_many_init(void)
{
	return 0;
}
module_init(bench_many_init);

static void __exit bench_many_exit(void)
{
}
module_exit(bench_many_exit);

MODULE_DESCRIPTION("Benchmark of markers: a thousand of them");
MODULE_LICENSE("GPL");
