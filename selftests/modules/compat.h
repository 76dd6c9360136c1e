/* SPDX-License-Identifier: GPL-2.0 */
/* Differences between kernels that matter to the test modules. */
#ifndef _SELFTESTS_COMPAT_H
#define _SELFTESTS_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/version.h>

/* hrtimer_setup(): v6.13, 908a1d775422; v6.15 removed the old pair */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#ifndef in_hardirq			/* before v5.11 */
#define in_hardirq()		in_irq()
#endif

#ifndef IRQ_WORK_INIT_HARD		/* before v5.11 */
#define IRQ_WORK_INIT_HARD(function)	\
	{ .flags = ATOMIC_INIT(IRQ_WORK_HARD_IRQ), .func = (function) }
#endif

#endif /* _SELFTESTS_COMPAT_H */
