// SPDX-License-Identifier: GPL-2.0
/*
 * bench_lttng: LTTng's probes of the tracepoints of bench. Built in LTTng's tree,
 * by the script "build" here.
 */
#include <linux/module.h>

#include <lttng/tracer.h>

#include "trace.h"

#include <wrapper/tracepoint.h>

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE bench_events

#include "bench_events.h"

MODULE_DESCRIPTION("Benchmark of markers: LTTng's probes");
MODULE_LICENSE("GPL");
