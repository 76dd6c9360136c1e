// SPDX-License-Identifier: GPL-2.0
/*
 * instances/make and instances/remove: debugfs has no mkdir, so operators write names.
 * Process context.
 *
 * Removing a directory waits for tasks that are using its files.  These two files are beside
 * it, and no file of an instance takes our mutex.
 */
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/control/instance.h>
#include <markers/record/record.h>
#include <markers/log.h>
#include "command.h"
#include "command_file.h"
#include "event_dirs.h"
#include "instances.h"
#include "views.h"

#define MAX_INSTANCES	32	/* each costs the hits that it records */
#define MAX_NAME	63

/**
 * struct directory - an instance and its directory
 * @list:	of all of them
 * @instance:	the instance
 * @views:	what its files show
 * @dir:	the directory
 * @events:	its events/
 * @name:	its name
 */
struct directory {
	struct list_head list;
	struct marker_recording *instance;
	struct marker_view *views;
	struct dentry *dir;
	struct marker_event_dirs events;
	char name[MAX_NAME + 1];
};

static DEFINE_MUTEX(instances_mutex);	/* protects the two below; the outermost */
static LIST_HEAD(directories);
static unsigned int nr_directories;

static struct directory *find_directory(const char *name)
{
	struct directory *directory;

	list_for_each_entry(directory, &directories, list) {
		if (!strcmp(directory->name, name))
			return directory;
	}
	return NULL;
}

/* NULL: it can be the name of a directory, beside the two files. */
static const char *check_name(const char *name)
{
	size_t i;

	if (!*name || strlen(name) > MAX_NAME)
		return "a name has 1 to 63 characters";
	if (*name == '.' || *name == '-')
		return "a name begins with a letter, a digit or _";
	for (i = 0; name[i]; i++) {
		if (!isascii(name[i]) || (!isalnum(name[i]) && !strchr("_-.", name[i])))
			return "a name has letters, digits, _ - and . only";
	}
	if (!strcmp(name, "make") || !strcmp(name, "remove"))
		return "a file has this name";
	return NULL;
}

static void free_directory(struct directory *directory)
{
	kvfree(directory->views);
	kfree(directory);
}

/* Its files, with all that they need. */
static int fill_directory(struct directory *directory, struct dentry *parent)
{
	directory->instance = marker_instance_create(directory->name);
	if (IS_ERR(directory->instance))
		return PTR_ERR(directory->instance);
	directory->views = marker_views_create(directory->instance);
	if (!directory->views)
		return -ENOMEM;
	directory->dir = debugfs_create_dir(directory->name, parent);
	if (IS_ERR(directory->dir))
		return PTR_ERR(directory->dir);
	/* for marker_command_recording() */
	d_inode(directory->dir)->i_private = directory->instance;
	marker_event_dirs_create(&directory->events, directory->instance, directory->dir);
	marker_views_create_files(directory->dir, directory->views);
	return 0;
}

static int no_memory(const char *name)
{
	marker_log("instances/make: no memory for %s with %zu KiB of buffer on each of %u CPUs",
		   name, marker_recording_buffer_kb(&marker_top), num_online_cpus());
	return -ENOMEM;
}

static int make_instance(struct dentry *parent, const char *name)
{
	struct directory *directory = kzalloc(sizeof(*directory), GFP_KERNEL_ACCOUNT);
	int err;

	if (!directory)
		return no_memory(name);
	strscpy(directory->name, name, sizeof(directory->name));
	err = fill_directory(directory, parent);
	if (!err) {
		list_add_tail(&directory->list, &directories);
		nr_directories++;
		return 0;
	}
	if (!IS_ERR(directory->instance)) {
		marker_instance_end(directory->instance);
		marker_instance_free(directory->instance);
	}
	free_directory(directory);
	return err == -ENOMEM ? no_memory(name) : err;
}

static int remove_instance(struct directory *directory)
{
	struct marker_log_scope scope;
	int err;

	marker_log_enter(&scope, directory->name);
	err = marker_instance_end(directory->instance);
	marker_log_leave(&scope);
	if (err)
		return err;
	/* waits for those who use its files */
	marker_event_dirs_remove(&directory->events);
	debugfs_remove(directory->dir);
	marker_instance_free(directory->instance);
	list_del(&directory->list);
	nr_directories--;
	free_directory(directory);
	return 0;
}

static int make_named(const struct file *file, char *text)
{
	const char *name = marker_rules_trim(text), *why = check_name(name);
	int err = -EINVAL;

	if (!why && find_directory(name)) {
		why = "there is an instance of this name";
		err = -EEXIST;
	} else if (!why && nr_directories >= MAX_INSTANCES) {
		why = "there are 32 instances, more are not possible";
		err = -ENOSPC;
	}
	if (!why)
		return make_instance(file_inode(file)->i_private, name);
	marker_command_refuse(file, text, why);
	return err;
}

static int remove_named(const struct file *file, char *text)
{
	struct directory *directory = find_directory(marker_rules_trim(text));

	if (directory)
		return remove_instance(directory);
	marker_command_refuse(file, text, "there is no instance of this name");
	return -ENOENT;
}

static int locked(const struct file *file, char *text,
		  int (*act)(const struct file *file, char *text))
{
	int err = mutex_lock_interruptible(&instances_mutex);

	if (err)
		return err;
	err = act(file, text);
	mutex_unlock(&instances_mutex);
	return err;
}

static int make_command(const struct file *file, char *text)
{
	return locked(file, text, make_named);
}

static int remove_command(const struct file *file, char *text)
{
	return locked(file, text, remove_named);
}

static const struct marker_command make_file = {
	.fops = MARKER_COMMAND_FOPS,
	.open = marker_file_open,
	.whole = marker_command_line,
	.run = make_command,
};

static const struct marker_command remove_file = {
	.fops = MARKER_COMMAND_FOPS,
	.open = marker_file_open,
	.whole = marker_command_line,
	.run = remove_command,
};

const struct marker_file marker_instances_files[] = {
	{ "make", 0220, &make_file.fops },
	{ "remove", 0220, &remove_file.fops },
	{ }
};

/* No file is open: it would hold a reference to this module. */
void marker_instances_exit(void)
{
	struct directory *directory, *next;

	list_for_each_entry_safe(directory, next, &directories, list) {
		marker_instance_end(directory->instance);
		marker_instance_free(directory->instance);
		free_directory(directory);
	}
}
