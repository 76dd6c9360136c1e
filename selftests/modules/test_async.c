// SPDX-License-Identifier: GPL-2.0
/*
 * test_async: markers in code that its init and exit functions hand to
 * async_schedule(): the code runs when the module is already live, or going.  The
 * kernel waits for it before it frees the code.
 */
#include <linux/async.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/sched.h>

#include <markers/marker.h>

/* Hit from the state @until on, long enough for the other notifiers to run. */
#define HIT_IN(name, until)						\
do {									\
	unsigned long end;						\
									\
	while (READ_ONCE(THIS_MODULE->state) != (until))		\
		cond_resched();						\
	end = jiffies + HZ / 2;						\
	while (time_before(jiffies, end)) {				\
		trace_mark(name, MARK_NOARGS);				\
		cond_resched();						\
	}								\
} while (0)

static void __init init_later(void *data, async_cookie_t cookie)
{
	HIT_IN(async_init, MODULE_STATE_LIVE);
}

static void exit_later(void *data, async_cookie_t cookie)
{
	HIT_IN(async_exit, MODULE_STATE_GOING);
}

static int __init test_async_init(void)
{
	async_schedule(init_later, NULL);
	return 0;
}
module_init(test_async_init);

static void __exit test_async_exit(void)
{
	async_schedule(exit_later, NULL);
}
module_exit(test_async_exit);

MODULE_DESCRIPTION("Test of markers in code that outlives init and exit");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
