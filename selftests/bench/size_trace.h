/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of bench_size_event.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bench_size

#if !defined(_BENCH_SIZE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _BENCH_SIZE_TRACE_H

#include <linux/tracepoint.h>

#include "bench.h"

#define BENCH_SIZE_EVENT_NR(nr)						\
TRACE_EVENT(bench_size_##nr,						\
	TP_PROTO(int a, unsigned long b),				\
	TP_ARGS(a, b),							\
	TP_STRUCT__entry(						\
		__field(int, a)						\
		__field(unsigned long, b)				\
	),								\
	TP_fast_assign(							\
		__entry->a = a;						\
		__entry->b = b;						\
	),								\
	TP_printk("number %d big %lu", __entry->a, __entry->b)		\
);
BENCH_NR_100(BENCH_SIZE_EVENT_NR, a)

#endif /* _BENCH_SIZE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE size_trace
#include <trace/define_trace.h>
