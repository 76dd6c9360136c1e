// SPDX-License-Identifier: GPL-2.0
/*
 * test_many: 1,000 markers with ten sites each, many_000 to many_999, for
 * batches of up to 10,000 sites.  Write "hit" to /proc/test_many to pass each
 * site once: the events' "place" is 0 to 9.
 */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <markers/marker.h>

#include "thousand.h"

#define DEFINE_HIT(n)							\
static __always_inline void hit_ ## n(unsigned int place)		\
{									\
	trace_mark(many_ ## n, "place %u", place);			\
}

THOUSAND(DEFINE_HIT)

/* Inlined into ten functions: ten sites of each marker. */
#define CALL_HIT(n)	hit_ ## n(place);
#define DEFINE_PLACE(p)							\
static noinline void hit_all_ ## p(void)				\
{									\
	const unsigned int place = p;					\
									\
	THOUSAND(CALL_HIT)						\
}

DEFINE_PLACE(0)
DEFINE_PLACE(1)
DEFINE_PLACE(2)
DEFINE_PLACE(3)
DEFINE_PLACE(4)
DEFINE_PLACE(5)
DEFINE_PLACE(6)
DEFINE_PLACE(7)
DEFINE_PLACE(8)
DEFINE_PLACE(9)

static void (*const hit_all[])(void) = {
	hit_all_0, hit_all_1, hit_all_2, hit_all_3, hit_all_4,
	hit_all_5, hit_all_6, hit_all_7, hit_all_8, hit_all_9,
};

static ssize_t many_write(struct file *file, const char __user *from,
			  size_t count, loff_t *pos)
{
	char word[8] = "";
	unsigned int i;

	if (count >= sizeof(word) || copy_from_user(word, from, count))
		return -EINVAL;
	if (strcmp(strim(word), "hit"))
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(hit_all); i++) {
		hit_all[i]();
		cond_resched();
	}
	return count;
}

static const struct proc_ops many_ops = {
	.proc_write = many_write,
	.proc_lseek = noop_llseek,
};

static int __init many_init(void)
{
	return proc_create("test_many", 0200, NULL, &many_ops) ? 0 : -ENOMEM;
}
module_init(many_init);

static void __exit many_exit(void)
{
	remove_proc_entry("test_many", NULL);
}
module_exit(many_exit);

MODULE_DESCRIPTION("markers selftest: 10,000 sites");
MODULE_AUTHOR("markers developers");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
