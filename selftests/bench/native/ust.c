// SPDX-License-Identifier: GPL-2.0
/* The peer's side: LTTng-UST, with the same fields. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "ust_trace.h"

#include "bench.h"

#define LOOP(name, ...)							\
static void loop_ust_##name(long n)					\
{									\
	while (n--)							\
		lttng_ust_tracepoint(markers, name, ##__VA_ARGS__);	\
}

LOOP(none)
LOOP(fixed, (int)n, n)
LOOP(event, (int)n, n, BENCH_TEXT)
LOOP(strings2, (int)n, n, BENCH_TEXT, BENCH_MORE)
LOOP(string35, (int)n, BENCH_LONG)

const struct bench_op bench_ust[] = {
	{ "event", loop_ust_event },
	{ "fixed", loop_ust_fixed },
	{ "none", loop_ust_none },
	{ "strings2", loop_ust_strings2 },
	{ "string35", loop_ust_string35 },
	{ }
};
