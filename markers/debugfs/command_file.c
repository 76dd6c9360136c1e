// SPDX-License-Identifier: GPL-2.0
/*
 * Joins what writes to command files have cut.  Process context.
 *
 * A file that is open for writing has a struct unfinished, which is found by the address of
 * the struct file: private_data belongs to the reader of the file.
 *
 * close() calls flush, which can return an error, for each descriptor; only the last one
 * carries out what is left.  A task that uses a descriptor of another at that moment hides
 * that it is the last one: then release does it, and the error is in error_log only.
 *
 * If open() fails after the method, as when a security module forbids O_TRUNC, the kernel calls
 * release, but not flush.
 *
 * A file may be removed while it is open, so each method uses it by marker_methods_get().
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/hashtable.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uio.h>

#include <markers/log.h>
#include "command_file.h"

#define SHORT_TEXT	32	/* bytes that need no allocation, with a NUL */

/**
 * struct unfinished - of a file that is open for writing
 * @node:	in unfinished_files
 * @file:	the file
 * @had_fd:	a descriptor of it was closed, so its open() did not fail
 * @lock:	protects what follows; held while a text is carried out
 * @is_written:	there was a write, or the last close()
 * @lacks_newline:	the last command was carried out without its newline, which may follow
 * @rest:	what goes on in the next write, or NULL
 * @len:	of @rest
 */
struct unfinished {
	struct hlist_node node;
	const struct file *file;
	bool had_fd;
	struct mutex lock;	/* see above */
	bool is_written;
	bool lacks_newline;
	char *rest;
	size_t len;
};

static DEFINE_MUTEX(unfinished_mutex);	/* protects the table; nothing is taken under it */
static DEFINE_HASHTABLE(unfinished_files, 6);

size_t marker_command_lines(char *text)
{
	const char *newline = strrchr(text, '\n');

	return newline ? newline + 1 - text : 0;
}

size_t marker_command_line(char *text)
{
	const size_t len = strlen(text);

	return len && text[len - 1] == '\n' ? len : 0;
}

size_t marker_command_switch(char *text)
{
	if ((text[0] == '0' || text[0] == '1') && !text[1])
		return 1;
	return marker_command_line(text);
}

/* It stays until the file is released. */
static struct unfinished *find_unfinished(const struct file *file)
{
	struct unfinished *unfinished;

	mutex_lock(&unfinished_mutex);
	hash_for_each_possible(unfinished_files, unfinished, node, (unsigned long)file) {
		if (unfinished->file == file)
			break;
	}
	mutex_unlock(&unfinished_mutex);
	return unfinished;
}

static void add_unfinished(struct unfinished *unfinished, const struct file *file)
{
	unfinished->file = file;
	mutex_init(&unfinished->lock);
	mutex_lock(&unfinished_mutex);
	hash_add(unfinished_files, &unfinished->node, (unsigned long)file);
	mutex_unlock(&unfinished_mutex);
}

static int command_open(struct inode *inode, struct file *file)
{
	struct unfinished *unfinished;
	int err;

	if (!(file->f_mode & FMODE_WRITE))
		return __marker_methods_open(inode, file);
	unfinished = kzalloc(sizeof(*unfinished), GFP_KERNEL_ACCOUNT);
	if (!unfinished)
		return -ENOMEM;
	err = __marker_methods_open(inode, file);
	if (err)
		kfree(unfinished);
	else
		add_unfinished(unfinished, file);
	return err;
}

static void set_rest(struct unfinished *unfinished, char *rest)
{
	if (rest == unfinished->rest)
		return;		/* none, as before */
	kvfree(unfinished->rest);
	unfinished->rest = rest;
	unfinished->len = rest ? strlen(rest) : 0;
}

/* The unfinished line, and @count bytes after it; @text has room for them and a NUL. */
static int join(char *text, const struct unfinished *unfinished, struct iov_iter *from,
		size_t count)
{
	if (unfinished->len)
		memcpy(text, unfinished->rest, unfinished->len);
	if (copy_from_iter(text + unfinished->len, count, from) != count)
		return -EFAULT;
	text[unfinished->len + count] = '\0';
	return 0;
}

/* Carry out what is whole of @text. */
static int run_whole(struct unfinished *unfinished, struct file *file, char *text)
{
	const struct marker_methods *methods = marker_methods_of(file);
	const size_t whole = methods->whole(text);
	const size_t left = strlen(text + whole);
	char *rest = NULL;
	int err = 0;

	if (left > MARKER_MAX_COMMAND) {
		marker_command_refuse(file, text + whole, "a command of more than 65536 bytes");
		err = -EINVAL;
	} else if (left) {
		rest = kvmalloc(left + 1, GFP_KERNEL_ACCOUNT);
		if (rest)
			memcpy(rest, text + whole, left + 1);
		else
			err = -ENOMEM;
	}
	text[whole] = '\0';
	if (!err && whole) {
		unfinished->lacks_newline = text[whole - 1] != '\n';
		err = methods->run(file, text);
	}
	if (err) {
		kvfree(rest);
		rest = NULL;
	}
	set_rest(unfinished, rest);
	return err;
}

