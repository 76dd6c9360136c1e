// SPDX-License-Identifier: GPL-2.0
/*
 * test_swarm_00: a module with 20 markers, swarm_00 to swarm_19, that does
 * nothing but pass each one once when it is loaded.  Tests make further modules by
 * replacing its name in the .ko: sed s/test_swarm_00/test_swarm_17/g.
 */
#include <linux/module.h>

#include <markers/marker.h>

#define HIT(n)		trace_mark(swarm_ ## n, "pass %u", pass);
#define TEN(n)		HIT(n ## 0) HIT(n ## 1) HIT(n ## 2) HIT(n ## 3)	\
			HIT(n ## 4) HIT(n ## 5) HIT(n ## 6) HIT(n ## 7)	\
			HIT(n ## 8) HIT(n ## 9)

static noinline void hit_all(unsigned int pass)
{
	TEN(0)
	TEN(1)
}

static int __init swarm_init(void)
{
	hit_all(0);
	return 0;
}
module_init(swarm_init);

static void __exit swarm_exit(void)
{
	hit_all(1);
}
module_exit(swarm_exit);

MODULE_DESCRIPTION("markers selftest: one of many modules");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
