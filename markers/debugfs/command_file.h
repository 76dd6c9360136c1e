/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that take commands.  A program may cut its text anywhere: cat writes what it has read
 * from a pipe, shells write blocks, dd what it is told, writev() has parts.  So what a write
 * leaves incomplete, by the grammar of the file, waits for the next write, or for close().
 *
 * The usual write is a whole line.  It is carried out at once, and returns its error.
 */
#ifndef _MARKERS_COMMAND_FILE_H
#define _MARKERS_COMMAND_FILE_H

#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/types.h>
#include <linux/uio.h>

#include "command.h"
#include "file.h"

/**
 * struct marker_command - the methods of a file that takes commands
 * @fops:	MARKER_COMMAND_FOPS
 * @open:	open method
 * @read:	read method, or NULL
 * @llseek:	llseek method, or NULL
 * @release:	release method, or NULL
 * @whole:	how much of a text is complete, in bytes, if more may come; it may shorten
 *		the rest
 * @run:	does what a text says; it may change the text; 0 or an error, noted in
 *		error_log
 * @close:	the last close() of a file into which nothing was written; 0 or an error; or
 *		NULL
 * @stays:	the file is there as long as this module: a command may wait for the users of
 *		others
 *
 * Process context.  Messages of @run and @close name the instance of the file.
 */
struct marker_command {
	const struct file_operations fops;
	int (*open)(struct inode *inode, struct file *file);
	ssize_t (*read)(struct file *file, char __user *to, size_t count, loff_t *pos);
	loff_t (*llseek)(struct file *file, loff_t offset, int whence);
	int (*release)(struct inode *inode, struct file *file);
	size_t (*whole)(char *text);
	int (*run)(const struct file *file, char *text);
	int (*close)(const struct file *file);
	bool stays;
};

#define MARKER_COMMAND_FOPS {			\
	.owner = THIS_MODULE,			\
	.open = marker_command_open,		\
	.read = marker_command_read,		\
	.write_iter = marker_command_write,	\
	.llseek = marker_command_llseek,	\
	.flush = marker_command_flush,		\
	.release = marker_command_release,	\
}

/**
 * marker_command_lines() - all lines, for marker_command.whole
 * @text:	lines, the last one maybe without its newline
 *
 * Context: Any.
 * Return: the length up to the last newline, with it.
 */
size_t marker_command_lines(char *text);

/**
 * marker_command_line() - a text that ends in a newline, for marker_command.whole
 * @text:	one command
 *
 * Context: Any.
 * Return: its length, or 0.
 */
size_t marker_command_line(char *text);

/**
 * marker_command_switch() - the same, and 0 or 1 by itself
 * @text:	0, 1 or more
 *
 * A program may keep a switch open, and write 0 or 1 without a newline.
 *
 * Context: Any.
 * Return: its length, or 0.
 */
size_t marker_command_switch(char *text);

/**
 * marker_command_open() - open method
 * @inode:	as in the method
 * @file:	as in the method
 *
 * Context: Process context; sleeps.
 * Return: 0, -ENOMEM, or an error of marker_command.open.
 */
int marker_command_open(struct inode *inode, struct file *file);

/**
 * marker_command_read() - read method
 * @file:	as in the method
 * @to:		as in the method
 * @count:	as in the method
 * @pos:	as in the method
 *
 * Context: Process context; sleeps.
 * Return: as marker_command.read; -EINVAL: there is none; -ENODEV: the file was removed.
 */
ssize_t marker_command_read(struct file *file, char __user *to, size_t count, loff_t *pos);

/**
 * marker_command_write() - write_iter method
 * @iocb:	as in the method
 * @from:	as in the method
 *
 * Context: Process context; sleeps.
 * Return: bytes that were taken; -EINVAL, noted in error_log: the text has a NUL, or is too
 * long; -EFAULT; -ENOMEM; -ENODEV: the file was removed; or an error of marker_command.run.
 */
ssize_t marker_command_write(struct kiocb *iocb, struct iov_iter *from);

/**
 * marker_command_llseek() - llseek method
 * @file:	as in the method
 * @offset:	as in the method
 * @whence:	as in the method
 *
 * Context: Process context; sleeps.
 * Return: as marker_command.llseek; -ESPIPE: there is none; -ENODEV: the file was removed.
 */
loff_t marker_command_llseek(struct file *file, loff_t offset, int whence);

/**
 * marker_command_flush() - flush method: the last close() carries out what is left
 * @file:	as in the method
 * @id:		as in the method
 *
 * Context: Process context; sleeps.
 * Return: 0; or for close() an error of marker_command.run; -EINTR, noted in error_log: a
 * signal has killed the writer; -ENODEV: the file was removed.
 */
int marker_command_flush(struct file *file, fl_owner_t id);

/**
 * marker_command_release() - release method
 * @inode:	as in the method
 * @file:	as in the method
 *
 * Context: Process context; sleeps.
 * Return: as marker_command.release, or 0.
 */
int marker_command_release(struct inode *inode, struct file *file);

/* name_file: a file that name_show() prints and that takes commands, for name_command(). */
#define DEFINE_MARKER_COMMAND_ATTRIBUTE(name, whole_method)		\
static int name ## _open(struct inode *inode, struct file *file)	\
{									\
	return marker_file_open_show(inode, file, name ## _show);	\
}									\
									\
static const struct marker_command name ## _file = {			\
	.fops = MARKER_COMMAND_FOPS,					\
	.open = name ## _open,						\
	.read = seq_read,						\
	.llseek = seq_lseek,						\
	.release = single_release,					\
	.whole = whole_method,						\
	.run = name ## _command,					\
}

#endif /* _MARKERS_COMMAND_FILE_H */
