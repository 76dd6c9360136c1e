// SPDX-License-Identifier: GPL-2.0
/*
 * The files that control how events are recorded: tracing_on, overwrite, the sizes,
 * trace_clock, contexts; and error_log.  Process context.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/format/context.h>
#include <markers/log.h>
#include <markers/ring/clock.h>
#include <markers/trace/channel.h>
#include "command.h"
#include "settings.h"

/**
 * struct setting - a number; i_private of its file
 * @get:	returns its value
 * @set:	changes it; returns 0, or an error that is in error_log
 * @range:	for @set; NULL: a truth value, so "on" and "off" are understood, too
 */
struct setting {
	size_t (*get)(void);
	int (*set)(unsigned int value);
	const struct marker_range *range;
};

static ssize_t setting_read(struct file *file, char __user *to, size_t count,
			    loff_t *pos)
{
	const struct setting *setting = file->private_data;

	return marker_command_reply(to, count, pos, "%zu\n", setting->get());
}

static ssize_t setting_write(struct file *file, const char __user *from,
			     size_t count, loff_t *pos)
{
	const struct setting *setting = file->private_data;
	unsigned int value;
	bool on;
	int err;

	if (setting->range) {
		err = marker_command_uint(file, from, count, setting->range,
					  &value);
	} else {
		err = marker_command_bool(file, from, count, &on);
		value = on;
	}
	if (!err)
		err = setting->set(value);
	return err ?: count;
}

static const struct file_operations setting_fops = {
	.owner = THIS_MODULE,
	.open = marker_file_open,
	.read = setting_read,
	.write = setting_write,
	.llseek = default_llseek,
};

/* For a number that follows from the others. */
static const struct file_operations figure_fops = {
	.owner = THIS_MODULE,
	.open = marker_file_open,
	.read = setting_read,
	.write = marker_command_read_only,
	.llseek = default_llseek,
};

static size_t get_on(void)
{
	return marker_channel_is_on();
}

static int set_on(unsigned int on)
{
	marker_channel_set_on(on);
	return 0;
}

static size_t get_overwrite(void)
{
	return marker_channel_is_overwriting();
}

static int set_overwrite(unsigned int overwrite)
{
	return marker_channel_set_overwrite(overwrite);
}

static size_t get_percent(void)
{
	return marker_channel_percent();
}

static int set_percent(unsigned int percent)
{
	marker_channel_set_percent(percent);
	return 0;
}

static const struct setting on = { get_on, set_on };
static const struct setting overwrite = { get_overwrite, set_overwrite };

static const struct marker_range percent_range = { 0, 100, "a percentage" };
static const struct marker_range buffer_range = {
	1, MARKER_MAX_BUFFER_KB, "a number of KiB"
};

static const struct marker_range subbuf_range = {
	1, MARKER_MAX_SUBBUF_KB, "a number of KiB"
};

static const struct setting buffer_percent = {
	get_percent, set_percent, &percent_range
};

static const struct setting buffer_size_kb = {
	marker_channel_buffer_kb, marker_channel_set_buffer_kb, &buffer_range
};

static const struct setting subbuf_size_kb = {
	marker_channel_subbuf_kb, marker_channel_set_subbuf_kb, &subbuf_range
};

static const struct setting buffer_total_size_kb = { marker_channel_total_kb };

static int trace_clock_show(struct seq_file *seq, void *unused)
{
	const char *name, *blank = "";
	unsigned int i;

	for (i = 0; (name = clock_offered(i)); i++) {
		if (!*name)
			continue;
		seq_printf(seq, strcmp(name, marker_clock.name) ? "%s%s" : "%s[%s]",
			   blank, name);
		blank = " ";
	}
	seq_putc(seq, '\n');
	return 0;
}

static int trace_clock_open(struct inode *inode, struct file *file)
{
	return marker_file_open_show(inode, file, trace_clock_show);
}

static ssize_t trace_clock_write(struct file *file, const char __user *from,
				 size_t count, loff_t *pos)
{
	char why[96], clocks[64], *text, *name;
	int err = -EINVAL;

	text = marker_command_get(file, from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	name = strim(text);
	if (clock_is_offered(name)) {
		err = marker_channel_set_clock(name);
	} else {
		snprintf(why, sizeof(why), "not one of %s",
			 clock_list(clocks, sizeof(clocks)));
		marker_command_refuse(file, text, why);
	}
	kfree(text);
	return err ?: count;
}

static const struct file_operations trace_clock_fops = {
	.owner = THIS_MODULE,
	.open = trace_clock_open,
	.read = seq_read,
	.write = trace_clock_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int contexts_show(struct seq_file *seq, void *unused)
{
	char names[MARKER_CONTEXT_LIST_SIZE];

	seq_printf(seq, "%s\n", marker_context_list(names, marker_channel_contexts()));
	return 0;
}

static int contexts_open(struct inode *inode, struct file *file)
{
	return marker_file_open_show(inode, file, contexts_show);
}

static ssize_t contexts_write(struct file *file, const char __user *from,
			      size_t count, loff_t *pos)
{
	char names[MARKER_CONTEXT_LIST_SIZE], *text;
	unsigned int column;
	u32 set;
	int err;

	text = marker_command_get(file, from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	err = marker_context_parse(text, &set, &column);
	if (err)
		marker_log_at(text, column, "contexts: none of %s",
			      marker_context_list(names, MARKER_CONTEXT_ALL));
	else
		err = marker_channel_set_contexts(set);
	kfree(text);
	return err ?: count;
}

static const struct file_operations contexts_fops = {
	.owner = THIS_MODULE,
	.open = contexts_open,
	.read = seq_read,
	.write = contexts_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int error_log_show(struct seq_file *seq, void *unused)
{
	marker_log_show(seq);
	return 0;
}

static int error_log_open(struct inode *inode, struct file *file)
{
	int err = marker_file_open_show(inode, file, error_log_show);

	if (!err && file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		marker_log_clear();
	return err;
}

static ssize_t error_log_write(struct file *file, const char __user *from,
			       size_t count, loff_t *pos)
{
	marker_log_clear();
	return count;
}

static const struct file_operations error_log_fops = {
	.owner = THIS_MODULE,
	.open = error_log_open,
	.read = seq_read,
	.write = error_log_write,
	.llseek = seq_lseek,
	.release = single_release,
};

const struct marker_file marker_settings_files[] = {
	{ "tracing_on", 0640, &setting_fops, &on },
	{ "buffer_size_kb", 0640, &setting_fops, &buffer_size_kb },
	{ "subbuf_size_kb", 0640, &setting_fops, &subbuf_size_kb },
	{ "buffer_total_size_kb", 0440, &figure_fops, &buffer_total_size_kb },
	{ "buffer_percent", 0640, &setting_fops, &buffer_percent },
	{ "overwrite", 0640, &setting_fops, &overwrite },
	{ "trace_clock", 0640, &trace_clock_fops },
	{ "contexts", 0640, &contexts_fops },
	{ "error_log", 0640, &error_log_fops },
	{ }
};
