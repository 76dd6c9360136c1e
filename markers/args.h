/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting and naming the arguments of trace_mark(): preprocessor only.
 */
#ifndef _MARKERS_ARGS_H
#define _MARKERS_ARGS_H

/* How many arguments, 0 to 16; more do not compile. */
#define __MARKER_COUNT(args...) \
	__MARKER_COUNT_(, ##args, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, \
			4, 3, 2, 1, 0)
#define __MARKER_COUNT_(none, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, \
			count, rest...) count

/* Arrays count, they decay. */
#define __MARKER_IS_POINTER(x)	(__builtin_classify_type(x) == 5)

/* An argument slot: the value, sign extended if its type is signed. */
#define __MARKER_SLOT(x)	((u64)(x))

/* Evaluate the arguments once, from left to right, into __arg0, __arg1 ... */
#define __MARKER_BIND_0()
#define __MARKER_BIND_1(a) \
	__MARKER_BIND_0() __auto_type __arg0 = (a);
#define __MARKER_BIND_2(a, b) \
	__MARKER_BIND_1(a) __auto_type __arg1 = (b);
#define __MARKER_BIND_3(a, b, c) \
	__MARKER_BIND_2(a, b) __auto_type __arg2 = (c);
#define __MARKER_BIND_4(a, b, c, d) \
	__MARKER_BIND_3(a, b, c) __auto_type __arg3 = (d);
#define __MARKER_BIND_5(a, b, c, d, e) \
	__MARKER_BIND_4(a, b, c, d) __auto_type __arg4 = (e);
#define __MARKER_BIND_6(a, b, c, d, e, f) \
	__MARKER_BIND_5(a, b, c, d, e) __auto_type __arg5 = (f);
#define __MARKER_BIND_7(a, b, c, d, e, f, g) \
	__MARKER_BIND_6(a, b, c, d, e, f) __auto_type __arg6 = (g);
#define __MARKER_BIND_8(a, b, c, d, e, f, g, h) \
	__MARKER_BIND_7(a, b, c, d, e, f, g) __auto_type __arg7 = (h);

/* The arguments as elements of an array of slots. */
#define __MARKER_SLOTS_0()
#define __MARKER_SLOTS_1(a)	__MARKER_SLOT(a)
#define __MARKER_SLOTS_2(a, b) \
	__MARKER_SLOTS_1(a), __MARKER_SLOT(b)
#define __MARKER_SLOTS_3(a, b, c) \
	__MARKER_SLOTS_2(a, b), __MARKER_SLOT(c)
#define __MARKER_SLOTS_4(a, b, c, d) \
	__MARKER_SLOTS_3(a, b, c), __MARKER_SLOT(d)
#define __MARKER_SLOTS_5(a, b, c, d, e) \
	__MARKER_SLOTS_4(a, b, c, d), __MARKER_SLOT(e)
#define __MARKER_SLOTS_6(a, b, c, d, e, f) \
	__MARKER_SLOTS_5(a, b, c, d, e), __MARKER_SLOT(f)
#define __MARKER_SLOTS_7(a, b, c, d, e, f, g) \
	__MARKER_SLOTS_6(a, b, c, d, e, f), __MARKER_SLOT(g)
#define __MARKER_SLOTS_8(a, b, c, d, e, f, g, h) \
	__MARKER_SLOTS_7(a, b, c, d, e, f, g), __MARKER_SLOT(h)
#define __MARKER_SLOTS_9(a, b, c, d, e, f, g, h, i) \
	__MARKER_SLOTS_8(a, b, c, d, e, f, g, h), __MARKER_SLOT(i)
#define __MARKER_SLOTS_10(a, b, c, d, e, f, g, h, i, j) \
	__MARKER_SLOTS_9(a, b, c, d, e, f, g, h, i), __MARKER_SLOT(j)
#define __MARKER_SLOTS_11(a, b, c, d, e, f, g, h, i, j, k) \
	__MARKER_SLOTS_10(a, b, c, d, e, f, g, h, i, j), __MARKER_SLOT(k)
#define __MARKER_SLOTS_12(a, b, c, d, e, f, g, h, i, j, k, l) \
	__MARKER_SLOTS_11(a, b, c, d, e, f, g, h, i, j, k), __MARKER_SLOT(l)
#define __MARKER_SLOTS_13(a, b, c, d, e, f, g, h, i, j, k, l, m) \
	__MARKER_SLOTS_12(a, b, c, d, e, f, g, h, i, j, k, l), __MARKER_SLOT(m)
#define __MARKER_SLOTS_14(a, b, c, d, e, f, g, h, i, j, k, l, m, n) \
	__MARKER_SLOTS_13(a, b, c, d, e, f, g, h, i, j, k, l, m), __MARKER_SLOT(n)
#define __MARKER_SLOTS_15(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) \
	__MARKER_SLOTS_14(a, b, c, d, e, f, g, h, i, j, k, l, m, n), __MARKER_SLOT(o)
#define __MARKER_SLOTS_16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) \
	__MARKER_SLOTS_15(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o), __MARKER_SLOT(p)

#endif /* _MARKERS_ARGS_H */
