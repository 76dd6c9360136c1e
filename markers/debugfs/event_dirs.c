// SPDX-License-Identifier: GPL-2.0
/*
 * The directories events/ of recordings, with those of modules and of markers.  Process context.
 *
 * The files of events/<module> are made after the module's markers are ready and
 * removed before its struct marker_module goes, both without the registry mutex:
 * removal waits for file operations that are running, and those take the
 * registry mutex.  A file of one marker has its struct marker_event, which stays
 * when the module goes.  Each file finds its recording by marker_command_recording().
 *
 * A file of debugfs takes as much memory as all else of a marker, so only a marker with a hist
 * gets the file hist.  A write to another file makes it, under dirs_mutex, while another task
 * may be removing the directory.  Removal waits for that write, so it does not hold dirs_mutex.
 * Modules and instances go one after the other, under removal_mutex, which no write to a file of
 * events/ takes.
 *
 * Lock order: removal_mutex > dirs_mutex > cpus_read_lock() > registry_mutex.
 */
#include <linux/dcache.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/stringhash.h>

#include <markers/log.h>
#include <markers/model/recording.h>
#include <markers/model/registry.h>
#include "event_dirs.h"
#include "events.h"
#include "file.h"
#include "hists.h"
#include "triggers.h"

static DEFINE_MUTEX(removal_mutex);

/* Protects marker_module.has_dirs.  A directory is complete when the mutex is free. */
static DEFINE_MUTEX(dirs_mutex);

static LIST_HEAD(all_dirs);	/* changes under both */

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
	return has_file(marker_module_files, name) || has_file(marker_module_hits_files, name) ||
	       has_file(marker_module_site_files, name);
}

static bool is_of_top(const struct marker_event_dirs *dirs)
{
	return dirs->recording == &marker_top;
}

/*
 * What is called @name in a directory, with a reference; or NULL.  The lookup of debugfs asks
 * whether the current task may search the directory: one that unloads a module need not.
 */
static struct dentry *find(struct dentry *dir, const char *name)
{
	struct qstr key = QSTR_INIT(name, strlen(name));
	struct dentry *found;

	/* it cannot be made */
	if (IS_ERR(dir))
		return NULL;
	key.hash = full_name_hash(dir, key.name, key.len);
	found = d_lookup(dir, &key);
	if (!found || d_really_is_positive(found))
		return found;
	dput(found);
	return NULL;
}

/* The directory of a module, with a reference; or NULL. */
static struct dentry *find_module_dir(const struct marker_event_dirs *dirs,
				      const struct marker_module *module)
{
	char text[DIR_NAME_SIZE];

	return find(dirs->dir, dir_name(text, module->name,
					has_file(marker_module_files, module->name)));
}

/* The same, made if there is none; it stays while dirs_mutex is held. */
static struct dentry *get_module_dir(const struct marker_event_dirs *dirs,
				     struct marker_module *module)
{
	struct dentry *dir = find_module_dir(dirs, module);

	if (dir) {
		dput(dir);
		return dir;
	}
	dir = create_dir(module->name, has_file(marker_module_files, module->name), dirs->dir);
	if (IS_ERR(dir)) {
		marker_log("events/%s: cannot be made (error %ld)", module->name, PTR_ERR(dir));
		return NULL;
	}
	marker_file_create_all(dir, marker_module_files, module);
	marker_file_create_all(dir, marker_module_hits_files, module);
	if (is_of_top(dirs))
		marker_file_create_all(dir, marker_module_site_files, module);
	return dir;
}

/* NULL: it cannot be made. */
static struct dentry *create_marker_dir(struct dentry *module_dir,
					const struct marker_module *module, const char *name)
{
	struct dentry *dir = create_dir(name, is_module_file(name), module_dir);

	if (!IS_ERR(dir))
		return dir;
	marker_log("events/%s/%s: cannot be made (error %ld)", module->name, name,
		   PTR_ERR(dir));
	return NULL;
}

/* Their contents do not change until the module is unloaded. */
static void create_event(const struct marker_event_dirs *dirs, struct dentry *module_dir,
			 const struct marker_module *module, struct marker_event *event)
{
	struct dentry *dir = create_marker_dir(module_dir, module, event->name);
	struct marker_refusal *refusal;

	if (!dir)
		return;
	marker_file_create_all(dir, marker_event_files, event);
	marker_file_create_all(dir, marker_event_trigger_files, event);
	if (marker_hists_any(event, dirs->recording))
		marker_file_create_all(dir, marker_event_hist_files, event);
	refusal = is_of_top(dirs) ? marker_registry_refusal(module, event->name) : NULL;
	if (refusal)
		marker_file_create_all(dir, marker_refusal_files, refusal);
}

/* If an event has the same name, its directory has the file. */
static void create_refusal(struct dentry *module_dir, const struct marker_module *module,
			   struct marker_refusal *refusal)
{
	struct dentry *dir;
	bool alone;

