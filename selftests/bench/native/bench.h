/* SPDX-License-Identifier: GPL-2.0 */
/* The loops that main.c measures, by name.  For user space. */
#ifndef _NATIVE_BENCH_H
#define _NATIVE_BENCH_H

#include <stdbool.h>

#define BENCH_TEXT	"hello-world"
#define BENCH_MORE	"eth0"
#define BENCH_LONG	"a string of just thirty-five bytes."

/**
 * struct bench_op - an operation
 * @name:	the name that "run" uses; ours has the name of the peer's that it is compared with
 * @loop:	runs it this many times.  Its name starts with "loop_", for callgrind
 * @mono:	the clock is CLOCK_MONOTONIC, not the CPU's counter; ours only
 */
struct bench_op {
	const char *name;
	void (*loop)(long n);
	bool mono;
};

/* Both lists end with an empty entry. */
extern const struct bench_op bench_ours[];
extern const struct bench_op bench_ust[];

/* ours.c: once, before and after; each thread, which CPU it is, and which clock it reads. */
void bench_ours_begin(int nr_cpus);
void bench_ours_cpu(int cpu);
void bench_ours_clock(bool mono);
bool bench_ours_end(void);

#endif /* _NATIVE_BENCH_H */
