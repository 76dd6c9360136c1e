// SPDX-License-Identifier: GPL-2.0
/*
 * The directories events/ of recordings, with those of modules and of markers.  Process context.
 *
 *	events/			files of all markers
 *	events/MODULE/		i_private: struct marker_module
 *	events/MODULE/MARKER/	i_private: struct marker_event, which stays when the module goes
 *				or, if all markers of that name were refused, struct marker_refusal
 *
 * A module is there as soon as its markers are ready.  When it goes, its directories do so first:
 * while one of them is in use, its sites, names and refusals stay.
 *
 * A marker has the file hist while it has a hist.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/string.h>

#include <markers/model/recording.h>
#include <markers/model/registry.h>
#include "command.h"
#include "event_dirs.h"
#include "events.h"
#include "hists.h"
#include "triggers.h"

static bool has_file(const struct marker_group *files, const char *name, size_t len)
{
	const struct marker_file *file;

	for (; files->files; files++) {
		for (file = files->files; file->name; file++) {
			if (!strncmp(name, file->name, len) && !file->name[len])
				return true;
		}
	}
	return false;
}

/*
 * The name of the directory of @name.  A file may have that name already: then add ".d".  The
 * result is unique, as no marker and no module has a "." in its name.
 */
static void name_dir(struct marker_entry *entry, const struct marker_group *files,
		     const char *name)
{
	entry->name = name;
	if (!has_file(files, name, strlen(name)))
		return;
	snprintf(entry->text, sizeof(entry->text), "%s.d", name);
	entry->name = entry->text;
}

/* Is @dir the name of the directory of @name? */
static bool names_dir(const char *dir, const struct marker_group *files, const char *name)
{
	const size_t len = strlen(name);

	return !strncmp(dir, name, len) &&
	       !strcmp(dir + len, has_file(files, name, len) ? ".d" : "");
}

static bool is_of_top(struct dentry *dir)
{
	return marker_command_recording_of(dir) == &marker_top;
}

/*
 * events/MODULE/MARKER
 */

static const struct marker_module *module_of(struct dentry *marker_dir)
{
	return d_inode(marker_dir->d_parent)->i_private;
}

static bool has_hist(struct dentry *dir)
{
	bool any;

	marker_registry_lock_to_look();
	any = marker_hists_any(d_inode(dir)->i_private, marker_command_recording_of(dir));
	marker_registry_unlock_looked();
	return any;
}

static const void *refusal_of(struct dentry *dir)
{
	const struct marker_event *event = d_inode(dir)->i_private;

	return marker_registry_refusal(module_of(dir), event->name);
}

static bool is_refused(struct dentry *dir)
{
	return is_of_top(dir) && refusal_of(dir);
}

static const struct marker_group marker_groups[] = {
	{ marker_event_files },
	{ marker_event_trigger_files },
	{ marker_event_hist_files, .is_there = has_hist },
	{ marker_refusal_files, .private = refusal_of, .is_there = is_refused },
	{ }
};

static const struct marker_dir marker_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_MARKER,
	.groups = { marker_groups },
};

static const struct marker_group refusal_groups[] = {
	{ marker_refusal_files },
	{ }
};

static const struct marker_dir refusal_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_REFUSAL,
	.groups = { refusal_groups },
};

/*
 * events/MODULE
 */

static const struct marker_group module_groups[] = {
	{ marker_module_files },
	{ marker_module_hits_files },
	{ marker_module_site_files, .is_there = is_of_top },
	{ }
};

static void fill_event(struct marker_entry *entry, const struct marker_event *event)
{
	name_dir(entry, module_groups, event->name);
	entry->id = event->id;
	entry->dir = &marker_dir;
	entry->private = event;
}

static void fill_refusal(struct marker_entry *entry, const struct marker_refusal *refusal)
{
	name_dir(entry, module_groups, refusal->name);
	entry->id = refusal->id;
	entry->dir = &refusal_dir;
	entry->private = refusal;
}

