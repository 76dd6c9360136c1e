// SPDX-License-Identifier: GPL-2.0
/*
 * test_old_marker: the markers of samples/markers/marker-example.c of Linux
 * 2.6.31, with its names, formats and numbers of hits; test_old_probe is the other
 * half.  A task that opens /proc/test_old_marker hits them, and the open fails.
 */
#include <linux/module.h>
#include <linux/proc_fs.h>

#include <markers/marker.h>

static int old_open(struct inode *inode, struct file *file)
{
	int i;

	trace_mark(subsystem_event, "integer %d string %s", 123,
		   "example string");
	for (i = 0; i < 10; i++)
		trace_mark(subsystem_eventb, MARK_NOARGS);
	return -EPERM;
}

static const struct proc_ops old_ops = {
	.proc_open = old_open,
};

static int __init old_init(void)
{
	return proc_create("test_old_marker", 0444, NULL, &old_ops) ? 0 : -ENOMEM;
}
module_init(old_init);

static void __exit old_exit(void)
{
	remove_proc_entry("test_old_marker", NULL);
}
module_exit(old_exit);

MODULE_DESCRIPTION("Test: the sample markers of Linux 2.6.31");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
