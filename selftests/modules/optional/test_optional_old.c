// SPDX-License-Identifier: GPL-2.0
/* test_optional_old: needs no markers.ko, and was built with a marker.h of another layout. */
#include <linux/module.h>

#include <markers/marker.h>

#undef MARKER_LAYOUT
#define MARKER_LAYOUT	99

static int __init old_init(void)
{
	trace_mark(old_hit, MARK_NOARGS);
	return 0;
}
module_init(old_init);

static void __exit old_exit(void)
{
}
module_exit(old_exit);

MODULE_DESCRIPTION("markers selftest: an optional client of another layout");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
