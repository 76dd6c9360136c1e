// SPDX-License-Identifier: GPL-2.0
/*
 * instances/make and instances/remove: debugfs has no mkdir, so operators write names.
 * Process context.
 *
 * Removing a directory waits for tasks that are using files, but not for those that use these two;
 * no other file takes instances_mutex.
 */
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/control/instance.h>
#include <markers/control/probes.h>
#include <markers/control/triggers.h>
#include <markers/model/program.h>
#include <markers/record/record.h>
#include <markers/log.h>
#include "command.h"
#include "command_file.h"
#include "instances.h"
#include "views.h"

#define MAX_INSTANCES	32	/* each costs the hits that it records */
#define MAX_NAME	63

/*
 * What takes away waits for memory, and kernels before 6.12 warn of more than two pages then.  The
 * largest program has all recordings with all their actions, all probes and that of publish.
 */
static_assert(offsetof(struct marker_program, gate[MARKER_MAX_FILTER_CELLS]) +
	      sizeof(struct marker_actions) +
	      (MAX_INSTANCES + 1) * (sizeof(struct marker_take) +
				     MARKER_MAX_ACTIONS * sizeof(struct marker_action *)) +
	      sizeof(void *) + (MARKER_MAX_PROBES + 1) * sizeof(struct marker_probe) <= 8192);

/**
 * struct directory - an instance and its directory
 * @instance:	the instance
 * @views:	what its files show: i_private of its directory
 * @is_going:	nobody may look it up any more
 * @name:	its name
 */
struct directory {
	struct marker_recording *instance;
	struct marker_view *views;
	bool is_going;
	char name[MAX_NAME + 1];
};

static DEFINE_MUTEX(instances_mutex);	/* the outermost: only one changes which there are */
static DEFINE_MUTEX(directories_mutex);	/* protects the array; the innermost */
static struct directory *directories[MAX_INSTANCES];

static void set_directory(unsigned int i, struct directory *directory)
{
	mutex_lock(&directories_mutex);
	directories[i] = directory;
	mutex_unlock(&directories_mutex);
}

/* Return: its place, or MAX_INSTANCES. */
static unsigned int find_directory(const char *name)
{
	unsigned int i;

	for (i = 0; i < MAX_INSTANCES; i++) {
		if (directories[i] && !strcmp(directories[i]->name, name))
			break;
	}
	return i;
}

/* The same of a place that is free. */
static unsigned int find_place(void)
{
	unsigned int i = 0;

	while (i < MAX_INSTANCES && directories[i])
		i++;
	return i;
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

/* What its files need. */
static int fill_directory(struct directory *directory)
{
	directory->instance = marker_instance_create(directory->name);
	if (IS_ERR(directory->instance))
		return PTR_ERR(directory->instance);
	directory->views = marker_views_create(directory->instance);
	return directory->views ? 0 : -ENOMEM;
}

static int no_memory(const char *name)
{
	marker_log("instances/make: no memory for %s with %zu KiB of buffer on each of %u CPUs",
		   name, marker_recording_buffer_kb(&marker_top), num_online_cpus());
	return -ENOMEM;
}

static int make_instance(const char *name)
{
	struct directory *directory = kzalloc(sizeof(*directory), GFP_KERNEL_ACCOUNT);
	int err;

	if (!directory)
		return no_memory(name);
	strscpy(directory->name, name, sizeof(directory->name));
	err = fill_directory(directory);
	if (!err) {
		set_directory(find_place(), directory);
		return 0;
	}
	if (!IS_ERR(directory->instance)) {
		marker_instance_end(directory->instance);
		marker_instance_free(directory->instance);
	}
	free_directory(directory);
	return err == -ENOMEM ? no_memory(name) : err;
}

static int remove_instance(unsigned int i)
{
	struct directory *directory = directories[i];
	struct marker_log_scope scope;
	int err;

	marker_log_enter(&scope, directory->name);
	err = marker_instance_end(directory->instance);
	marker_log_leave(&scope);
	if (err)
		return err;
	mutex_lock(&directories_mutex);
	directory->is_going = true;
	mutex_unlock(&directories_mutex);
	/* waits for those who use its files */
	marker_dir_remove((const char *const []) { "instances", directory->name, NULL });
	set_directory(i, NULL);
	marker_instance_free(directory->instance);
	free_directory(directory);
	return 0;
}

static int make_named(const struct file *file, char *text)
{
	const char *name = marker_rules_trim(text), *why = check_name(name);
	int err = -EINVAL;

	if (!why && find_directory(name) < MAX_INSTANCES) {
		why = "there is an instance of this name";
		err = -EEXIST;
	} else if (!why && find_place() == MAX_INSTANCES) {
		why = "there are 32 instances, more are not possible";
		err = -ENOSPC;
	}
	if (!why)
		return make_instance(name);
	marker_command_refuse(file, text, why);
	return err;
}

static int remove_named(const struct file *file, char *text)
{
	const unsigned int i = find_directory(marker_rules_trim(text));

	if (i < MAX_INSTANCES)
		return remove_instance(i);
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

static const struct marker_methods make_file = {
	.fops = &marker_command_fops,
	.open = simple_open,
	.whole = marker_command_line,
	.run = make_command,
	.stays = true,
};

static const struct marker_methods remove_file = {
	.fops = &marker_command_fops,
	.open = simple_open,
	.whole = marker_command_line,
	.run = remove_command,
	.stays = true,
};

static const struct marker_file instances_files[] = {
	{ "make", 0220, &make_file },
	{ "remove", 0220, &remove_file },
	{ }
};

static const struct marker_group instances_groups[] = {
	{ instances_files },
	{ }
};

static const struct marker_dir instance_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_RECORDING,
	.groups = { marker_recording_groups },
};

static bool next_instance(struct dentry *dir, loff_t *at, struct marker_entry *entry)
{
	const struct directory *directory = NULL;

	mutex_lock(&directories_mutex);
	while (!directory && *at < MAX_INSTANCES)
		directory = directories[(*at)++];
	if (directory) {
		marker_entry_copy_name(entry, directory->name);
		entry->recording = *at;
		entry->dir = &instance_dir;
		entry->private = directory->views;
		entry->hidden = directory->is_going;
	}
	mutex_unlock(&directories_mutex);
	return directory;
}

static const struct marker_dir instances_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_INSTANCES,
	.groups = { instances_groups },
	.next = next_instance,
};

const struct marker_file marker_instances_files[] = {
	{ "instances", .dir = &instances_dir },
	{ }
};

/* No file is open: it would hold a reference to this module. */
void marker_instances_exit(void)
{
	unsigned int i;

	for (i = 0; i < MAX_INSTANCES; i++) {
		if (!directories[i])
			continue;
		marker_instance_end(directories[i]->instance);
		marker_instance_free(directories[i]->instance);
		free_directory(directories[i]);
	}
}
