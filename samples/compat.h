/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernels in the tracepoints of kernel-events.c.
 */
#ifndef _SAMPLES_COMPAT_H
#define _SAMPLES_COMPAT_H

#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/version.h>

/* task_struct.state became __state in 5.14: commit 2f064a59a11f */
#if KERNEL_VERSION(5, 14, 0) <= LINUX_VERSION_CODE
#define TASK_STATE(task)	READ_ONCE((task)->__state)
#else
#define TASK_STATE(task)	((unsigned int)READ_ONCE((task)->state))
#endif

/*
 * TAKES() is true if the probes of a tracepoint have this prototype.  Where the
 * arguments of sched_switch changed, this asks the header, not the version, because
 * stable kernels get such changes as well.  prev_state is absent before 5.18, the second
 * argument in 5.18, and the last one since 5.19 (commit 9c2136be0878).
 */
#define TAKES(event, args...)						\
	__builtin_types_compatible_p(					\
		typeof(check_trace_callback_type_ ## event),		\
		void (void (*)(void *, ## args)))

/* Since 6.16, sched_process_exit says whether the whole thread group is dead. */
#if KERNEL_VERSION(6, 16, 0) <= LINUX_VERSION_CODE
#define SCHED_EXIT_ARGS		struct task_struct *task, bool group_dead
#define GROUP_DEAD(task)	group_dead
#else
#define SCHED_EXIT_ARGS		struct task_struct *task
#define GROUP_DEAD(task)	(!atomic_read(&(task)->signal->live))
#endif

#endif /* _SAMPLES_COMPAT_H */
