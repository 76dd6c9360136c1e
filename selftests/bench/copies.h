/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions with 100, 1,000 and 10,000 sites in all: copies of pass_100(), pass_1000()
 * and pass_10000(), which the including file has defined.  Nothing runs them.
 */
#ifndef _BENCH_COPIES_H
#define _BENCH_COPIES_H

#include "bench.h"

static noinline __used void hundred(void)
{
	BENCH_100(pass_100();)
}

#define THOUSANDTH(nr)							\
static noinline __used void thousand_##nr(void)				\
{									\
	BENCH_100(pass_1000();)						\
}

BENCH_NR_10(THOUSANDTH, a)

#define TEN_THOUSANDTH(nr)						\
static noinline __used void ten_thousand_##nr(void)			\
{									\
	BENCH_100(pass_10000();)					\
}

BENCH_NR_100(TEN_THOUSANDTH, a)

#endif /* _BENCH_COPIES_H */
