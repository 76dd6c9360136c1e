// SPDX-License-Identifier: GPL-2.0
/*
 * The running kernel's own tracepoints as markers: scheduler, interrupts, system
 * calls, in the same buffer and the same trace as the markers of modules.
 *
 * With markers.ko loaded:
 *
 *	# insmod kernel-events.ko
 *	# echo 'kernel_events:sched_*' >/sys/kernel/debug/markers/set_marker
 *	# sleep 0.1
 *	# grep sched_process_ /sys/kernel/debug/markers/trace
 *	# rmmod kernel_events
 *
 * This shows the shell's fork, exec and exit.  While the module is loaded, the kernel
 * calls its probes, even when no marker is enabled.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/binfmts.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <asm/syscall.h>

#include <trace/events/irq.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>

#include <markers/marker.h>

#include "compat.h"

static __always_inline void sched_switch(bool preempt, struct task_struct *prev,
					 struct task_struct *next,
					 unsigned int prev_state)
{
	trace_mark(sched_switch, "prev_comm %s prev_pid %d prev_prio %d prev_state %#x preempt %d next_comm %s next_pid %d next_prio %d",
		   prev->comm, prev->pid, prev->prio, prev_state, preempt,
		   next->comm, next->pid, next->prio);
}

static __maybe_unused void on_sched_switch_last(void *data, bool preempt,
						struct task_struct *prev,
						struct task_struct *next,
						unsigned int prev_state)
{
	sched_switch(preempt, prev, next, prev_state);
}

static __maybe_unused void on_sched_switch_second(void *data, bool preempt,
						  unsigned int prev_state,
						  struct task_struct *prev,
						  struct task_struct *next)
{
	sched_switch(preempt, prev, next, prev_state);
}

static __maybe_unused void on_sched_switch_without(void *data, bool preempt,
						   struct task_struct *prev,
						   struct task_struct *next)
{
	sched_switch(preempt, prev, next, TASK_STATE(prev));
}

/* The probe with this kernel's prototype.  If the kernel has yet another one, none fits. */
#define on_sched_switch							\
	__builtin_choose_expr(						\
		TAKES(sched_switch, bool, struct task_struct *,		\
		      struct task_struct *, unsigned int),		\
		on_sched_switch_last,					\
	__builtin_choose_expr(						\
		TAKES(sched_switch, bool, unsigned int,			\
		      struct task_struct *, struct task_struct *),	\
		on_sched_switch_second, on_sched_switch_without))

static void on_sched_process_fork(void *data, struct task_struct *parent,
				  struct task_struct *child)
{
	trace_mark(sched_process_fork, "parent_comm %s parent_pid %d child_comm %s child_pid %d",
		   parent->comm, parent->pid, child->comm, child->pid);
}

static void on_sched_process_exec(void *data, struct task_struct *task,
				  pid_t old_pid, struct linux_binprm *bprm)
{
	trace_mark(sched_process_exec, "filename %s pid %d old_pid %d",
		   bprm->filename, task->pid, old_pid);
}

static void on_sched_process_exit(void *data, SCHED_EXIT_ARGS)
{
	trace_mark(sched_process_exit, "comm %s pid %d prio %d group_dead %d",
		   task->comm, task->pid, task->prio, GROUP_DEAD(task));
}

static void on_irq_handler_entry(void *data, int irq, struct irqaction *action)
{
	trace_mark(irq_handler_entry, "irq %d name %s", irq, action->name);
}

static void on_irq_handler_exit(void *data, int irq, struct irqaction *action,
				int ret)
{
	trace_mark(irq_handler_exit, "irq %d handled %d", irq, ret);
}

static void on_softirq_entry(void *data, unsigned int vec)
{
	trace_mark(softirq_entry, "vec %u", vec);
}

static void on_softirq_exit(void *data, unsigned int vec)
{
	trace_mark(softirq_exit, "vec %u", vec);
}

/* Numbers only: the arguments point to user memory, which may change. */
static void on_sys_enter(void *data, struct pt_regs *regs, long id)
{
	unsigned long arg[6];

	syscall_get_arguments(current, regs, arg);
	trace_mark(sys_enter, "nr %ld a0 %#lx a1 %#lx a2 %#lx a3 %#lx a4 %#lx a5 %#lx",
		   id, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

static void on_sys_exit(void *data, struct pt_regs *regs, long ret)
{
	trace_mark(sys_exit, "nr %d ret %ld",
		   syscall_get_nr(current, regs), ret);
}

/*
 * The kernel does not export the tracepoints, so we look them up by name, and nothing
 * compares a probe's arguments with those of its tracepoint.  The headers declare the
 * arguments, though: the compiler reports a difference here.
 */
static __maybe_unused void check_prototypes(void)
{
	check_trace_callback_type_sched_switch(on_sched_switch);
	check_trace_callback_type_sched_process_fork(on_sched_process_fork);
	check_trace_callback_type_sched_process_exec(on_sched_process_exec);
	check_trace_callback_type_sched_process_exit(on_sched_process_exit);
	check_trace_callback_type_irq_handler_entry(on_irq_handler_entry);
	check_trace_callback_type_irq_handler_exit(on_irq_handler_exit);
	check_trace_callback_type_softirq_entry(on_softirq_entry);
	check_trace_callback_type_softirq_exit(on_softirq_exit);
	check_trace_callback_type_sys_enter(on_sys_enter);
	check_trace_callback_type_sys_exit(on_sys_exit);
}

#define HOOK(event)	{ .name = #event, .probe = on_ ## event }

static struct hook {
	const char *name;
	void *probe;
	struct tracepoint *tp;
} hooks[] = {
	HOOK(sched_switch),
	HOOK(sched_process_fork),
	HOOK(sched_process_exec),
	HOOK(sched_process_exit),
	HOOK(irq_handler_entry),
	HOOK(irq_handler_exit),
	HOOK(softirq_entry),
	HOOK(softirq_exit),
	HOOK(sys_enter),
	HOOK(sys_exit),
};

static void find_tracepoint(struct tracepoint *tp, void *data)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!strcmp(hooks[i].name, tp->name))
			hooks[i].tp = tp;
	}
}

/* Undo the first @nr, last one first. */
static void remove_hooks(unsigned int nr)
{
	while (nr--) {
		if (hooks[nr].tp)
			tracepoint_probe_unregister(hooks[nr].tp,
						    hooks[nr].probe, NULL);
	}
	tracepoint_synchronize_unregister();
}

static int __init kernel_events_init(void)
{
	unsigned int i;
	int err;

	for_each_kernel_tracepoint(find_tracepoint, NULL);
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!hooks[i].tp) {
			pr_notice("this kernel has no tracepoint %s\n",
				  hooks[i].name);
			continue;
		}
		err = tracepoint_probe_register(hooks[i].tp, hooks[i].probe,
						NULL);
		if (err) {
			remove_hooks(i);
			return err;
		}
	}
	return 0;
}
module_init(kernel_events_init);

static void __exit kernel_events_exit(void)
{
	remove_hooks(ARRAY_SIZE(hooks));
}
module_exit(kernel_events_exit);

MODULE_DESCRIPTION("Sample: the kernel's tracepoints as markers");
MODULE_LICENSE("GPL");
