/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common to all files: how they are opened, and used while they may be removed.
 */
#ifndef _MARKERS_DEBUGFS_FILE_H
#define _MARKERS_DEBUGFS_FILE_H

#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/types.h>

#include "dir.h"

/**
 * struct marker_methods - the methods of a file that may be removed while it is open
 * @fops:	MARKER_METHODS_FOPS, or MARKER_COMMAND_FOPS of a file that takes commands
 * @open:	open method
 * @read:	read method, or NULL
 * @write:	write method, or NULL; not of a file that takes commands
 * @llseek:	llseek method, or NULL
 * @release:	release method, or NULL
 * @whole:	of a text, how much is complete, in bytes, if more may come; it may shorten
 *		the rest
 * @run:	does what a text says; it may change the text; 0 or an error, noted in
 *		error_log
 * @close:	the last close() of a file into which nothing was written; 0 or an error; or
 *		NULL
 * @stays:	the file is there as long as this module: a command may wait for the users of
 *		others
 *
 * Process context.  The file is used (marker_methods_get()) while they run, but for @release.
 * @whole, @run and @close are those of a file that takes commands; messages of the last two name
 * the instance of the file.
 */
struct marker_methods {
	const struct file_operations fops;
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

#define MARKER_METHODS_FOPS {			\
	.owner = THIS_MODULE,			\
	.open = marker_methods_open,		\
	.read = marker_methods_read,		\
	.write = marker_methods_write,		\
	.llseek = marker_methods_llseek,	\
	.release = marker_methods_release,	\
}

/**
 * marker_methods_of() - the methods of a file
 * @file:	the file
 *
 * Context: Any.
 * Return: the methods.
 */
static inline const struct marker_methods *marker_methods_of(const struct file *file)
{
	return container_of(file->f_op, struct marker_methods, fops);
}

/**
 * marker_methods_get() - use a file, which may be removed at any time
 * @file:	the file
 *
 * Context: Process context.
 * Return: a number for marker_methods_put(), or -ENODEV: it was removed.
 */
int marker_methods_get(const struct file *file);

/**
 * marker_methods_put() - the opposite
 * @file:	the file
 * @idx:	from marker_methods_get()
 *
 * Context: Process context.
 */
void marker_methods_put(const struct file *file, int idx);

/**
 * marker_methods_open() - open method
 * @inode:	as in the method
 * @file:		as in the method
 *
 * Context: Process context; sleeps.
 * Return: as marker_methods.open; -ENODEV: the file was removed.
 */
int marker_methods_open(struct inode *inode, struct file *file);

/**
 * marker_methods_read() - read method
 * @file:		as in the method
 * @to:		as in the method
 * @count:	as in the method
 * @pos:		as in the method
 *
 * Context: Process context; sleeps.
 * Return: as marker_methods.read; -EINVAL: there is none; -ENODEV: the file was removed.
 */
ssize_t marker_methods_read(struct file *file, char __user *to, size_t count, loff_t *pos);

/**
 * marker_methods_write() - write method
 * @file:		as in the method
 * @from:		as in the method
 * @count:	as in the method
 * @pos:		as in the method
 *
 * Context: Process context; sleeps.
 * Return: as marker_methods.write; -EINVAL: there is none; -ENODEV: the file was removed.
 */
ssize_t marker_methods_write(struct file *file, const char __user *from, size_t count,
			     loff_t *pos);

/**
 * marker_methods_llseek() - llseek method
 * @file:		as in the method
 * @offset:	as in the method
 * @whence:	as in the method
 *
 * Context: Process context; sleeps.
 * Return: as marker_methods.llseek; -ESPIPE: there is none; -ENODEV: the file was removed.
 */
loff_t marker_methods_llseek(struct file *file, loff_t offset, int whence);

/**
 * marker_methods_release() - release method
 * @inode:	as in the method
 * @file:		as in the method
 *
 * Context: Process context; sleeps.
 * Return: as marker_methods.release, or 0.
 */
int marker_methods_release(struct inode *inode, struct file *file);

/**
 * marker_file_check() - may any file be opened now?
 *
 * The policy is that of tracefs, which has the same secrets: addresses, and the data that modules
 * record.  In lockdown for confidentiality no file can be opened, in lockdown for integrity all
 * can.  Each open method calls this first.
 *
 * Context: Process context.
 * Return: 0 or -EPERM.
 */
int marker_file_check(void);

/**
 * marker_file_open() - open method that leaves i_private in private_data
 * @inode:	as in the method
 * @file:	as in the method
 *
 * Context: Process context.
 * Return: 0 or -EPERM.
 */
int marker_file_open(struct inode *inode, struct file *file);

/**
 * marker_file_open_show() - open a file that one function prints
 * @inode:	as in the open method
 * @file:	as in the open method
 * @show:	prints it; the private pointer of its seq_file is i_private
 *
 * Context: Process context; sleeps.
 * Return: 0, -EPERM or -ENOMEM.
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
 * Return: 0, -EPERM or -ENOMEM.
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
