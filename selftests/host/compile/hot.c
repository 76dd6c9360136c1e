// SPDX-License-Identifier: GPL-2.0
/*
 * Leaf functions with a marker of 0, 1, 3, 8, 9 and 16 arguments in their loop, and the
 * same function without a marker: selftests/host/compilers.sh compares them.  i->a is in
 * a register before the marker: the code must not load it again.
 */
#include <linux/types.h>

#include <markers/marker.h>

struct item {
	long a;
	long v[16];
};

#define V1(i)	i->v[0]
#define V3(i)	V1(i), i->v[1], i->v[2]
#define V8(i)	V3(i), i->v[3], i->v[4], i->v[5], i->v[6], i->v[7]
#define V9(i)	V8(i), i->v[8]
#define V16(i)	V9(i), i->v[9], i->v[10], i->v[11], i->v[12], i->v[13],	\
		i->v[14], i->v[15]
#define F1	"%ld"
#define F3	F1 " %ld %ld"
#define F8	F3 " %ld %ld %ld %ld %ld"
#define F9	F8 " %ld"
#define F16	F9 " %ld %ld %ld %ld %ld %ld %ld"

#define FUNCTION(name, marker)						\
long name(const struct item *i, const struct item *end);		\
long name(const struct item *i, const struct item *end)			\
{									\
	long sum = 0;							\
									\
	for (; i < end; i++) {						\
		sum += i->a;						\
		marker;							\
		sum ^= i->a >> 3;					\
	}								\
	return sum;							\
}

FUNCTION(plain, /* none */)
FUNCTION(mark_0, trace_mark(hot_0, MARK_NOARGS))
FUNCTION(mark_1, trace_mark(hot_1, F1, V1(i)))
FUNCTION(mark_3, trace_mark(hot_3, F3, V3(i)))
FUNCTION(mark_8, trace_mark(hot_8, F8, V8(i)))
FUNCTION(mark_9, trace_mark(hot_9, F9, V9(i)))
FUNCTION(mark_16, trace_mark(hot_16, F16, V16(i)))
