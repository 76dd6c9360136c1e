// SPDX-License-Identifier: GPL-2.0
/*
 * bench_size_*: a hundred functions, each with nothing, a marker, a tracepoint
 * or an event of ftrace in it.  The benchmark compares their sections, and the
 * memory that loading them takes.
 */
#include <linux/module.h>

#include "bench.h"

#if defined(BENCH_SIZE_MARKER)

#include <markers/marker.h>

#define DEFINE(nr)
#define WHAT(nr, a, b)	trace_mark(size_##nr, "number %d big %lu", a, b)

#elif defined(BENCH_SIZE_TRACEPOINT)

#include <linux/tracepoint.h>

#define DEFINE(nr)							\
DECLARE_TRACE(bench_size_##nr, TP_PROTO(int a, unsigned long b), TP_ARGS(a, b)); \
DEFINE_TRACE(bench_size_##nr, TP_PROTO(int a, unsigned long b), TP_ARGS(a, b));
#define WHAT(nr, a, b)	trace_bench_size_##nr(a, b)

#elif defined(BENCH_SIZE_EVENT)

#define CREATE_TRACE_POINTS
#include "size_trace.h"

#define DEFINE(nr)
#define WHAT(nr, a, b)	trace_bench_size_##nr(a, b)

#else

#define DEFINE(nr)
#define WHAT(nr, a, b)	({ })

#endif

#define FUNCTION(nr)							\
DEFINE(nr)								\
noinline void bench_size_function_##nr(int a, unsigned long b);		\
noinline void bench_size_function_##nr(int a, unsigned long b)		\
{									\
	WHAT(nr, a, b);							\
}

BENCH_NR_100(FUNCTION, a)

static int __init bench_size_init(void)
{
	return 0;
}
module_init(bench_size_init);

static void __exit bench_size_exit(void)
{
}
module_exit(bench_size_exit);

MODULE_DESCRIPTION("Benchmark of markers: bytes of a marker");
MODULE_LICENSE("GPL");
