// SPDX-License-Identifier: GPL-2.0
/*
 * The files trace_marker and trace_marker_raw: user space writes notes into the trace of a
 * recording, which is i_private.  Process context.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <markers/hit/note.h>
#include <markers/log.h>
#include "command.h"
#include "notes.h"

#define SHORT_NOTE	128	/* bytes that need no allocation */

/* @text: room for @count bytes and a NUL.  Return: bytes that are in the note now. */
static ssize_t write_note(const struct file *file, char *text, const char __user *from,
			  size_t count)
{
	size_t len;
	int err;

	if (copy_from_user(text, from, count))
		return -EFAULT;
	if (text[count - 1] == '\n') {
		len = count - 1;
	} else {
		count = min_t(size_t, count, MARKER_NOTE_TEXT);
		len = count;
	}
	text[len] = '\0';
	err = marker_note_text(file_inode(file)->i_private, text);
	return err ?: count;
}

/*
 * A long text becomes a note of its beginning.  write() returns the bytes that it took, so
 * the writer writes the rest next.
 */
static ssize_t trace_marker_write(struct file *file, const char __user *from, size_t count,
				  loff_t *pos)
{
	char short_text[SHORT_NOTE], *text;
	ssize_t written;

	if (!count)
		return 0;
	if (count < SHORT_NOTE)
		return write_note(file, short_text, from, count);
	/* as much as fits, and a newline */
	count = min_t(size_t, count, MARKER_NOTE_TEXT + 1);
	text = kmalloc(count + 1, GFP_KERNEL_ACCOUNT);
	if (!text)
		return -ENOMEM;
	written = write_note(file, text, from, count);
	kfree(text);
	return written;
}

static ssize_t trace_marker_raw_write(struct file *file, const char __user *from,
				      size_t count, loff_t *pos)
{
	u8 bytes[sizeof(u32) + MARKER_NOTE_RAW];
	struct marker_log_scope scope;
	u32 id;
	int err;

	if (count < sizeof(id) || count > sizeof(bytes)) {
		marker_command_enter(&scope, file);
		marker_log("trace_marker_raw: %zu bytes, not an id of 4 bytes and up to %u more",
			   count, MARKER_NOTE_RAW);
		marker_log_leave(&scope);
		return -EINVAL;
	}
	if (copy_from_user(bytes, from, count))
		return -EFAULT;
	memcpy(&id, bytes, sizeof(id));
	err = marker_note_raw(file_inode(file)->i_private, id, bytes + sizeof(id),
			      count - sizeof(id));
	return err ?: count;
}

static const struct marker_methods trace_marker_file = {
	.fops = &marker_methods_fops,
	.open = nonseekable_open,
	.write = trace_marker_write,
};

static const struct marker_methods trace_marker_raw_file = {
	.fops = &marker_methods_fops,
	.open = nonseekable_open,
	.write = trace_marker_raw_write,
};

const struct marker_file marker_note_files[] = {
	{ "trace_marker", 0220, &trace_marker_file },
	{ "trace_marker_raw", 0220, &trace_marker_raw_file },
	{ }
};
