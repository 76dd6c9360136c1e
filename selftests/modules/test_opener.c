// SPDX-License-Identifier: GPL-2.0
/*
 * test_opener: "armed" makes the next one that gets a reference to markers.ko, as an open() does,
 * wait for "delay_ms" before it goes on.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/string.h>

static unsigned int delay_ms = 3000;
module_param(delay_ms, uint, 0600);

static unsigned int armed;
module_param(armed, uint, 0600);

static unsigned int nr_waits;
module_param(nr_waits, uint, 0400);

static int entered(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct module *mod = (void *)regs_get_kernel_argument(regs, 0);

	return !mod || strcmp(mod->name, "markers") || !xchg(&armed, 0);
}

static int returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	WRITE_ONCE(nr_waits, nr_waits + 1);
	mdelay(delay_ms);
	return 0;
}

static struct kretprobe probe = {
	.kp.symbol_name = "try_module_get",
	.entry_handler = entered,
	.handler = returned,
	.maxactive = 64,
};

static int __init opener_init(void)
{
	return register_kretprobe(&probe);
}
module_init(opener_init);

static void __exit opener_exit(void)
{
	unregister_kretprobe(&probe);
}
module_exit(opener_exit);

MODULE_DESCRIPTION("Test: a pause between the reference to markers.ko and its use");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
