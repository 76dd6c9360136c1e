/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernels in the tracepoints of kernel-events.c.
 */
#ifndef _SAMPLES_COMPAT_H
#define _SAMPLES_COMPAT_H

#include <linux/bitops.h>
#include <linux/blkdev.h>
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
 * The state of a task as one bit of TASK_REPORT, or TASK_REPORT_IDLE, as the kernel's own
 * event has it.  The kernel has __task_state_index() for that since 5.18.
 */
static inline unsigned int reported_state(unsigned int state, unsigned int exit_state)
{
	unsigned int report = (state | exit_state) & TASK_REPORT;

	if ((state & TASK_IDLE) == TASK_IDLE)
		report = TASK_REPORT_IDLE;
#ifdef TASK_RTLOCK_WAIT
	if (state & TASK_RTLOCK_WAIT)
		report = TASK_UNINTERRUPTIBLE;
#endif
#ifdef TASK_FROZEN
	if (state & TASK_FROZEN)
		report = TASK_UNINTERRUPTIBLE;
#endif
	return report ? BIT(fls(report) - 1) : 0;
}

/* request.rq_disk went in 5.17: commit f3fa33acca9f */
#if KERNEL_VERSION(5, 17, 0) <= LINUX_VERSION_CODE
#define REQUEST_DISK(rq)	((rq)->q->disk)
#else
#define REQUEST_DISK(rq)	((rq)->rq_disk)
#endif

/* A command to a drive that has no disk, such as an empty reader of cards, is of device 0. */
static inline u32 request_dev(struct request *rq)
{
	return REQUEST_DISK(rq) ? disk_devt(REQUEST_DISK(rq)) : 0;
}

/* What a request does, by the bits that LTTng gives it. */
enum request_rwbs {
	RWBS_WRITE = BIT(0),
	RWBS_DISCARD = BIT(1),
	RWBS_READ = BIT(2),
	RWBS_RAHEAD = BIT(3),
	RWBS_SYNC = BIT(5),
	RWBS_META = BIT(6),
	RWBS_SECURE = BIT(7),
	RWBS_FLUSH = BIT(8),
	RWBS_FUA = BIT(9),
	RWBS_PREFLUSH = BIT(10),
};

static inline u32 request_op(struct request *rq)
{
	switch (req_op(rq)) {
	case REQ_OP_READ:
		return RWBS_READ;
	case REQ_OP_DISCARD:
		return RWBS_DISCARD;
	case REQ_OP_SECURE_ERASE:
		return RWBS_DISCARD | RWBS_SECURE;
	case REQ_OP_FLUSH:
		return RWBS_FLUSH;
	default:
		return op_is_write(req_op(rq)) ? RWBS_WRITE : 0;
	}
}

static inline u32 request_rwbs(struct request *rq)
{
	return request_op(rq) |
	       (rq->cmd_flags & REQ_RAHEAD ? RWBS_RAHEAD : 0) |
	       (rq->cmd_flags & REQ_SYNC ? RWBS_SYNC : 0) |
	       (rq->cmd_flags & REQ_META ? RWBS_META : 0) |
	       (rq->cmd_flags & REQ_FUA ? RWBS_FUA : 0) |
	       (rq->cmd_flags & REQ_PREFLUSH ? RWBS_PREFLUSH : 0);
}

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
