// SPDX-License-Identifier: GPL-2.0
/*
 * Markers to measure.  The guest script enables some of them.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/timex.h>

#include <markers/marker.h>

#include "bench.h"

/* A probe that does nothing. */
static void empty_probe(void *probe_private, void *call_private,
			const char *fmt, va_list *args)
{
}

BENCH_LOOP(loop_off, trace_mark(off, "number %d", (int)n))
BENCH_LOOP(loop_branch_off, _trace_mark(branch_off, "number %d", (int)n))
BENCH_LOOP(loop_guard_off, trace_mark_guard(guard_off, "number %d", (int)n))

BENCH_LOOP(loop_none, trace_mark(none, MARK_NOARGS))
BENCH_LOOP(loop_fixed, trace_mark(fixed, "number %d big %llu", (int)n, (u64)n))
BENCH_LOOP(loop_event, trace_mark(event, "number %d big %llu text %s", (int)n,
				  (u64)n, BENCH_TEXT))
BENCH_DEEP(loop_event)
/* With a number that serves as the key of a hist. */
BENCH_LOOP(loop_hist, trace_mark(hist, "number %d big %llu text %s", (int)n & 63,
				 (u64)n, BENCH_TEXT))
BENCH_LOOP(loop_branch, _trace_mark(branch, "number %d big %llu text %s",
				    (int)n, (u64)n, BENCH_TEXT))
BENCH_LOOP(loop_guard, trace_mark_guard(guard, "number %d big %llu text %s",
					(int)n, (u64)n, BENCH_TEXT))

/* Other typical events of drivers: more text, more numbers, an address. */
static const u8 bench_mac[6] = { 0x02, 0x00, 0x5e, 0x10, 0x00, 0x01 };

BENCH_LOOP(loop_strings2, trace_mark(strings2, "number %d big %llu text %s more %s",
				     (int)n, (u64)n, BENCH_TEXT, "eth0"))
BENCH_LOOP(loop_string35, trace_mark(string35, "number %d text %s", (int)n,
				     "a string of just thirty-five bytes."))
BENCH_LOOP(loop_ints6, trace_mark(ints6, "number %d big %llu c %d d %d e %u f %llu",
				  (int)n, (u64)n, 3, 4, 5, 6ull))
BENCH_LOOP(loop_ints12, trace_mark(ints12,
				   "number %d big %llu c %d d %d e %u f %llu g %d h %d i %d j %d k %u l %llu",
				   (int)n, (u64)n, 3, 4, 5, 6ull, 7, 8, 9, 10, 11, 12ull))
BENCH_LOOP(loop_mac, trace_mark(mac, "number %d mac %pM", (int)n, bench_mac))

/*
 * A small function, called for each operation, with a marker or none in its loop of
 * eight passes: how does the marker affect the code around it?
 */
#define LEAF(fn, what)							\
static noinline notrace int fn(const int *from, int value)		\
{									\
	int i;								\
									\
	for (i = 0; i < 8; i++) {					\
		value = 31 * value + from[i];				\
		what;							\
	}								\
	return value;							\
}

LEAF(leaf_plain, ({ }))
LEAF(leaf_marker, trace_mark(leaf, "value %d", value))

int bench_numbers[8];
int bench_sum;

BENCH_LOOP(loop_leaf_plain, bench_sum = leaf_plain(bench_numbers, n))
BENCH_LOOP(loop_leaf_marker, bench_sum = leaf_marker(bench_numbers, n))

static int private[2];		/* for two registrations of empty_probe() */

static int connect(const char *name, void *probe_private)
{
	return marker_probe_register(name, NULL, empty_probe, probe_private);
}

static void disconnect(const char *name, void *probe_private)
{
	marker_probe_unregister(name, empty_probe, probe_private);
	marker_synchronize_unregister();
}

static int begin_event(void)
{
	return connect("event", &private[0]);
}

static int end_event(void)
{
	disconnect("event", &private[0]);
	return 0;
}

static int begin_event2(void)
{
	int err;

	err = begin_event();
	if (err)
		return err;
	err = connect("event", &private[1]);
	if (err)
		end_event();
	return err;
}

static int end_event2(void)
{
	disconnect("event", &private[1]);
	end_event();
	return 0;
}

static int begin_branch(void)
{
	return connect("branch", &private[0]);
}

static int end_branch(void)
{
	disconnect("branch", &private[0]);
	return 0;
}

static int begin_guard(void)
{
	return connect("guard", &private[0]);
}

static int end_guard(void)
{
	disconnect("guard", &private[0]);
	return 0;
}

/* Does not wait for RCU, which is not part of the measurement: the module's exit does. */
static void remove_probe(void)
{
	marker_probe_unregister("off", empty_probe, &private[0]);
}

/* From the first probe on, and to the last. */
static u64 time_register(unsigned long n)
{
	u64 from, ticks = 0;

	while (n--) {
		from = get_cycles();
		connect("off", &private[0]);
		ticks += get_cycles() - from;
		remove_probe();
	}
	return ticks;
}

static u64 time_unregister(unsigned long n)
{
	u64 from, ticks = 0;

	while (n--) {
		connect("off", &private[0]);
		from = get_cycles();
		remove_probe();
		ticks += get_cycles() - from;
	}
	return ticks;
}

static u64 time_event_all(unsigned long n)
{
	return bench_time_all(loop_event, n);
}

void bench_ours_exit(void)
{
	marker_synchronize_unregister();
}

const struct bench_op bench_ours_ops[] = {
	{ "off", loop_off },
	{ "branch_off", loop_branch_off },
	{ "guard_off", loop_guard_off },
	{ "leaf_plain", loop_leaf_plain },
	{ "leaf_marker", loop_leaf_marker },
	{ "none", loop_none },
	{ "fixed", loop_fixed },
	{ "event", loop_event },
	{ "hist", loop_hist },
	{ "event_stack", loop_event_deep },
	{ "strings2", loop_strings2 },
	{ "string35", loop_string35 },
	{ "ints6", loop_ints6 },
	{ "ints12", loop_ints12 },
	{ "mac", loop_mac },
	{ "branch", loop_branch },
	{ "guard", loop_guard },
	{ "probe", loop_event, NULL, begin_event, end_event },
	{ "probe2", loop_event, NULL, begin_event2, end_event2 },
	{ "branch_probe", loop_branch, NULL, begin_branch, end_branch },
	{ "guard_probe", loop_guard, NULL, begin_guard, end_guard },
	{ "event_all", NULL, time_event_all },
	{ "register", NULL, time_register },
	{ "unregister", NULL, time_unregister },
	{ }
};
