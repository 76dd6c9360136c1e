/* SPDX-License-Identifier: GPL-2.0 */
/* The peer's events; included several times, as with TRACE_HEADER_MULTI_READ. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER markers

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "ust_trace.h"

#if !defined(_NATIVE_UST_TRACE_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define _NATIVE_UST_TRACE_H

#include <stdint.h>
#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(markers, none,
	LTTNG_UST_TP_ARGS(),
	LTTNG_UST_TP_FIELDS()
)

LTTNG_UST_TRACEPOINT_EVENT(markers, fixed,
	LTTNG_UST_TP_ARGS(int, number, uint64_t, big),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, number, number)
		lttng_ust_field_integer(uint64_t, big, big)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(markers, event,
	LTTNG_UST_TP_ARGS(int, number, uint64_t, big, const char *, text),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, number, number)
		lttng_ust_field_integer(uint64_t, big, big)
		lttng_ust_field_string(text, text)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(markers, strings2,
	LTTNG_UST_TP_ARGS(int, number, uint64_t, big, const char *, text, const char *, more),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, number, number)
		lttng_ust_field_integer(uint64_t, big, big)
		lttng_ust_field_string(text, text)
		lttng_ust_field_string(more, more)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(markers, string35,
	LTTNG_UST_TP_ARGS(int, number, const char *, text),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, number, number)
		lttng_ust_field_string(text, text)
	)
)

#endif

#include <lttng/tracepoint-event.h>
