/* SPDX-License-Identifier: GPL-2.0 */
/*
 * test_beside: a TRACE_EVENT with the fields and the text of each of its markers.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM test_beside_native

#if !defined(_BESIDE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _BESIDE_TRACE_H

#include <linux/tracepoint.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#define beside_assign_str(field, from)	__assign_str(field)
#else
#define beside_assign_str(field, from)	__assign_str(field, from)
#endif

TRACE_EVENT(native_signed,
	TP_PROTO(s8 c, s16 h, int i, long l, s64 ll),
	TP_ARGS(c, h, i, l, ll),
	TP_STRUCT__entry(
		__field(s8, c)
		__field(s16, h)
		__field(int, i)
		__field(long, l)
		__field(s64, ll)
	),
	TP_fast_assign(
		__entry->c = c;
		__entry->h = h;
		__entry->i = i;
		__entry->l = l;
		__entry->ll = ll;
	),
	TP_printk("c %hhd h %hd i %d l %ld ll %lld", __entry->c, __entry->h, __entry->i,
		  __entry->l, __entry->ll)
);

TRACE_EVENT(native_unsigned,
	TP_PROTO(u8 c, u16 h, unsigned int i, unsigned long l, u64 ll),
	TP_ARGS(c, h, i, l, ll),
	TP_STRUCT__entry(
		__field(u8, c)
		__field(u16, h)
		__field(unsigned int, i)
		__field(unsigned long, l)
		__field(u64, ll)
	),
	TP_fast_assign(
		__entry->c = c;
		__entry->h = h;
		__entry->i = i;
		__entry->l = l;
		__entry->ll = ll;
	),
	TP_printk("c %hhu h %hu i %u l %lu ll %llu", __entry->c, __entry->h, __entry->i,
		  __entry->l, __entry->ll)
);

TRACE_EVENT(native_looks,
	TP_PROTO(int x, int wide, int zeros, int load),
	TP_ARGS(x, wide, zeros, load),
	TP_STRUCT__entry(
		__field(int, x)
		__field(int, wide)
		__field(int, zeros)
		__field(int, load)
	),
	TP_fast_assign(
		__entry->x = x;
		__entry->wide = wide;
		__entry->zeros = zeros;
		__entry->load = load;
	),
	TP_printk("x %#x wide [%5d] zeros %05d load %d%%", __entry->x, __entry->wide,
		  __entry->zeros, __entry->load)
);

TRACE_EVENT(native_texts,
	TP_PROTO(const char *first, const char *second, int after),
	TP_ARGS(first, second, after),
	TP_STRUCT__entry(
		__string(first, first)
		__string(second, second)
		__field(int, after)
	),
	TP_fast_assign(
		beside_assign_str(first, first);
		beside_assign_str(second, second);
		__entry->after = after;
	),
	TP_printk("first %s second %s after %d", __get_str(first), __get_str(second),
		  __entry->after)
);

TRACE_EVENT(native_peer,
	TP_PROTO(const u8 *mac, const u8 *ip, const u8 *ip6),
	TP_ARGS(mac, ip, ip6),
	TP_STRUCT__entry(
		__array(u8, mac, 6)
		__array(u8, ip, 4)
		__array(u8, ip6, 16)
	),
	TP_fast_assign(
		memcpy(__entry->mac, mac, 6);
		memcpy(__entry->ip, ip, 4);
		memcpy(__entry->ip6, ip6, 16);
	),
	TP_printk("mac %pM ip %pI4 ip6 %pI6c", __entry->mac, __entry->ip, __entry->ip6)
);

TRACE_EVENT(native_bytes,
	TP_PROTO(const u8 *front, const u8 *bytes, int len),
	TP_ARGS(front, bytes, len),
	TP_STRUCT__entry(
		__array(u8, front, 4)
		__dynamic_array(u8, bytes, len)
	),
	TP_fast_assign(
		memcpy(__entry->front, front, 4);
		memcpy(__get_dynamic_array(bytes), bytes, len);
	),
	TP_printk("front %s bytes %s", __print_hex(__entry->front, 4),
		  __print_hex(__get_dynamic_array(bytes), __get_dynamic_array_len(bytes)))
);

TRACE_EVENT(native_place,
	TP_PROTO(void *at),
	TP_ARGS(at),
	TP_STRUCT__entry(
		__field(void *, at)
	),
	TP_fast_assign(
		__entry->at = at;
	),
	TP_printk("at %pS", __entry->at)
);

#endif /* _BESIDE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE beside_trace
#include <trace/define_trace.h>
