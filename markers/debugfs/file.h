/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common to all files in debugfs: the arrays that describe them, and how they are opened.
 */
#ifndef _MARKERS_DEBUGFS_FILE_H
#define _MARKERS_DEBUGFS_FILE_H

#include <linux/fs.h>
#include <linux/seq_file.h>

/**
 * struct marker_file - a file of a directory, in an array that ends with { }
 * @name:	its name
 * @mode:	0440 if it is read-only, 0220 if it is only written; in lockdown all are
 *		read-only, see tree.c
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
