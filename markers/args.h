/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting and naming the arguments of trace_mark(): preprocessor only.
 */
#ifndef _MARKERS_ARGS_H
#define _MARKERS_ARGS_H

/*
 * How many arguments, 0 to 16; 17 stands for 17 to 127, which marker.h refuses.  C has no call
 * with more.
 */
#define __MARKER_COUNT(args...) \
	__MARKER_COUNT_(, ##args, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, \
			17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, \
			17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, \
			17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, \
			17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, \
			17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, \
			17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 16, 15, 14, 13, 12, \
			11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define __MARKER_COUNT_(none, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, \
			a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, \
			a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, \
			a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, \
			a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, a65, \
			a66, a67, a68, a69, a70, a71, a72, a73, a74, a75, a76, a77, a78, \
			a79, a80, a81, a82, a83, a84, a85, a86, a87, a88, a89, a90, a91, \
			a92, a93, a94, a95, a96, a97, a98, a99, a100, a101, a102, a103, \
			a104, a105, a106, a107, a108, a109, a110, a111, a112, a113, a114, \
			a115, a116, a117, a118, a119, a120, a121, a122, a123, a124, a125, \
			a126, count, rest...) count

/* The characters of a marker's name; the first one is no digit. */
#define __MARKER_NAME_CHARS	"abcdefghijklmnopqrstuvwxyz" \
				"ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

/* Arrays count, they decay. */
#define __MARKER_IS_POINTER(x)	(__builtin_classify_type(x) == 5)

/* An argument: the value, sign extended if its type is signed. */
#define __MARKER_SLOT(x)	((u64)(x))

/* The braces give a bit-field the type of a value: it has none of its own. */
#define __MARKER_BIND(var, x)	__auto_type var = ({ (x); });

/* Evaluate the arguments once, from left to right, into __arg0, __arg1 ... */
#define __MARKER_BIND_0()
#define __MARKER_BIND_1(a) \
	__MARKER_BIND_0() __MARKER_BIND(__arg0, a)
#define __MARKER_BIND_2(a, b) \
	__MARKER_BIND_1(a) __MARKER_BIND(__arg1, b)
#define __MARKER_BIND_3(a, b, c) \
	__MARKER_BIND_2(a, b) __MARKER_BIND(__arg2, c)
#define __MARKER_BIND_4(a, b, c, d) \
	__MARKER_BIND_3(a, b, c) __MARKER_BIND(__arg3, d)
#define __MARKER_BIND_5(a, b, c, d, e) \
	__MARKER_BIND_4(a, b, c, d) __MARKER_BIND(__arg4, e)
#define __MARKER_BIND_6(a, b, c, d, e, f) \
	__MARKER_BIND_5(a, b, c, d, e) __MARKER_BIND(__arg5, f)
#define __MARKER_BIND_7(a, b, c, d, e, f, g) \
	__MARKER_BIND_6(a, b, c, d, e, f) __MARKER_BIND(__arg6, g)
#define __MARKER_BIND_8(a, b, c, d, e, f, g, h) \
	__MARKER_BIND_7(a, b, c, d, e, f, g) __MARKER_BIND(__arg7, h)
#define __MARKER_BIND_9(a, b, c, d, e, f, g, h, i) \
	__MARKER_BIND_8(a, b, c, d, e, f, g, h) __MARKER_BIND(__arg8, i)
#define __MARKER_BIND_10(a, b, c, d, e, f, g, h, i, j) \
	__MARKER_BIND_9(a, b, c, d, e, f, g, h, i) __MARKER_BIND(__arg9, j)
#define __MARKER_BIND_11(a, b, c, d, e, f, g, h, i, j, k) \
	__MARKER_BIND_10(a, b, c, d, e, f, g, h, i, j) __MARKER_BIND(__arg10, k)
#define __MARKER_BIND_12(a, b, c, d, e, f, g, h, i, j, k, l) \
	__MARKER_BIND_11(a, b, c, d, e, f, g, h, i, j, k) __MARKER_BIND(__arg11, l)
#define __MARKER_BIND_13(a, b, c, d, e, f, g, h, i, j, k, l, m) \
	__MARKER_BIND_12(a, b, c, d, e, f, g, h, i, j, k, l) __MARKER_BIND(__arg12, m)
#define __MARKER_BIND_14(a, b, c, d, e, f, g, h, i, j, k, l, m, n) \
	__MARKER_BIND_13(a, b, c, d, e, f, g, h, i, j, k, l, m) __MARKER_BIND(__arg13, n)
#define __MARKER_BIND_15(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) \
	__MARKER_BIND_14(a, b, c, d, e, f, g, h, i, j, k, l, m, n) __MARKER_BIND(__arg14, o)
#define __MARKER_BIND_16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) \
	__MARKER_BIND_15(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) __MARKER_BIND(__arg15, p)

/* The bound arguments, as elements of an array of arguments. */
#define __MARKER_SLOTS_0
#define __MARKER_SLOTS_1	__MARKER_SLOT(__arg0)
#define __MARKER_SLOTS_2	__MARKER_SLOTS_1, __MARKER_SLOT(__arg1)
#define __MARKER_SLOTS_3	__MARKER_SLOTS_2, __MARKER_SLOT(__arg2)
#define __MARKER_SLOTS_4	__MARKER_SLOTS_3, __MARKER_SLOT(__arg3)
#define __MARKER_SLOTS_5	__MARKER_SLOTS_4, __MARKER_SLOT(__arg4)
#define __MARKER_SLOTS_6	__MARKER_SLOTS_5, __MARKER_SLOT(__arg5)
#define __MARKER_SLOTS_7	__MARKER_SLOTS_6, __MARKER_SLOT(__arg6)
#define __MARKER_SLOTS_8	__MARKER_SLOTS_7, __MARKER_SLOT(__arg7)
#define __MARKER_SLOTS_9	__MARKER_SLOTS_8, __MARKER_SLOT(__arg8)
#define __MARKER_SLOTS_10	__MARKER_SLOTS_9, __MARKER_SLOT(__arg9)
#define __MARKER_SLOTS_11	__MARKER_SLOTS_10, __MARKER_SLOT(__arg10)
#define __MARKER_SLOTS_12	__MARKER_SLOTS_11, __MARKER_SLOT(__arg11)
#define __MARKER_SLOTS_13	__MARKER_SLOTS_12, __MARKER_SLOT(__arg12)
#define __MARKER_SLOTS_14	__MARKER_SLOTS_13, __MARKER_SLOT(__arg13)
#define __MARKER_SLOTS_15	__MARKER_SLOTS_14, __MARKER_SLOT(__arg14)
#define __MARKER_SLOTS_16	__MARKER_SLOTS_15, __MARKER_SLOT(__arg15)

/* marker.h refuses more than 16; these avoid further errors. */
#define __MARKER_BIND_17(args...)
#define __MARKER_SLOTS_17

#endif /* _MARKERS_ARGS_H */
