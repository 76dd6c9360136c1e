// SPDX-License-Identifier: GPL-2.0
/*
 * The files in debugfs, and what is written to them, turned into calls of the
 * registry and the channel.  No decision is made here.  Process context.
 *
 * The files of events/<module> are made after the module's markers are ready and
 * removed before its struct marker_module goes, both without a lock of ours:
 * removal waits for file operations that are running, and those take the
 * registry mutex.  A file of one marker has its struct marker_event, which stays
 * when the module goes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "channel.h"
#include "clock.h"
#include "command.h"
#include "control.h"
#include "debugfs.h"
#include "debugfs_sites.h"
#include "dispatch.h"
#include "log.h"
#include "reader.h"
#include "registry.h"
#include "rules.h"

/*
 * In lockdown a debugfs file can be opened only if nobody could write to it
 * (v5.4, 5496197f9b08): then ours are for reading.
 */
static umode_t mode_mask = 0777;

static struct dentry *root_dir;
static struct dentry *events_dir;

/* '0', '1' or 'X' */
static ssize_t put_bool(char __user *to, size_t count, loff_t *pos, char c)
{
	char text[2] = { c, '\n' };

	return simple_read_from_buffer(to, count, pos, text, sizeof(text));
}

/*
 * tracing_on
 */

static ssize_t tracing_on_read(struct file *file, char __user *to, size_t count,
			       loff_t *pos)
{
	return put_bool(to, count, pos, marker_channel_is_on() ? '1' : '0');
}

static ssize_t tracing_on_write(struct file *file, const char __user *from,
				size_t count, loff_t *pos)
{
	bool on;
	int err;

	err = marker_command_bool(file, from, count, &on);
	if (err)
		return err;
	marker_channel_set_on(on);
	return count;
}

static const struct file_operations tracing_on_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = tracing_on_read,
	.write = tracing_on_write,
	.llseek = default_llseek,
};

/*
 * enable: i_private is the event, the module, or NULL for all.
 */

static ssize_t set_enable(const struct file *file, const char __user *from,
			  size_t count, const char *module, const char *name)
{
	bool on;
	int err;

	err = marker_command_bool(file, from, count, &on);
	if (!err)
		err = marker_set(module, name, on);
	return err ?: count;
}

static ssize_t marker_enable_read(struct file *file, char __user *to,
				  size_t count, loff_t *pos)
{
	const struct marker_event *event = file->private_data;

	if (READ_ONCE(event->wanted))
		return put_bool(to, count, pos, '1');
	return put_bool(to, count, pos, READ_ONCE(event->nr_alone) ? 'X' : '0');
}

static ssize_t marker_enable_write(struct file *file, const char __user *from,
				   size_t count, loff_t *pos)
{
	const struct marker_event *event = file->private_data;

	return set_enable(file, from, count, event->module_name, event->name);
}

static const struct file_operations marker_enable_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = marker_enable_read,
	.write = marker_enable_write,
	.llseek = default_llseek,
};

static ssize_t module_enable_read(struct file *file, char __user *to,
				  size_t count, loff_t *pos)
{
	const struct marker_module *module = file->private_data;

	return put_bool(to, count, pos, marker_get(module));
}

static ssize_t module_enable_write(struct file *file, const char __user *from,
				   size_t count, loff_t *pos)
{
	const struct marker_module *module = file->private_data;

	return set_enable(file, from, count, module ? module->name : "*", "*");
}

static const struct file_operations module_enable_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = module_enable_read,
	.write = module_enable_write,
	.llseek = default_llseek,
};

/*
 * available_markers and set_marker.  The position of an event is its id; those
 * of rules come behind all of them.  The registry mutex is held while a buffer
 * is filled, not while the reader looks at it.
 */

#define FIRST_RULE	(1LL << 32)

/* The first event from @pos on that belongs into the file. */
static struct marker_event *find_event(loff_t *pos, bool enabled)
{
	struct marker_event *event;

