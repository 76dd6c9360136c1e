// SPDX-License-Identifier: GPL-2.0
/*
 * Tracepoints, bare and as events of ftrace, and trace_printk().
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/timex.h>
#include <linux/tracepoint.h>

#include "bench.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

BENCH_LOOP(loop_tracepoint, trace_bench_bare((int)n, (u64)n, BENCH_TEXT))
BENCH_LOOP(loop_ftrace_none, trace_bench_none((int)n))
BENCH_LOOP(loop_ftrace_fixed, trace_bench_fixed((int)n, (u64)n))
BENCH_LOOP(loop_ftrace_event, trace_bench_event((int)n, (u64)n, BENCH_TEXT))
BENCH_DEEP(loop_ftrace_event)
BENCH_LOOP(loop_ftrace_hist, trace_bench_event((int)n & 63, (u64)n, BENCH_TEXT))

/* The macro for more than debugging. */
BENCH_LOOP(loop_trace_printk,
	   do_trace_printk("number %d big %llu text %s\n", (int)n, (u64)n,
			   BENCH_TEXT))

/* The same as leaf_marker() in ours.c. */
static noinline notrace int leaf_tracepoint(const int *from, int value)
{
	int i;

	for (i = 0; i < 8; i++) {
		value = 31 * value + from[i];
		trace_bench_leaf(value);
	}
	return value;
}

BENCH_LOOP(loop_leaf_tracepoint,
	   bench_sum = leaf_tracepoint(bench_numbers, n))

static void empty_probe(void *private, int number, u64 big, const char *text)
{
}

static int private[2];

static int begin_probe(void)
{
	return register_trace_bench_bare(empty_probe, &private[0]);
}

static int end_probe(void)
{
	int err;

	err = unregister_trace_bench_bare(empty_probe, &private[0]);
	tracepoint_synchronize_unregister();
	return err;
}

static int begin_probe2(void)
{
	int err;

	err = begin_probe();
	if (err)
		return err;
	err = register_trace_bench_bare(empty_probe, &private[1]);
	if (err)
		end_probe();
	return err;
}

static int end_probe2(void)
{
	int err;

	err = unregister_trace_bench_bare(empty_probe, &private[1]);
	return end_probe() ?: err;
}

/* Registers the first probe, long after the last one went. */
static u64 time_register(unsigned long n)
{
	u64 from, ticks = 0;

	while (n--) {
		from = get_cycles();
		begin_probe();
		ticks += get_cycles() - from;
		end_probe();
	}
	return ticks;
}

static u64 time_unregister(unsigned long n)
{
	u64 from, ticks = 0;

	while (n--) {
		begin_probe();
		from = get_cycles();
		unregister_trace_bench_bare(empty_probe, &private[0]);
		ticks += get_cycles() - from;
		tracepoint_synchronize_unregister();
	}
	return ticks;
}

static u64 time_ftrace_event_all(unsigned long n)
{
	return bench_time_all(loop_ftrace_event, n);
}

const struct bench_op bench_peers_ops[] = {
	{ "tracepoint", loop_tracepoint },
	{ "leaf_tracepoint", loop_leaf_tracepoint },
	{ "ftrace_none", loop_ftrace_none },
	{ "ftrace_fixed", loop_ftrace_fixed },
	{ "ftrace_event", loop_ftrace_event },
	{ "ftrace_hist", loop_ftrace_hist },
	{ "ftrace_event_stack", loop_ftrace_event_deep },
	{ "ftrace_event_all", NULL, time_ftrace_event_all },
	{ "trace_printk", loop_trace_printk },
	{ "tracepoint_probe", loop_tracepoint, NULL, begin_probe, end_probe },
	{ "tracepoint_probe2", loop_tracepoint, NULL, begin_probe2, end_probe2 },
	{ "tracepoint_register", NULL, time_register },
	{ "tracepoint_unregister", NULL, time_unregister },
	{ }
};
