// SPDX-License-Identifier: GPL-2.0
/* test_optional: the other object, with bridges of its own. */
#include <linux/compiler.h>
#include <linux/types.h>

#include <markers/marker.h>

#include "optional.h"

void optional_other(unsigned int n)
{
	trace_mark(opt_other, "n %u", n);
	trace_mark(opt_other_many, "a %u b %u c %u d %u e %u f %u g %u h %u i %u",
		   n, n, n, n, n, n, n, n, n);
}
