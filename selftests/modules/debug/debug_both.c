// SPDX-License-Identifier: GPL-2.0
/* test_debug_both: statements that are markers and dynamic debug. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/device.h>
#include <linux/module.h>

/* Not __init: in 5.10 a dyndbg= at load enables no statement there. */
static noinline void both_say(void)
{
	struct device *none = NULL;

	pr_debug("both %d\n", 1);
	dev_dbg(none, "both_dev %s\n", "two");
}

static int __init both_init(void)
{
	both_say();
	return 0;
}
module_init(both_init);

static void __exit both_exit(void)
{
}
module_exit(both_exit);

MODULE_DESCRIPTION("markers selftest: debug statements as markers and as the kernel has them");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
