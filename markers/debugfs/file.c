// SPDX-License-Identifier: GPL-2.0
/*
 * How files are made, and opened.  Process context.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cred.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/printk.h>
#include <linux/security.h>
#include <linux/uidgid.h>

#include "file.h"

/* The kernel's policy allows no more: see mode_of(). */
static bool locked_down;
static umode_t writable_mode;
static kgid_t group;

int __init marker_file_init(const struct marker_debugfs_config *config)
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

/*
 * The mode of a file that has @mode by default.  In lockdown a debugfs file can be
 * opened only if its mode has no write permission (v5.4, 5496197f9b08): then all ours
 * are read-only.
 */
static umode_t mode_of(umode_t mode)
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

struct dentry *marker_file_create(const char *name, umode_t mode, struct dentry *dir,
				  void *private, const struct file_operations *fops)
{
	/* debugfs protects the methods of a file from its removal, but has only some of them */
	if (fops->write_iter || fops->splice_read)
		return set_group(debugfs_create_file_unsafe(name, mode_of(mode), dir, private,
							    fops));
	return set_group(debugfs_create_file(name, mode_of(mode), dir, private, fops));
}

void marker_file_create_all(struct dentry *dir, const struct marker_file *file, void *private)
{
	for (; file->name; file++)
		marker_file_create(file->name, file->mode, dir,
				   (void *)file->private ?: private, file->fops);
}

int marker_file_check(void)
{
	return security_locked_down(LOCKDOWN_TRACEFS);
}

int marker_file_open(struct inode *inode, struct file *file)
{
	return marker_file_check() ?: simple_open(inode, file);
}

int marker_file_open_seq(struct inode *inode, struct file *file, const struct seq_operations *ops)
{
	const int err = marker_file_check() ?: seq_open(file, ops);

	if (!err)
		((struct seq_file *)file->private_data)->private = inode->i_private;
	return err;
}

loff_t marker_file_llseek(struct file *file, loff_t offset, int whence)
{
	if (file->f_mode & FMODE_READ)
		return seq_lseek(file, offset, whence);
	return file->f_pos = 0;
}

int marker_file_open_show(struct inode *inode, struct file *file,
			  int (*show)(struct seq_file *seq, void *unused))
{
	return marker_file_check() ?: single_open(file, show, inode->i_private);
}
