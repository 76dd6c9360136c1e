// SPDX-License-Identifier: GPL-2.0
/*
 * test_window: each return from marker_registry_unlock() takes 20 ms, so that others get the
 * mutex before its last holder goes on.
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static int wait(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	mdelay(20);
	return 0;
}

static struct kretprobe probe = {
	.kp.symbol_name = "marker_registry_unlock",
	.handler = wait,
	.maxactive = 16,
};

static int __init window_init(void)
{
	return register_kretprobe(&probe);
}
module_init(window_init);

static void __exit window_exit(void)
{
	unregister_kretprobe(&probe);
}
module_exit(window_exit);

MODULE_DESCRIPTION("Test: the time after the registry mutex is released is long");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
