// SPDX-License-Identifier: GPL-2.0
/*
 * The tree of files in debugfs.  What they do is elsewhere, but for README and stats.
 *
 * The files of events/<module> are made after the module's markers are ready and
 * removed before its struct marker_module goes, both without the registry mutex:
 * removal waits for file operations that are running, and those take the
 * registry mutex.  A file of one marker has its struct marker_event, which stays
 * when the module goes.
 *
 * A file of debugfs takes as much memory as all else of a marker, so only a marker with a hist
 * gets the file hist.  A write to another file makes it, under tree_mutex, while another task
 * may be removing the directory.  Removal waits for that write, so it does not hold tree_mutex.
 *
 * Lock order: tree_mutex > cpus_read_lock() > registry_mutex.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/dcache.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
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
#include "events.h"
#include "file.h"
#include "hists.h"
#include "hits.h"
#include "instances.h"
#include "last_boot_files.h"
#include "lists.h"
#include "notes.h"
#include "reader.h"
#include "readme.h"
#include "settings.h"
#include "site_files.h"
#include "tree.h"
#include "triggers.h"
#include "views.h"

static struct dentry *root_dir;
static struct dentry *events_dir;
static struct marker_view *top_views;

/* Protects marker_module.dir.  A directory is complete when the mutex is free. */
static DEFINE_MUTEX(tree_mutex);

/*
 * events/<module>
 */

static bool has_file(const struct marker_file *file, const char *name)
{
	for (; file->name; file++) {
		if (!strcmp(name, file->name))
			return true;
	}
	return false;
}

#define DIR_NAME_SIZE	16

/*
 * The name of a marker's directory.  A file may have that name already: then add ".d", in @text.
 * The result is unique, as no marker and no module has a "." in its name.
 */
static const char *dir_name(char *text, const char *name, bool is_file_name)
{
	if (!is_file_name)
		return name;
	snprintf(text, DIR_NAME_SIZE, "%s.d", name);
	return text;
}

static struct dentry *create_dir(const char *name, bool is_file_name, struct dentry *parent)
{
	char text[DIR_NAME_SIZE];

	return debugfs_create_dir(dir_name(text, name, is_file_name), parent);
}

static bool is_module_file(const char *name)
{
	return has_file(marker_module_files, name) || has_file(marker_module_list_files, name);
}

/* NULL: it cannot be made. */
static struct dentry *create_marker_dir(const struct marker_module *module,
					const char *name)
{
	struct dentry *dir = create_dir(name, is_module_file(name), module->dir);

	if (!IS_ERR(dir))
		return dir;
	marker_log("events/%s/%s: cannot be made (error %ld)", module->name, name,
		   PTR_ERR(dir));
	return NULL;
}

/* Their contents do not change until the module is unloaded. */
static void create_event(const struct marker_module *module,
			 struct marker_event *event)
{
	struct dentry *dir = create_marker_dir(module, event->name);
	struct marker_refusal *refusal;

	if (!dir)
		return;
	marker_file_create_all(dir, marker_event_files, event);
	marker_file_create_all(dir, marker_event_trigger_files, event);
	if (marker_hists_any(event))
		marker_file_create_all(dir, marker_event_hist_files, event);
	refusal = marker_registry_refusal(module, event->name);
	if (refusal)
		marker_file_create_all(dir, marker_refusal_files, refusal);
}

/* If an event has the same name, its directory has the file. */
static void create_refusal(const struct marker_module *module,
			   struct marker_refusal *refusal)
{
	struct dentry *dir;
	bool alone;

	marker_registry_lock();
	alone = !marker_registry_find(module, refusal->name);
	marker_registry_unlock();
	dir = alone ? create_marker_dir(module, refusal->name) : NULL;
	if (dir)
		marker_file_create_all(dir, marker_refusal_files, refusal);
}

static void create_module(struct marker_module *module)
{
	struct marker_refusal *refusal;
	struct marker_event *event;

	module->dir = create_dir(module->name, has_file(marker_module_files, module->name),
				 events_dir);
	if (IS_ERR(module->dir)) {
		marker_log("events/%s: cannot be made (error %ld)", module->name,
			   PTR_ERR(module->dir));
		return;
	}
	marker_file_create_all(module->dir, marker_module_files, module);
	marker_file_create_all(module->dir, marker_module_list_files, module);
	/* which events it has does not change while it is coming: no lock is needed */
	for_each_module_event(module, event) {
		create_event(module, event);
		cond_resched();
	}
	for_each_refusal(module, refusal)
		create_refusal(module, refusal);
}

void marker_tree_add_module(struct marker_module *module)
{
	mutex_lock(&tree_mutex);
	create_module(module);
	mutex_unlock(&tree_mutex);
}

void marker_tree_remove_module(struct marker_module *module)
{
	struct dentry *dir;

	mutex_lock(&tree_mutex);
	dir = module->dir;
	module->dir = NULL;
	mutex_unlock(&tree_mutex);
	debugfs_remove(dir);
}

/* Both mutexes held.  The module of a pair's event has none, and only the registry's keeps it. */
static bool has_dir(const struct marker_event *event)
{
	return event->module && !IS_ERR_OR_NULL(event->module->dir);
}

/* The next event after @event with a hist and a directory, or NULL; @module: its module. */
static struct marker_event *next_with_hist(struct marker_event *event,
					   const struct marker_module **module)
{
	marker_registry_lock();
	event = event ? event->next : marker_first_event;
	while (event && !(has_dir(event) && marker_hists_any(event))) {
		cond_resched();
		event = event->next;
	}
	*module = event ? event->module : NULL;
	marker_registry_unlock();
	return event;
}

/* Make the file hist, if the event has its directory, and that none. */
static void add_hist(const struct marker_module *module, struct marker_event *event)
{
	char text[DIR_NAME_SIZE];
	struct dentry *dir, *file;

	dir = debugfs_lookup(dir_name(text, event->name, is_module_file(event->name)),
			     module->dir);
	if (!dir)
		return;
	file = debugfs_lookup(marker_event_hist_files[0].name, dir);
	if (file)
		dput(file);
	else
		marker_file_create_all(dir, marker_event_hist_files, event);
	dput(dir);
}

/*
 * A module with a directory that is unloaded waits for the mutex before it is freed, so @module
 * stays valid.
 */
void marker_tree_add_hists(void)
{
	const struct marker_module *module;
	struct marker_event *event = NULL;

	mutex_lock(&tree_mutex);
	while ((event = next_with_hist(event, &module)))
		add_hist(module, event);
	mutex_unlock(&tree_mutex);
}

/*
 * The tree
 */

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
	events_dir = debugfs_create_dir("events", root_dir);
	marker_file_create_all(events_dir, marker_module_files, NULL);
	marker_file_create_all(root_dir, marker_readme_files, NULL);
	marker_file_create_all(root_dir, marker_top_files, NULL);
	marker_file_create_all(root_dir, marker_log_files, NULL);
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
