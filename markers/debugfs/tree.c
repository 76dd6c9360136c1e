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
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/namei.h>
#include <linux/printk.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uidgid.h>

#include <markers/log.h>
#include <markers/switch/registry.h>
#include <markers/trace/channel.h>
#include <markers/trace/crash_notes.h>
#include <markers/trace/dispatch.h>
#include <markers/trace/last_boot.h>
#include <markers/trace/latency_events.h>
#include <markers/trace/persist.h>
#include <markers/trace/recover.h>
#include <markers/version.h>
#include "tree.h"
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
#include "readme.h"
#include "settings.h"
#include "site_files.h"
#include "reader.h"
#include "triggers.h"

/* The kernel's policy allows no more: see tree_mode(). */
static bool locked_down;
static umode_t writable_mode;
static kgid_t group;

static struct dentry *root_dir;
static struct dentry *events_dir;
static struct marker_view *top_views;

/* Protects marker_module.dir.  A directory is complete when the mutex is free. */
static DEFINE_MUTEX(tree_mutex);

/*
 * per_cpu/cpuN/stats
 */

static int stats_show(struct seq_file *seq, void *unused)
{
	const struct marker_view *view = seq->private;
	struct marker_buffer *buffer;
	struct ring_stats stats;
	u64 lost;
	int i;

	buffer = marker_channel_get(view->recording, false);
	ring_stats(buffer->ring, view->cpu, &stats);
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
	if (view->recording == &marker_top)
		seq_printf(seq, "skipped: %llu\n", marker_dispatch_skipped(view->cpu));
	return 0;
}
DEFINE_MARKER_SHOW_ATTRIBUTE(stats);

/* i_private: struct marker_view, as of all files below */
static const struct marker_file reader_files[] = {
	{ "trace", 0640, &marker_reader_trace_fops },
	{ "trace_pipe", 0440, &marker_reader_trace_pipe_fops },
	{ }
};

static const struct marker_file cpu_files[] = {
	{ "stats", 0440, &stats_fops },
	{ }
};

/*
 * The mode of a file that has @mode by default.  In lockdown a debugfs file can be
 * opened only if its mode has no write permission (v5.4, 5496197f9b08): then all ours
 * are read-only.
 */
static umode_t tree_mode(umode_t mode)
{
	if (!(mode & 0222) || locked_down)
		return writable_mode & 0444;
	return mode & 0444 ? writable_mode : writable_mode & 0222;
}

static struct dentry *set_group(struct dentry *file)
{
	if (!IS_ERR(file))
		d_inode(file)->i_gid = group;
	return file;
}

static struct dentry *create_file(const char *name, umode_t mode, struct dentry *dir,
				  void *private, const struct file_operations *fops)
{
	/* debugfs protects the methods of a file from its removal, but has only some of them */
	if (fops->write_iter)
		return set_group(debugfs_create_file_unsafe(name, tree_mode(mode), dir, private,
							    fops));
	return set_group(debugfs_create_file(name, tree_mode(mode), dir, private, fops));
}

static void create_files(struct dentry *dir, const struct marker_file *file,
			 void *private)
{
	for (; file->name; file++)
		create_file(file->name, file->mode, dir,
			    (void *)file->private ?: private, file->fops);
}

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
	create_files(dir, marker_event_files, event);
	create_files(dir, marker_event_trigger_files, event);
	if (marker_hists_any(event))
		create_files(dir, marker_event_hist_files, event);
	refusal = marker_registry_refusal(module, event->name);
	if (refusal)
		create_files(dir, marker_refusal_files, refusal);
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
		create_files(dir, marker_refusal_files, refusal);
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
	create_files(module->dir, marker_module_files, module);
	create_files(module->dir, marker_module_list_files, module);
	/* which events it has does not change while it is coming: no lock is needed */
	for_each_module_event(module, event) {
		create_event(module, event);
		cond_resched();
	}
	for_each_refusal(module, refusal)
		create_refusal(module, refusal);
}

static void module_coming(struct marker_module *module)
{
	/* a trigger for a marker of the module may make an event, which belongs in the notes */
	marker_registry_lock();
	marker_latency_events_update();
	marker_registry_unlock();
	marker_crash_notes_update();
	mutex_lock(&tree_mutex);
	create_module(module);
	mutex_unlock(&tree_mutex);
}

static void module_going(struct marker_module *module)
{
	struct dentry *dir;

	mutex_lock(&tree_mutex);
	dir = module->dir;
	module->dir = NULL;
	mutex_unlock(&tree_mutex);
	debugfs_remove(dir);
}

const struct marker_modules_ops marker_debugfs_modules_ops = {
	.coming = module_coming,
	.going = module_going,
};

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
		create_files(dir, marker_event_hist_files, event);
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

/* Give @dentry the higher one of two inode numbers. */
static void raise_ino(struct dentry *dentry, struct dentry *other)
{
	if (IS_ERR(dentry) || IS_ERR(other))
		return;
	if (d_inode(dentry)->i_ino < d_inode(other)->i_ino)
		swap(d_inode(dentry)->i_ino, d_inode(other)->i_ino);
}

/* By CPU from RING_ALL_CPUS on. */
struct marker_view *marker_tree_create_views(struct marker_recording *recording)
{
	struct marker_view *views;
	unsigned int i;

