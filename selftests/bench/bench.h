/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An operation to measure, and the lists of operations.  ours.c and optional.c (markers), raw.c
 * (the rings alone) and peers.c, keys.c, dynamic.c (the kernel's own means) define them; main.c
 * runs them, ticks.c measures.
 */
#ifndef _BENCH_H
#define _BENCH_H

#include <linux/compiler.h>
#include <linux/init.h>
#include <linux/types.h>

/**
 * struct bench_op - an operation
 * @name:	its name in the file "run"
 * @loop:	runs it COUNT times; interrupts are off
 * @time:	instead of @loop: runs it COUNT times and returns the ticks that
 *		this took; may sleep
 * @begin:	prepares it; may sleep and fail; or NULL
 * @end:	undoes @begin, and fails if an operation is missing; or NULL
 */
struct bench_op {
	const char *name;
	void (*loop)(unsigned long n);
	u64 (*time)(unsigned long n);
	int (*begin)(void);
	int (*end)(void);
};

/* The ticks of @loop, with interrupts off. */
u64 bench_time(void (*loop)(unsigned long n), unsigned long n);

/* The ticks until all CPUs have run @loop at the same time, interrupts off. */
u64 bench_time_all(void (*loop)(unsigned long n), unsigned long n);

/* Each ends with an entry without a name. */
extern const struct bench_op bench_plain_ops[];
extern const struct bench_op bench_ours_ops[];
extern const struct bench_op bench_optional_ops[];
extern const struct bench_op bench_raw_ops[];
extern const struct bench_op bench_peers_ops[];
extern const struct bench_op bench_keys_ops[];
extern const struct bench_op bench_dynamic_ops[];

/* raw.c has something to prepare */
int __init bench_raw_init(void);
void bench_ours_exit(void);
void bench_raw_exit(void);

/* In ours.c, for small functions. */
extern int bench_numbers[8];
extern int bench_sum;

/* The text of all events with a text. */
#define BENCH_TEXT	"hello-world"

/*
 * A function that does something n times.  The asm keeps the compiler from
 * removing an empty loop; it emits no instruction.
 */
#define BENCH_LOOP(fn, what)						\
static noinline notrace void fn(unsigned long n)			\
{									\
	do {								\
		what;							\
		asm volatile("");					\
	} while (--n);							\
}

/*
 * The same loop with six more functions on the stack.  Together with the kernel's, the
 * stack then has 16 functions, on 6.1.
 */
#define BENCH_DEEPER(fn, inner)						\
static noinline notrace void fn(unsigned long n)			\
{									\
	inner(n);							\
	asm volatile("");	/* no tail call */			\
}

#define BENCH_DEEP(fn)							\
BENCH_DEEPER(fn ## _1, fn)						\
BENCH_DEEPER(fn ## _2, fn ## _1)					\
BENCH_DEEPER(fn ## _3, fn ## _2)					\
BENCH_DEEPER(fn ## _4, fn ## _3)					\
BENCH_DEEPER(fn ## _5, fn ## _4)					\
BENCH_DEEPER(fn ## _deep, fn ## _5)

#define BENCH_10(x)	x x x x x x x x x x
#define BENCH_100(x)	BENCH_10(BENCH_10_(x))
#define BENCH_10_(x)	x x x x x x x x x x

/* The same with the number of the copy as an argument, pasted to @a. */
#define BENCH_NR_10(x, a)						\
	x(a##0) x(a##1) x(a##2) x(a##3) x(a##4)				\
	x(a##5) x(a##6) x(a##7) x(a##8) x(a##9)
#define BENCH_NR_100(x, a)						\
	BENCH_NR_10(x, a##0) BENCH_NR_10(x, a##1) BENCH_NR_10(x, a##2)	\
	BENCH_NR_10(x, a##3) BENCH_NR_10(x, a##4) BENCH_NR_10(x, a##5)	\
	BENCH_NR_10(x, a##6) BENCH_NR_10(x, a##7) BENCH_NR_10(x, a##8)	\
	BENCH_NR_10(x, a##9)

/* For use in code that BENCH_NR_10() or BENCH_NR_100() repeats. */
#define BENCH_NR_10_AGAIN(x, a)						\
	x(a##0) x(a##1) x(a##2) x(a##3) x(a##4)				\
	x(a##5) x(a##6) x(a##7) x(a##8) x(a##9)

#endif /* _BENCH_H */
