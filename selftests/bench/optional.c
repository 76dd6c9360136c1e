// SPDX-License-Identifier: GPL-2.0
/* A marker as an optional client has it: Kbuild defines MARKERS_OPTIONAL for this object. */
#include <linux/types.h>

#include <markers/marker.h>

#include "bench.h"

BENCH_LOOP(loop_optional_off, trace_mark(optional_off, "number %d", (int)n))
BENCH_LOOP(loop_optional, trace_mark(optional, "number %d big %llu text %s", (int)n,
				     (u64)n, BENCH_TEXT))

const struct bench_op bench_optional_ops[] = {
	{ "optional_off", loop_optional_off },
	{ "optional", loop_optional },
	{ }
};
