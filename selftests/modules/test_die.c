// SPDX-License-Identifier: GPL-2.0
/*
 * test_die: a kernel that dies after a few events.  What is written to /proc/test_die says how:
 *
 *	oops		the task reads a bad address
 *	interrupt	an interrupt does
 *	nmi		the next NMI panics (x86 only)
 *	busy		nothing yet: from now on, all CPUs hit a marker all the time
 *	hit		nothing: the events only
 *	first		nothing: from now on, the task that writes runs before all usual ones
 */
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#ifdef CONFIG_X86
#include <asm/nmi.h>
#endif

#include <markers/marker.h>

#define EVENTS	50

static void read_nothing(void)
{
	/* The file stays open. */
	__module_get(THIS_MODULE);
	trace_mark(die_last, "cpu %u", raw_smp_processor_id());
	READ_ONCE(*(int *)0x10);
}

static void interrupt(struct irq_work *work)
{
	read_nothing();
}

static DEFINE_IRQ_WORK(interrupt_work, interrupt);

#ifdef CONFIG_X86
static int at_nmi(unsigned int type, struct pt_regs *regs)
{
	trace_mark(die_last, "cpu %u", raw_smp_processor_id());
	panic("test_die: in an NMI");
}

static int die_in_nmi(void)
{
	return register_nmi_handler(NMI_LOCAL, at_nmi, 0, "test_die");
}
#else
static int die_in_nmi(void)
{
	return -EOPNOTSUPP;
}
#endif

static int be_busy(void *unused)
{
	unsigned long n = 0;

	for (;;) {
		trace_mark(die_busy, "n %lu text %s", n++, "a text of some bytes");
		cond_resched();
	}
	return 0;
}

static int make_busy(void)
{
	struct task_struct *task;
	int cpu;

	for_each_online_cpu(cpu) {
		task = kthread_create(be_busy, NULL, "busy");
		if (IS_ERR(task))
			return PTR_ERR(task);
		kthread_bind(task, cpu);
		wake_up_process(task);
	}
	return 0;
}

static ssize_t die_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	char how[16] = "";
	int i, err = 0;

	if (copy_from_user(how, from, min(count, sizeof(how) - 1)))
		return -EFAULT;
	for (i = 0; i < EVENTS; i++)
		trace_mark(die_event, "nr %d", i);
	if (!strncmp(how, "oops", 4))
		read_nothing();
	else if (!strncmp(how, "interrupt", 9))
		irq_work_queue(&interrupt_work);
	else if (!strncmp(how, "nmi", 3))
		err = die_in_nmi();
	else if (!strncmp(how, "busy", 4))
		err = make_busy();
	else if (!strncmp(how, "first", 5))
		sched_set_fifo(current);
	return err ?: count;
}

static const struct proc_ops die_ops = {
	.proc_write = die_write,
};

static int __init test_die_init(void)
{
	return proc_create("test_die", 0200, NULL, &die_ops) ? 0 : -ENOMEM;
}
module_init(test_die_init);

static void __exit test_die_exit(void)
{
	remove_proc_entry("test_die", NULL);
}
module_exit(test_die_exit);

MODULE_DESCRIPTION("Test: the last words of a kernel");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
