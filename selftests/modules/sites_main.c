// SPDX-License-Identifier: GPL-2.0
/*
 * test_sites: markers of all forms and in all places, hit in the context of the
 * task that writes a word to /proc/test_sites:
 *
 *	args	0 to 16 arguments
 *	types	every kind of conversion
 *	inline	one marker inlined into many places
 *	same	one name in several trace_mark()
 *	effects	arguments that have side effects
 *	shared	names that test_twin has, too
 *	burst N	N events of one small field, "seq" from 0
 *	big N	N events with a string of 900 bytes
 *
 * Reading it tells how often the arguments of "effects" were evaluated.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "sites.h"

static unsigned int first, second;	/* evaluations */
static char filler[901];

/* for "args" */
static const int even[8] = {
	1000, 1002, 1004, 1006, 1008, 1010, 1012, 1014,
};

static const long long odd[8] = {
	-1000000000001, -1000000000003, -1000000000005, -1000000000007,
	-1000000000009, -1000000000011, -1000000000013, -1000000000015,
};

static noinline unsigned int count_evaluation(unsigned int *count)
{
	return ++*count;
}

static void fire_effects(void)
{
	unsigned int local = 0;

	trace_mark(sites_effects, "first %u second %u", count_evaluation(&first),
		   count_evaluation(&second));
	/* from left to right */
	trace_mark(sites_order, "one %u two %u three %u", count_evaluation(&local),
		   count_evaluation(&local), count_evaluation(&local));
	_trace_mark(sites_branch_effects, "first %u", count_evaluation(&first));
}

static __always_inline void fire_inlined(unsigned int where)
{
	trace_mark(sites_inline, "where %u", where);
}

static void many_places(unsigned int first_place)
{
	unsigned int i;

	fire_inlined(first_place);
	fire_inlined(first_place + 1);
	fire_inlined(first_place + 2);
	for (i = 3; i < 6; i++)
		fire_inlined(first_place + i);
	sites_header("main");
	sites_header("main again");
	sites_header_here();
}

static void fire_same(void)
{
	trace_mark(sites_same, "which %d", 1);
	trace_mark(sites_same, "which %d", 2);
	_trace_mark(sites_same, "which %d", 3);
}

static void fire_shared(void)
{
	trace_mark(sites_shared, "from %s value %d", "test_sites", 1);
	trace_mark(sites_clash, "value %d", -1);
}

static void fire_burst(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		trace_mark(sites_burst, "seq %u", i);
		if (!(i % 1024))
			cond_resched();
	}
}

static void fire_big(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		trace_mark(sites_big, "seq %u filler %s", i, filler);
		if (!(i % 1024))
			cond_resched();
	}
}

static int run_command(char *line)
{
	char *word = strsep(&line, " ");
	unsigned int nr = 1;

	if (line && kstrtouint(line, 0, &nr))
		return -EINVAL;
	if (!strcmp(word, "args"))
		sites_args(even, odd);
	else if (!strcmp(word, "types"))
		sites_types();
	else if (!strcmp(word, "inline"))
		many_places(10);
	else if (!strcmp(word, "same"))
		fire_same();
	else if (!strcmp(word, "effects"))
		fire_effects();
	else if (!strcmp(word, "shared"))
		fire_shared();
	else if (!strcmp(word, "burst"))
		fire_burst(nr);
	else if (!strcmp(word, "big"))
		fire_big(nr);
	else
		return -EINVAL;
	return 0;
}

static ssize_t sites_write(struct file *file, const char __user *buf,
			   size_t count, loff_t *pos)
{
	char *line = memdup_user_nul(buf, min_t(size_t, count, 64));
	int err;

	if (IS_ERR(line))
		return PTR_ERR(line);
	err = run_command(strim(line));
	kfree(line);
	return err ?: count;
}

static int sites_show(struct seq_file *seq, void *unused)
{
	seq_printf(seq, "first %u second %u\n", first, second);
	return 0;
}

static int sites_open(struct inode *inode, struct file *file)
{
	return single_open(file, sites_show, NULL);
}

static const struct proc_ops sites_ops = {
	.proc_open = sites_open,
	.proc_read = seq_read,
	.proc_write = sites_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init sites_init(void)
{
	memset(filler, 'x', sizeof(filler) - 1);
	trace_mark(sites_init, "step %s nr %d", "begin", 1);
	_trace_mark(sites_init, "step %s nr %d", "branch", 2);
	if (!proc_create("test_sites", 0600, NULL, &sites_ops))
		return -ENOMEM;
	trace_mark(sites_init, "step %s nr %d", "end", 3);
	return 0;
}
module_init(sites_init);

static void __exit sites_exit(void)
{
	remove_proc_entry("test_sites", NULL);
	trace_mark(sites_exit, "step %s", "jump");
	_trace_mark(sites_exit, "step %s", "branch");
}
module_exit(sites_exit);

MODULE_DESCRIPTION("Test: markers in all shapes and places");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
