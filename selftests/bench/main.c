// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the operations of the benchmark, one by one, and reports the ticks of the
 * time stamp counter that they took.  selftests/bench/guest uses it through
 * /proc/bench:
 *
 *	echo OPERATION COUNT REPEAT > /proc/bench	runs one
 *	cat /proc/bench			count, least and median ticks of a repeat
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "bench.h"

#define MAX_REPEAT	64

static DEFINE_MUTEX(bench_mutex);
static unsigned long last_count;	/* the result; bench_mutex */
static u64 last_least, last_median;

static const struct bench_op *const all_ops[] = {
	bench_plain_ops, bench_ours_ops, bench_raw_ops, bench_peers_ops,
	bench_keys_ops, bench_dynamic_ops, bench_optional_ops,
};

static const struct bench_op *find_op(const char *name)
{
	const struct bench_op *op;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all_ops); i++) {
		for (op = all_ops[i]; op->name; op++) {
			if (!strcmp(op->name, name))
				return op;
		}
	}
	return NULL;
}

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static int run(const struct bench_op *op, unsigned long count,
	       unsigned int repeat)
{
	u64 ticks[MAX_REPEAT];
	unsigned int i;
	int err;

	err = op->begin ? op->begin() : 0;
	if (err)
		return err;
	for (i = 0; i < repeat; i++) {
		ticks[i] = op->time ? op->time(count) :
				      bench_time(op->loop, count);
		cond_resched();
	}
	err = op->end ? op->end() : 0;
	if (err)
		return err;
	sort(ticks, repeat, sizeof(ticks[0]), compare, NULL);
	last_count = count;
	last_least = ticks[0];
	last_median = ticks[repeat / 2];
	return 0;
}

static ssize_t bench_write(struct file *file, const char __user *from,
			   size_t size, loff_t *pos)
{
	const struct bench_op *op;
	char text[80], name[48];
	unsigned long count;
	unsigned int repeat;
	int err;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	text[size] = '\0';
	if (sscanf(text, "%47s %lu %u", name, &count, &repeat) != 3 ||
	    !count || !repeat || repeat > MAX_REPEAT)
		return -EINVAL;
	op = find_op(name);
	if (!op)
		return -ENOENT;
	mutex_lock(&bench_mutex);
	err = run(op, count, repeat);
	mutex_unlock(&bench_mutex);
	return err ?: size;
}

static int bench_show(struct seq_file *seq, void *unused)
{
	mutex_lock(&bench_mutex);
	seq_printf(seq, "%lu %llu %llu\n", last_count, last_least, last_median);
	mutex_unlock(&bench_mutex);
	return 0;
}

static int bench_open(struct inode *inode, struct file *file)
{
	return single_open(file, bench_show, NULL);
}

static const struct proc_ops bench_proc_ops = {
	.proc_open = bench_open,
	.proc_read = seq_read,
	.proc_write = bench_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

/*
 * To check the measurement: these take 0, 10 and 100 more than
 * the empty loop.
 */
BENCH_LOOP(loop_empty, ({ }))
BENCH_LOOP(loop_nop10, asm volatile(".rept 10; nop; .endr"))
BENCH_LOOP(loop_nop100, asm volatile(".rept 100; nop; .endr"))

const struct bench_op bench_plain_ops[] = {
	{ "empty", loop_empty },
	{ "nop10", loop_nop10 },
	{ "nop100", loop_nop100 },
	{ }
};

static int __init bench_init(void)
{
	int err;

	err = bench_raw_init();
	if (err)
		return err;
	if (proc_create("bench", 0600, NULL, &bench_proc_ops))
		return 0;
	bench_raw_exit();
	return -ENOMEM;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
	remove_proc_entry("bench", NULL);
	bench_ours_exit();
	bench_raw_exit();
}
module_exit(bench_exit);

MODULE_DESCRIPTION("Benchmark of markers and their peers");
MODULE_LICENSE("GPL");
