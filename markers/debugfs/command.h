/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parsing the text that users write to control files.
 */
#ifndef _MARKERS_COMMAND_H
#define _MARKERS_COMMAND_H

#include <linux/compiler.h>
#include <linux/types.h>

#include <markers/log.h>
#include "file.h"

struct dentry;
struct file;
struct marker_event;
struct marker_module;
struct marker_recording;

#define MARKER_MAX_COMMAND	(64 * 1024)	/* bytes that a write takes, and of one command */

/**
 * marker_command_discard() - take a text whose words do not matter
 * @from:	as in the write method
 * @count:	as in the write method, in bytes
 *
 * Context: Process context; sleeps.
 * Return: how much was taken; 0: nothing was written, so nothing is to be done; -EFAULT.
 */
ssize_t marker_command_discard(const char __user *from, size_t count);

/**
 * marker_command_reply() - read method of a file with one number
 * @to:		as in the read method
 * @count:	as in the read method, in bytes
 * @pos:	as in the read method
 * @fmt:	as for printf: the contents of the file, less than 24 bytes
 *
 * Context: Process context; sleeps.
 * Return: as the method.
 */
__printf(4, 5)
ssize_t marker_command_reply(char __user *to, size_t count, loff_t *pos,
			     const char *fmt, ...);

/**
 * marker_command_recording() - the recording that a file is about
 * @file:	below the directory of an instance; else it is the one at the top
 *
 * Context: Process context, while the file may be used.
 * Return: the recording.
 */
struct marker_recording *marker_command_recording(const struct file *file);

/**
 * marker_command_recording_of() - the same, by a name
 * @dentry:	of a file, or a directory below that of the instance
 *
 * Context: as marker_command_recording().
 * Return: the recording.
 */
struct marker_recording *marker_command_recording_of(struct dentry *dentry);

/**
 * marker_command_enter() - let messages name the instance of a file, if it is of one
 * @scope:	for marker_command_leave() or marker_log_leave()
 * @file:	the file, which stays open until then
 *
 * Those that read a command here do so by themselves.
 *
 * Context: Process context; takes a mutex.
 */
void marker_command_enter(struct marker_log_scope *scope, const struct file *file);

/**
 * marker_command_leave() - the end of a command
 * @scope:	from marker_command_enter()
 * @file:	the file
 * @err:	the result of the command; -ENOMEM is noted in error_log, if the command has had no
 *		message
 *
 * Context: Process context; takes a mutex.
 */
void marker_command_leave(struct marker_log_scope *scope, const struct file *file, int err);

/**
 * marker_command_refuse() - note in error_log that a write is wrong
 * @file:	the file
 * @text:	the text that was written
 * @why:	the error
 *
 * Context: Process context; takes a mutex.
 */
void marker_command_refuse(const struct file *file, const char *text,
			   const char *why);

/**
 * marker_command_text_bool() - parse the text of a write as 0 or 1
 * @file:	the file, for error_log
 * @text:	the text; it may change
 * @on:		is set
 *
 * Context: Process context; takes a mutex.
 * Return: 0, or -EINVAL, noted in error_log.
 */
int marker_command_text_bool(const struct file *file, char *text, bool *on);

/**
 * marker_command_parse_bool() - read 0 or 1 from a text
 * @name:	of the file or the parameter, for error_log
 * @text:	0, 1, on, off, y or n; blanks around it are cut off
 * @on:		is set
 *
 * Context: Process context; takes a mutex.
 * Return: 0, or -EINVAL, noted in error_log.
 */
int marker_command_parse_bool(const char *name, char *text, bool *on);

/**
 * struct marker_range - the numbers that a file accepts
 * @min:	the smallest
 * @max:	the largest
 * @unit:	for example "a number of KiB"
 */
struct marker_range {
	unsigned int min;
	unsigned int max;
	const char *unit;
};

/**
 * marker_command_parse_uint() - read a number from a text
 * @name:	of the file or the parameter, for error_log
 * @text:	the number, written as in C: 10, 0xa, 012; blanks around it are cut off
 * @range:	its range
 * @value:	is set
 *
 * Context: Process context; takes a mutex.
 * Return: 0, or -EINVAL, noted in error_log.
 */
int marker_command_parse_uint(const char *name, char *text,
			      const struct marker_range *range, unsigned int *value);

/**
 * marker_command_marker() - the marker of a module that a command begins with
 * @file:	the file, for error_log
 * @module:	the module; loaded, since it has a file that is open
 * @text:	the command, without blanks around it: the name of the marker, and more
 * @rest:	set to what follows the name and blanks
 *
 * Context: Process context; takes the registry mutex.
 * Return: its event, or NULL, noted in error_log: it has no such marker.
 */
struct marker_event *marker_command_marker(const struct file *file,
					   const struct marker_module *module,
					   const char *text, const char **rest);

/**
 * marker_command_read_only() - write method of a read-only file
 * @file:	the file; root can open it for writing anyway
 * @from:	as in the write method
 * @count:	as in the write method, in bytes
 * @pos:	as in the write method
 *
 * Context: Process context; takes a mutex.
 * Return: -EINVAL, noted in error_log.
 */
ssize_t marker_command_read_only(struct file *file, const char __user *from,
				 size_t count, loff_t *pos);

/* name_file: a file for reading, which name_show() prints; a write is explained. */
#define DEFINE_MARKER_SHOW_ATTRIBUTE(name)				\
static int name ## _open(struct inode *inode, struct file *file)	\
{									\
	return marker_file_open_show(inode, file, name ## _show);	\
}									\
									\
static const struct marker_methods name ## _file = {			\
	.fops = &marker_methods_fops,					\
	.open = name ## _open,						\
	.read = seq_read,						\
	.write = marker_command_read_only,				\
	.llseek = seq_lseek,						\
	.release = single_release,					\
}

#endif /* _MARKERS_COMMAND_H */
