// SPDX-License-Identifier: GPL-2.0
/*
 * Directories whose contents are made when somebody looks.  Process context.
 *
 * debugfs makes the directory "markers", and we replace its operations.  What is below it are
 * inodes of debugfs that lookup() makes, and that the last dput() frees, since dentries of
 * debugfs are not cached while nobody uses them.  So a marker needs no memory for its files, and
 * there is nothing to do when it comes.  chmod() and chown() keep that one in memory.
 *
 * When it goes, somebody may still have an inode: as an open file, with O_PATH, as the current
 * directory or by a mount, and all but the first for ever and without a reference to this module.
 * So marker_dir_remove() marks the inodes that it finds with S_DEAD, each under its lock, which
 * ends lookups and listings in it, and gives it inode operations of the kernel.  Who has read the
 * old ones, and is about to call them, is waited for at the end (synchronize_rcu_tasks()).  An
 * open file has a reference to this module; its methods are guarded by SRCU, and find S_DEAD.
 *
 * File operations are replaced only when this module goes.  Older kernels read i_fop twice: for the
 * owner, of which an open file gets a reference, and for the operations, to whose owner the
 * reference is given back.  If they changed between the two, the reference would stay for ever.
 * So inodes that are dead and in use are kept in a list; when this module goes, nobody gets a
 * reference to it any more.
 *
 * Links to a directory are not counted: it says 1, as in other file systems that do not count.
 *
 * Lock order: removal_mutex > lock of an inode > what the methods of struct marker_dir take.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/srcu.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/uidgid.h>

#include <markers/compat/inode.h>
#include "file.h"

static struct dentry *top;
static umode_t writable_mode;
static kgid_t group;

/* The kernel's, of a new inode. */
static const struct inode_operations *no_iops;
static const struct file_operations *no_fops;

static DEFINE_MUTEX(removal_mutex);
DEFINE_STATIC_SRCU(files_srcu);

/**
 * struct dead_inode - an inode that has file operations of ours, and is not found any more
 * @list:	in dead_inodes
 * @inode:	the inode, with a reference
 */
struct dead_inode {
	struct list_head list;
	struct inode *inode;
};

static LIST_HEAD(dead_inodes);	/* removal_mutex */

static const struct file_operations dir_fops;

static bool is_ours(const struct inode *inode)
{
	return inode->i_fop == &dir_fops;
}

static const struct marker_dir *kind_of(const struct inode *inode)
{
	return container_of(inode->i_op, struct marker_dir, iops);
}

/*
 * Programs compare inode numbers, so that of an entry does not change.  From the highest bits:
 * 1, which debugfs does not use; recording; kind of directory; id; file in it.
 */
#define INO_OURS		(1ULL << 62)
#define INO_RECORDING_SHIFT	56
#define INO_KIND_SHIFT		48
#define INO_ID_SHIFT		16
#define INO_RECORDING		(INO_OURS | 63ULL << INO_RECORDING_SHIFT)

static u64 ino_of(const struct inode *dir, const struct marker_entry *entry)
{
	u64 recording = dir->i_ino & INO_RECORDING;

	if (!entry->dir)
		return dir->i_ino + 1 + entry->id;
	if (entry->recording)
		recording = INO_OURS | (u64)entry->recording << INO_RECORDING_SHIFT;
	return recording | (u64)entry->dir->number << INO_KIND_SHIFT |
	       (u64)entry->id << INO_ID_SHIFT;
}

static umode_t mode_of(const struct marker_entry *entry)
{
	if (entry->dir)
		return S_IFDIR | 0755;
	if (!(entry->mode & 0222))
		return S_IFREG | (writable_mode & 0444);
	return S_IFREG | (entry->mode & 0444 ? writable_mode : writable_mode & 0222);
}

static void fill_entry(struct marker_entry *entry, struct dentry *dir,
		       const struct marker_group *files, const struct marker_file *file, u32 id)
{
	*entry = (struct marker_entry) {
		.name = file->name,
		.id = id,
		.mode = file->mode,
		.methods = file->methods,
		.dir = file->dir,
		.hidden = files->is_there && !files->is_there(dir),
		.private = files->private ? files->private(dir) : d_inode(dir)->i_private,
	};
}

/*
 * The entry of a group at @at, which is moved past it; false: there are only @nr of them, and @at
 * is not less.
 */
static bool next_of_groups(const struct marker_dir *kind, struct dentry *dir, loff_t *at,
			   struct marker_entry *entry, loff_t *nr)
{
	const struct marker_group *files;
	const struct marker_file *file;
	unsigned int i;

	*nr = 0;
	for (i = 0; i < ARRAY_SIZE(kind->groups); i++) {
		for (files = kind->groups[i]; files && files->files; files++) {
			for (file = files->files; file->name; file++) {
				if ((*nr)++ != *at)
					continue;
				fill_entry(entry, dir, files, file, *at);
				++*at;
				return true;
			}
		}
	}
	return false;
}

