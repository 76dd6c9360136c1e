// SPDX-License-Identifier: GPL-2.0
/*
 * test_soak: events whose payload describes itself, from a thread, a timer interrupt
 * and an NMI handler on each CPU, which interrupt each other.  "seq" counts the hits of
 * a context (0: thread, 1: interrupt, 2: NMI) on a CPU from 0, "text" is the alphabet
 * from its letter seq % 26 on, and
 *
 *	check = (31 * seq + 7 * context + cpu) % 65521
 *
 * Write "start" or "stop" to /proc/test_soak.  Reading it gives "passed N", and "odd N":
 * those with an odd seq.
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#ifdef CONFIG_X86
#include <asm/nmi.h>
#endif

#include <markers/marker.h>

#include "compat.h"

#define PERIOD_NS	(200 * NSEC_PER_USEC)
#define FORMAT		"context %u cpu %u seq %llu text %s check %u"

enum { THREAD, INTERRUPT, NMI, NR_CONTEXTS };

static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz";

static DEFINE_MUTEX(soak_mutex);		/* start, stop */
static DEFINE_PER_CPU(struct task_struct *, thread);
static DEFINE_PER_CPU(struct hrtimer, timer);
/* Only its own context on its own CPU writes each. */
static DEFINE_PER_CPU(u64 [NR_CONTEXTS], passed);
static bool running;

#define PASS(name, context)						\
do {									\
	u64 seq = this_cpu_read(passed[context]);			\
	u32 cpu = smp_processor_id();					\
									\
	trace_mark(name, FORMAT, context, cpu, seq,			\
		   alphabet + (u32)(seq % 26),				\
		   (u32)((31 * seq + 7 * (context) + cpu) % 65521));	\
	this_cpu_write(passed[context], seq + 1);			\
} while (0)

static int pass_in_thread(void *unused)
{
	unsigned int i;

	while (!kthread_should_stop()) {
		for (i = 0; i < 256; i++)
			PASS(soak_thread, THREAD);
		cond_resched();
	}
	return 0;
}

static enum hrtimer_restart pass_in_interrupt(struct hrtimer *t)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		PASS(soak_interrupt, INTERRUPT);
	hrtimer_forward_now(t, ns_to_ktime(PERIOD_NS));
	return READ_ONCE(running) ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

#ifdef CONFIG_X86
static int pass_in_nmi(unsigned int type, struct pt_regs *regs)
{
	unsigned int i;

	for (i = 0; i < 64 && READ_ONCE(running); i++)
		PASS(soak_nmi, NMI);
	return NMI_DONE;
}
#endif

static void start_timer(void *unused)
{
	hrtimer_start(this_cpu_ptr(&timer), ns_to_ktime(PERIOD_NS),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static void soak_stop(void)
{
	unsigned int cpu;

	WRITE_ONCE(running, false);
	for_each_possible_cpu(cpu) {
		if (per_cpu(thread, cpu))
			kthread_stop(per_cpu(thread, cpu));
		per_cpu(thread, cpu) = NULL;
		hrtimer_cancel(&per_cpu(timer, cpu));
	}
}

static int soak_start(void)
{
	struct task_struct *t = NULL;
	unsigned int cpu;

	soak_stop();
	WRITE_ONCE(running, true);
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		t = kthread_create(pass_in_thread, NULL, "soak/%u", cpu);
		if (IS_ERR(t))
			break;
		kthread_bind(t, cpu);
		per_cpu(thread, cpu) = t;
		wake_up_process(t);
	}
	on_each_cpu(start_timer, NULL, 1);
	cpus_read_unlock();
	if (!IS_ERR(t))
		return 0;
	soak_stop();
	return PTR_ERR(t);
}

static ssize_t soak_write(struct file *file, const char __user *from,
			  size_t count, loff_t *pos)
{
	char word[16] = "";
	int err = 0;

	if (count >= sizeof(word) || copy_from_user(word, from, count))
		return -EINVAL;
	mutex_lock(&soak_mutex);
	if (!strcmp(strim(word), "start"))
		err = soak_start();
	else if (!strcmp(word, "stop"))
		soak_stop();
	else
		err = -EINVAL;
	mutex_unlock(&soak_mutex);
	return err ?: count;
}

static int soak_show(struct seq_file *seq, void *unused)
{
	u64 one, sum = 0, odd = 0;
	unsigned int cpu, i;

	for_each_possible_cpu(cpu) {
		for (i = 0; i < NR_CONTEXTS; i++) {
			one = READ_ONCE(per_cpu(passed, cpu)[i]);
			sum += one;
			odd += one / 2;
		}
	}
	seq_printf(seq, "passed %llu\nodd %llu\n", sum, odd);
	return 0;
}

static int soak_open(struct inode *inode, struct file *file)
{
	return single_open(file, soak_show, NULL);
}

static const struct proc_ops soak_ops = {
	.proc_open = soak_open,
	.proc_read = seq_read,
	.proc_write = soak_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init soak_init(void)
{
	unsigned int cpu;
	int err = 0;

	for_each_possible_cpu(cpu)
		hrtimer_setup(&per_cpu(timer, cpu), pass_in_interrupt,
			      CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#ifdef CONFIG_X86
	err = register_nmi_handler(NMI_LOCAL, pass_in_nmi, 0, "test_soak");
	if (err)
		return err;
#endif
	if (!proc_create("test_soak", 0600, NULL, &soak_ops)) {
		err = -ENOMEM;
#ifdef CONFIG_X86
		unregister_nmi_handler(NMI_LOCAL, "test_soak");
#endif
	}
	return err;
}
module_init(soak_init);

static void __exit soak_exit(void)
{
	remove_proc_entry("test_soak", NULL);
	soak_stop();
#ifdef CONFIG_X86
	unregister_nmi_handler(NMI_LOCAL, "test_soak");
#endif
}
module_exit(soak_exit);

MODULE_DESCRIPTION("Test: events that describe themselves, from nested contexts");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
