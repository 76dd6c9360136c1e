// SPDX-License-Identifier: GPL-2.0
/*
 * How files are opened, and used.  Process context.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/security.h>

#include "file.h"

int marker_file_check(void)
{
	return security_locked_down(LOCKDOWN_TRACEFS);
}

int marker_file_open_seq(struct inode *inode, struct file *file, const struct seq_operations *ops)
{
	const int err = seq_open(file, ops);

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
	return single_open(file, show, inode->i_private);
}

int __marker_methods_open(struct inode *inode, struct file *file)
{
	const struct marker_methods *methods = marker_methods_of(file);
	int idx, err;

	/* the kernel refuses it too, but only after the method, which may clear the file */
	if (file->f_flags & O_DIRECT)
		return -EINVAL;
	idx = marker_methods_get(file);
	if (idx < 0)
		return idx;
	err = marker_file_check() ?: methods->open(inode, file);
	marker_methods_put(methods, idx);
	return err;
}

ssize_t __marker_methods_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	const struct marker_methods *methods = marker_methods_of(file);
	ssize_t done;
	int idx;

	if (!methods->read)
		return -EINVAL;
	idx = marker_methods_get(file);
	if (idx < 0)
		return idx;
	done = methods->read(file, to, count, pos);
	marker_methods_put(methods, idx);
	return done;
}

static ssize_t methods_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	const struct marker_methods *methods = marker_methods_of(file);
	ssize_t done;
	int idx;

	if (!methods->write)
		return -EINVAL;
	idx = marker_methods_get(file);
	if (idx < 0)
		return idx;
	done = methods->write(file, from, count, pos);
	marker_methods_put(methods, idx);
	return done;
}

loff_t __marker_methods_llseek(struct file *file, loff_t offset, int whence)
{
	const struct marker_methods *methods = marker_methods_of(file);
	loff_t pos;
	int idx;

	if (!methods->llseek)
		return -ESPIPE;
	idx = marker_methods_get(file);
	if (idx < 0)
		return idx;
	pos = methods->llseek(file, offset, whence);
	marker_methods_put(methods, idx);
	return pos;
}

int __marker_methods_release(struct inode *inode, struct file *file)
{
	const struct marker_methods *methods = marker_methods_of(file);

	return methods->release ? methods->release(inode, file) : 0;
}

const struct file_operations marker_methods_fops = {
	.owner = THIS_MODULE,
	.open = __marker_methods_open,
	.read = __marker_methods_read,
	.write = methods_write,
	.llseek = __marker_methods_llseek,
	.release = __marker_methods_release,
};
