// SPDX-License-Identifier: GPL-2.0
/*
 * Measures loops on the CPU that this runs on, or has callgrind count them.
 *
 *	native time		a line for each: "ours|ust NAME NANOSECONDS MEDIAN"
 *	native scale		the same of our events on 1, 2 ... CPUs at once: "cpus N
 *				NANOSECONDS", the mean of all CPUs
 *	native count WHO NAME N	runs one of them N times, in a function loop_*()
 *	native list		a line "WHO NAME" for each
 *
 * Ours and the peer's take turns, 4096 events at a time, so that other load on the
 * machine affects both; the fastest turn counts.  The time is that of the time stamp
 * counter, whose rate the program measures against CLOCK_MONOTONIC_RAW.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "bench.h"

#define CHUNK		4096
#define ROUNDS		1000
#define MAX_OPS		32
#define MAX_CPUS	8

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

static void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static const struct bench_op *event_op;
static pthread_barrier_t start;
static unsigned long least_ticks[MAX_CPUS];

static void *write_on(void *arg)
{
	unsigned long *least = arg, began, took;
	int cpu = least - least_ticks, round;

	stay_on(cpu);
	bench_ours_cpu(cpu);
	bench_ours_clock(false);
	*least = -1;
	pthread_barrier_wait(&start);
	for (round = 0; round < ROUNDS; round++) {
		began = now_ticks();
		event_op->loop(CHUNK);
		took = now_ticks() - began;
		if (took < *least)
			*least = took;
	}
	return NULL;
}

/* @nr CPUs write at the same time. */
static void measure_cpus(int nr)
{
	unsigned long ns = now_ns(), ticks = now_ticks(), sum = 0;
	pthread_t threads[MAX_CPUS];
	int i;

	pthread_barrier_init(&start, NULL, nr);
	for (i = 0; i < nr; i++)
		if (pthread_create(&threads[i], NULL, write_on, &least_ticks[i]))
			abort();
	for (i = 0; i < nr; i++) {
		pthread_join(threads[i], NULL);
		sum += least_ticks[i];
	}
	pthread_barrier_destroy(&start);
	printf("cpus %d %.2f\n", nr,
	       (double)sum / nr * (now_ns() - ns) / (now_ticks() - ticks) / CHUNK);
}

int main(int argc, char **argv)
{
	bool scale = argc == 2 && !strcmp(argv[1], "scale");
	int i, nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (nr_cpus > MAX_CPUS)
		nr_cpus = MAX_CPUS;
	if (!scale)
		stay_on(sched_getcpu());
	bench_ours_begin(scale ? nr_cpus : 1);
	add("ours", bench_ours);
	add("ust", bench_ust);
	if (argc == 2 && !strcmp(argv[1], "time")) {
		measure();
	} else if (scale) {
		for (event_op = bench_ours; strcmp(event_op->name, "event"); event_op++)
			;
		for (i = 1; i <= nr_cpus; i *= 2)
			measure_cpus(i);
	} else if (argc == 5 && !strcmp(argv[1], "count")) {
		for (i = 0; i < nr_ops; i++)
			if (!strcmp(ops[i].who, argv[2]) && !strcmp(ops[i].op->name, argv[3]))
				run(ops[i].op, atol(argv[4]));
	} else if (argc == 2 && !strcmp(argv[1], "list")) {
		for (i = 0; i < nr_ops; i++)
			printf("%s %s\n", ops[i].who, ops[i].op->name);
	} else {
		fprintf(stderr, "usage: native time | scale | count WHO NAME N | list\n");
	}
	if (!bench_ours_end()) {
		fprintf(stderr, "native: not every event is in the buffer as it should be\n");
		return 1;
	}
	return 0;
}
