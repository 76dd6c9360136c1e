/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The peers' side of the events: the header for TRACE_EVENT.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bench

#if !defined(_BENCH_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _BENCH_TRACE_H

#include <linux/tracepoint.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#define bench_assign_str(field, from)	__assign_str(field)
#else
#define bench_assign_str(field, from)	__assign_str(field, from)
#endif

/* Only our own probes are connected to these. */
DECLARE_TRACE(bench_bare,
	TP_PROTO(int number, u64 big, const char *text),
	TP_ARGS(number, big, text));

DECLARE_TRACE(bench_leaf,
	TP_PROTO(int value),
	TP_ARGS(value));

TRACE_EVENT(bench_none,
	TP_PROTO(int number),
	TP_ARGS(number),
	TP_STRUCT__entry(
	),
	TP_fast_assign(
	),
	TP_printk("%s", "")
);

TRACE_EVENT(bench_fixed,
	TP_PROTO(int number, u64 big),
	TP_ARGS(number, big),
	TP_STRUCT__entry(
		__field(int, number)
		__field(u64, big)
	),
	TP_fast_assign(
		__entry->number = number;
		__entry->big = big;
	),
	TP_printk("number %d big %llu", __entry->number, __entry->big)
);

TRACE_EVENT(bench_event,
	TP_PROTO(int number, u64 big, const char *text),
	TP_ARGS(number, big, text),
	TP_STRUCT__entry(
		__field(int, number)
		__field(u64, big)
		__string(text, text)
	),
	TP_fast_assign(
		__entry->number = number;
		__entry->big = big;
		bench_assign_str(text, text);
	),
	TP_printk("number %d big %llu text %s", __entry->number, __entry->big,
		  __get_str(text))
);

#endif /* _BENCH_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
