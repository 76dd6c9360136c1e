/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Directories whose contents are made when somebody looks, and go with the last one who does.
 * Only the top one, "markers", is known to debugfs.
 */
#ifndef _MARKERS_DEBUGFS_DIR_H
#define _MARKERS_DEBUGFS_DIR_H

#include <linux/fs.h>
#include <linux/init.h>
#include <linux/string.h>
#include <linux/types.h>

#include <markers/compat/inode.h>

struct dentry;
struct marker_dir;
struct marker_methods;

/**
 * struct marker_file - a file or a directory that is always called the same, in an array that
 *	ends with { }
 * @name:	its name
 * @mode:	0440 if it is read-only, 0220 if it is only written; 0 for a directory
 * @methods:	of a file: its methods
 * @dir:	of a directory: its kind
 */
struct marker_file {
	const char *name;
	umode_t mode;
	const struct marker_methods *methods;
	const struct marker_dir *dir;
};

/**
 * struct marker_group - files of a directory, in an array that ends with { }
 * @files:	the files
 * @private:	returns their i_private; NULL: it is that of the directory
 * @is_there:	returns whether they are there now; NULL: always
 *
 * The methods are called as those of struct marker_dir.
 */
struct marker_group {
	const struct marker_file *files;
	const void *(*private)(struct dentry *dir);
	bool (*is_there)(struct dentry *dir);
};

/**
 * struct marker_entry - a file or a directory, as the methods of its directory describe it
 * @text:	for a name that is made, or copied
 * @name:	its name, which nobody frees; or in @text
 * @id:		not that of another entry of the directory; of directories, not that of another
 *		of the same kind in the recording
 * @recording:	of the directory of a recording: its number, which is not 0
 * @mode:	as in struct marker_file
 * @methods:	the same
 * @dir:	the same
 * @private:	its i_private
 * @hidden:	it is not there now, but was or will be
 */
struct marker_entry {
	char text[64];
	const char *name;
	u32 id;
	u32 recording;
	umode_t mode;
	const struct marker_methods *methods;
	const struct marker_dir *dir;
	const void *private;
	bool hidden;
};

/**
 * marker_entry_copy_name() - name an entry, when the name may be freed as soon as it is not locked
 * @entry:	the entry
 * @name:	the name, or @entry->text; less than 64 bytes
 *
 * Context: Any; with the lock of the list that has the name.
 */
static inline void marker_entry_copy_name(struct marker_entry *entry, const char *name)
{
	if (name != entry->text)
		strscpy(entry->text, name, sizeof(entry->text));
	entry->name = entry->text;
}

/* Of kinds of directories. */
enum marker_dir_number {
	MARKER_DIR_RECORDING,
	MARKER_DIR_EVENTS,
	MARKER_DIR_MODULE,
	MARKER_DIR_MARKER,
	MARKER_DIR_REFUSAL,
	MARKER_DIR_PER_CPU,
	MARKER_DIR_CPU,
	MARKER_DIR_CTF,
	MARKER_DIR_SNAPSHOT_CTF,
	MARKER_DIR_INSTANCES,
	MARKER_DIR_LAST_BOOT,
	MARKER_DIR_LAST_BOOT_CTF,
};

/**
 * struct marker_dir - a kind of directories
 * @iops:	MARKER_DIR_IOPS
 * @number:	of no other kind
 * @groups:	the files that come first
 * @next:	finds the entry at a position from 0, or the next one after it, and moves the
 *		position past it; false: there is none; NULL: there are only @groups
 * @find:	finds the same entries by name; NULL: by @next
 *
 * Methods get a zeroed entry.  Process context; they sleep.  What they find goes in three steps: it
 * is hidden; marker_dir_remove() lets go of it; it is found no more.  Two removals at a time, of an
 * instance and a module, then find all that somebody uses.
 */
struct marker_dir {
	const struct inode_operations iops;
	enum marker_dir_number number;
	const struct marker_group *groups[2];
	bool (*next)(struct dentry *dir, loff_t *at, struct marker_entry *entry);
	bool (*find)(struct dentry *dir, const char *name, struct marker_entry *entry);
};

#define MARKER_DIR_IOPS {			\
	.lookup = marker_dir_lookup,		\
	.setattr = marker_dir_setattr,		\
}

/**
 * marker_dir_lookup() - lookup method of directories
 * @inode:	as in the method
 * @dentry:	as in the method
 * @flags:	as in the method
 *
 * Context: Process context; the lock of the directory is held.
 * Return: NULL: it was found; -ENOENT or -ENOMEM.
 */
struct dentry *marker_dir_lookup(struct inode *inode, struct dentry *dentry, unsigned int flags);

/* setattr method: chmod and chown keep what they change until it is removed. */
MARKER_SETATTR(marker_dir_setattr);

/**
 * struct marker_debugfs_config - parameters of the module
 * @gid:	the group of all files
 * @mode:	their permissions; a read-only file gets the read permissions only
 */
struct marker_debugfs_config {
	unsigned int gid;
	unsigned int mode;
};

/**
 * marker_dir_init() - make the top directory
 * @config:	group and permissions
 * @kind:	its kind
 * @private:	its i_private
 *
 * Context: Process context; sleeps.
 * Return: 0, or -EINVAL for a bad parameter, which is in the log; it is no error if there are
 * no directories.
 */
int __init marker_dir_init(const struct marker_debugfs_config *config,
			   const struct marker_dir *kind, void *private);

/**
 * marker_dir_top() - the top directory
 *
 * Context: Any.
 * Return: the directory, or an error of debugfs.
 */
struct dentry *marker_dir_top(void);

/**
 * marker_dir_remove() - let go of what somebody has looked at
 * @path:	names from the top directory to an entry, and NULL; "*" stands for each entry
 *
 * Waits for those who use it, and what is below it.  Nothing refers to its i_private then.
 *
 * Context: Process context; sleeps.  Without the registry mutex; not while a file is in use
 * (marker_dir_get()).
 */
void marker_dir_remove(const char *const *path);

/* No file is open: it would hold a reference to this module. */
void marker_dir_exit(void);

/**
 * marker_dir_get() - use a file, which may be removed at any time
 * @file:	the file
 *
 * Context: Process context.
 * Return: a number for marker_dir_put(), or -ENODEV: it was removed.
 */
int marker_dir_get(const struct file *file);

/**
 * marker_dir_put() - the opposite
 * @idx:	from marker_dir_get()
 *
 * Context: Process context.
 */
void marker_dir_put(int idx);

#endif /* _MARKERS_DEBUGFS_DIR_H */
