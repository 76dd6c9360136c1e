// SPDX-License-Identifier: GPL-2.0
/*
 * The running kernel's own tracepoints as markers: scheduler, interrupts, timers, disks,
 * system calls, in the same buffer and the same trace as the markers of modules. Names and
 * fields are the kernel's own; "markers export -f lttng" gives them those that the kernel
 * views of Trace Compass look for.
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
 *
 * A write to its parameter "statedump" hits the marker process_state once for each task, so
 * that a viewer knows the tasks that do nothing during the recording.
 *
 * Since 7.0 the kernel may preempt a probe.  A marker may stand in such code, and nothing
 * else here needs preemption to be off.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/binfmts.h>
#include <linux/blkdev.h>
#include <linux/blktrace_api.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include <asm/syscall.h>

#include <trace/events/block.h>
#include <trace/events/irq.h>
#include <trace/events/power.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>
#include <trace/events/timer.h>

#include <markers/marker.h>

#include "compat.h"
#include "hooks.h"

/*
 * Scheduler
 */

static __always_inline void sched_switch(bool preempt, struct task_struct *prev,
					 struct task_struct *next,
					 unsigned int prev_state)
{
	trace_mark(sched_switch, "prev_comm %s prev_pid %d prev_prio %d prev_state %#x preempt %d next_comm %s next_pid %d next_prio %d",
		   prev->comm, prev->pid, prev->prio,
		   preempt ? 0 : reported_state(prev_state, prev->exit_state), preempt,
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

/* One name for each marker: the tracepoints share a prototype, not a name. */
#define WAKEUP_PROBE(event)						\
static void on_ ## event(void *data, struct task_struct *task)		\
{									\
	trace_mark(event, "comm %s pid %d prio %d target_cpu %u",	\
		   task->comm, task->pid, task->prio, task_cpu(task));	\
}

WAKEUP_PROBE(sched_waking)
WAKEUP_PROBE(sched_wakeup)
WAKEUP_PROBE(sched_wakeup_new)

static void on_sched_migrate_task(void *data, struct task_struct *task, int cpu)
{
	trace_mark(sched_migrate_task, "comm %s pid %d prio %d orig_cpu %u dest_cpu %d",
		   task->comm, task->pid, task->prio, task_cpu(task), cpu);
}

/* As the kernel decides it: the priority of the waiter, if that is the higher one. */
static void on_sched_pi_setprio(void *data, struct task_struct *task,
				struct task_struct *waiter)
{
	trace_mark(sched_pi_setprio, "comm %s pid %d oldprio %d newprio %d",
		   task->comm, task->pid, task->prio,
		   waiter ? min(task->normal_prio, waiter->prio) : task->normal_prio);
}

/* child_tgid: the child is a thread of that process, or a process of its own */
static void on_sched_process_fork(void *data, struct task_struct *parent,
				  struct task_struct *child)
{
	trace_mark(sched_process_fork, "parent_comm %s parent_pid %d child_comm %s child_pid %d child_tgid %d",
		   parent->comm, parent->pid, child->comm, child->pid, child->tgid);
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

static void on_sched_process_free(void *data, struct task_struct *task)
{
	trace_mark(sched_process_free, "comm %s pid %d prio %d",
		   task->comm, task->pid, task->prio);
}

/*
 * Interrupts
 */

static void on_irq_handler_entry(void *data, int irq, struct irqaction *action)
{
	trace_mark(irq_handler_entry, "irq %d name %s", irq, action->name);
}

static void on_irq_handler_exit(void *data, int irq, struct irqaction *action,
				int ret)
{
	trace_mark(irq_handler_exit, "irq %d handled %d", irq, ret);
}

#define SOFTIRQ_PROBE(event)						\
static void on_ ## event(void *data, unsigned int vec)			\
{									\
	trace_mark(event, "vec %u", vec);				\
}

SOFTIRQ_PROBE(softirq_raise)
SOFTIRQ_PROBE(softirq_entry)
SOFTIRQ_PROBE(softirq_exit)

/*
 * Timers
 */

static __always_inline void hrtimer_start_event(struct hrtimer *timer)
{
	trace_mark(hrtimer_start, "hrtimer %p function %ps expires %lld softexpires %lld",
		   timer, ACCESS_PRIVATE(timer, function), hrtimer_get_expires(timer),
		   hrtimer_get_softexpires(timer));
}

static __maybe_unused void on_hrtimer_start_mode(void *data, struct hrtimer *timer,
						 enum hrtimer_mode mode)
{
	hrtimer_start_event(timer);
}

static __maybe_unused void on_hrtimer_start_armed(void *data, struct hrtimer *timer,
						  enum hrtimer_mode mode, bool was_armed)
{
	hrtimer_start_event(timer);
}

#define on_hrtimer_start						\
	__builtin_choose_expr(						\
		TAKES(hrtimer_start, struct hrtimer *, enum hrtimer_mode, bool), \
		on_hrtimer_start_armed, on_hrtimer_start_mode)

static void on_hrtimer_cancel(void *data, struct hrtimer *timer)
{
	trace_mark(hrtimer_cancel, "hrtimer %p", timer);
}

static __always_inline void hrtimer_expire_event(struct hrtimer *timer, ktime_t now)
{
	trace_mark(hrtimer_expire_entry, "hrtimer %p function %ps now %lld",
		   timer, ACCESS_PRIVATE(timer, function), now);
}

static __maybe_unused void on_hrtimer_expire_pointer(void *data, struct hrtimer *timer,
						     ktime_t *now)
{
	hrtimer_expire_event(timer, *now);
}

static __maybe_unused void on_hrtimer_expire_value(void *data, struct hrtimer *timer,
						   ktime_t now)
{
	hrtimer_expire_event(timer, now);
}

#define on_hrtimer_expire_entry						\
	__builtin_choose_expr(						\
		TAKES(hrtimer_expire_entry, struct hrtimer *, ktime_t),	\
		on_hrtimer_expire_value, on_hrtimer_expire_pointer)

static void on_hrtimer_expire_exit(void *data, struct hrtimer *timer)
{
	trace_mark(hrtimer_expire_exit, "hrtimer %p", timer);
}

static void on_cpu_frequency(void *data, unsigned int frequency, unsigned int cpu)
{
	trace_mark(cpu_frequency, "state %u cpu_id %u", frequency, cpu);
}

/*
 * Disks
 */

#define REQUEST_PROBE(event)						\
static void on_ ## event(void *data, struct request *rq)		\
{									\
	trace_mark(event, "dev %u sector %llu nr_sector %u bytes %u rwbs %#x", \
		   request_dev(rq), (u64)blk_rq_trace_sector(rq),	\
		   blk_rq_trace_nr_sectors(rq), blk_rq_bytes(rq),	\
		   request_rwbs(rq));					\
}

REQUEST_PROBE(block_rq_insert)
REQUEST_PROBE(block_rq_issue)

static __always_inline void block_rq_complete_event(struct request *rq, int error,
						    unsigned int bytes)
{
	trace_mark(block_rq_complete, "dev %u sector %llu nr_sector %u error %d rwbs %#x",
		   request_dev(rq), (u64)blk_rq_pos(rq), bytes >> SECTOR_SHIFT, error,
		   request_rwbs(rq));
}

static __maybe_unused void on_block_rq_complete_errno(void *data, struct request *rq,
						      int error, unsigned int bytes)
{
	block_rq_complete_event(rq, error, bytes);
}

static __maybe_unused void on_block_rq_complete_status(void *data, struct request *rq,
						       blk_status_t status,
						       unsigned int bytes)
{
	block_rq_complete_event(rq, blk_status_to_errno(status), bytes);
}

#define on_block_rq_complete						\
	__builtin_choose_expr(						\
		TAKES(block_rq_complete, struct request *, blk_status_t, unsigned int), \
		on_block_rq_complete_status, on_block_rq_complete_errno)

/*
 * System calls. kernel-syscalls.c has a marker for each of them.
 */

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

/* As LTTng numbers what a task did when the recording began. */
enum process_status {
	STATUS_OTHER = 0,
	STATUS_WAIT_CPU = 2,
	STATUS_ZOMBIE = 4,
	STATUS_WAIT = 5,
	STATUS_DEAD = 7,
};

static enum process_status status_of(struct task_struct *task)
{
	const unsigned int state = TASK_STATE(task);

	if (task->exit_state & EXIT_ZOMBIE)
		return STATUS_ZOMBIE;
	if (task->exit_state)
		return STATUS_DEAD;
	if (!state)
		return STATUS_WAIT_CPU;
	return state & TASK_NORMAL ? STATUS_WAIT : STATUS_OTHER;
}

static int dump_tasks(const char *value, const struct kernel_param *param)
{
	struct task_struct *process, *task;

	rcu_read_lock();
	for_each_process_thread(process, task)
		trace_mark(process_state, "tid %d pid %d ppid %d status %d cpu %u name %s",
			   task->pid, task->tgid, task_ppid_nr(task), status_of(task),
			   task_cpu(task), task->comm);
	rcu_read_unlock();
	return 0;
}

static const struct kernel_param_ops statedump_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = dump_tasks,
};
module_param_cb(statedump, &statedump_ops, NULL, 0200);
MODULE_PARM_DESC(statedump, "write anything: hit the marker process_state once for each task");

/* All that the module follows. */
#define EVENTS(use)							\
	use(sched_switch)						\
	use(sched_waking)						\
	use(sched_wakeup)						\
	use(sched_wakeup_new)						\
	use(sched_migrate_task)						\
	use(sched_pi_setprio)						\
	use(sched_process_fork)						\
	use(sched_process_exec)						\
	use(sched_process_exit)						\
	use(sched_process_free)						\
	use(irq_handler_entry)						\
	use(irq_handler_exit)						\
	use(softirq_raise)						\
	use(softirq_entry)						\
	use(softirq_exit)						\
	use(hrtimer_start)						\
	use(hrtimer_cancel)						\
	use(hrtimer_expire_entry)					\
	use(hrtimer_expire_exit)					\
	use(cpu_frequency)						\
	use(block_rq_insert)						\
	use(block_rq_issue)						\
	use(block_rq_complete)						\
	use(sys_enter)							\
	use(sys_exit)

static __maybe_unused void check_prototypes(void)
{
	EVENTS(CHECK_PROTOTYPE)
}

static struct hook hooks[] = { EVENTS(HOOK) };

static int __init kernel_events_init(void)
{
	return hooks_add(hooks, ARRAY_SIZE(hooks));
}
module_init(kernel_events_init);

static void __exit kernel_events_exit(void)
{
	hooks_remove(hooks, ARRAY_SIZE(hooks));
}
module_exit(kernel_events_exit);

MODULE_DESCRIPTION("Sample: the kernel's tracepoints as markers");
MODULE_LICENSE("GPL");
