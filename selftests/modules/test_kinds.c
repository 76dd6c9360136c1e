// SPDX-License-Identifier: GPL-2.0
/*
 * test_kinds: one marker of each kind, kind_patch, kind_branch and kind_guard,
 * and kind_shared, a load and branch inlined into two places.  Write "hit N" to
 * /proc/test_kinds to pass each of them N times.
 */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <markers/marker.h>

#include "frame.h"

static __always_inline void fire_shared(unsigned int place)
{
	_trace_mark(kind_shared, "place %u", place);
}

static noinline void pass_all(unsigned int n)
{
	keep_frame();
	trace_mark(kind_patch, "n %u", n);
	_trace_mark(kind_branch, "n %u", n);
	trace_mark_guard(kind_guard, "n %u", n);
	trace_mark_guard(kind_guard_other, "n %u", n);
	fire_shared(0);
	fire_shared(1);
}

static ssize_t kinds_write(struct file *file, const char __user *from,
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

static const struct proc_ops kinds_ops = {
	.proc_write = kinds_write,
	.proc_lseek = noop_llseek,
};

static int __init kinds_init(void)
{
	return proc_create("test_kinds", 0200, NULL, &kinds_ops) ? 0 : -ENOMEM;
}
module_init(kinds_init);

static void __exit kinds_exit(void)
{
	remove_proc_entry("test_kinds", NULL);
}
module_exit(kinds_exit);

MODULE_DESCRIPTION("markers selftest: the kinds of markers");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
