// SPDX-License-Identifier: GPL-2.0
/*
 * Files to read events from as text: trace, snapshot, trace_pipe.  Process context.
 *
 * trace and snapshot copy what is in the buffers and leave it there.  trace_pipe takes
 * it away, waits for more, and so is for one at a time: there is one consumer of
 * each CPU.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <markers/format/print.h>
#include <markers/read/stream.h>
#include <markers/record/record.h>
#include "command.h"
#include "command_file.h"
#include "file.h"
#include "reader.h"

/*
 * trace and snapshot.  Position 0 is the heading, where the stream is rewound.
 */

/**
 * struct trace - one of these files that is open for reading
 * @buffer:	what is read; NULL: there is no snapshot
 * @stream:	its text
 * @pos:	the position of its current item, from 1; LLONG_MAX: not rewound
 * @has_entered: between trace_start() and trace_stop(): @buffer may be read
 */
struct trace {
	struct marker_buffer *buffer;
	struct marker_stream *stream;
	loff_t pos;
	bool has_entered;
};

static void *trace_start(struct seq_file *seq, loff_t *pos)
{
	struct trace *trace = seq->private;
	int err;

	if (!trace->buffer)
		return *pos ? NULL : SEQ_START_TOKEN;
	trace->has_entered = marker_buffer_enter(trace->buffer);
	if (!trace->has_entered)
		return ERR_PTR(-ESTALE);
	if (!*pos || *pos < trace->pos) {
		err = marker_stream_rewind(trace->stream);
		trace->pos = err ? LLONG_MAX : 1;
		if (err)
			return ERR_PTR(err);
	}
	if (!*pos)
		return SEQ_START_TOKEN;
	while (trace->pos < *pos && marker_stream_current(trace->stream)) {
		marker_stream_next(trace->stream);
		trace->pos++;
	}
	return (void *)marker_stream_current(trace->stream);
}

static void *trace_next(struct seq_file *seq, void *v, loff_t *pos)
{
	struct trace *trace = seq->private;

	++*pos;
	if (!trace->buffer)
		return NULL;
	if (v != SEQ_START_TOKEN) {
		marker_stream_next(trace->stream);
		trace->pos++;
	}
	return (void *)marker_stream_current(trace->stream);
}

static void trace_stop(struct seq_file *seq, void *v)
{
	struct trace *trace = seq->private;

	if (trace->has_entered)
		marker_buffer_leave(trace->buffer);
	trace->has_entered = false;
}

static void show_heading(struct seq_file *seq, const struct marker_buffer *buffer)
{
	int only = marker_reader_cpu_of(file_inode(seq->file)), cpu, i;
	u64 entries = 0, lost = 0;
	struct ring_stats stats;
	size_t size, len;
	char *buf;

	for_each_possible_cpu(cpu) {
		if (only != RING_ALL_CPUS && only != cpu)
			continue;
		ring_stats(buffer->ring, cpu, &stats);
		entries += stats.unread + stats.open;
		lost += stats.overwritten;
		for (i = 0; i < RING_NR_LOST; i++)
			lost += stats.lost[i];
	}
	seq_printf(seq,
		   "# tracer: markers\n"
		   "#\n"
		   "# entries: %llu   lost: %llu   clock: %s\n"
		   "#\n",
		   entries, lost, buffer->clock.name);
	size = seq_get_buf(seq, &buf);
	len = marker_print_legend(buf, size,
				  marker_context_set(marker_buffer_contexts(buffer)));
	/* No room: as below. */
	seq_commit(seq, len + 1 < size ? (int)len : -1);
}

static int trace_show(struct seq_file *seq, void *v)
{
	struct trace *trace = seq->private;
	size_t size, len;
	char *buf;

	if (v == SEQ_START_TOKEN) {
		if (trace->buffer)
			show_heading(seq, trace->buffer);
		else
			seq_puts(seq, "# no snapshot: write 1 to take one, 0 to free it\n");
		return 0;
	}
	size = seq_get_buf(seq, &buf);
	len = marker_stream_print(trace->stream, v, buf, size);
	/* No room: seq_file comes back with a larger buffer. */
	seq_commit(seq, len + 1 < size ? (int)len : -1);
	return 0;
}

static const struct seq_operations trace_seq_ops = {
	.start = trace_start,
	.next = trace_next,
	.stop = trace_stop,
	.show = trace_show,
};

