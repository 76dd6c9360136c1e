// SPDX-License-Identifier: GPL-2.0
/*
 * shipped: a driver that works without markers.ko.  Its marker shipped_work is in the loop of
 * /proc/shipped, which does some work when it is read.
 *
 *	insmod shipped.ko
 *	cat /proc/shipped
 *	insmod markers.ko enable='shipped:*'
 *	cat /proc/shipped
 *	cat /sys/kernel/debug/markers/trace
 *	rmmod markers
 *	cat /proc/shipped
 */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

#include "markers_fallback.h"

static unsigned int work(unsigned int seed)
{
	unsigned int sum = 0, i;

	for (i = 0; i < 3; i++) {
		sum += seed * i;
		trace_mark(shipped_work, "seed %u round %u sum %u", seed, i, sum);
	}
	return sum;
}

static int shipped_show(struct seq_file *seq, void *v)
{
	seq_printf(seq, "%u\n", work(7));
	return 0;
}

static int __init shipped_init(void)
{
	trace_mark(shipped_init, MARK_NOARGS);
	return proc_create_single("shipped", 0444, NULL, shipped_show) ? 0 : -ENOMEM;
}
module_init(shipped_init);

static void __exit shipped_exit(void)
{
	remove_proc_entry("shipped", NULL);
}
module_exit(shipped_exit);

/* modprobe loads markers first, where it is installed, and goes on without it where not. */
MODULE_SOFTDEP("pre: markers");
MODULE_DESCRIPTION("markers: a driver that works without markers.ko");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
