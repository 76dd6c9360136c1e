/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the parts of the debugfs directory tell which files they have.
 */
#ifndef _MARKERS_DEBUGFS_FILE_H
#define _MARKERS_DEBUGFS_FILE_H

#include <linux/fs.h>

/**
 * struct marker_file - a file of a directory, in an array that ends with { }
 * @name:	its name
 * @mode:	0440 if it is for reading only; in lockdown all are, see debugfs.c
 * @fops:	what it does
 * @private:	its i_private, or NULL for that of the directory
 */
struct marker_file {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
	const void *private;
};

#endif /* _MARKERS_DEBUGFS_FILE_H */
