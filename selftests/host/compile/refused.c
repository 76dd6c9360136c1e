// SPDX-License-Identifier: GPL-2.0
/* Code that must not compile, one error for each -DREFUSED_n: the message says why. */
#include <markers/marker.h>

#define TEN	a, a, a, a, a, a, a, a, a, a

void refused(int a);
void refused(int a)
{
#ifdef REFUSED_1	/* a marker has at most 16 arguments */
	trace_mark(refused, "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d",
		   a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a);
#endif
#ifdef REFUSED_2	/* the name of a marker is an identifier */
	trace_mark("refused", "a %d", a);
#endif
#ifdef REFUSED_3	/* the name of a marker is an identifier */
	trace_mark(my-name, "a %d", a);
#endif
#ifdef REFUSED_4	/* the name of a marker is an identifier */
	trace_mark(1st, "a %d", a);
#endif
#ifdef REFUSED_5	/* the name of a marker is an identifier */
	_trace_mark("refused", MARK_NOARGS);
#endif
#ifdef REFUSED_6	/* a marker has at most 16 arguments */
	trace_mark(refused, MARK_NOARGS, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN,
		   TEN, TEN, a, a, a, a, a, a, a);
#endif
#ifdef REFUSED_7	/* a marker needs a format string */
	trace_mark(refused, NULL);
#endif
#ifdef REFUSED_8	/* the name of a marker has at most 127 characters */
	trace_mark(a123456789b123456789c123456789d123456789e123456789f123456789g123456789h123456789i123456789j123456789k123456789l123456789m1234567,
		   "a %d", a);
#endif
#ifdef REFUSED_9	/* format '%s' expects argument|format specifies type */
#pragma GCC diagnostic error "-Wformat"
	trace_mark(refused, "a %s", a);
#endif
}
