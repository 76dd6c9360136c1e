/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common to all files in debugfs: the arrays that describe them, and how they are opened.
 */
#ifndef _MARKERS_DEBUGFS_FILE_H
#define _MARKERS_DEBUGFS_FILE_H

#include <linux/fs.h>
#include <linux/init.h>
#include <linux/seq_file.h>

/**
 * struct marker_file - a file of a directory, in an array that ends with { }
 * @name:	its name
 * @mode:	0440 if it is read-only, 0220 if it is only written; in lockdown all are
 *		read-only
 * @fops:	its methods
 * @private:	its i_private, or NULL for that of the directory
 */
struct marker_file {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
	const void *private;
};

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
 * marker_file_init() - take the parameters, before files are made
 * @config:	group and permissions
 *
 * Context: Process context.
 * Return: 0, or -EINVAL, which is in the log.
 */
int __init marker_file_init(const struct marker_debugfs_config *config);

/**
 * marker_file_create() - make a file
 * @name:	its name
 * @mode:	as in struct marker_file
 * @dir:	in this directory
 * @private:	its i_private
 * @fops:	its methods
 *
 * Context: Process context; sleeps.
 * Return: the file, or an error of debugfs.
 */
struct dentry *marker_file_create(const char *name, umode_t mode, struct dentry *dir,
				  void *private, const struct file_operations *fops);

/**
 * marker_file_create_all() - make the files of an array
 * @dir:	in this directory
 * @file:	the array
 * @private:	i_private of those that have none
 *
 * Context: Process context; sleeps.
 */
void marker_file_create_all(struct dentry *dir, const struct marker_file *file, void *private);

/**
 * marker_file_check() - may any file be opened now?
 *
 * In lockdown for confidentiality the kernel closes tracefs.  Our files have the same
 * secrets: addresses, and the data that modules record.  (debugfs by itself stays open for
 * reading then.)  Each open method calls this first.
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
