// SPDX-License-Identifier: GPL-2.0
/*
 * The files that control how events are recorded: tracing_on, overwrite, the sizes,
 * trace_clock, contexts; and error_log.  params.c offers the same as parameters of the
 * module.  Process context.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/after/dump.h>
#include <markers/after/last_words.h>
#include <markers/format/context.h>
#include <markers/log.h>
#include <markers/model/rules.h>
#include <markers/record/record.h>
#include <markers/ring/clock.h>
#include "command.h"
#include "command_file.h"
#include "settings.h"

int marker_setting_parse(const struct marker_setting *setting, char *text,
			 unsigned int *value)
{
	bool on;
	int err;

	if (setting->range)
		return marker_command_parse_uint(setting->name, text, setting->range, value);
	err = marker_command_parse_bool(setting->name, text, &on);
	*value = on;
	return err;
}

static size_t get_on(struct marker_recording *recording)
{
	return marker_recording_is_on(recording);
}

static int set_tracing_on(struct marker_recording *recording, unsigned int on)
{
	marker_recording_set_on(recording, on);
	if (on)
		marker_last_words_rearm();
	return 0;
}

static size_t get_overwrite(struct marker_recording *recording)
{
	return marker_recording_is_overwriting(recording);
}

static int set_overwrite(struct marker_recording *recording, unsigned int overwrite)
{
	return marker_recording_set_overwrite(recording, overwrite);
}

static size_t get_percent(struct marker_recording *recording)
{
	return marker_recording_percent(recording);
}

static int set_percent(struct marker_recording *recording, unsigned int percent)
{
	marker_recording_set_percent(recording, percent);
	return 0;
}

/* dump_on_oops is one for all recordings. */
static size_t get_dump_on_oops(struct marker_recording *recording)
{
	return marker_last_words_get();
}

static int set_dump_on_oops(struct marker_recording *recording, unsigned int nr)
{
	return marker_last_words_set(nr);
}

static const struct marker_range dump_range = {
	0, MARKER_DUMP_MAX, "a number of events"
};

static const struct marker_range percent_range = { 0, 100, "a percentage" };
static const struct marker_range buffer_range = {
	1, MARKER_MAX_BUFFER_KB, "a number of KiB"
};

static const struct marker_range subbuf_range = {
	1, MARKER_MAX_SUBBUF_KB, "a number of KiB"
};

const struct marker_setting marker_setting_tracing_on = {
	"tracing_on", get_on, set_tracing_on
};

const struct marker_setting marker_setting_overwrite = {
	"overwrite", get_overwrite, set_overwrite
};

const struct marker_setting marker_setting_buffer_percent = {
	"buffer_percent", get_percent, set_percent, &percent_range
};

const struct marker_setting marker_setting_buffer_size_kb = {
	"buffer_size_kb", marker_recording_buffer_kb, marker_recording_set_buffer_kb,
	&buffer_range
};

const struct marker_setting marker_setting_subbuf_size_kb = {
	"subbuf_size_kb", marker_recording_subbuf_kb, marker_recording_set_subbuf_kb,
	&subbuf_range
};

const struct marker_setting marker_setting_dump_on_oops = {
	"dump_on_oops", get_dump_on_oops, set_dump_on_oops, &dump_range
};

static const struct marker_setting buffer_total_size_kb = {
	"buffer_total_size_kb", marker_recording_total_kb
};

static const struct marker_setting *const settings[] = {
	&marker_setting_tracing_on,
	&marker_setting_overwrite,
	&marker_setting_buffer_percent,
	&marker_setting_buffer_size_kb,
	&marker_setting_subbuf_size_kb,
	&marker_setting_dump_on_oops,
	&buffer_total_size_kb,
};

/* The file has the name of the setting. */
static const struct marker_setting *setting_of(const struct file *file)
{
	const char *name = (const char *)file->f_path.dentry->d_name.name;
	unsigned int i = 0;

	while (i < ARRAY_SIZE(settings) - 1 && strcmp(settings[i]->name, name))
		i++;
	return settings[i];
}

static ssize_t setting_read(struct file *file, char __user *to, size_t count,
			    loff_t *pos)
{
	return marker_command_reply(to, count, pos, "%zu\n",
				    setting_of(file)->get(file->private_data));
}

