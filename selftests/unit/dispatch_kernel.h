/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What markers/hit/dispatch*.c use of the kernel besides switch_kernel.h, in user
 * space: force-included after that.  There is one CPU.  A test enters an interrupt by
 * setting unit_preempt_count.
 */
#ifndef _UNIT_DISPATCH_KERNEL_H
#define _UNIT_DISPATCH_KERNEL_H

#define asmlinkage
#define PREEMPT_MASK		0xff
#define SOFTIRQ_OFFSET		0x100
#define SOFTIRQ_MASK		0xff00
#define HARDIRQ_OFFSET		0x10000
#define HARDIRQ_MASK		0xf0000
#define NMI_MASK		0xf00000

__unit_weak u32 unit_preempt_count;

#define preempt_count()		unit_preempt_count
#undef preempt_disable_notrace
#undef preempt_enable_notrace
#define preempt_disable_notrace()	((void)unit_preempt_count++)
#define preempt_enable_notrace()	((void)unit_preempt_count--)

#define DECLARE_PER_CPU(type, name)	extern type name
#define DEFINE_PER_CPU(type, name)	type name
#define raw_cpu_read(v)		READ_ONCE(v)
#define raw_cpu_write(v, n)	WRITE_ONCE(v, n)
#define raw_cpu_ptr(p)		(p)
#define this_cpu_inc(v)		((v)++)
#define per_cpu(v, cpu)		(*({ (void)(cpu); &(v); }))

__unit_weak unsigned long unit_ram_pages = 1 << 20;

#define totalram_pages()	unit_ram_pages

/* What the contexts read of the task and the CPU. */
#define TASK_COMM_LEN		16
#define _TIF_NEED_RESCHED	8
#define IS_ENABLED(CONFIG_OPTION)	1
#define raw_irqs_disabled()	false
#define test_preempt_need_resched()	false

struct task_struct {
	int pid, tgid;
	char comm[TASK_COMM_LEN];
};

struct thread_info {
	unsigned long flags;
};

__unit_weak struct task_struct unit_task;
__unit_weak struct thread_info unit_thread_info;

__unit_weak unsigned int unit_cpu_number;
#define raw_smp_processor_id()	unit_cpu_number
#undef current
#define current			(&unit_task)
#define current_thread_info()	(&unit_thread_info)

#endif /* _UNIT_DISPATCH_KERNEL_H */
