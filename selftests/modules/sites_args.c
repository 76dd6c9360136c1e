// SPDX-License-Identifier: GPL-2.0
/*
 * test_sites: markers with 0 to 16 arguments, ints and long longs in turn.  The
 * value of argument n is 1000 + n if n is even, and -10^12 - n if it is odd.
 */
#include "sites.h"

#define F2(a, b)	" a" #a " %d a" #b " %lld"
#define F4		"a0 %d a1 %lld" F2(2, 3)
#define F8		F4 F2(4, 5) F2(6, 7)
#define F12		F8 F2(8, 9) F2(10, 11)
#define A2(n)		even[n], odd[n]
#define A4		A2(0), A2(1)
#define A8		A4, A2(2), A2(3)
#define A12		A8, A2(4), A2(5)

/* @even and @odd come from another object, so they are no constants here. */
void sites_args(const int *even, const long long *odd)
{
	trace_mark(args_0, MARK_NOARGS);
	trace_mark(args_1, "a0 %d", even[0]);
	trace_mark(args_2, "a0 %d a1 %lld", A2(0));
	trace_mark(args_3, "a0 %d a1 %lld a2 %d", A2(0), even[1]);
	trace_mark(args_4, F4, A4);
	trace_mark(args_5, F4 " a4 %d", A4, even[2]);
	trace_mark(args_6, F4 F2(4, 5), A4, A2(2));
	trace_mark(args_7, F4 F2(4, 5) " a6 %d", A4, A2(2), even[3]);
	trace_mark(args_8, F8, A8);
	trace_mark(args_9, F8 " a8 %d", A8, even[4]);
	trace_mark(args_10, F8 F2(8, 9), A8, A2(4));
	trace_mark(args_11, F8 F2(8, 9) " a10 %d", A8, A2(4), even[5]);
	trace_mark(args_12, F12, A12);
	trace_mark(args_13, F12 " a12 %d", A12, even[6]);
	trace_mark(args_14, F12 F2(12, 13), A12, A2(6));
	trace_mark(args_15, F12 F2(12, 13) " a14 %d", A12, A2(6), even[7]);
	trace_mark(args_16, F12 F2(12, 13) F2(14, 15), A12, A2(6), A2(7));

	trace_mark(args_const, F8, 1000, -1000000000001LL, 1002,
		   -1000000000003LL, 1004, -1000000000005LL, 1006,
		   -1000000000007LL);
	/* the branch takes the same way from there on */
	_trace_mark(branch_0, MARK_NOARGS);
	_trace_mark(branch_8, F8, A8);
	_trace_mark(branch_16, F12 F2(12, 13) F2(14, 15), A12, A2(6), A2(7));
}

void sites_header_here(void)
{
	sites_header("args");
}
