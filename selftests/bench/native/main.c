// SPDX-License-Identifier: GPL-2.0
/*
 * Measures loops on the CPU that this runs on, or has callgrind count them.
 *
 *	native time		a line for each: "ours|ust NAME NANOSECONDS MEDIAN"
 *	native count WHO NAME N	executes one of them N times, in a function loop_*()
 *	native list		"WHO NAME", for that
 *
 * Ours and the peer's take turns, 4096 at a time, so that what else goes on in the
 * machine concerns both; the least of all turns counts.  The time is that of the time
 * stamp counter, whose rate is measured against CLOCK_MONOTONIC_RAW.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#include "bench.h"

#define CHUNK		4096
#define ROUNDS		1000
#define MAX_OPS		32

#ifndef WITH_UST
const struct bench_op bench_ust[] = { { } };
#endif

static struct {
	const char *who;
	const struct bench_op *op;
	unsigned long ticks[ROUNDS];
} ops[MAX_OPS];

static int nr_ops;

static void add(const char *who, const struct bench_op *op)
{
	for (; op->name && nr_ops < MAX_OPS; op++, nr_ops++) {
		ops[nr_ops].who = who;
		ops[nr_ops].op = op;
	}
}

static unsigned long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static unsigned long now_ticks(void)
{
	unsigned long ticks;

	_mm_lfence();
	ticks = __rdtsc();
	_mm_lfence();
	return ticks;
}

static void run(const struct bench_op *op, long n)
{
	bench_ours_clock(op->mono);
	op->loop(n);
}

static int compare(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

static void measure(void)
{
	unsigned long ns = now_ns(), ticks = now_ticks();
	double ns_per_op;
	int round, i;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < nr_ops; i++) {
			unsigned long began;

			run(ops[i].op, CHUNK / 16);
			began = now_ticks();
			ops[i].op->loop(CHUNK);
			ops[i].ticks[round] = now_ticks() - began;
		}
	}
	ns_per_op = (double)(now_ns() - ns) / (now_ticks() - ticks) / CHUNK;
	for (i = 0; i < nr_ops; i++) {
		qsort(ops[i].ticks, ROUNDS, sizeof(ops[i].ticks[0]), compare);
		printf("%s %s %.2f %.2f\n", ops[i].who, ops[i].op->name,
		       ops[i].ticks[0] * ns_per_op, ops[i].ticks[ROUNDS / 2] * ns_per_op);
	}
}

/* Where it runs now, it stays. */
static void stay(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	int i;

	stay();
	bench_ours_begin();
	add("ours", bench_ours);
	add("ust", bench_ust);
	if (argc == 2 && !strcmp(argv[1], "time")) {
		measure();
	} else if (argc == 5 && !strcmp(argv[1], "count")) {
		for (i = 0; i < nr_ops; i++)
			if (!strcmp(ops[i].who, argv[2]) && !strcmp(ops[i].op->name, argv[3]))
				run(ops[i].op, atol(argv[4]));
	} else if (argc == 2 && !strcmp(argv[1], "list")) {
		for (i = 0; i < nr_ops; i++)
			printf("%s %s\n", ops[i].who, ops[i].op->name);
	} else {
		fprintf(stderr, "usage: native time | count WHO NAME N | list\n");
	}
	if (!bench_ours_end()) {
		fprintf(stderr, "native: not every event is in the buffer as it should be\n");
		return 1;
	}
	return 0;
}
