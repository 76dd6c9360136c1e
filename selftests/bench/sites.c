// SPDX-License-Identifier: GPL-2.0
/*
 * bench_sites: markers with many sites, and many markers, for the benchmark to
 * switch.  Nothing runs the code.
 */
#include <linux/module.h>

#include <markers/marker.h>

#include "bench.h"

static __always_inline void pass_100(void)
{
	trace_mark(sites_100, MARK_NOARGS);
}

static __always_inline void pass_1000(void)
{
	trace_mark(sites_1000, MARK_NOARGS);
}

static __always_inline void pass_10000(void)
{
	trace_mark(sites_10000, MARK_NOARGS);
}

static noinline __used void one(void)
{
	trace_mark(sites_1, MARK_NOARGS);
}

#include "copies.h"

/* many_a000 to many_a999: a thousand markers of one site each */
#define MARKER(nr)	trace_mark(many_##nr, MARK_NOARGS);
#define MARKERS(nr)							\
static noinline __used void many_##nr(void)				\
{									\
	BENCH_NR_10_AGAIN(MARKER, nr)					\
}

BENCH_NR_100(MARKERS, a)

static int __init bench_sites_init(void)
{
	return 0;
}
module_init(bench_sites_init);

static void __exit bench_sites_exit(void)
{
}
module_exit(bench_sites_exit);

MODULE_DESCRIPTION("Benchmark of markers: sites to be switched");
MODULE_LICENSE("GPL");
