// SPDX-License-Identifier: GPL-2.0
/*
 * Parses the text that users write to control files.  The write methods of debugfs files
 * call it in process context.
 */
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <markers/log.h>
#include <markers/model/recording.h>
#include <markers/model/registry.h>
#include <markers/model/rules.h>
#include "command.h"
#include "reader.h"

#define MAX_NAME	160		/* bytes of a file's name in error_log */

/* The directory instances/NAME of what is below it; NULL: it is not. */
static struct dentry *instance_dir(struct dentry *dentry)
{
	struct dentry *dir = dentry;

	/* to what is in a directory of ours; the root is its own parent */
	while (!IS_ROOT(dir->d_parent->d_parent->d_parent))
		dir = dir->d_parent;
	if (dir == dentry || strcmp(dir->d_parent->d_name.name, "instances"))
		return NULL;
	return dir;
}

static const char *instance_of(const struct file *file)
{
	const struct dentry *dir = instance_dir(file->f_path.dentry);

	return dir ? dir->d_name.name : NULL;
}

struct marker_recording *marker_command_recording_of(struct dentry *dentry)
{
	const struct dentry *dir = instance_dir(dentry);

	return dir ? marker_reader_recording_of(d_inode(dir)) : &marker_top;
}

struct marker_recording *marker_command_recording(const struct file *file)
{
	return marker_command_recording_of(file->f_path.dentry);
}

/* The name of a file in our directory, or in that of its instance. */
static const char *file_name(const struct file *file, char *buf, int size)
{
	static const char root[] = "/markers/", dir[] = "instances/";
	char *name = dentry_path_raw(file->f_path.dentry, buf, size);
	const char *instance = instance_of(file);

	if (IS_ERR(name))
		return "(long name)";
	if (!strncmp(name, root, strlen(root)))
		name += strlen(root);
	return instance ? name + strlen(dir) + strlen(instance) + 1 : name;
}

void marker_command_enter(struct marker_log_scope *scope, const struct file *file)
{
	marker_log_enter(scope, instance_of(file));
}

void marker_command_leave(struct marker_log_scope *scope, const struct file *file, int err)
{
	char name[MAX_NAME];

	if (err == -ENOMEM && !marker_log_has_message(scope))
		marker_log("%s: no memory", file_name(file, name, sizeof(name)));
	marker_log_leave(scope);
}

ssize_t marker_command_reply(char __user *to, size_t count, loff_t *pos,
			     const char *fmt, ...)
{
	char text[24];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vscnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return simple_read_from_buffer(to, count, pos, text, len);
}

void marker_command_refuse(const struct file *file, const char *text,
			   const char *why)
{
	char name[MAX_NAME];

	marker_log_at(text, 0, "%s: %s", file_name(file, name, sizeof(name)),
		      why);
}

/* Without memory: it is how that is freed. */
ssize_t marker_command_discard(const char __user *from, size_t count)
{
	char part[256];
	size_t at, len;

	count = min_t(size_t, count, MARKER_MAX_COMMAND);
	for (at = 0; at < count; at += len) {
		len = min(count - at, sizeof(part));
		if (copy_from_user(part, from + at, len))
			return -EFAULT;
	}
	return count;
}

/* 0 and 1, and the other words for them; no more than that in the text. */
static int parse_bool(char *text, bool *on)
{
	const char *word = marker_rules_trim(text);

	if (strlen(word) <= 1 || !strcmp(word, "on") || !strcmp(word, "off"))
		return kstrtobool(word, on);
	return -EINVAL;
}

int marker_command_parse_bool(const char *name, char *text, bool *on)
{
	int err = parse_bool(text, on);

	if (err)
		marker_log_at(text, 0, "%s: neither 0 nor 1", name);
	return err;
}

int marker_command_text_bool(const struct file *file, char *text, bool *on)
{
	int err = parse_bool(text, on);

	if (err)
		marker_command_refuse(file, text, "neither 0 nor 1");
	return err;
}

int marker_command_parse_uint(const char *name, char *text,
			      const struct marker_range *range, unsigned int *value)
{
	int err = kstrtouint(marker_rules_trim(text), 0, value);

	if (!err && *value >= range->min && *value <= range->max)
		return 0;
	marker_log_at(text, 0, "%s: not %s from %u to %u", name, range->unit, range->min,
		      range->max);
	return -EINVAL;
}

struct marker_event *marker_command_marker(const struct file *file,
					   const struct marker_module *module,
					   const char *text, const char **rest)
{
	const size_t len = strcspn(text, " \t");
	struct marker_event *event;

	marker_registry_lock();
	for_each_module_event(module, event) {
		if (!strncmp(event->name, text, len) && !event->name[len])
			break;
	}
	marker_registry_unlock();
	if (!event)
		marker_command_refuse(file, text, "the module has no such marker");
	*rest = text + len + strspn(text + len, " \t");
	return event;
}

ssize_t marker_command_read_only(struct file *file, const char __user *from,
				 size_t count, loff_t *pos)
{
	struct marker_log_scope scope;
	char name[MAX_NAME];

	marker_command_enter(&scope, file);
	marker_log("%s: for reading only", file_name(file, name, sizeof(name)));
	marker_log_leave(&scope);
	return -EINVAL;
}
