// SPDX-License-Identifier: GPL-2.0
/* A second object with markers, for link time optimisation to join or to inline. */
#include <markers/marker.h>

long other(long a);
long other(long a)
{
	trace_mark(other, "a %ld", a);
	return a + 1;
}

long other_loop(long n);
long other_loop(long n)
{
	long sum = 0;

	while (n--) {
		_trace_mark(other_loop, "sum %ld", sum);
		sum += n & 7;
	}
	return sum;
}
