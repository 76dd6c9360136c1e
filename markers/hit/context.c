// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the contexts of a hit that an operator has chosen.  The recorder calls it, in any
 * context.
 *
 * What belongs to a task may be freed after a grace period once the task has exited;
 * preemption is off.
 */
#include <linux/cgroup.h>
#include <linux/kprobes.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/prio.h>
#include <linux/sched/signal.h>
#include <linux/threads.h>

#include "context.h"

/* In its own namespace; 0: the task has exited and has none any more. */
static __always_inline s32 own_number(const struct pid *pid)
{
	return pid ? pid->numbers[pid->level].nr : 0;
}

static __always_inline s32 vpid_of(const struct task_struct *task)
{
	const struct signal_struct *signal = READ_ONCE(task->signal);

	return signal ? own_number(READ_ONCE(signal->pids[PIDTYPE_TGID])) : 0;
}

u64 marker_context_group(void)
{
#ifdef CONFIG_CGROUPS
	return cgroup_id(rcu_dereference_raw(current->cgroups)->dfl_cgrp);
#else
	return 0;
#endif
}
NOKPROBE_SYMBOL(marker_context_group);

u8 *marker_context_write_any(u8 *to, u32 set)
{
	const struct task_struct *task = current;

	/* all numbers fit, with a sign */
	BUILD_BUG_ON(PID_MAX_LIMIT > 1ul << (8 * CTF_TASK_SIZE - 1));
	if (marker_context_has(set, MARKER_CONTEXT_TID))
		to = context_put_task(to, task->pid);
	if (marker_context_has(set, MARKER_CONTEXT_FLAGS)) {
		put16(to, marker_context_flags());
		to += 2;
	}
	if (marker_context_has(set, MARKER_CONTEXT_PROCNAME)) {
		context_put_procname(to, task);
		to += CTF_PROCNAME_SIZE;
	}
	if (marker_context_has(set, MARKER_CONTEXT_PID))
		to = context_put_task(to, task->tgid);
	if (marker_context_has(set, MARKER_CONTEXT_VTID))
		to = context_put_task(to, own_number(READ_ONCE(task->thread_pid)));
	if (marker_context_has(set, MARKER_CONTEXT_VPID))
		to = context_put_task(to, vpid_of(task));
	if (marker_context_has(set, MARKER_CONTEXT_PRIO))
		*to++ = READ_ONCE(task->prio) - MAX_RT_PRIO;
	if (marker_context_has(set, MARKER_CONTEXT_CGROUP_ID)) {
		put64(to, marker_context_group());
		to += 8;
	}
	if (marker_context_has(set, MARKER_CONTEXT_CALLSTACK))
		*to++ = 0;
	return to;
}
NOKPROBE_SYMBOL(marker_context_write_any);