	for (; *pos < U32_MAX; (*pos)++) {
		event = marker_event_by_id(*pos);
		if (!event)
			break;
		if (event->module && (event->wanted || !enabled))
			return event;
		cond_resched();
	}
	return NULL;
}

static void *available_start(struct seq_file *seq, loff_t *pos)
{
	marker_registry_lock();
	return find_event(pos, false);
}

static void *available_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return find_event(pos, false);
}

static void registry_stop(struct seq_file *seq, void *v)
{
	marker_registry_unlock();
}

static int available_show(struct seq_file *seq, void *v)
{
	const struct marker_event *event = v;

	seq_printf(seq, "%s\n", event->title);
	return 0;
}

static const struct seq_operations available_markers_sops = {
	.start = available_start,
	.next = available_next,
	.stop = registry_stop,
	.show = available_show,
};
DEFINE_SEQ_ATTRIBUTE(available_markers);

static bool rule_is_waiting(const struct marker_rule *rule)
{
	struct marker_event *event;

	if (!rule->on)
		return false;
	list_for_each_entry(event, &marker_events, list) {
		if (event->module &&
		    marker_rules_match(rule, event->module_name, event->name))
			return false;
		cond_resched();
	}
	return true;
}

/* The first rule from @pos on that nothing matches. */
static struct marker_rule *find_rule(loff_t *pos)
{
	struct marker_rule *rule;
	loff_t at = FIRST_RULE;

	list_for_each_entry(rule, &marker_rules, list) {
		if (at++ < *pos)
			continue;
		if (rule_is_waiting(rule))
			return rule;
		++*pos;
	}
	return NULL;
}

/**
 * struct set_marker - an open file
 * @clear:	opened with O_TRUNC, and not cleared yet
 * @written:	there was a write
 * @is_rule:	what the iterator is at
 * @lock:	protects @rest
 * @rest:	a word at the end of a write that goes on in the next one, or NULL
 */
struct set_marker {
	bool clear;
	bool written;
	bool is_rule;
	struct mutex lock;
	char *rest;
};

static void *set_marker_find(struct seq_file *seq, loff_t *pos)
{
	struct set_marker *state = seq->private;
	struct marker_event *event;

	state->is_rule = false;
	if (*pos < FIRST_RULE) {
		event = find_event(pos, true);
		if (event)
			return event;
		*pos = FIRST_RULE;
	}
	state->is_rule = true;
	return find_rule(pos);
}

static void *set_marker_start(struct seq_file *seq, loff_t *pos)
{
	marker_registry_lock();
	return set_marker_find(seq, pos);
}

static void *set_marker_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return set_marker_find(seq, pos);
}

static int set_marker_show(struct seq_file *seq, void *v)
{
	const struct set_marker *state = seq->private;
	const struct marker_rule *rule = v;

	if (!state->is_rule)
		return available_show(seq, v);
	if (strcmp(rule->module, "*"))
		seq_printf(seq, "%s:", rule->module);
	seq_printf(seq, "%s\n", rule->name);
	return 0;
}

static const struct seq_operations set_marker_sops = {
	.start = set_marker_start,
	.next = set_marker_next,
	.stop = registry_stop,
	.show = set_marker_show,
};

