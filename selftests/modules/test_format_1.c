// SPDX-License-Identifier: GPL-2.0
/*
 * test_format_1: a module before an update that changes the format of a marker;
 * test_format_2 is the module after it, and the test gives it the same name.  The
 * init function hits the marker.
 */
#include <linux/module.h>

#include <markers/marker.h>

static int __init format_init(void)
{
	trace_mark(format_changes, "value %d", 1);
	trace_mark(format_stays, "value %d", 2);
	return 0;
}
module_init(format_init);

static void __exit format_exit(void)
{
}
module_exit(format_exit);

MODULE_DESCRIPTION("Test: a marker whose format will change");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
