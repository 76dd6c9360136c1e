/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints whose arguments changed.  No feature test can tell before the
 * function is declared, so these go by version; a kernel with yet other
 * arguments fails to compile in kernel-events.c, check_prototypes().
 */
#ifndef _SAMPLES_COMPAT_H
#define _SAMPLES_COMPAT_H

#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/version.h>

/*
 * sched_switch got prev_state in 5.18, as its second argument, and has it as the
 * last one since 5.19: commit 9c2136be0878 ("sched/tracing: Append prev_state to
 * tp args instead").
 */
#if KERNEL_VERSION(5, 19, 0) <= LINUX_VERSION_CODE
#define SCHED_SWITCH_ARGS	bool preempt, struct task_struct *prev,	\
				struct task_struct *next,		\
				unsigned int prev_state
#define PREV_STATE(prev)	prev_state
#else
#define SCHED_SWITCH_ARGS	bool preempt, struct task_struct *prev,	\
				struct task_struct *next
#define PREV_STATE(prev)	((unsigned int)(prev)->state)
#endif

/* sched_process_exit says whether the whole thread group is dead since 6.16. */
#if KERNEL_VERSION(6, 16, 0) <= LINUX_VERSION_CODE
#define SCHED_EXIT_ARGS		struct task_struct *task, bool group_dead
#define GROUP_DEAD(task)	group_dead
#else
#define SCHED_EXIT_ARGS		struct task_struct *task
#define GROUP_DEAD(task)	(!atomic_read(&(task)->signal->live))
#endif

#endif /* _SAMPLES_COMPAT_H */