static struct set_marker *set_marker_state(const struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static int set_marker_open(struct inode *inode, struct file *file)
{
	struct set_marker *state;

	state = __seq_open_private(file, &set_marker_sops, sizeof(*state));
	if (!state)
		return -ENOMEM;
	mutex_init(&state->lock);
	state->clear = file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC;
	return 0;
}

#define SHELL_WRITE	4096	/* bytes, at least, in all but the last write of an echo */

/* Where the word begins that @text ends with. */
static size_t last_word(const char *text)
{
	size_t end = strlen(text);

	while (end && !isspace(text[end - 1]) && text[end - 1] != ',')
		end--;
	return end;
}

/* The patterns of @text, of @count bytes, but for one that may go on. */
static int set_marker_part(struct set_marker *state, const char *text,
			   size_t count)
{
	char *whole, *rest = NULL;
	int err = -ENOMEM;
	size_t end;

	whole = kasprintf(GFP_KERNEL, "%s%s", state->rest ?: "", text);
	if (!whole)
		return -ENOMEM;
	if (count >= SHELL_WRITE) {
		end = last_word(whole);
		rest = kstrdup(whole + end, GFP_KERNEL);
		if (!rest)
			goto out;
		whole[end] = '\0';
	}
	err = marker_set_patterns(whole, state->clear);
	if (err)
		goto out;
	swap(state->rest, rest);
	state->clear = false;
out:
	kfree(rest);
	kfree(whole);
	return err;
}

/*
 * What ">" asks for happens together with the first command that succeeds: a
 * command that is refused changes nothing.  Shells write what is long in parts,
 * and cut it anywhere.
 */
static ssize_t set_marker_write(struct file *file, const char __user *from,
				size_t count, loff_t *pos)
{
	struct set_marker *state = set_marker_state(file);
	char *text;
	int err;

	text = marker_command_get(file, from, count);
	mutex_lock(&state->lock);
	state->written = true;
	err = IS_ERR(text) ? PTR_ERR(text) : set_marker_part(state, text, count);
	if (err) {
		/* it was to go on here */
		kfree(state->rest);
		state->rest = NULL;
	}
	mutex_unlock(&state->lock);
	if (!IS_ERR(text))
		kfree(text);
	return err ?: count;
}

/* ": > set_marker" */
static int set_marker_release(struct inode *inode, struct file *file)
{
	struct set_marker *state = set_marker_state(file);

	if (state->clear && !state->written && marker_set_patterns("", true))
		marker_log("set_marker: no memory, nothing was cleared");
	if (state->rest && marker_set_patterns(state->rest, state->clear))
		marker_log("set_marker: \"%s\" was not set", state->rest);
	kfree(state->rest);
	return seq_release_private(inode, file);
}

static const struct file_operations set_marker_fops = {
	.owner = THIS_MODULE,
	.open = set_marker_open,
	.read = seq_read,
	.write = set_marker_write,
	.llseek = seq_lseek,
	.release = set_marker_release,
};

/*
 * events/<module>/<marker>/{id,format}
 */

static int id_show(struct seq_file *seq, void *unused)
{
	const struct marker_event *event = seq->private;

	seq_printf(seq, "%u\n", event->id);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(id);

static void show_quoted(struct seq_file *seq, const char *text)
{
	seq_putc(seq, '"');
	for (; *text; text++) {
		if (*text == '\n')
			seq_puts(seq, "\\n");
		else if (*text == '\t')
			seq_puts(seq, "\\t");
		else if (*text == '"' || *text == '\\')
			seq_printf(seq, "\\%c", *text);
		else if (*text > 0 && *text < ' ')
			seq_printf(seq, "\\%03o", *text);
		else
			seq_putc(seq, *text);
	}
	seq_puts(seq, "\"\n");
}

static void show_field(struct seq_file *seq, const struct marker_field *field)
{
	switch (field->type) {
	case MARKER_FIELD_INT:
		if (field->is_char)
			seq_printf(seq, "\tfield:char %s;", field->name);
		else
			seq_printf(seq, "\tfield:%c%u %s;",
				   field->is_signed ? 's' : 'u',
				   field->size * 8, field->name);
		seq_printf(seq, "\tsize_bytes:%u;", field->size);
		break;
	case MARKER_FIELD_STRING:
		seq_printf(seq, "\tfield:string %s;\tmax_size_bytes:%u;",
			   field->name, field->max);
		break;
	case MARKER_FIELD_BYTES:
		seq_printf(seq, "\tfield:u8 %s[%u];\tsize_bytes:%u;",
			   field->name, field->size, field->size);
		break;
	case MARKER_FIELD_SEQUENCE:
		seq_printf(seq, "\tfield:u8 %s[];\tmax_size_bytes:%u;",
			   field->name, field->max);
		break;
	}
	seq_printf(seq, "\tsigned:%d;", field->is_signed);
	if (field->type == MARKER_FIELD_INT && !field->is_char)
		seq_printf(seq, "\tbase:%u;", field->base);
	seq_putc(seq, '\n');
}

static int format_show(struct seq_file *seq, void *unused)
{
	const struct marker_event *event = seq->private;
	unsigned int i;

	seq_printf(seq, "name: %s\nID: %u\nformat:\n", event->name, event->id);
	for (i = 0; i < event->format.nr_fields; i++)
		show_field(seq, &event->format.field[i]);
	seq_puts(seq, "\nprint fmt: ");
	show_quoted(seq, event->format.text);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(format);

/*
 * per_cpu/cpuN/stats
 */

static int stats_show(struct seq_file *seq, void *unused)
{
	int cpu = marker_reader_cpu(seq->private);
	struct marker_buffer *buffer;
	struct ring_stats stats;
	u64 lost;
	int i;

	buffer = marker_channel_get(false);
	ring_stats(buffer->ring, cpu, &stats);
	marker_buffer_put(buffer);
	lost = stats.overwritten;
	for (i = 0; i < RING_NR_LOST; i++)
		lost += stats.lost[i];
	seq_printf(seq, "written: %llu\n", stats.written);
	seq_printf(seq, "read: %llu\n", stats.read);
	seq_printf(seq, "unread: %llu\n", stats.unread);
	seq_printf(seq, "open: %llu\n", stats.open);
	seq_printf(seq, "lost: %llu\n", lost);
	seq_printf(seq, "lost_full: %llu\n", stats.lost[RING_LOST_FULL]);
	seq_printf(seq, "lost_big: %llu\n", stats.lost[RING_LOST_BIG]);
	seq_printf(seq, "lost_no_buffer: %llu\n",
		   stats.lost[RING_LOST_NO_BUFFER]);
	seq_printf(seq, "lost_overwritten: %llu\n", stats.overwritten);
	seq_printf(seq, "skipped: %llu\n", marker_dispatch_skipped(cpu));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

/*
 * Files of the top directory
 */

static ssize_t put_uint(char __user *to, size_t count, loff_t *pos, size_t value)
{
	char text[24];
	int len = scnprintf(text, sizeof(text), "%zu\n", value);

	return simple_read_from_buffer(to, count, pos, text, len);
}

static ssize_t buffer_size_kb_read(struct file *file, char __user *to,
				   size_t count, loff_t *pos)
{
	return put_uint(to, count, pos, marker_channel_buffer_kb());
}

static ssize_t buffer_size_kb_write(struct file *file, const char __user *from,
				    size_t count, loff_t *pos)
{
	unsigned int kb;
	int err;

	err = marker_command_uint(file, from, count, UINT_MAX, &kb);
	if (!err)
		err = marker_channel_set_buffer_kb(kb);
	return err ?: count;
}

static const struct file_operations buffer_size_kb_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = buffer_size_kb_read,
	.write = buffer_size_kb_write,
	.llseek = default_llseek,
};

static ssize_t subbuf_size_kb_read(struct file *file, char __user *to,
				   size_t count, loff_t *pos)
{
	return put_uint(to, count, pos, marker_channel_subbuf_kb());
}

static ssize_t subbuf_size_kb_write(struct file *file, const char __user *from,
				    size_t count, loff_t *pos)
{
	unsigned int kb;
	int err;

	err = marker_command_uint(file, from, count, UINT_MAX, &kb);
	if (!err)
		err = marker_channel_set_subbuf_kb(kb);
	return err ?: count;
}

static const struct file_operations subbuf_size_kb_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = subbuf_size_kb_read,
	.write = subbuf_size_kb_write,
	.llseek = default_llseek,
};

static int buffer_total_size_kb_show(struct seq_file *seq, void *unused)
{
	seq_printf(seq, "%zu\n", marker_channel_total_kb());
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(buffer_total_size_kb);

static ssize_t buffer_percent_read(struct file *file, char __user *to,
				   size_t count, loff_t *pos)
{
	return put_uint(to, count, pos, marker_channel_percent());
}

static ssize_t buffer_percent_write(struct file *file, const char __user *from,
				    size_t count, loff_t *pos)
{
	unsigned int percent;
	int err;

	err = marker_command_uint(file, from, count, 100, &percent);
	if (err)
		return err;
	marker_channel_set_percent(percent);
	return count;
}

static const struct file_operations buffer_percent_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = buffer_percent_read,
	.write = buffer_percent_write,
	.llseek = default_llseek,
};

static ssize_t overwrite_read(struct file *file, char __user *to, size_t count,
			      loff_t *pos)
{
	return put_bool(to, count, pos, marker_channel_is_overwriting() ? '1' : '0');
}

static ssize_t overwrite_write(struct file *file, const char __user *from,
			       size_t count, loff_t *pos)
{
	bool overwrite;
	int err;

	err = marker_command_bool(file, from, count, &overwrite);
	if (!err)
		err = marker_channel_set_overwrite(overwrite);
	return err ?: count;
}

static const struct file_operations overwrite_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = overwrite_read,
	.write = overwrite_write,
	.llseek = default_llseek,
};

static int trace_clock_show(struct seq_file *seq, void *unused)
{
	const char *name, *blank = "";
	unsigned int i;

	for (i = 0; (name = marker_clock_offered(i)); i++) {
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
	return single_open(file, trace_clock_show, NULL);
}

static ssize_t trace_clock_write(struct file *file, const char __user *from,
				 size_t count, loff_t *pos)
{
	char *text, *name;
	int err = -EINVAL;

	text = marker_command_get(file, from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	name = strim(text);
	if (marker_clock_is_offered(name))
		err = marker_channel_set_clock(name);
	else
		marker_command_refuse(file, text, "no such clock, or not on this machine");
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

static int error_log_show(struct seq_file *seq, void *unused)
{
	marker_log_show(seq);
	return 0;
}

static int error_log_open(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		marker_log_clear();
	return single_open(file, error_log_show, NULL);
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

static const char readme[] =
"Markers of kernel modules: a mini-howto, to be tried in this directory.\n"
"\n"
"What is there, and what it records:\n"
"	cat available_markers\n"
"	cat events/MODULE/MARKER/format\n"
"\n"
"Enable a marker, one more, all but one of a module, any with that name, even\n"
"in a module that is not loaded yet; see which; disable all:\n"
"	echo MODULE:MARKER > set_marker\n"
"	echo MODULE:OTHER >> set_marker\n"
"	echo 'MODULE:* !MODULE:MARKER' > set_marker\n"
"	echo 'MARKER' >> set_marker\n"
"	cat set_marker\n"
"	: > set_marker\n"
"The same, one by one:\n"
"	echo 1 > events/MODULE/MARKER/enable\n"
"	echo 0 > events/MODULE/enable\n"
"Where they are in the code, and one of these places alone:\n"
"	cat events/MODULE/MARKER/sites\n"
"	echo 2 1 > events/MODULE/MARKER/sites\n"
"By a breakpoint instead of a jump:\n"
"	echo breakpoint > events/MODULE/MARKER/mode\n"
"\n"
"What was recorded: look at it and leave it there; have it as it comes, each\n"
"event once; throw it away:\n"
"	cat trace\n"
"	cat trace_pipe\n"
"	echo > trace\n"
"\n"
"Keep the last events instead of the first; keep what is there now, and look at it\n"
"while recording goes on:\n"
"	echo 0 > tracing_on; echo 1 > overwrite; echo 1 > tracing_on\n"
"	echo 1 > snapshot\n"
"	cat snapshot\n"
"	cp -r snapshot_ctf /tmp/trace\n"
"\n"
"More room for them, and a clock for them:\n"
"	echo 4096 > buffer_size_kb\n"
"	echo boot > trace_clock\n"
"\n"
"Stop and go on; how many events were lost, and why:\n"
"	echo 0 > tracing_on\n"
"	echo 1 > tracing_on\n"
"	cat per_cpu/cpu0/stats\n"
"\n"
"Take a CTF trace away, and open it:\n"
"	cp -r ctf /tmp/trace\n"
"	babeltrace2 /tmp/trace\n"
"\n"
"When something was refused (\"write error: Invalid argument\"):\n"
"	cat error_log\n";

static int readme_show(struct seq_file *seq, void *unused)
{
	seq_puts(seq, readme);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(readme);

/**
 * struct file_entry - a file of a directory that does not change
 * @name:	its name
 * @mode:	0440 if it is for reading only: these are there in lockdown, too
 * @fops:	what it does
 */
struct file_entry {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
};

/* i_private: NULL */
static const struct file_entry top_files[] = {
	{ "README", 0440, &readme_fops },
	{ "available_markers", 0440, &available_markers_fops },
	{ "set_marker", 0640, &set_marker_fops },
	{ "enable", 0640, &module_enable_fops },
	{ "tracing_on", 0640, &tracing_on_fops },
	{ "buffer_size_kb", 0640, &buffer_size_kb_fops },
	{ "subbuf_size_kb", 0640, &subbuf_size_kb_fops },
	{ "buffer_total_size_kb", 0440, &buffer_total_size_kb_fops },
	{ "buffer_percent", 0640, &buffer_percent_fops },
	{ "overwrite", 0640, &overwrite_fops },
	{ "trace_clock", 0640, &trace_clock_fops },
	{ "error_log", 0640, &error_log_fops },
};

/* Where code is patched; i_private: NULL */
static const struct file_entry patch_files[] = {
	{ "mode", 0640, &marker_default_mode_fops },
	{ "text", 0440, &marker_text_fops },
};

/* i_private: CPU; in the top directory RING_ALL_CPUS */
static const struct file_entry reader_files[] = {
	{ "trace", 0640, &marker_reader_trace_fops },
	{ "trace_pipe", 0440, &marker_reader_trace_pipe_fops },
};

/* i_private: CPU */
static const struct file_entry cpu_files[] = {
	{ "stats", 0440, &stats_fops },
};

/* i_private: event */
static const struct file_entry marker_files[] = {
	{ "enable", 0640, &marker_enable_fops },
	{ "format", 0440, &format_fops },
	{ "id", 0440, &id_fops },
	{ "mode", 0640, &marker_mode_fops },
	{ "sites", 0640, &marker_sites_fops },
};

static void create_files(struct dentry *dir, const struct file_entry *entry,
			 unsigned int nr, void *private)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		debugfs_create_file(entry[i].name, entry[i].mode & mode_mask,
				    dir, private, entry[i].fops);
}

/*
 * events/<module>
 */

static unsigned int count_events(void)
{
	struct marker_event *event;
	unsigned int nr = 0;

	list_for_each_entry(event, &marker_events, list)
		nr++;
	return nr;
}

/*
 * The events of a module, in an array for kvfree(): files are made without the
 * registry lock.  NULL: out of memory.
 */
static struct marker_event **module_events(const struct marker_module *module,
					   unsigned int *nr)
{
	struct marker_event **events, *event;

	*nr = 0;
	marker_registry_lock();
	events = kvmalloc_array(count_events() + 1, sizeof(*events), GFP_KERNEL);
	if (events) {
		list_for_each_entry(event, &marker_events, list) {
			if (event->module == module)
				events[(*nr)++] = event;
		}
	}
	marker_registry_unlock();
	return events;
}

/* The files are about what stays the same until the module goes. */
static void create_marker(struct dentry *module_dir, struct marker_event *event)
{
	struct dentry *dir;

	dir = debugfs_create_dir(event->name, module_dir);
	if (IS_ERR(dir)) {
		marker_log("events/%s/%s: cannot be made (error %ld)",
			   event->module_name, event->name, PTR_ERR(dir));
		return;
	}
	create_files(dir, marker_files, ARRAY_SIZE(marker_files), event);
}

static void module_coming(struct marker_module *module)
{
	struct marker_event **events;
	unsigned int nr, i;

	module->dir = debugfs_create_dir(module->name, events_dir);
	if (IS_ERR(module->dir))
		return;
	debugfs_create_file("enable", 0640 & mode_mask, module->dir, module,
			    &module_enable_fops);
	events = module_events(module, &nr);
	if (!events)
		marker_log("events/%s: no memory for the directories of its markers",
			   module->name);
	for (i = 0; i < nr; i++) {
		create_marker(module->dir, events[i]);
		cond_resched();
	}
	kvfree(events);
}

static void module_going(struct marker_module *module)
{
	debugfs_remove(module->dir);
}

const struct marker_modules_ops marker_debugfs_modules_ops = {
	.coming = module_coming,
	.going = module_going,
};

/*
 * The tree
 */

/*
 * Directories are listed from the newest file to the oldest.  The metadata is
 * made first, so that "cp -r" copies it last: then it knows all events that are
 * in the streams.
 */
static void __init create_ctf(struct dentry *dir, bool snapshot)
{
	char name[32];
	int cpu;

	debugfs_create_file("metadata", 0440, dir,
			    marker_reader_private(RING_ALL_CPUS, snapshot),
			    &marker_reader_metadata_fops);
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "stream_%d", cpu);
		debugfs_create_file(name, 0440, dir,
				    marker_reader_private(cpu, snapshot),
				    &marker_reader_stream_fops);
	}
}

static void __init create_cpu(struct dentry *per_cpu_dir, int cpu)
{
	void *private = marker_reader_private(cpu, false);
	struct dentry *dir;
	char name[32];

	snprintf(name, sizeof(name), "cpu%d", cpu);
	dir = debugfs_create_dir(name, per_cpu_dir);
	create_files(dir, reader_files, ARRAY_SIZE(reader_files), private);
	create_files(dir, cpu_files, ARRAY_SIZE(cpu_files), private);
	debugfs_create_file("snapshot", 0440, dir,
			    marker_reader_private(cpu, true),
			    &marker_reader_snapshot_fops);
	/* a file of debugfs that is safe has no splice_read() */
	debugfs_create_file_unsafe("trace_pipe_raw", 0440, dir, private,
				   &marker_reader_pipe_raw_fops);
}

void __init marker_debugfs_init(void)
{
	struct dentry *dir;
	int cpu;

	if (security_locked_down(LOCKDOWN_DEBUGFS))
		mode_mask = 0440;
	root_dir = debugfs_create_dir("markers", NULL);
	if (IS_ERR(root_dir))
		pr_notice("no directory in debugfs (error %ld)\n",
			  PTR_ERR(root_dir));
	events_dir = debugfs_create_dir("events", root_dir);
	debugfs_create_file("enable", 0640 & mode_mask, events_dir, NULL,
			    &module_enable_fops);
	create_files(root_dir, top_files, ARRAY_SIZE(top_files), NULL);
	if (marker_arch_site_size)
		create_files(root_dir, patch_files, ARRAY_SIZE(patch_files),
			     NULL);
	create_files(root_dir, reader_files, ARRAY_SIZE(reader_files),
		     marker_reader_private(RING_ALL_CPUS, false));
	debugfs_create_file("snapshot", 0640 & mode_mask, root_dir,
			    marker_reader_private(RING_ALL_CPUS, true),
			    &marker_reader_snapshot_fops);
	dir = debugfs_create_dir("per_cpu", root_dir);
	for_each_possible_cpu(cpu)
		create_cpu(dir, cpu);
	create_ctf(debugfs_create_dir("ctf", root_dir), false);
	create_ctf(debugfs_create_dir("snapshot_ctf", root_dir), true);
}

/* Nobody has a file open: it would have a reference to this module. */
void marker_debugfs_exit(void)
{
	debugfs_remove(root_dir);
}
