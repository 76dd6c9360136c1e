// SPDX-License-Identifier: GPL-2.0
/* test_optional_code: what has the name of a bridge is other code, as from another marker.h. */
#include <linux/compiler.h>
#include <linux/module.h>

static int nr;

/* In place of an offset there are instructions. */
static noinline __used void __marker_bridge(void)
{
	int i;

	for (i = 0; i < 8; i++)
		WRITE_ONCE(nr, READ_ONCE(nr) + i);
}

static int __init code_init(void)
{
	__marker_bridge();
	return 0;
}
module_init(code_init);

static void __exit code_exit(void)
{
}
module_exit(code_exit);

MODULE_DESCRIPTION("markers selftest: an optional client with a bridge of other code");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
