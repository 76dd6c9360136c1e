// SPDX-License-Identifier: GPL-2.0
/*
 * A marker that check-formats must find with every compiler.
 */
#include <markers/marker.h>

void bad(void);
void bad(void)
{
	trace_mark(bad_width, "value %*d", 5, 1);
}