static int open_text(struct inode *inode, struct file *file)
{
	struct marker_buffer *buffer;
	struct marker_stream *stream;
	struct trace *trace;

	buffer = marker_reader_open(inode);
	stream = NULL;
	if (buffer)
		stream = marker_stream_create(buffer, marker_reader_cpu_of(inode), false);
	if (IS_ERR(stream)) {
		marker_buffer_close(buffer);
		return PTR_ERR(stream);
	}
	trace = __seq_open_private(file, &trace_seq_ops, sizeof(*trace));
	if (!trace) {
		if (buffer) {
			marker_stream_destroy(stream);
			marker_buffer_close(buffer);
		}
		return -ENOMEM;
	}
	trace->buffer = buffer;
	trace->stream = stream;
	return 0;
}

static void clear_buffer(const struct inode *inode)
{
	struct marker_buffer *buffer = marker_reader_get(inode);

	marker_buffer_clear(buffer, marker_reader_cpu_of(inode));
	marker_buffer_put(buffer);
}

static int trace_open(struct inode *inode, struct file *file)
{
	const int err = file->f_mode & FMODE_READ ? open_text(inode, file) : 0;

	/* the last step: an open that fails here changes nothing */
	if (!err && file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		clear_buffer(inode);
	return err;
}

/* Whatever is written, it means "clear". */
static ssize_t trace_write(struct file *file, const char __user *from,
			   size_t count, loff_t *pos)
{
	const ssize_t taken = marker_command_discard(from, count);

	if (taken > 0)
		clear_buffer(file_inode(file));
	return taken;
}

static int trace_release(struct inode *inode, struct file *file)
{
	struct trace *trace;

	if (!(file->f_mode & FMODE_READ))
		return 0;
	trace = ((struct seq_file *)file->private_data)->private;
	if (trace->buffer) {
		marker_stream_destroy(trace->stream);
		marker_buffer_close(trace->buffer);
	}
	return seq_release_private(inode, file);
}

const struct marker_methods marker_reader_trace_file = {
	.fops = &marker_methods_fops,
	.open = trace_open,
	.read = seq_read,
	.write = trace_write,
	.llseek = marker_file_llseek,
	.release = trace_release,
};

static int snapshot_open(struct inode *inode, struct file *file)
{
	return file->f_mode & FMODE_READ ? open_text(inode, file) : 0;
}

static int snapshot_command(const struct file *file, char *text)
{
	struct marker_recording *recording = marker_reader_recording_of(file_inode(file));
	bool take;
	int err;

	err = marker_command_text_bool(file, text, &take);
	if (!err && take)
		err = marker_recording_take_snapshot(recording, true);
	else if (!err)
		marker_recording_free_snapshot(recording);
	return err;
}

const struct marker_methods marker_reader_snapshot_file = {
	.fops = &marker_command_fops,
	.open = snapshot_open,
	.read = seq_read,
	.llseek = marker_file_llseek,
	.release = trace_release,
	.whole = marker_command_switch,
	.run = snapshot_command,
};

/* One CPU's part of it: it is taken of all of them. */
const struct marker_methods marker_reader_snapshot_cpu_file = {
	.fops = &marker_methods_fops,
	.open = snapshot_open,
	.read = seq_read,
	.write = marker_command_read_only,
	.llseek = marker_file_llseek,
	.release = trace_release,
};

/*
 * trace_pipe
 */

/**
 * struct pipe - a trace_pipe that is open
 * @buffer:	which is consumed
 * @lock:	protects the rest; not held while waiting for events
 * @stream:	where the text comes from
 * @at:		bytes of @text that were read
 * @len:	bytes of @text
 * @text:	whole lines
 */
struct pipe {
	struct marker_buffer *buffer;
	struct mutex lock;	/* see above */
	struct marker_stream *stream;
	size_t at;
	size_t len;
	char text[MARKER_STREAM_LINE_SIZE];
};

static int pipe_open(struct inode *inode, struct file *file)
{
	struct marker_recording *recording = marker_reader_recording_of(inode);
	int cpu = marker_reader_cpu_of(inode), err = -ENOMEM;
	struct marker_log_scope scope;
	struct marker_buffer *buffer;
	struct pipe *pipe;

	marker_command_enter(&scope, file);
	buffer = marker_recording_get_consumer(recording, cpu);
	marker_log_leave(&scope);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	pipe = kvmalloc(sizeof(*pipe), GFP_KERNEL_ACCOUNT);
	if (!pipe)
		goto err_consumer;
	pipe->buffer = buffer;
	pipe->stream = marker_stream_create(buffer, cpu, true);
	if (IS_ERR(pipe->stream))
		goto err_pipe;
	mutex_init(&pipe->lock);
	pipe->at = 0;
	pipe->len = 0;
	file->private_data = pipe;
	return nonseekable_open(inode, file);

err_pipe:
	kvfree(pipe);
err_consumer:
	marker_recording_put_consumer(recording, buffer, cpu);
	return err;
}

static int pipe_release(struct inode *inode, struct file *file)
{
	struct pipe *pipe = file->private_data;

	marker_stream_destroy(pipe->stream);
	marker_recording_put_consumer(marker_reader_recording_of(inode), pipe->buffer,
				      marker_reader_cpu_of(inode));
	kvfree(pipe);
	return 0;
}

/* At least one line, if there is one; no more than are asked for, or fit. */
static void pipe_fill(struct pipe *pipe, size_t size)
{
	const struct marker_item *item;
	size_t room, len;

	size = min(size, sizeof(pipe->text));
	pipe->at = 0;
	pipe->len = 0;
	while (pipe->len < size) {
		item = marker_stream_current(pipe->stream);
		if (!item)
			return;
		room = sizeof(pipe->text) - pipe->len;
		len = marker_stream_print(pipe->stream, item,
					  pipe->text + pipe->len, room);
		if (pipe->len && len + 1 >= room)
			return;
		pipe->len += len;
		marker_stream_next(pipe->stream);
	}
}

/* Text in the buffer, or -EAGAIN; -ENOMEM. */
static int pipe_try(struct pipe *pipe, size_t size)
{
	int err = 0;

	if (pipe->at == pipe->len)
		pipe_fill(pipe, size);
	if (!pipe->len) {
		err = marker_stream_refresh(pipe->stream);
		pipe_fill(pipe, size);
	}
	return pipe->len ? 0 : err ?: -EAGAIN;
}

static ssize_t pipe_read(struct file *file, char __user *to, size_t count,
			 loff_t *pos)
{
	int cpu = marker_reader_cpu_of(file_inode(file)), err;
	struct pipe *pipe = file->private_data;

	if (!count)
		return 0;
	for (;;) {
		if (mutex_lock_interruptible(&pipe->lock))
			return -ERESTARTSYS;
		err = pipe_try(pipe, count);
		if (!err)
			break;
		mutex_unlock(&pipe->lock);
		if (err != -EAGAIN || file->f_flags & O_NONBLOCK)
			return err;
		err = ring_wait(pipe->buffer->ring, cpu);
		if (err)
			return err;
		if (signal_pending(current))
			return -ERESTARTSYS;
		cond_resched();
	}
	count = min(count, pipe->len - pipe->at);
	if (copy_to_user(to, pipe->text + pipe->at, count))
		err = -EFAULT;
	else
		pipe->at += count;
	mutex_unlock(&pipe->lock);
	return err ?: count;
}

/*
 * A reader that holds the lock may hold it for long, in a page fault.  It has data, and what
 * it leaves is not known yet, so answer yes.
 */
static bool pipe_has_more(struct pipe *pipe)
{
	bool more;

	if (!mutex_trylock(&pipe->lock))
		return true;
	more = pipe->at < pipe->len || marker_stream_pending(pipe->stream);
	mutex_unlock(&pipe->lock);
	return more;
}

static __poll_t pipe_poll(struct file *file, poll_table *table)
{
	int cpu = marker_reader_cpu_of(file_inode(file));
	struct pipe *pipe = file->private_data;
	bool readable;

	readable = ring_poll(pipe->buffer->ring, cpu, file, table) || pipe_has_more(pipe);
	return readable ? EPOLLIN | EPOLLRDNORM : 0;
}

/* Only open is guarded: a consumer keeps its instance from being removed, and may wait. */
static const struct file_operations pipe_fops = {
	.owner = THIS_MODULE,
	.open = __marker_methods_open,
	.read = pipe_read,
	.write = marker_command_read_only,
	.poll = pipe_poll,
	.release = pipe_release,
};

const struct marker_methods marker_reader_trace_pipe_file = {
	.fops = &pipe_fops,
	.open = pipe_open,
};
