// SPDX-License-Identifier: GPL-2.0
/*
 * latency: a module with the name of the one that events of pairs have, and a marker
 * like that of the pair "rq" by "seq".  Any write to /proc/test_latency passes both markers.
 */
#include <linux/module.h>
#include <linux/proc_fs.h>

#include <markers/marker.h>

static ssize_t latency_write(struct file *file, const char __user *buf,
			     size_t count, loff_t *pos)
{
	trace_mark(rq, "seq %u latency %llu", 1U, 2ULL);
	trace_mark(other, "value %d", 3);
	return count;
}

static const struct proc_ops latency_ops = {
	.proc_write = latency_write,
};

static int __init latency_init(void)
{
	return proc_create("test_latency", 0200, NULL, &latency_ops) ? 0 : -ENOMEM;
}
module_init(latency_init);

static void __exit latency_exit(void)
{
	remove_proc_entry("test_latency", NULL);
}
module_exit(latency_exit);

MODULE_DESCRIPTION("Test: a module with the name of the events of pairs");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