/* True if it is only the newline of the command before, which was carried out without it. */
static bool take_late_newline(struct unfinished *unfinished, const char *text)
{
	const bool late = unfinished->lacks_newline && !strcmp(text, "\n");

	unfinished->lacks_newline = false;
	return late;
}

/* On an error the next write begins anew. */
static int add_text(struct unfinished *unfinished, struct file *file, struct iov_iter *from,
		    size_t count)
{
	const size_t len = unfinished->len + count;
	char short_text[SHORT_TEXT], why[40], *text = short_text;
	int err;

	if (len >= SHORT_TEXT)
		text = kvmalloc(len + 1, GFP_KERNEL_ACCOUNT);
	err = text ? join(text, unfinished, from, count) : -ENOMEM;
	if (!err && strlen(text) == len) {
		if (!take_late_newline(unfinished, text))
			err = run_whole(unfinished, file, text);
	} else {
		if (!err) {
			snprintf(why, sizeof(why), "a NUL at column %zu", strlen(text));
			marker_command_refuse(file, text, why);
			err = -EINVAL;
		}
		/* or close() would carry out half of a command */
		set_rest(unfinished, NULL);
	}
	if (text != short_text)
		kvfree(text);
	return err;
}

/* The writer goes on with what is more than a command may have, as after any short write. */
static ssize_t command_write(struct kiocb *iocb, struct iov_iter *from)
{
	const size_t count = min_t(size_t, iov_iter_count(from), MARKER_MAX_COMMAND);
	struct file *file = iocb->ki_filp;
	const struct marker_methods *methods = marker_methods_of(file);
	struct unfinished *unfinished;
	struct marker_log_scope scope;
	int idx, err;

	if (!count)
		return 0;
	idx = marker_methods_get(file);
	if (idx < 0)
		return idx;
	unfinished = find_unfinished(file);
	marker_command_enter(&scope, file);
	mutex_lock(&unfinished->lock);
	unfinished->is_written = true;
	err = add_text(unfinished, file, from, count);
	mutex_unlock(&unfinished->lock);
	marker_command_leave(&scope, file, err);
	marker_methods_put(methods, idx);
	return err ?: count;
}

/*
 * If a signal ended the writer, the rest may be half of a command.  That shows in no other task: a
 * thread of the kernel closes what the writer left to asynchronous I/O, or sent by a socket.
 */
static bool was_killed(void)
{
	return current->flags & PF_KTHREAD ||
	       (current->flags & PF_EXITING && current->exit_code & 0x7f);
}

static int run_rest(struct unfinished *unfinished, struct file *file)
{
	int err;

	if (was_killed()) {
		marker_command_refuse(file, unfinished->rest, "not set, as its writer was killed, or did not close the file");
		err = -EINTR;
	} else {
		err = marker_methods_of(file)->run(file, unfinished->rest);
	}
	set_rest(unfinished, NULL);
	return err;
}

/* No more text comes. */
static int finish_command(struct unfinished *unfinished, struct file *file)
{
	const struct marker_methods *methods = marker_methods_of(file);
	struct marker_log_scope scope;
	const int idx = marker_methods_get(file);
	int err = 0;

	if (idx < 0)
		/* it was removed: only a command that cannot be carried out any more is an error */
		return unfinished->rest ? idx : 0;
	marker_command_enter(&scope, file);
	mutex_lock(&unfinished->lock);
	if (unfinished->rest)
		err = run_rest(unfinished, file);
	else if (!unfinished->is_written && READ_ONCE(unfinished->had_fd) && methods->close)
		err = methods->close(file);
	/* release has nothing to do after flush, even if that failed */
	unfinished->is_written = true;
	mutex_unlock(&unfinished->lock);
	marker_command_leave(&scope, file, err);
	marker_methods_put(methods, idx);
	return err;
}

static int command_flush(struct file *file, fl_owner_t id)
{
	struct unfinished *unfinished;

	if (!(file->f_mode & FMODE_WRITE))
		return 0;
	unfinished = find_unfinished(file);
	/* other tasks may close descriptors of it, too */
	WRITE_ONCE(unfinished->had_fd, true);
	return file_count(file) == 1 ? finish_command(unfinished, file) : 0;
}

/* Nobody else has the file any more. */
static void drop_unfinished(struct unfinished *unfinished)
{
	mutex_lock(&unfinished_mutex);
	hash_del(&unfinished->node);
	mutex_unlock(&unfinished_mutex);
	kvfree(unfinished->rest);
	kfree(unfinished);
}

static int command_release(struct inode *inode, struct file *file)
{
	struct unfinished *unfinished;

	if (file->f_mode & FMODE_WRITE) {
		unfinished = find_unfinished(file);
		finish_command(unfinished, file);
		drop_unfinished(unfinished);
	}
	return __marker_methods_release(inode, file);
}

const struct file_operations marker_command_fops = {
	.owner = THIS_MODULE,
	.open = command_open,
	.read = __marker_methods_read,
	.write_iter = command_write,
	.llseek = __marker_methods_llseek,
	.flush = command_flush,
	.release = command_release,
};