/* If an event has the same name, its directory has the file. */
static bool is_alone(const struct marker_module *module, const struct marker_refusal *refusal)
{
	bool alone;

	marker_registry_lock_to_look();
	alone = !marker_registry_find(module, refusal->name);
	marker_registry_unlock_looked();
	return alone;
}

/* By site, and then the refusals. */
static bool next_marker(struct dentry *dir, loff_t *at, struct marker_entry *entry)
{
	const struct marker_module *module = d_inode(dir)->i_private;
	const struct marker_refusal *refusal;
	const struct marker_event *event;
	loff_t nr = module->nr_sites;

	if (*at < nr) {
		event = marker_module_event(module, *at);
		fill_event(entry, event);
		*at = event->first_site + event->nr_sites;
		return true;
	}
	if (!is_of_top(dir))
		return false;
	for_each_refusal(module, refusal) {
		if (nr++ < *at || !is_alone(module, refusal))
			continue;
		fill_refusal(entry, refusal);
		*at = nr;
		return true;
	}
	return false;
}

/* The name of the marker that a directory has; it has room in @entry, or is no marker. */
static const char *marker_name(const char *dir, struct marker_entry *entry)
{
	const size_t len = strcspn(dir, ".");

	if (!dir[len])
		return dir;
	if (!has_file(module_groups, dir, len))
		return "";
	snprintf(entry->text, sizeof(entry->text), "%.*s", (int)len, dir);
	return entry->text;
}

static bool find_marker(struct dentry *dir, const char *name, struct marker_entry *entry)
{
	const struct marker_module *module = d_inode(dir)->i_private;
	const struct marker_refusal *refusal = NULL;
	const struct marker_event *event;
	const char *marker;

	marker = marker_name(name, entry);
	marker_registry_lock_to_look();
	event = marker_registry_find(module, marker);
	marker_registry_unlock_looked();
	if (!event && is_of_top(dir))
		refusal = marker_registry_refusal(module, marker);
	if (event && names_dir(name, module_groups, event->name))
		fill_event(entry, event);
	else if (refusal && names_dir(name, module_groups, refusal->name))
		fill_refusal(entry, refusal);
	else
		return false;
	return true;
}

static const struct marker_dir module_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_MODULE,
	.groups = { module_groups },
	.next = next_marker,
	.find = find_marker,
};

/*
 * events
 */

/* i_private of the files of all markers */
static const void *no_module(struct dentry *dir)
{
	return NULL;
}

static const struct marker_group events_groups[] = {
	{ marker_module_files, .private = no_module },
	{ }
};

/* Of an instance, nothing but the files of events would be there. */
static bool is_shown(const struct marker_module *module, bool top)
{
	return module->mod && (top || marker_module_event(module, 0));
}

static bool next_module(struct dentry *dir, loff_t *at, struct marker_entry *entry)
{
	const bool top = is_of_top(dir);
	const struct marker_module *module;

	marker_registry_lock_to_look();
	for_each_marker_module(module) {
		if (module->id < *at || !is_shown(module, top))
			continue;
		name_dir(entry, events_groups, module->name);
		marker_entry_copy_name(entry, entry->name);
		entry->id = module->id;
		entry->dir = &module_dir;
		entry->private = module;
		entry->hidden = module->is_going;
		*at = (loff_t)module->id + 1;
		break;
	}
	marker_registry_unlock_looked();
	return entry->private;
}

static const struct marker_dir events_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_EVENTS,
	.groups = { events_groups },
	.next = next_module,
};

const struct marker_file marker_events_files[] = {
	{ "events", .dir = &events_dir },
	{ }
};

void marker_event_dirs_remove(struct marker_module *module)
{
	struct marker_entry entry = { };

	name_dir(&entry, events_groups, module->name);
	marker_dir_remove((const char *const []) { "events", entry.name, NULL });
	marker_dir_remove((const char *const []) { "instances", "*", "events", entry.name, NULL });
}