	marker_registry_lock();
	alone = !marker_registry_find(module, refusal->name);
	marker_registry_unlock();
	dir = alone ? create_marker_dir(module_dir, module, refusal->name) : NULL;
	if (dir)
		marker_file_create_all(dir, marker_refusal_files, refusal);
}

static void create_module(const struct marker_event_dirs *dirs, struct marker_module *module)
{
	struct marker_refusal *refusal;
	struct marker_event *event;
	struct dentry *dir;

	/* of an instance, nothing but the files of events would be there */
	if (!is_of_top(dirs) && !marker_module_event(module, 0))
		return;
	dir = get_module_dir(dirs, module);
	if (!dir)
		return;
	/* which events it has does not change while it is coming: no lock is needed */
	for_each_module_event(module, event) {
		create_event(dirs, dir, module, event);
		cond_resched();
	}
	for_each_refusal(module, refusal) {
		if (is_of_top(dirs))
			create_refusal(dir, module, refusal);
	}
}

void marker_event_dirs_add_module(struct marker_module *module)
{
	const struct marker_event_dirs *dirs;

	mutex_lock(&dirs_mutex);
	module->has_dirs = true;
	list_for_each_entry(dirs, &all_dirs, list)
		create_module(dirs, module);
	mutex_unlock(&dirs_mutex);
}

void marker_event_dirs_remove_module(struct marker_module *module)
{
	const struct marker_event_dirs *dirs;
	struct dentry *dir;

	mutex_lock(&dirs_mutex);
	module->has_dirs = false;
	mutex_unlock(&dirs_mutex);
	mutex_lock(&removal_mutex);
	list_for_each_entry(dirs, &all_dirs, list) {
		dir = find_module_dir(dirs, module);
		debugfs_remove(dir);
		dput(dir);
		cond_resched();
	}
	mutex_unlock(&removal_mutex);
}

/* Both mutexes held.  The module of a pair's event has none, and only the registry's keeps it. */
static bool has_dirs(const struct marker_event *event)
{
	return event->module && event->module->has_dirs;
}

/*
 * The next event after @event with directories, and if @recording is not NULL, with a hist there;
 * or NULL.  @module: its module, which waits for dirs_mutex before it goes.
 */
static struct marker_event *next_event(struct marker_event *event,
				       const struct marker_recording *recording,
				       struct marker_module **module)
{
	marker_registry_lock();
	event = event ? event->next : marker_first_event;
	while (event && !(has_dirs(event) &&
			  (!recording || marker_hists_any(event, recording)))) {
		cond_resched();
		event = event->next;
	}
	*module = event ? event->module : NULL;
	marker_registry_unlock();
	return event;
}

void marker_event_dirs_create(struct marker_event_dirs *dirs, struct marker_recording *recording,
			      struct dentry *parent)
{
	struct marker_module *module, *last = NULL;
	struct marker_event *event = NULL;
	struct dentry *dir = NULL;

	dirs->recording = recording;
	dirs->dir = debugfs_create_dir("events", parent);
	marker_file_create_all(dirs->dir, marker_module_files, NULL);
	mutex_lock(&removal_mutex);
	mutex_lock(&dirs_mutex);
	while ((event = next_event(event, NULL, &module))) {
		if (module != last)
			dir = get_module_dir(dirs, module);
		last = module;
		if (dir)
			create_event(dirs, dir, module, event);
		cond_resched();
	}
	list_add_tail(&dirs->list, &all_dirs);
	mutex_unlock(&dirs_mutex);
	mutex_unlock(&removal_mutex);
}

void marker_event_dirs_remove(struct marker_event_dirs *dirs)
{
	mutex_lock(&removal_mutex);
	mutex_lock(&dirs_mutex);
	list_del(&dirs->list);
	mutex_unlock(&dirs_mutex);
	debugfs_remove(dirs->dir);
	mutex_unlock(&removal_mutex);
}

/* Make the file hist, if the event has its directory, and that none. */
static void add_hist(const struct marker_event_dirs *dirs, const struct marker_module *module,
		     struct marker_event *event)
{
	struct dentry *module_dir = find_module_dir(dirs, module), *dir, *file;
	char text[DIR_NAME_SIZE];

	if (!module_dir)
		return;
	dir = find(module_dir, dir_name(text, event->name, is_module_file(event->name)));
	dput(module_dir);
	if (!dir)
		return;
	file = find(dir, marker_event_hist_files[0].name);
	if (file)
		dput(file);
	else
		marker_file_create_all(dir, marker_event_hist_files, event);
	dput(dir);
}

void marker_event_dirs_add_hists(const struct marker_recording *recording)
{
	const struct marker_event_dirs *dirs;
	struct marker_event *event = NULL;
	struct marker_module *module;

	mutex_lock(&dirs_mutex);
	list_for_each_entry(dirs, &all_dirs, list) {
		if (dirs->recording != recording)
			continue;
		while ((event = next_event(event, recording, &module)))
			add_hist(dirs, module, event);
	}
	mutex_unlock(&dirs_mutex);
}
