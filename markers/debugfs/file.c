// SPDX-License-Identifier: GPL-2.0
/*
 * How files are opened.  Called by the open methods of all files in debugfs, in
 * process context.
 */
#include <linux/security.h>

#include "file.h"

int marker_file_check(void)
{
	return security_locked_down(LOCKDOWN_TRACEFS);
}

int marker_file_open(struct inode *inode, struct file *file)
{
	return marker_file_check() ?: simple_open(inode, file);
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
