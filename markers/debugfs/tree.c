// SPDX-License-Identifier: GPL-2.0
/*
 * The tree of files in debugfs.  What they do is elsewhere, but for README and stats.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
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
#include "command.h"
#include "command_file.h"
#include "event_dirs.h"
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

static struct dentry *root_dir;
static struct marker_event_dirs top_events;
static struct marker_view *top_views;

static void __init create_last_boot_ctf(struct dentry *dir, const struct marker_recovered *trace)
{
	char name[32];
	u32 i;

	marker_file_create("metadata", 0440, dir, NULL, &marker_last_boot_metadata_fops);
	for (i = 0; i < trace->nr_cpus; i++) {
		snprintf(name, sizeof(name), "stream_%u", trace->cpu[i].cpu);
		marker_file_create(name, 0440, dir, (void *)(unsigned long)i,
				   &marker_last_boot_stream_fops);
	}
}

static void __init create_last_boot(void)
{
	struct dentry *dir = debugfs_create_dir("last_boot", root_dir);
	struct marker_last_boot *boot;
	const char *why;

	marker_file_create("trace", 0640, dir, NULL, &marker_last_boot_trace_fops);
	boot = marker_last_boot_get(&why);
	if (boot)
		create_last_boot_ctf(debugfs_create_dir("ctf", dir),
				     marker_last_boot_trace(boot));
	marker_last_boot_put(boot);
}

#define HOME	"/sys/kernel/debug"

/* Is debugfs mounted where people look for our files? */
static bool __init is_mounted(void)
{
	struct path path;
	bool ours;

	if (kern_path(HOME "/markers", 0, &path))
		return false;
	ours = path.dentry == root_dir;
	path_put(&path);
	return ours;
}

int __init marker_tree_init(const struct marker_debugfs_config *config)
{
	struct dentry *dir;
	int err;

	err = marker_file_init(config);
	if (err)
		return err;
	top_views = marker_views_create(&marker_top);
	if (!top_views)
		return -ENOMEM;
	root_dir = debugfs_create_dir("markers", NULL);
	marker_event_dirs_create(&top_events, &marker_top, root_dir);
	marker_file_create_all(root_dir, marker_readme_files, NULL);
	marker_file_create_all(root_dir, marker_log_files, NULL);
	marker_file_create_all(root_dir, marker_publish_files, NULL);
	if (marker_arch_site_size)
		marker_file_create_all(root_dir, marker_code_files, NULL);
	marker_views_create_files(root_dir, top_views);
	if (marker_persist_is_used())
		create_last_boot();
	dir = debugfs_create_dir("instances", root_dir);
	marker_file_create_all(dir, marker_instances_files, dir);
	return 0;
}

/*
 * Modules with markers cannot be loaded without this one, so it is no error if there are
 * no files.  The message says what to do.
 */
void __init marker_tree_say_where(void)
{
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
	debugfs_remove(root_dir);
	marker_instances_exit();
	kvfree(top_views);
}
