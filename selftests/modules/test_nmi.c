// SPDX-License-Identifier: GPL-2.0
/*
 * test_nmi: a marker in a handler of NMIs.  The test provokes NMIs with
 * "echo l >/proc/sysrq-trigger": all other CPUs print a backtrace in an NMI, and
 * this handler runs, too.
 */
#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/smp.h>

#include <asm/nmi.h>

#include <markers/marker.h>

static unsigned int nr_nmis;
module_param(nr_nmis, uint, 0444);
MODULE_PARM_DESC(nr_nmis, "NMIs seen (read only)");

static atomic_t seen;

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	unsigned int nr = atomic_inc_return(&seen);

	trace_mark(nmi_hit, "nr %u cpu %u kernel %d", nr, smp_processor_id(),
		   !user_mode(regs));
	WRITE_ONCE(nr_nmis, nr);
	return NMI_DONE;
}

static int __init test_nmi_init(void)
{
	return register_nmi_handler(NMI_LOCAL, on_nmi, 0, "test_nmi");
}
module_init(test_nmi_init);

static void __exit test_nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "test_nmi");
}
module_exit(test_nmi_exit);

MODULE_DESCRIPTION("Test: a marker in NMI context");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
