// SPDX-License-Identifier: GPL-2.0
/*
 * test_optional: markers of each kind in two objects, in a module that needs no markers.ko.
 * Write "hit N" to /proc/test_optional to pass each of them N times: opt_patch, opt_branch,
 * opt_guard, opt_many, which has more than eight arguments, opt_string, and in the other object
 * opt_other and opt_other_many.  opt_init and opt_exit are in init and exit text.
 */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <markers/marker.h>

#include "optional.h"

static noinline void pass_all(unsigned int n)
{
	trace_mark(opt_patch, "n %u", n);
	_trace_mark(opt_branch, "n %u", n);
	trace_mark_guard(opt_guard, "n %u", n);
	trace_mark(opt_many, "a %u b %u c %u d %u e %u f %u g %u h %u i %u j %u",
		   n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9);
	trace_mark(opt_string, "n %u text %s", n, "here");
	optional_other(n);
}

static ssize_t optional_write(struct file *file, const char __user *from,
			      size_t count, loff_t *pos)
{
	char text[32] = "";
	unsigned int n, i;

	if (count >= sizeof(text) || copy_from_user(text, from, count))
		return -EINVAL;
	if (sscanf(text, "hit %u", &n) != 1)
		return -EINVAL;
	for (i = 0; i < n; i++)
		pass_all(i);
	return count;
}

static const struct proc_ops optional_ops = {
	.proc_write = optional_write,
	.proc_lseek = noop_llseek,
};

static int __init optional_init(void)
{
	trace_mark(opt_init, MARK_NOARGS);
	return proc_create("test_optional", 0200, NULL, &optional_ops) ? 0 : -ENOMEM;
}
module_init(optional_init);

static void __exit optional_exit(void)
{
	remove_proc_entry("test_optional", NULL);
	trace_mark(opt_exit, MARK_NOARGS);
}
module_exit(optional_exit);

MODULE_DESCRIPTION("markers selftest: a module that needs no markers.ko");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