	views = kvcalloc(2 * (nr_cpu_ids + 1), sizeof(*views), GFP_KERNEL);
	for (i = 0; views && i < 2 * (nr_cpu_ids + 1); i++) {
		views[i].recording = recording;
		views[i].cpu = RING_ALL_CPUS + (int)(i / 2);
		views[i].snapshot = i & 1;
	}
	return views;
}

/* One of them. */
static void *find_view(struct marker_view *views, int cpu, bool snapshot)
{
	return &views[2 * (cpu - RING_ALL_CPUS) + snapshot];
}

/*
 * A copy must read the metadata last: then they describe all events in the streams.  A
 * directory is listed from its newest file to the oldest, so the metadata are made
 * first.  GNU "cp -r" sorts by inode number, so they get the highest one.  (New
 * numbers do not ascend if this task moves to another CPU.)
 */
static void create_ctf(struct dentry *dir, struct marker_view *views, bool snapshot)
{
	struct dentry *metadata, *stream;
	char name[32];
	int cpu;

	metadata = create_file("metadata", 0440, dir,
			       find_view(views, RING_ALL_CPUS, snapshot),
			       &marker_reader_metadata_fops);
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "stream_%d", cpu);
		stream = create_file(name, 0440, dir,
				     find_view(views, cpu, snapshot),
				     &marker_reader_stream_fops);
		raise_ino(metadata, stream);
	}
}

static void create_cpu(struct dentry *per_cpu_dir, struct marker_view *views, int cpu)
{
	void *private = find_view(views, cpu, false);
	struct dentry *dir;
	char name[32];

	snprintf(name, sizeof(name), "cpu%d", cpu);
	dir = debugfs_create_dir(name, per_cpu_dir);
	create_files(dir, reader_files, private);
	create_files(dir, cpu_files, private);
	create_file("snapshot", 0440, dir, find_view(views, cpu, true),
		    &marker_reader_snapshot_cpu_fops);
	/* a file of debugfs that is safe has no splice_read() */
	set_group(debugfs_create_file_unsafe("trace_pipe_raw", tree_mode(0440), dir,
					     private, &marker_reader_pipe_raw_fops));
}

void marker_tree_create_recording(struct dentry *dir, struct marker_view *views)
{
	struct dentry *per_cpu_dir;
	int cpu;

	create_files(dir, marker_list_files, views->recording);
	create_files(dir, marker_triggers_files, views->recording);
	create_files(dir, marker_hists_files, views->recording);
	create_files(dir, marker_note_files, views->recording);
	create_files(dir, marker_settings_files, views->recording);
	create_files(dir, reader_files, find_view(views, RING_ALL_CPUS, false));
	create_file("snapshot", 0640, dir, find_view(views, RING_ALL_CPUS, true),
		    &marker_reader_snapshot_file.fops);
	per_cpu_dir = debugfs_create_dir("per_cpu", dir);
	for_each_possible_cpu(cpu)
		create_cpu(per_cpu_dir, views, cpu);
	create_ctf(debugfs_create_dir("ctf", dir), views, false);
	create_ctf(debugfs_create_dir("snapshot_ctf", dir), views, true);
}

static void __init create_last_boot_ctf(struct dentry *dir, const struct marker_recovered *trace)
{
	char name[32];
	u32 i;

	create_file("metadata", 0440, dir, NULL, &marker_last_boot_metadata_fops);
	for (i = 0; i < trace->nr_cpus; i++) {
		snprintf(name, sizeof(name), "stream_%u", trace->cpu[i].cpu);
		create_file(name, 0440, dir, (void *)(unsigned long)i,
			    &marker_last_boot_stream_fops);
	}
}

static void __init create_last_boot(void)
{
	struct dentry *dir = debugfs_create_dir("last_boot", root_dir);
	struct marker_last_boot *boot;
	const char *why;

	create_file("trace", 0640, dir, NULL, &marker_last_boot_trace_fops);
	boot = marker_last_boot_get(&why);
	if (boot)
		create_last_boot_ctf(debugfs_create_dir("ctf", dir),
				     marker_last_boot_trace(boot));
	marker_last_boot_put(boot);
}

static int __init use_config(const struct marker_debugfs_config *config)
{
	group = make_kgid(current_user_ns(), config->gid);
	if (!gid_valid(group)) {
		pr_err("gid=%u: no such group\n", config->gid);
		return -EINVAL;
	}
	if (config->mode & ~0666) {
		pr_err("file_mode=0%o: must be octal, with a 0 in front, such as 0660\n",
		       config->mode);
		return -EINVAL;
	}
	writable_mode = config->mode;
	locked_down = security_locked_down(LOCKDOWN_DEBUGFS);
	return 0;
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

	err = use_config(config);
	if (err)
		return err;
	top_views = marker_tree_create_views(&marker_top);
	if (!top_views)
		return -ENOMEM;
	root_dir = debugfs_create_dir("markers", NULL);
	events_dir = debugfs_create_dir("events", root_dir);
	create_files(events_dir, marker_module_files, NULL);
	create_files(root_dir, marker_readme_files, NULL);
	create_files(root_dir, marker_hits_files, NULL);
	create_files(root_dir, marker_top_files, NULL);
	create_files(root_dir, marker_log_files, NULL);
	if (marker_arch_site_size)
		create_files(root_dir, marker_code_files, NULL);
	marker_tree_create_recording(root_dir, top_views);
	if (marker_persist_is_used())
		create_last_boot();
	dir = debugfs_create_dir("instances", root_dir);
	create_files(dir, marker_instances_files, dir);
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
