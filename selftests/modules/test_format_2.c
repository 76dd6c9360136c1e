// SPDX-License-Identifier: GPL-2.0
/* test_format_2: see test_format_1 */
#include <linux/module.h>

#include <markers/marker.h>

static int __init format_init(void)
{
	trace_mark(format_changes, "text %s", "one");
	trace_mark(format_stays, "value %d", 3);
	return 0;
}
module_init(format_init);

static void __exit format_exit(void)
{
}
module_exit(format_exit);

MODULE_DESCRIPTION("Test: a marker whose format has changed");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
