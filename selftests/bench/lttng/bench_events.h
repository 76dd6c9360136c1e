/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LTTng's side of the events of ../trace.h: the same tracepoints, the same fields.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bench

#if !defined(_BENCH_LTTNG_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _BENCH_LTTNG_EVENTS_H

#include <lttng/tracepoint-event.h>

LTTNG_TRACEPOINT_EVENT(bench_none,
	TP_PROTO(int number),
	TP_ARGS(number),
	TP_FIELDS()
)

LTTNG_TRACEPOINT_EVENT(bench_fixed,
	TP_PROTO(int number, u64 big),
	TP_ARGS(number, big),
	TP_FIELDS(
		ctf_integer(int, number, number)
		ctf_integer(u64, big, big)
	)
)

LTTNG_TRACEPOINT_EVENT(bench_event,
	TP_PROTO(int number, u64 big, const char *text),
	TP_ARGS(number, big, text),
	TP_FIELDS(
		ctf_integer(int, number, number)
		ctf_integer(u64, big, big)
		ctf_string(text, text)
	)
)

#endif /* _BENCH_LTTNG_EVENTS_H */

#include <lttng/define_trace.h>
