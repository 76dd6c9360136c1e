// SPDX-License-Identifier: GPL-2.0
/*
 * The directory markers.  What its files do is elsewhere.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dcache.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/printk.h>
#include <linux/slab.h>

#include <markers/after/last_boot.h>
#include <markers/after/persist.h>
#include <markers/after/recover.h>
#include <markers/log.h>
#include <markers/model/registry.h>
#include <markers/record/record.h>
#include <markers/version.h>
#include "file.h"
#include "instances.h"
#include "last_boot_files.h"
#include "lists.h"
#include "notes.h"
#include "publish_files.h"
#include "reader.h"
#include "readme.h"
#include "settings.h"
#include "site_files.h"
#include "tree.h"
#include "triggers.h"
#include "views.h"

static struct marker_view *top_views;

/*
 * last_boot, with the CPUs that have a stream in its ctf/: their files are there until this module
 * goes, also when the trace was dropped.
 */
static u32 *boot_cpus;
static unsigned int nr_boot_cpus;

static int __init find_boot_cpus(void)
{
	struct marker_last_boot *boot;
	const char *why;
	unsigned int i;

	boot = marker_last_boot_get(&why);
	if (!boot)
		return 0;
	nr_boot_cpus = marker_last_boot_trace(boot)->nr_cpus;
	boot_cpus = kvmalloc_array(nr_boot_cpus, sizeof(*boot_cpus), GFP_KERNEL);
	for (i = 0; boot_cpus && i < nr_boot_cpus; i++)
		boot_cpus[i] = marker_last_boot_trace(boot)->cpu[i].cpu;
	marker_last_boot_put(boot);
	return boot_cpus ? 0 : -ENOMEM;
}

static const struct marker_file boot_metadata_files[] = {
	{ "metadata", 0440, &marker_last_boot_metadata_file },
	{ }
};

static const struct marker_group boot_ctf_groups[] = {
	{ boot_metadata_files },
	{ }
};

static bool next_boot_stream(struct dentry *dir, loff_t *at, struct marker_entry *entry)
{
	if (*at >= nr_boot_cpus)
		return false;
	snprintf(entry->text, sizeof(entry->text), "stream_%u", boot_cpus[*at]);
	entry->name = entry->text;
	entry->id = *at + 1;
	entry->mode = 0440;
	entry->methods = &marker_last_boot_stream_file;
	entry->private = (void *)(unsigned long)(*at)++;
	return true;
}

static const struct marker_dir boot_ctf_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_LAST_BOOT_CTF,
	.groups = { boot_ctf_groups },
	.next = next_boot_stream,
};

static bool has_boot_ctf(struct dentry *dir)
{
	return boot_cpus;
}

static const struct marker_file boot_files[] = {
	{ "trace", 0640, &marker_last_boot_trace_file },
	{ }
};

static const struct marker_file boot_dirs[] = {
	{ "ctf", .dir = &boot_ctf_dir },
	{ }
};

static const struct marker_group boot_groups[] = {
	{ boot_files },
	{ boot_dirs, .is_there = has_boot_ctf },
	{ }
};

static const struct marker_dir boot_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_LAST_BOOT,
	.groups = { boot_groups },
};

static const struct marker_file last_boot_files[] = {
	{ "last_boot", .dir = &boot_dir },
	{ }
};

static bool has_code(struct dentry *dir)
{
	return marker_arch_site_size;
}

static bool has_last_boot(struct dentry *dir)
{
	return marker_persist_is_used();
}

/* besides those of the recording */
static const struct marker_group top_groups[] = {
	{ marker_readme_files },
	{ marker_log_files },
	{ marker_publish_files },
	{ marker_code_files, .is_there = has_code },
	{ last_boot_files, .is_there = has_last_boot },
	{ marker_instances_files },
	{ }
};

static const struct marker_dir top_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_RECORDING,
	.groups = { top_groups, marker_recording_groups },
};

#define HOME	"/sys/kernel/debug"

/* Is debugfs mounted where people look for our files? */
static bool __init is_mounted(void)
{
	struct path path;
	bool ours;

	if (kern_path(HOME "/markers", 0, &path))
		return false;
	ours = path.dentry == marker_dir_top();
	path_put(&path);
	return ours;
}

static void free_data(void)
{
	kvfree(top_views);
	kvfree(boot_cpus);
}

int __init marker_tree_init(const struct marker_debugfs_config *config)
{
	int err;

	if (marker_persist_is_used()) {
		err = find_boot_cpus();
		if (err)
			return err;
	}
	top_views = marker_views_create(&marker_top);
	err = top_views ? marker_dir_init(config, &top_dir, top_views) : -ENOMEM;
	if (err)
		free_data();
	return err;
}

/*
 * Modules with markers cannot be loaded without this one, so it is no error if there are
 * no files.  The message says what to do.
 */
void __init marker_tree_say_where(void)
{
	const struct dentry *root_dir = marker_dir_top();

	if (root_dir == ERR_PTR(-ENODEV))
		pr_warn("this kernel has no debugfs (CONFIG_DEBUG_FS): no markers can be read; only the parameter enable= and probes work\n");
	else if (root_dir == ERR_PTR(-EPERM))
		pr_warn("debugfs is switched off: no markers can be read; to change that, boot without debugfs=off\n");
	else if (IS_ERR(root_dir))
		pr_warn("no directory \"markers\" in debugfs (error %ld): no markers can be read\n",
			PTR_ERR(root_dir));
	else if (!debugfs_initialized())
		pr_warn("debugfs cannot be mounted: no markers can be read; to change that, boot without debugfs=no-mount\n");
	else if (!is_mounted())
		pr_notice("debugfs is not mounted at " HOME ": mount -t debugfs none " HOME "\n");
	else if (marker_file_check())
		pr_warn("the kernel is locked down for confidentiality: no file can be opened\n");
	else
		pr_info("version %u.%u, files in debugfs: " HOME "/markers\n",
			MARKERS_VERSION_MAJOR, MARKERS_VERSION_MINOR);
}

/* No file is open: it would hold a reference to this module. */
void marker_tree_exit(void)
{
	marker_dir_exit();
	marker_instances_exit();
	free_data();
}
