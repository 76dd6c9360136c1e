// SPDX-License-Identifier: GPL-2.0
/*
 * The files hits: the hits of markers by their outcome in a recording.  Process context.  The
 * registry mutex is held while a buffer is filled.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/model/counts.h>
#include <markers/model/registry.h>
#include <markers/model/rules.h>
#include "command.h"
#include "command_file.h"
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
static bool is_reset(const char *text)
{
	return !*text || !strcmp(text, "0");
}

/*
 * hits of a module: of those of its markers that have counts, for each CPU that had hits,
 * and for all.  Position 0 is the header, then it is the first site of the event and 1.
 */

static void *module_hits_find(const struct seq_file *seq, loff_t *pos)
{
	const struct marker_recording *recording = marker_command_recording(seq->file);
	const struct marker_module *module = seq->private;
	struct marker_event *event;

	if (!*pos)
		return SEQ_START_TOKEN;
	for (; *pos <= module->nr_sites; *pos += event->nr_sites) {
		event = marker_module_event(module, *pos - 1);
		if (marker_counts_of(recording, event))
			return event;
		cond_resched();
	}
	return NULL;
}

static void *module_hits_start(struct seq_file *seq, loff_t *pos)
{
	marker_registry_lock();
	return module_hits_find(seq, pos);
}

static void *module_hits_next(struct seq_file *seq, void *v, loff_t *pos)
{
	const struct marker_event *event = v;

	*pos += v == SEQ_START_TOKEN ? 1 : event->nr_sites;
	return module_hits_find(seq, pos);
}

static void hits_stop(struct seq_file *seq, void *v)
{
	marker_registry_unlock();
}

/* @cpu: -1: all of them */
static void show_line(struct seq_file *seq, int cpu, const struct marker_sum *sum,
		      const struct marker_event *event)
{
	if (cpu < 0)
		seq_puts(seq, "all\t");
	else
		seq_printf(seq, "%d\t", cpu);
	show_sum(seq, sum);
	seq_printf(seq, "\t%s\n", event->name);
}

static int module_hits_show(struct seq_file *seq, void *v)
{
	const struct marker_recording *recording = marker_command_recording(seq->file);
	const struct marker_event *event = v;
	struct marker_sum sum, all = { };
	int cpu;

	if (v == SEQ_START_TOKEN) {
		seq_puts(seq, "#cpu\t" COLUMNS "\tmarker\n");
		return 0;
	}
	for_each_possible_cpu(cpu) {
		memset(&sum, 0, sizeof(sum));
		marker_counts_read(recording, event, cpu, &sum);
		add_sum(&all, &sum);
		if (sum.hits)
			show_line(seq, cpu, &sum, event);
	}
	show_line(seq, -1, &all, event);
	return 0;
}

static const struct seq_operations module_hits_sops = {
	.start = module_hits_start,
	.next = module_hits_next,
	.stop = hits_stop,
	.show = module_hits_show,
};

static int module_hits_open(struct inode *inode, struct file *file)
{
	return marker_file_open_seq(inode, file, &module_hits_sops);
}

/* A reset of all of a module, or "MARKER 0". */
static int module_hits_command(const struct file *file, char *text)
{
	const struct marker_recording *recording = marker_command_recording(file);
	const struct marker_module *module = ((struct seq_file *)file->private_data)->private;
	struct marker_event *only = NULL, *event;
	const char *rest;

	text = marker_rules_trim(text);
	rest = text + strcspn(text, " \t");
	if (!is_reset(text) && strcmp(rest + strspn(rest, " \t"), "0")) {
		marker_command_refuse(file, text, "neither 0 nor MARKER 0");
		return -EINVAL;
	}
	if (!is_reset(text)) {
		only = marker_command_marker(file, module, text, &rest);
		if (!only)
			return -ENOENT;
	}
	marker_registry_lock();
	for_each_module_event(module, event) {
		if (!only || event == only)
			marker_counts_reset(recording, event);
		cond_resched();
	}
	marker_registry_unlock();
	return 0;
}

const struct marker_methods marker_module_hits_file = {
	.fops = &marker_command_fops,
	.open = module_hits_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release,
	.whole = marker_command_switch,
	.run = module_hits_command,
};

/*
 * hits of all that have counts.  Position 0 is the header, then it is the id and 1.
 */

static void *hits_find(const struct seq_file *seq, loff_t *pos)
{
	const struct marker_recording *recording = marker_command_recording(seq->file);
	struct marker_event *event;

	if (!*pos)
		return SEQ_START_TOKEN;
	for (; *pos <= U32_MAX; ++*pos) {
		event = marker_registry_by_id(*pos - 1);
		if (!event || marker_counts_of(recording, event))
			return event;
		cond_resched();
	}
	return NULL;
}

static void *hits_start(struct seq_file *seq, loff_t *pos)
{
	marker_registry_lock();
	return hits_find(seq, pos);
}

static void *hits_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return hits_find(seq, pos);
}

static int hits_show(struct seq_file *seq, void *v)
{
	const struct marker_recording *recording = marker_command_recording(seq->file);
	const struct marker_event *event = v;
	struct marker_sum all = { };
	int cpu;

	if (v == SEQ_START_TOKEN) {
		seq_puts(seq, "#" COLUMNS "\tmarker\n");
		return 0;
	}
	for_each_possible_cpu(cpu)
		marker_counts_read(recording, event, cpu, &all);
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
	return seq_open(file, &hits_sops);
}

static int hits_command(const struct file *file, char *text)
{
	const struct marker_recording *recording = marker_command_recording(file);
	struct marker_event *event;

	text = marker_rules_trim(text);
	if (!is_reset(text)) {
		marker_command_refuse(file, text, "only 0 can be written");
		return -EINVAL;
	}
	marker_registry_lock();
	for_each_event(event) {
		marker_counts_reset(recording, event);
		cond_resched();
	}
	marker_registry_unlock();
	return 0;
}

static const struct marker_methods hits_file = {
	.fops = &marker_command_fops,
	.open = hits_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release,
	.whole = marker_command_switch,
	.run = hits_command,
};

const struct marker_file marker_hits_files[] = {
	{ "hits", 0640, &hits_file },
	{ }
};
