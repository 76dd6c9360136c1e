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

/*
 * A write and the last close() return an error of marker_methods.run, or, noted in error_log as
 * well: -EINVAL, the text has a NUL or is too long; -EINTR, a signal has killed the writer;
 * -ENOMEM.
 */
extern const struct file_operations marker_command_fops;

/**
 * marker_command_lines() - all lines, for marker_methods.whole
 * @text:	lines, the last one maybe without its newline
 *
 * Context: Any.
 * Return: the length up to the last newline, with it.
 */
size_t marker_command_lines(char *text);

/**
 * marker_command_line() - a text that ends in a newline, for marker_methods.whole
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
 * A program may keep a switch open, and write 0 or 1 without a newline.  If only a newline
 * follows, it is that of this command.
 *
 * Context: Any.
 * Return: its length, or 0.
 */
size_t marker_command_switch(char *text);

/* name_file: a file that name_show() prints and that takes commands, for name_command(). */
#define DEFINE_MARKER_COMMAND_ATTRIBUTE(name, whole_method)		\
static int name ## _open(struct inode *inode, struct file *file)	\
{									\
	return marker_file_open_show(inode, file, name ## _show);	\
}									\
									\
static const struct marker_methods name ## _file = {			\
	.fops = &marker_command_fops,					\
	.open = name ## _open,						\
	.read = seq_read,						\
	.llseek = seq_lseek,						\
	.release = single_release,					\
	.whole = whole_method,						\
	.run = name ## _command,					\
}

#endif /* _MARKERS_COMMAND_FILE_H */