static bool next_of_kind(const struct marker_dir *kind, struct dentry *dir, loff_t *at,
			 struct marker_entry *entry)
{
	memset(entry, 0, sizeof(*entry));
	return kind->next && kind->next(dir, at, entry);
}

/* The entry at @at or the next one after it, hidden ones too; move @at past it. */
static bool next_entry(const struct marker_dir *kind, struct dentry *dir, loff_t *at,
		       struct marker_entry *entry)
{
	loff_t nr, rest;

	if (next_of_groups(kind, dir, at, entry, &nr))
		return true;
	rest = *at - nr;
	if (!next_of_kind(kind, dir, &rest, entry))
		return false;
	*at = nr + rest;
	return true;
}

static bool find_entry(struct dentry *dir, const char *name, struct marker_entry *entry)
{
	const struct marker_dir *kind = kind_of(d_inode(dir));
	loff_t at, nr;

	for (at = 0; next_of_groups(kind, dir, &at, entry, &nr);) {
		if (!strcmp(entry->name, name))
			return !entry->hidden;
	}
	if (kind->find) {
		memset(entry, 0, sizeof(*entry));
		return kind->find(dir, name, entry);
	}
	for (at = 0; next_of_kind(kind, dir, &at, entry);) {
		if (!strcmp(entry->name, name))
			return !entry->hidden;
	}
	return false;
}

/* i_generation, which debugfs does not use, says that it is kept: by one more reference. */
MARKER_SETATTR(marker_dir_setattr)
{
	struct inode *inode = d_inode(dentry);
	int err = MARKER_SIMPLE_SETATTR;

	if (err || dentry == top || inode->i_generation ||
	    !(attr->ia_valid & (ATTR_MODE | ATTR_UID | ATTR_GID)))
		return err;
	inode->i_generation = 1;
	dget(dentry);
	return 0;
}

static const struct inode_operations file_iops = {
	.setattr = marker_dir_setattr,
};

static struct inode *make_inode(struct inode *dir, const struct marker_entry *entry)
{
	struct inode *inode = new_inode(dir->i_sb);

	if (!inode)
		return NULL;
	no_iops = inode->i_op;
	no_fops = inode->i_fop;
	inode->i_ino = ino_of(dir, entry);
	inode->i_mode = mode_of(entry);
	inode->i_private = (void *)entry->private;
	marker_inode_copy_times(inode, d_inode(top));
	if (entry->dir) {
		inode->i_op = &entry->dir->iops;
		inode->i_fop = &dir_fops;
	} else {
		inode->i_gid = group;
		inode->i_op = &file_iops;
		inode->i_fop = entry->methods->fops;
		inode->i_link = (char *)entry->methods;	/* for marker_methods_of() */
	}
	return inode;
}

/* The lock of the directory is held, at least shared. */
struct dentry *marker_dir_lookup(struct inode *inode, struct dentry *dentry, unsigned int flags)
{
	struct marker_entry entry;
	struct inode *found;

	if (!find_entry(dentry->d_parent, (const char *)dentry->d_name.name, &entry))
		return ERR_PTR(-ENOENT);
	found = make_inode(inode, &entry);
	if (!found)
		return ERR_PTR(-ENOMEM);
	d_add(dentry, found);
	return NULL;
}

static unsigned char type_of(const struct marker_entry *entry)
{
	return entry->dir ? DT_DIR : DT_REG;
}

/* The lock of the directory is held, at least shared. */
static int dir_iterate(struct file *file, struct dir_context *ctx)
{
	const struct inode *inode = file_inode(file);
	const struct marker_dir *kind = kind_of(inode);
	struct marker_entry entry;
	loff_t at;

	if (!dir_emit_dots(file, ctx))
		return 0;
	for (at = ctx->pos - 2; next_entry(kind, file->f_path.dentry, &at, &entry);
	     ctx->pos = at + 2) {
		if (!entry.hidden &&
		    !dir_emit(ctx, entry.name, strlen(entry.name), ino_of(inode, &entry),
			      type_of(&entry)))
			break;
		cond_resched();
	}
	return 0;
}

static const struct file_operations dir_fops = {
	.owner = THIS_MODULE,
	.read = generic_read_dir,
	.iterate_shared = dir_iterate,
	.llseek = generic_file_llseek,
};

/*
 * What is called @name in a directory and is in use, with a reference; or NULL.  Who has looked
 * it up has let go of the lock of the directory.
 */
static struct dentry *find_used(struct dentry *dir, const char *name)
{
	struct qstr key = QSTR_INIT(name, strlen(name));
	struct dentry *found;

	inode_lock(d_inode(dir));
	inode_unlock(d_inode(dir));
	key.hash = full_name_hash(dir, key.name, key.len);
	found = d_lookup(dir, &key);
	if (!found || d_really_is_positive(found))
		return found;
	dput(found);
	return NULL;
}

/* Leave nothing of ours in an inode that is dead. */
static void drop_fops(struct inode *inode)
{
	inode_lock(inode);
	inode->i_fop = is_ours(inode) ? &simple_dir_operations : no_fops;
	inode_unlock(inode);
}

