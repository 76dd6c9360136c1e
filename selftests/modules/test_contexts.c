// SPDX-License-Identifier: GPL-2.0
/*
 * test_contexts: a marker in a task with preemption, interrupts or softirqs off, in a
 * softirq, in an interrupt and in an NMI.  Its fields hold the expected contexts.
 *
 *	echo N >/proc/test_contexts	all of them, N times, from the task that writes
 *
 *	echo idle >/proc/test_contexts	two markers in interrupts over the idle tasks of two CPUs:
 *					begin on one, begin on the other, then the ends
 *
 * NMIs come from elsewhere: perf, for example.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#ifdef CONFIG_X86
#include <asm/nmi.h>
#endif

#include <markers/marker.h>

#include "compat.h"
#include "frame.h"

/* The same as in ftrace, written independently of hit/context.h. */
static noinline void hit_marker(const char *where)
{
	unsigned int depth = preempt_count() & PREEMPT_MASK;
	bool no_bh = softirq_count() >= SOFTIRQ_DISABLE_OFFSET;
	char off = no_bh ? 'b' : '.', interrupt = '.';

	if (irqs_disabled())
		off = no_bh ? 'D' : 'd';
	if (in_serving_softirq())
		interrupt = in_hardirq() ? 'H' : 's';
	else if (in_hardirq())
		interrupt = 'h';
	if (in_nmi())
		interrupt = in_hardirq() ? 'Z' : 'z';
	keep_frame();
	trace_mark(context_hit, "where %s comm %s tid %d pid %d off %c interrupt %c depth %x",
		   where, current->comm, current->pid, current->tgid, off, interrupt,
		   depth);
}

static DECLARE_COMPLETION(softirq_done);
static DECLARE_COMPLETION(hardirq_done);

static void in_softirq_handler(struct tasklet_struct *tasklet)
{
	hit_marker("softirq");
	complete(&softirq_done);
}

static void in_hardirq_handler(struct irq_work *work)
{
	hit_marker("hardirq");
	complete(&hardirq_done);
}

static DECLARE_TASKLET(softirq_tasklet, in_softirq_handler);
static struct irq_work hardirq_work = IRQ_WORK_INIT_HARD(in_hardirq_handler);

static noinline void hit_everywhere(void)
{
	unsigned long flags;

	hit_marker("task");
	preempt_disable();
	hit_marker("preempt");
	preempt_disable();
	hit_marker("preempt2");
	preempt_enable();
	preempt_enable();
	local_irq_save(flags);
	hit_marker("irqs");
	local_irq_restore(flags);
	local_bh_disable();
	hit_marker("bh");
	local_irq_save(flags);
	hit_marker("bh_irqs");
	local_irq_restore(flags);
	local_bh_enable();
	tasklet_schedule(&softirq_tasklet);
	wait_for_completion(&softirq_done);
	irq_work_queue(&hardirq_work);
	wait_for_completion(&hardirq_done);
}

#define IDLE_TRIES	30000	/* of a millisecond or less */

static void hit_if_idle(void *step)
{
	if (current->pid)
		return;
	if (*(int *)step < 2)
		trace_mark(idle_begin, "cpu %u", raw_smp_processor_id());
	else
		trace_mark(idle_end, "cpu %u", raw_smp_processor_id());
	++*(int *)step;
}

/* From another CPU, since the one that asks is not idle. */
static struct idle_work {
	struct work_struct work;
	int cpu;		/* which to interrupt */
	int step;
} idle_work;

static void interrupt_idle(struct work_struct *unused)
{
	int i, step = idle_work.step;

	for (i = 0; i < IDLE_TRIES && idle_work.step == step; i++) {
		smp_call_function_single(idle_work.cpu, hit_if_idle, &idle_work.step, 1);
		usleep_range(500, 1000);
	}
}

static int hit_over_idle(void)
{
	int step, cpus[2];

	if (num_online_cpus() < 2)
		return -ENODEV;
	cpus[0] = cpumask_first(cpu_online_mask);
	cpus[1] = cpumask_next(cpus[0], cpu_online_mask);
	idle_work.step = 0;
	INIT_WORK(&idle_work.work, interrupt_idle);
	for (step = 0; step < 4; step++) {
		idle_work.cpu = cpus[step % 2];
		schedule_work_on(cpus[(step + 1) % 2], &idle_work.work);
		flush_work(&idle_work.work);
		if (idle_work.step == step)
			return -EBUSY;
	}
	return 0;
}

static ssize_t contexts_write(struct file *file, const char __user *from, size_t count,
			      loff_t *pos)
{
	char text[8] = "";
	unsigned int nr;
	int err;

	if (copy_from_user(text, from, min(count, sizeof(text) - 1)))
		return -EFAULT;
	if (sysfs_streq(text, "idle"))
		return hit_over_idle() ?: count;
	err = kstrtouint_from_user(from, count, 0, &nr);
	if (err)
		return err;
	while (nr--)
		hit_everywhere();
	return count;
}

static const struct proc_ops contexts_ops = {
	.proc_write = contexts_write,
};

#ifdef CONFIG_X86
static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	hit_marker("nmi");
	return NMI_DONE;
}

static int nmi_begin(void)
{
	return register_nmi_handler(NMI_LOCAL, on_nmi, 0, "test_contexts");
}

static void nmi_end(void)
{
	unregister_nmi_handler(NMI_LOCAL, "test_contexts");
}
#else
static int nmi_begin(void)
{
	return 0;
}

static void nmi_end(void)
{
}
#endif

static int __init test_contexts_init(void)
{
	int err = nmi_begin();

	if (err)
		return err;
	if (!proc_create("test_contexts", 0200, NULL, &contexts_ops)) {
		nmi_end();
		return -ENOMEM;
	}
	return 0;
}
module_init(test_contexts_init);

static void __exit test_contexts_exit(void)
{
	remove_proc_entry("test_contexts", NULL);
	nmi_end();
	tasklet_kill(&softirq_tasklet);
	irq_work_sync(&hardirq_work);
}
module_exit(test_contexts_exit);

MODULE_DESCRIPTION("Test: a marker in each kind of context");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
