// SPDX-License-Identifier: GPL-2.0
/*
 * test_layout: a module that was built with a marker.h of another layout.  It has
 * one marker, layout_hit, and must never hit it.
 */
#include <linux/module.h>

#include <markers/marker.h>

static int __init layout_init(void)
{
	trace_mark(layout_hit, MARK_NOARGS);
	/* the marker's macro has set the right value; the last initializer counts */
	asm volatile(".set __marker_layout, 99");
	return 0;
}
module_init(layout_init);

static void __exit layout_exit(void)
{
}
module_exit(layout_exit);

MODULE_DESCRIPTION("markers selftest: a module of another layout");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
