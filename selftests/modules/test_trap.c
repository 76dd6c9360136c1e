// SPDX-License-Identifier: GPL-2.0
/*
 * test_trap: a kprobe whose handler passes the marker "trapped", at the function "symbol=".
 * It has a post handler, and is not where ftrace has a call, so that it stays a breakpoint.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>

#include <markers/marker.h>

static char *symbol = "ktime_get_mono_fast_ns";
module_param(symbol, charp, 0400);

static int before(struct kprobe *kprobe, struct pt_regs *regs)
{
	trace_mark(trapped, "cpu %d", raw_smp_processor_id());
	return 0;
}

static void after(struct kprobe *kprobe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe probe = {
	.pre_handler = before,
	.post_handler = after,
};

static int __init trap_init(void)
{
	int err;

	probe.symbol_name = symbol;
	err = register_kprobe(&probe);
	if (err || !kprobe_ftrace(&probe))
		return err;
	unregister_kprobe(&probe);
	probe.addr = NULL;
	probe.flags = 0;
	probe.offset = MCOUNT_INSN_SIZE;
	return register_kprobe(&probe);
}
module_init(trap_init);

static void __exit trap_exit(void)
{
	unregister_kprobe(&probe);
}
module_exit(trap_exit);

MODULE_DESCRIPTION("Test: a marker in the handler of a kprobe by breakpoint");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
