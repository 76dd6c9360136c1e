// SPDX-License-Identifier: GPL-2.0
/*
 * test_wide_00: 2,000 markers, low_000 to low_999 and high_000 to high_999.  Its init
 * function passes each once.  A test loads copies under other names.
 */
#include <linux/init.h>
#include <linux/module.h>

#include <markers/marker.h>

#include "thousand.h"

#define LOW(n)	trace_mark(low_ ## n, "number %u", 1 ## n - 1000);
#define HIGH(n)	trace_mark(high_ ## n, "number %u", 1 ## n);

static noinline void pass_low(void)
{
	THOUSAND(LOW)
}

static noinline void pass_high(void)
{
	THOUSAND(HIGH)
}

static int __init wide_init(void)
{
	pass_low();
	pass_high();
	return 0;
}
module_init(wide_init);

static void __exit wide_exit(void)
{
}
module_exit(wide_exit);

MODULE_DESCRIPTION("markers selftest: 2,000 markers");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