/* Keep it for as long as somebody else does. */
static void keep_dead(struct inode *inode)
{
	struct dead_inode *dead;

	if (inode == d_inode(top) || (!is_ours(inode) && S_ISDIR(inode->i_mode)))
		return;
	dead = kmalloc(sizeof(*dead), GFP_KERNEL | __GFP_NOFAIL);
	ihold(inode);
	dead->inode = inode;
	list_add(&dead->list, &dead_inodes);
}

/* Free those that nobody else has, or all. */
static void free_dead(bool all)
{
	struct dead_inode *dead, *next;

	list_for_each_entry_safe(dead, next, &dead_inodes, list) {
		/* it can be found no more: a count of 1 stays 1 */
		if (!all && atomic_read(&dead->inode->i_count) > 1)
			continue;
		if (all)
			drop_fops(dead->inode);
		iput(dead->inode);
		list_del(&dead->list);
		kfree(dead);
	}
}

/* Nothing finds its way through it.  Return its kind, or NULL: it was none of our directories. */
static const struct marker_dir *kill_inode(struct inode *inode, bool *kept)
{
	const struct marker_dir *kind = NULL;

	inode_lock(inode);
	inode->i_flags |= S_DEAD;
	/* debugfs counts the links of the top one */
	if (inode != d_inode(top))
		clear_nlink(inode);
	*kept = inode->i_generation;
	inode->i_generation = 0;
	if (is_ours(inode)) {
		kind = kind_of(inode);
		inode->i_op = &simple_dir_inode_operations;
	} else if (!S_ISDIR(inode->i_mode)) {
		inode->i_op = no_iops;
	}
	inode_unlock(inode);
	keep_dead(inode);
	return kind;
}

static void let_go(struct dentry *dentry)
{
	bool kept;
	const struct marker_dir *kind = kill_inode(d_inode(dentry), &kept);
	struct marker_entry entry;
	struct dentry *child;
	loff_t at = 0;

	while (kind && next_entry(kind, dentry, &at, &entry)) {
		child = find_used(dentry, entry.name);
		if (child) {
			let_go(child);
			dput(child);
		}
		cond_resched();
	}
	/* and unmount what is mounted on it */
	if (dentry != top)
		d_invalidate(dentry);
	if (kept)
		dput(dentry);
}

/* Return: whether there was anything to let go of. */
static bool remove_path(struct dentry *dir, const char *const *path)
{
	const bool each = !strcmp(*path, "*");
	struct marker_entry entry;
	struct dentry *child;
	bool any = false;
	loff_t at = 0;

	do {
		if (each && !next_entry(kind_of(d_inode(dir)), dir, &at, &entry))
			break;
		child = find_used(dir, each ? entry.name : *path);
		if (!child)
			continue;
		if (path[1]) {
			any |= remove_path(child, path + 1);
		} else {
			let_go(child);
			any = true;
		}
		dput(child);
	} while (each);
	return any;
}

void marker_dir_remove(const char *const *path)
{
	if (IS_ERR(top))
		return;
	mutex_lock(&removal_mutex);
	if (remove_path(top, path))
		synchronize_srcu(&files_srcu);
	free_dead(false);
	mutex_unlock(&removal_mutex);
}

int marker_dir_get(const struct file *file)
{
	const int idx = srcu_read_lock(&files_srcu);

	if (READ_ONCE(file_inode(file)->i_flags) & S_DEAD) {
		srcu_read_unlock(&files_srcu, idx);
		return -ENODEV;
	}
	__release(&files_srcu);	/* for sparse: the caller knows by what it gets */
	return idx;
}

void marker_dir_put(int idx)
{
	__acquire(&files_srcu);
	srcu_read_unlock(&files_srcu, idx);
}

static int __init take_config(const struct marker_debugfs_config *config)
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
	return 0;
}

int __init marker_dir_init(const struct marker_debugfs_config *config,
			   const struct marker_dir *kind, void *private)
{
	struct inode *inode;
	int err;

	err = take_config(config);
	if (err)
		return err;
	top = debugfs_create_dir("markers", NULL);
	if (IS_ERR(top))
		return 0;
	inode = d_inode(top);
	inode_lock(inode);
	inode->i_ino = INO_OURS;
	inode->i_private = private;
	set_nlink(inode, 1);
	inode->i_op = &kind->iops;
	inode->i_fop = &dir_fops;
	inode_unlock(inode);
	return 0;
}

struct dentry *marker_dir_top(void)
{
	return top;
}

void marker_dir_exit(void)
{
	if (IS_ERR(top))
		return;
	mutex_lock(&removal_mutex);
	let_go(top);
	drop_fops(d_inode(top));
	free_dead(true);
	mutex_unlock(&removal_mutex);
	debugfs_remove(top);
	/* wait for tasks that are about to call operations of ours */
	synchronize_rcu_tasks();
}
