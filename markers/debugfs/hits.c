// SPDX-License-Identifier: GPL-2.0
/*
 * The files hits: the hits of markers by outcome.  Process context.  The registry mutex
 * is held while a buffer is filled.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/switch/counts.h>
#include <markers/switch/registry.h>
#include "command.h"
#include "hits.h"

/* The columns of enum marker_outcome. */
#define COLUMNS	"hit\trecorded\tfiltered\tlost\tskipped\toff"

static void add_sum(struct marker_sum *all, const struct marker_sum *sum)
{
	unsigned int i;

	all->hits += sum->hits;
	for (i = 0; i < NR_MARKER_OUTCOMES; i++)
		all->nr[i] += sum->nr[i];
}

static void show_sum(struct seq_file *seq, const struct marker_sum *sum)
{
	unsigned int i;

	seq_printf(seq, "%llu", sum->hits);
	for (i = 0; i < NR_MARKER_OUTCOMES; i++)
		seq_printf(seq, "\t%llu", sum->nr[i]);
}

/* A reset is 0 or an empty line. */
static int check_reset(const struct file *file, const char __user *from, size_t count)
{
	char *text;
	int err = 0;

	text = marker_command_get(file, from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	if (!sysfs_streq(text, "") && !sysfs_streq(text, "0")) {
		marker_command_refuse(file, text, "only 0 can be written");
		err = -EINVAL;
	}
	kfree(text);
	return err;
}

/*
 * hits of one marker
 */

/* @cpu: -1: all of them */
static void show_line(struct seq_file *seq, int cpu, const struct marker_sum *sum)
{
	if (cpu < 0)
		seq_puts(seq, "all\t");
	else
		seq_printf(seq, "%d\t", cpu);
	show_sum(seq, sum);
	seq_putc(seq, '\n');
}

static int event_hits_show(struct seq_file *seq, void *unused)
{
	const struct marker_event *event = seq->private;
	struct marker_sum sum, all = { };
	int cpu;

	marker_registry_lock();
	seq_puts(seq, "#cpu\t" COLUMNS "\n");
	for_each_possible_cpu(cpu) {
		memset(&sum, 0, sizeof(sum));
		if (event->counts)
			marker_counts_read(event, cpu, &sum);
		add_sum(&all, &sum);
		if (sum.hits)
			show_line(seq, cpu, &sum);
	}
	show_line(seq, -1, &all);
	marker_registry_unlock();
	return 0;
}

static int event_hits_open(struct inode *inode, struct file *file)
{
	return marker_file_open_show(inode, file, event_hits_show);
}

static ssize_t event_hits_write(struct file *file, const char __user *from, size_t count,
				loff_t *pos)
{
	struct seq_file *seq = file->private_data;
	int err;

	err = check_reset(file, from, count);
	if (err)
		return err;
	marker_registry_lock();
	marker_counts_reset(seq->private);
	marker_registry_unlock();
	return count;
}

static const struct file_operations event_hits_fops = {
	.owner = THIS_MODULE,
	.open = event_hits_open,
	.read = seq_read,
	.write = event_hits_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/*
 * hits of all that have counts.  Position 0 is the header, then it is the id and 1.
 */

static void *hits_find(loff_t *pos)
{
	struct marker_event *event;

	if (!*pos)
		return SEQ_START_TOKEN;
	for (; *pos <= U32_MAX; ++*pos) {
		event = marker_registry_by_id(*pos - 1);
		if (!event || event->counts)
			return event;
		cond_resched();
	}
	return NULL;
}

static void *hits_start(struct seq_file *seq, loff_t *pos)
{
	marker_registry_lock();
	return hits_find(pos);
}

static void *hits_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return hits_find(pos);
}

static void hits_stop(struct seq_file *seq, void *v)
{
	marker_registry_unlock();
}

static int hits_show(struct seq_file *seq, void *v)
{
	const struct marker_event *event = v;
	struct marker_sum all = { };
	int cpu;

	if (v == SEQ_START_TOKEN) {
		seq_puts(seq, "#" COLUMNS "\tmarker\n");
		return 0;
	}
	for_each_possible_cpu(cpu)
		marker_counts_read(event, cpu, &all);
	show_sum(seq, &all);
	seq_printf(seq, "\t%s\n", event->title);
	return 0;
}

static const struct seq_operations hits_sops = {
	.start = hits_start,
	.next = hits_next,
	.stop = hits_stop,
	.show = hits_show,
};

static int hits_open(struct inode *inode, struct file *file)
{
	return marker_file_check() ?: seq_open(file, &hits_sops);
}

static ssize_t hits_write(struct file *file, const char __user *from, size_t count,
			  loff_t *pos)
{
	struct marker_event *event;
	int err;

	err = check_reset(file, from, count);
	if (err)
		return err;
	marker_registry_lock();
	for_each_event(event) {
		marker_counts_reset(event);
		cond_resched();
	}
	marker_registry_unlock();
	return count;
}

static const struct file_operations hits_fops = {
	.owner = THIS_MODULE,
	.open = hits_open,
	.read = seq_read,
	.write = hits_write,
	.llseek = seq_lseek,
	.release = seq_release,
};

const struct marker_file marker_hits_files[] = {
	{ "hits", 0640, &hits_fops },
	{ }
};

const struct marker_file marker_event_hits_files[] = {
	{ "hits", 0640, &event_hits_fops },
	{ }
};
