// SPDX-License-Identifier: GPL-2.0
/*
 * test_debug: prefixes with arguments, and a function and a line that debug_main.c has,
 * too: debug_line() and the line of its statement.
 */
#define pr_fmt(fmt) "%s: " fmt, __func__
#define dev_fmt(fmt) "%s says: " fmt, "driver"

#include <linux/device.h>
#include <linux/kernel.h>

#include "debug.h"

/* The same text in another place is another event. */
#line 97
static noinline void debug_line(void) { pr_debug("first %d\n", 3); }

void debug_other(void)
{
	struct device *none = NULL;

	pr_debug("with_func %d\n", 11);
	dev_dbg(none, "with_prefix %d\n", 12);
	debug_line();
	debug_shared(2);
}
