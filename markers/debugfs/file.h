/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common to all files: how they are opened, and used while they may be removed.
 */
#ifndef _MARKERS_DEBUGFS_FILE_H
#define _MARKERS_DEBUGFS_FILE_H

#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/types.h>

#include "dir.h"

/**
 * struct marker_methods - the methods of a file, which may be removed while it is open
 * @fops:	marker_methods_fops; marker_command_fops of a file that takes commands; or others,
 *		which call only @open, by __marker_methods_open()
 * @open:	open method
 * @read:	read method, or NULL: -EINVAL
 * @write:	write method, or NULL: -EINVAL; not of a file that takes commands
 * @llseek:	llseek method, or NULL: -ESPIPE
 * @release:	release method, or NULL
 * @whole:	of a text, how much is complete, in bytes, if more may come; it may shorten
 *		the rest
 * @run:	does what a text says; it may change the text; 0, -ENOMEM, or an error that it notes
 *		in error_log
 * @close:	the last close() of a file into which nothing was written; the same; or NULL
 * @stays:	the file is there as long as this module: a command may wait for the users of
 *		others
 *
 * Process context.  The file is used (marker_methods_get()) while they run, but for @release; if it
 * was removed, they are not called, and -ENODEV is returned.  @whole, @run and @close are those of
 * a file that takes commands; messages of the last two name the instance of the file.
 */
struct marker_methods {
	const struct file_operations *fops;
	int (*open)(struct inode *inode, struct file *file);
	ssize_t (*read)(struct file *file, char __user *to, size_t count, loff_t *pos);
	ssize_t (*write)(struct file *file, const char __user *from, size_t count, loff_t *pos);
	loff_t (*llseek)(struct file *file, loff_t offset, int whence);
	int (*release)(struct inode *inode, struct file *file);
	size_t (*whole)(char *text);
	int (*run)(const struct file *file, char *text);
	int (*close)(const struct file *file);
	bool stays;
};

/* Of all files, but those that take commands, or wait. */
extern const struct file_operations marker_methods_fops;

/**
 * marker_methods_of() - the methods of a file
 * @file:	the file
 *
 * They are in i_link of its inode, which the kernel looks at in symbolic links only; what shares
 * its place is for pipes, devices and directories.
 *
 * Context: Any.
 * Return: the methods.
 */
static inline const struct marker_methods *marker_methods_of(const struct file *file)
{
	return (const void *)file_inode(file)->i_link;
}

/**
 * marker_methods_get() - marker_dir_get(), unless the file stays
 * @file:	the file
 *
 * Context: Process context.
 * Return: a number for marker_methods_put(), or -ENODEV: it was removed.
 */
static inline int marker_methods_get(const struct file *file)
{
	return marker_methods_of(file)->stays ? 0 : marker_dir_get(file);
}

/**
 * marker_methods_put() - the opposite
 * @methods:	those of the file
 * @idx:	from marker_methods_get()
 *
 * Context: Process context.
 */
static inline void marker_methods_put(const struct marker_methods *methods, int idx)
{
	if (!methods->stays)
		marker_dir_put(idx);
}

/* For file operations.  Process context; they sleep. */
int __marker_methods_open(struct inode *inode, struct file *file);
ssize_t __marker_methods_read(struct file *file, char __user *to, size_t count, loff_t *pos);
loff_t __marker_methods_llseek(struct file *file, loff_t offset, int whence);
int __marker_methods_release(struct inode *inode, struct file *file);

/**
 * marker_file_check() - may any file be opened now?
 *
 * The policy is that of tracefs, which has the same secrets: addresses, and the data that modules
 * record.  In lockdown for confidentiality no file can be opened, in lockdown for integrity all
 * can.  No open method is called if it fails.
 *
 * Context: Process context.
 * Return: 0 or -EPERM.
 */
int marker_file_check(void);

/**
 * marker_file_open_show() - open a file that one function prints
 * @inode:	as in the open method
 * @file:	as in the open method
 * @show:	prints it; the private pointer of its seq_file is i_private
 *
 * Context: Process context; sleeps.
 * Return: 0 or -ENOMEM.
 */
int marker_file_open_show(struct inode *inode, struct file *file,
			  int (*show)(struct seq_file *seq, void *unused));

/**
 * marker_file_open_seq() - open a file that an iterator prints
 * @inode:	as in the open method
 * @file:	as in the open method
 * @ops:	the iterator; the private pointer of its seq_file is i_private
 *
 * Context: Process context; sleeps.
 * Return: 0 or -ENOMEM.
 */
int marker_file_open_seq(struct inode *inode, struct file *file, const struct seq_operations *ops);

/**
 * marker_file_llseek() - llseek method of a seq_file that can also be opened for writing only
 * @file:	as in the method
 * @offset:	as in the method
 * @whence:	as in the method
 *
 * A writer has no position: its lseek(), and its O_APPEND, do nothing.
 *
 * Context: Process context; sleeps.
 * Return: the position, or an error of seq_lseek().
 */
loff_t marker_file_llseek(struct file *file, loff_t offset, int whence);

#endif /* _MARKERS_DEBUGFS_FILE_H */