static int setting_command(const struct file *file, char *text)
{
	const struct marker_setting *setting = setting_of(file);
	unsigned int value;

	return marker_setting_parse(setting, text, &value) ?:
	       setting->set(file->private_data, value);
}

static const struct marker_methods number_file = {
	.fops = &marker_command_fops,
	.open = simple_open,
	.read = setting_read,
	.llseek = default_llseek,
	.whole = marker_command_line,
	.run = setting_command,
};

static const struct marker_methods switch_file = {
	.fops = &marker_command_fops,
	.open = simple_open,
	.read = setting_read,
	.llseek = default_llseek,
	.whole = marker_command_switch,
	.run = setting_command,
};

/* For a number that follows from the others. */
static const struct marker_methods figure_file = {
	.fops = &marker_methods_fops,
	.open = simple_open,
	.read = setting_read,
	.write = marker_command_read_only,
	.llseek = default_llseek,
};

static int trace_clock_show(struct seq_file *seq, void *unused)
{
	const struct marker_recording *recording = seq->private;
	const struct marker_clock *clock = &recording->clock;
	const char *name, *blank = "";
	unsigned int i;

	for (i = 0; (name = clock_offered(clock, i)); i++) {
		if (!*name)
			continue;
		seq_printf(seq, strcmp(name, clock->name) ? "%s%s" : "%s[%s]",
			   blank, name);
		blank = " ";
	}
	seq_putc(seq, '\n');
	return 0;
}

int marker_settings_set_clock(struct marker_recording *recording, char *text)
{
	char *name = marker_rules_trim(text), clocks[64];

	if (clock_is_offered(&recording->clock, name))
		return marker_recording_set_clock(recording, name);
	marker_log_at(text, 0, "trace_clock: not one of %s",
		      clock_list(&recording->clock, clocks, sizeof(clocks)));
	return -EINVAL;
}

static int trace_clock_command(const struct file *file, char *text)
{
	return marker_settings_set_clock(file_inode(file)->i_private, text);
}
DEFINE_MARKER_COMMAND_ATTRIBUTE(trace_clock, marker_command_line);

static int contexts_show(struct seq_file *seq, void *unused)
{
	char names[MARKER_CONTEXT_LIST_SIZE];

	seq_printf(seq, "%s\n",
		   marker_context_list(names, marker_recording_contexts(seq->private)));
	return 0;
}

int marker_settings_set_contexts(struct marker_recording *recording, const char *text)
{
	char names[MARKER_CONTEXT_LIST_SIZE];
	unsigned int column;
	u32 set;
	int err;

	err = marker_context_parse(text, &set, &column);
	if (!err)
		return marker_recording_set_contexts(recording, set);
	marker_log_at(text, column, "contexts: none of %s",
		      marker_context_list(names, MARKER_CONTEXT_ALL));
	return err;
}

static int contexts_command(const struct file *file, char *text)
{
	return marker_settings_set_contexts(file_inode(file)->i_private, text);
}
DEFINE_MARKER_COMMAND_ATTRIBUTE(contexts, marker_command_line);

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
	const ssize_t taken = marker_command_discard(from, count);

	if (taken > 0)
		marker_log_clear();
	return taken;
}

static const struct marker_methods error_log_file = {
	.fops = &marker_methods_fops,
	.open = error_log_open,
	.read = seq_read,
	.write = error_log_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/* i_private: the recording */
const struct marker_file marker_settings_files[] = {
	{ "tracing_on", 0640, &switch_file },
	{ "buffer_size_kb", 0640, &number_file },
	{ "subbuf_size_kb", 0640, &number_file },
	{ "buffer_total_size_kb", 0440, &figure_file },
	{ "buffer_percent", 0640, &number_file },
	{ "overwrite", 0640, &switch_file },
	{ "trace_clock", 0640, &trace_clock_file },
	{ "contexts", 0640, &contexts_file },
	{ }
};

const struct marker_file marker_log_files[] = {
	{ "error_log", 0640, &error_log_file },
	{ "dump_on_oops", 0640, &number_file },
	{ }
};
