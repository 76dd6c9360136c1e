// SPDX-License-Identifier: GPL-2.0
/*
 * The files of a marker, of a module and of all: enable, filter, format, refused.
 * Process context.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/control/control.h>
#include <markers/control/filters.h>
#include <markers/control/switch.h>
#include <markers/model/program.h>
#include <markers/model/registry.h>
#include <markers/model/rules.h>
#include "command.h"
#include "command_file.h"
#include "events.h"
#include "hits.h"
#include "site_files.h"
#include "triggers.h"

/*
 * enable: i_private is the event, the module, or NULL for all; of the recording of the file.
 */

/* "1", "0", or with options "1+count", "count". */
static int get_asked(const struct file *file, char *text, u32 *asked)
{
	char *options = marker_rules_trim(text);
	bool on = false;
	int err;

	*asked = 0;
	if (!strncmp(options, "1+", 2)) {
		*asked = MARKER_ASK_RECORD;
		return marker_rules_parse_options(options + 2, 0, strlen(options + 2), asked);
	}
	if (!strcmp(options, "count"))
		return marker_rules_parse_options(options, 0, strlen(options), asked);
	err = marker_command_text_bool(file, text, &on);
	*asked = on ? MARKER_ASK_RECORD : 0;
	return err;
}

static int set_enable(const struct file *file, char *text, const char *module,
		      const char *name)
{
	u32 asked;

	return get_asked(file, text, &asked) ?:
	       marker_control_set(marker_command_recording(file), module, name, asked);
}

static ssize_t marker_enable_read(struct file *file, char __user *to,
				  size_t count, loff_t *pos)
{
	const struct marker_recording *recording = marker_command_recording(file);
	const struct marker_event *event = file->private_data;
	const struct marker_event_filter *filter;
	char options[MARKER_OPTIONS_SIZE];
	bool alone;
	u32 asked;

	marker_registry_lock();
	asked = marker_rules_shown(&recording->rules, marker_program_asked(event, recording));
	filter = marker_program_filter(event, recording);
	if (filter && filter->error.why)
		asked &= MARKER_ASK_COUNT;
	alone = recording == &marker_top && event->nr_alone;
	marker_registry_unlock();
	marker_rules_options(options, asked);
	if (*options == '=')
		return marker_command_reply(to, count, pos, "%s\n", options + 1);
	return marker_command_reply(to, count, pos, "%c%s\n",
				    asked & MARKER_ASK_RECORD ? '1' : alone ? 'X' : '0',
				    options);
}

static int marker_enable_command(const struct file *file, char *text)
{
	const struct marker_event *event = file->private_data;

	return set_enable(file, text, event->module_name, event->name);
}

static const struct marker_methods marker_enable_file = {
	.fops = &marker_command_fops,
	.open = simple_open,
	.read = marker_enable_read,
	.llseek = default_llseek,
	.whole = marker_command_switch,
	.run = marker_enable_command,
};

static ssize_t module_enable_read(struct file *file, char __user *to,
				  size_t count, loff_t *pos)
{
	const struct marker_module *module = file->private_data;

	return marker_command_reply(to, count, pos, "%c\n",
				    marker_control_get(marker_command_recording(file), module));
}

static int module_enable_command(const struct file *file, char *text)
{
	const struct marker_module *module = file->private_data;

	return set_enable(file, text, module ? module->name : "*", "*");
}

static const struct marker_methods module_enable_file = {
	.fops = &marker_command_fops,
	.open = simple_open,
	.read = module_enable_read,
	.llseek = default_llseek,
	.whole = marker_command_switch,
	.run = module_enable_command,
};

/*
 * filter: i_private is the event, the module, or NULL for all.
 */

/* A filter, or 0 or "none" to take it away. */
static int set_filter(const struct file *file, const char *module, const char *name, char *text)
{
	const char *filter = marker_rules_trim(text);

	if (!strcmp(filter, "0") || !strcmp(filter, "none"))
		filter = NULL;
	return marker_control_set_filter(marker_command_recording(file), module, name, filter);
}

/* As it was written; after one that does not fit, why. */
static const char *text_of(const struct marker_event_filter *filter)
{
	return filter ? filter->text : "none";
}

static int marker_filter_show(struct seq_file *seq, void *unused)
{
	const struct marker_recording *recording = marker_command_recording(seq->file);
	const struct marker_event *event = seq->private;
	const struct marker_event_filter *filter;
	char why[MARKER_FILTER_WHY_SIZE];

	marker_registry_lock();
	filter = marker_program_filter(event, recording);
	if (filter && filter->error.why)
		seq_puts(seq, marker_filters_why(why, filter));
	else
		seq_printf(seq, "%s\n", text_of(filter));
	marker_registry_unlock();
	return 0;
}

static int marker_filter_command(const struct file *file, char *text)
{
	const struct marker_event *event = file_inode(file)->i_private;

	return set_filter(file, event->module_name, event->name, text);
}
DEFINE_MARKER_COMMAND_ATTRIBUTE(marker_filter, marker_command_line);

/* The filter that all have, if it is the same. */
static int module_filter_show(struct seq_file *seq, void *unused)
{
	const struct marker_recording *recording = marker_command_recording(seq->file);
	const struct marker_module *module = seq->private;
	struct marker_event *event;
	const char *text = NULL, *next;
	bool differ = false;

	marker_registry_lock();
	for_each_loaded_event(event) {
		if (module && event->module != module)
			continue;
		next = text_of(marker_program_filter(event, recording));
		differ |= text && strcmp(text, next);
		text = next;
	}
	seq_printf(seq, "%s\n", differ ? "X" : text ?: "none");
	marker_registry_unlock();
	return 0;
}

static int module_filter_command(const struct file *file, char *text)
{
	const struct marker_module *module = file_inode(file)->i_private;

	return set_filter(file, module ? module->name : "*", "*", text);
}
DEFINE_MARKER_COMMAND_ATTRIBUTE(module_filter, marker_command_line);

/*
 * events/<module>/<marker>/format
 */

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
		if (field->object == MARKER_OBJECT_NUMBER ||
		    field->object == MARKER_OBJECT_SECONDS)
			seq_printf(seq, "\tfield:u%u %s;", field->size * 8, field->name);
		else
			seq_printf(seq, "\tfield:u8 %s[%u];", field->name, field->size);
		seq_printf(seq, "\tsize_bytes:%u;", field->size);
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
DEFINE_MARKER_SHOW_ATTRIBUTE(format);

static int refused_show(struct seq_file *seq, void *unused)
{
	const struct marker_refusal *refusal = seq->private;

	seq_puts(seq, refusal->why);
	return 0;
}
DEFINE_MARKER_SHOW_ATTRIBUTE(refused);

const struct marker_file marker_event_files[] = {
	{ "enable", 0640, &marker_enable_file },
	{ "filter", 0640, &marker_filter_file },
	{ "format", 0440, &format_file },
	{ }
};

const struct marker_file marker_refusal_files[] = {
	{ "refused", 0440, &refused_file },
	{ }
};

const struct marker_file marker_module_files[] = {
	{ "enable", 0640, &module_enable_file },
	{ "filter", 0640, &module_filter_file },
	{ "trigger", 0640, &marker_module_trigger_file },
	{ }
};

const struct marker_file marker_module_hits_files[] = {
	{ "hits", 0640, &marker_module_hits_file },
	{ }
};

const struct marker_file marker_module_site_files[] = {
	{ "sites", 0640, &marker_module_sites_file },
	{ }
};

const struct marker_file marker_enable_files[] = {
	{ "enable", 0640, &module_enable_file },
	{ }
};
