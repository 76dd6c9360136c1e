// SPDX-License-Identifier: GPL-2.0
/*
 * Files to read events from; debugfs.c knows their names.  Process context.
 *
 * trace and ctf/ copy what is in the buffers and leave it there.  trace_pipe and
 * trace_pipe_raw take it away, wait for more, and so are for one at a time:
 * there is one consumer of each CPU.
 *
 * An open file holds a reference to this module, by fops.owner, so rmmod is
 * refused as long as somebody waits here.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>

#include "channel.h"
#include "clock.h"
#include "metadata.h"
#include "reader.h"
#include "registry.h"
#include "stream.h"

static int file_cpu(const struct inode *inode)
{
	return (long)inode->i_private;
}

/*
 * Consumers
 */

static DEFINE_MUTEX(consumed_mutex);	/* consumed_cpus; takes no other */
static struct cpumask consumed_cpus;

static int consumer_get(int cpu)
{
	int err = 0;

	mutex_lock(&consumed_mutex);
	if (cpu == RING_ALL_CPUS) {
		if (cpumask_empty(&consumed_cpus))
			cpumask_copy(&consumed_cpus, cpu_possible_mask);
		else
			err = -EBUSY;
	} else if (cpumask_test_and_set_cpu(cpu, &consumed_cpus)) {
		err = -EBUSY;
	}
	mutex_unlock(&consumed_mutex);
	return err;
}

static void consumer_put(int cpu)
{
	mutex_lock(&consumed_mutex);
	if (cpu == RING_ALL_CPUS)
		cpumask_clear(&consumed_cpus);
	else
		cpumask_clear_cpu(cpu, &consumed_cpus);
	mutex_unlock(&consumed_mutex);
}

/*
 * trace.  Position 0 is the heading, where the stream is rewound.
 */

/**
 * struct trace - a trace file that is open for reading
 * @stream:	what is read
 * @pos:	the position of its current item, from 1
 */
struct trace {
	struct marker_stream *stream;
	loff_t pos;
};

static void *trace_start(struct seq_file *seq, loff_t *pos)
{
	struct trace *trace = seq->private;

	if (!*pos || *pos < trace->pos) {
		marker_stream_rewind(trace->stream);
		trace->pos = 1;
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
	if (v != SEQ_START_TOKEN) {
		marker_stream_next(trace->stream);
		trace->pos++;
	}
	return (void *)marker_stream_current(trace->stream);
}

static void trace_stop(struct seq_file *seq, void *v)
{
}

static void show_heading(struct seq_file *seq)
{
	int only = file_cpu(file_inode(seq->file)), cpu, i;
	u64 entries = 0, lost = 0;
	struct ring_stats stats;

	for_each_possible_cpu(cpu) {
		if (only != RING_ALL_CPUS && only != cpu)
			continue;
		ring_stats(marker_ring, cpu, &stats);
		entries += stats.unread;
		lost += stats.overwritten;
		for (i = 0; i < RING_NR_LOST; i++)
			lost += stats.lost[i];
	}
	seq_printf(seq,
		   "# tracer: markers\n"
		   "#\n"
		   "# entries: %llu   lost: %llu   clock: %s\n"
		   "#\n"
		   "# CPU    SECONDS        MODULE:MARKER: TEXT\n",
		   entries, lost, marker_clock.name);
}

static int trace_show(struct seq_file *seq, void *v)
{
	size_t size, len;
	char *buf;

	if (v == SEQ_START_TOKEN) {
		show_heading(seq);
		return 0;
	}
	size = seq_get_buf(seq, &buf);
	len = marker_stream_print(v, buf, size);
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

static int trace_open(struct inode *inode, struct file *file)
{
	struct marker_stream *stream;
	struct trace *trace;

	if (file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		ring_clear(marker_ring, file_cpu(inode));
	if (!(file->f_mode & FMODE_READ))
		return 0;

	stream = marker_stream_create(file_cpu(inode), false);
	if (IS_ERR(stream))
		return PTR_ERR(stream);
	trace = __seq_open_private(file, &trace_seq_ops, sizeof(*trace));
	if (!trace) {
		marker_stream_destroy(stream);
		return -ENOMEM;
	}
	trace->stream = stream;
	return 0;
}

/* Whatever is written, it means "clear". */
static ssize_t trace_write(struct file *file, const char __user *from,
			   size_t count, loff_t *pos)
{
	ring_clear(marker_ring, file_cpu(file_inode(file)));
	return count;
}

static int trace_release(struct inode *inode, struct file *file)
{
	struct trace *trace;

	if (!(file->f_mode & FMODE_READ))
		return 0;
	trace = ((struct seq_file *)file->private_data)->private;
	marker_stream_destroy(trace->stream);
	return seq_release_private(inode, file);
}

/* O_APPEND and lseek() of a writer: nothing to be done. */
static loff_t trace_llseek(struct file *file, loff_t offset, int whence)
{
	if (file->f_mode & FMODE_READ)
		return seq_lseek(file, offset, whence);
	return file->f_pos = 0;
}

const struct file_operations marker_reader_trace_fops = {
	.owner = THIS_MODULE,
	.open = trace_open,
	.read = seq_read,
	.write = trace_write,
	.llseek = trace_llseek,
	.release = trace_release,
};

/*
 * trace_pipe
 */

/**
 * struct pipe - a trace_pipe that is open
 * @lock:	protects the rest; not held while waiting for events
 * @stream:	where the text comes from
 * @at:		bytes of @text that were read
 * @len:	bytes of @text
 * @text:	whole lines
 */
struct pipe {
	struct mutex lock;	/* see above */
	struct marker_stream *stream;
	size_t at;
	size_t len;
	char text[MARKER_STREAM_LINE_SIZE];
};

static int pipe_open(struct inode *inode, struct file *file)
{
	int cpu = file_cpu(inode), err;
	struct pipe *pipe;

	err = consumer_get(cpu);
	if (err)
		return err;
	err = -ENOMEM;
	pipe = kvmalloc(sizeof(*pipe), GFP_KERNEL);
	if (!pipe)
		goto err_consumer;
	pipe->stream = marker_stream_create(cpu, true);
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
	consumer_put(cpu);
	return err;
}

static int pipe_release(struct inode *inode, struct file *file)
{
	struct pipe *pipe = file->private_data;

	marker_stream_destroy(pipe->stream);
	kvfree(pipe);
	consumer_put(file_cpu(inode));
	return 0;
}

/* At least one line, if there is one; no more than are asked for, or fit. */
static void pipe_fill(struct pipe *pipe, size_t wanted)
{
	const struct marker_stream_item *item;
	size_t room, len;

	wanted = min(wanted, sizeof(pipe->text));
	pipe->at = 0;
	pipe->len = 0;
	while (pipe->len < wanted) {
		item = marker_stream_current(pipe->stream);
		if (!item)
			return;
		room = sizeof(pipe->text) - pipe->len;
		len = marker_stream_print(item, pipe->text + pipe->len, room);
		if (pipe->len && len + 1 >= room)
			return;
		pipe->len += len;
		marker_stream_next(pipe->stream);
	}
}

/* Text in the buffer, or -EAGAIN. */
static int pipe_try(struct pipe *pipe, size_t wanted)
{
	if (pipe->at == pipe->len)
		pipe_fill(pipe, wanted);
	if (!pipe->len) {
		marker_stream_refresh(pipe->stream);
		pipe_fill(pipe, wanted);
	}
	return pipe->len ? 0 : -EAGAIN;
}

static ssize_t pipe_read(struct file *file, char __user *to, size_t count,
			 loff_t *pos)
{
	int cpu = file_cpu(file_inode(file)), err;
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
		if (file->f_flags & O_NONBLOCK)
			return err;
		err = ring_wait(marker_ring, cpu);
		if (err)
			return err;
	}
	count = min(count, pipe->len - pipe->at);
	if (copy_to_user(to, pipe->text + pipe->at, count))
		err = -EFAULT;
	else
		pipe->at += count;
	mutex_unlock(&pipe->lock);
	return err ?: count;
}

static __poll_t pipe_poll(struct file *file, poll_table *table)
{
	int cpu = file_cpu(file_inode(file));
	struct pipe *pipe = file->private_data;
	bool readable;

	readable = ring_poll(marker_ring, cpu, file, table);
	mutex_lock(&pipe->lock);
	readable |= pipe->at < pipe->len || marker_stream_pending(pipe->stream);
	mutex_unlock(&pipe->lock);
	return readable ? EPOLLIN | EPOLLRDNORM : 0;
}

const struct file_operations marker_reader_trace_pipe_fops = {
	.owner = THIS_MODULE,
	.open = pipe_open,
	.read = pipe_read,
	.poll = pipe_poll,
	.release = pipe_release,
};

/*
 * trace_pipe_raw and ctf/stream_N
 */

/**
 * struct packets - one of these that is open
 * @lock:	protects the rest; not held while waiting for packets
 * @cpu:	whose packets
 * @consume:	take them away and wait for more, or copy those there are
 * @seq:	if not: the next one
 * @horizon:	if not: up to and without the one that begins later
 * @at:		bytes of @data that were read
 * @len:	bytes of @data
 * @data:	a packet
 */
struct packets {
	struct mutex lock;	/* see above */
	int cpu;
	bool consume;
	u64 seq;
	u64 horizon;
	size_t at;
	size_t len;
	u8 data[];
};

static int packets_open(struct inode *inode, struct file *file, bool consume)
{
	struct packets *packets;

	packets = kvzalloc(sizeof(*packets) + marker_channel_subbuf_size(),
			   GFP_KERNEL);
	if (!packets)
		return -ENOMEM;
	mutex_init(&packets->lock);
	packets->cpu = file_cpu(inode);
	packets->consume = consume;
	packets->horizon = marker_stream_time();
	ring_flush(marker_ring, packets->cpu);
	file->private_data = packets;
	return nonseekable_open(inode, file);
}

static int packets_release(struct inode *inode, struct file *file)
{
	kvfree(file->private_data);
	return 0;
}

static int packets_copy(struct packets *packets, struct ring_packet *packet)
{
	const struct ctf_packet_header *header = (void *)packets->data;
	int err;

	ring_reader_lock(marker_ring, packets->cpu);
	err = ring_peek(marker_ring, packets->cpu, &packets->seq, packets->data,
			packet);
	ring_reader_unlock(marker_ring, packets->cpu);
	if (!err && header->timestamp_begin > packets->horizon)
		err = -EAGAIN;
	return err;
}

/* The next packet into the buffer, or -EAGAIN. */
static int packets_try(struct packets *packets)
{
	struct ring_packet packet;
	int err;

	if (packets->at < packets->len)
		return 0;
	if (!packets->consume)
		err = packets_copy(packets, &packet);
	else
		err = marker_stream_take(packets->cpu, packets->data, &packet);
	if (err)
		return err;
	packets->at = 0;
	packets->len = packet.size;
	return 0;
}

/* As much as is asked for and there is without waiting. */
static ssize_t packets_read_some(struct packets *packets, char __user *to,
				 size_t count)
{
	size_t done = 0, part;
	int err = 0;

	while (done < count && !fatal_signal_pending(current)) {
		err = packets_try(packets);
		if (err)
			break;
		part = min(count - done, packets->len - packets->at);
		if (copy_to_user(to + done, packets->data + packets->at, part)) {
			err = -EFAULT;
			break;
		}
		packets->at += part;
		done += part;
		cond_resched();
	}
	return done ?: err;
}

static ssize_t packets_read(struct file *file, char __user *to, size_t count,
			    loff_t *pos)
{
	struct packets *packets = file->private_data;
	ssize_t done;
	int err;

	if (!count)
		return 0;
	for (;;) {
		if (mutex_lock_interruptible(&packets->lock))
			return -ERESTARTSYS;
		done = packets_read_some(packets, to, count);
		if (done == -EAGAIN && packets->consume &&
		    file->f_flags & O_NONBLOCK) {
			ring_flush(marker_ring, packets->cpu);
			done = packets_read_some(packets, to, count);
		}
		mutex_unlock(&packets->lock);
		if (done != -EAGAIN)
			return done;
		if (!packets->consume)
			return 0;
		if (file->f_flags & O_NONBLOCK)
			return done;
		err = ring_wait(marker_ring, packets->cpu);
		if (err)
			return err;
	}
}

static int raw_open(struct inode *inode, struct file *file)
{
	int err;

	err = consumer_get(file_cpu(inode));
	if (err)
		return err;
	err = packets_open(inode, file, true);
	if (err)
		consumer_put(file_cpu(inode));
	return err;
}

static int raw_release(struct inode *inode, struct file *file)
{
	consumer_put(file_cpu(inode));
	return packets_release(inode, file);
}

static __poll_t raw_poll(struct file *file, poll_table *table)
{
	struct packets *packets = file->private_data;
	bool readable;

	readable = ring_poll(marker_ring, packets->cpu, file, table);
	mutex_lock(&packets->lock);
	readable |= packets->at < packets->len;
	mutex_unlock(&packets->lock);
	return readable ? EPOLLIN | EPOLLRDNORM : 0;
}

const struct file_operations marker_reader_pipe_raw_fops = {
	.owner = THIS_MODULE,
	.open = raw_open,
	.read = packets_read,
	.poll = raw_poll,
	.release = raw_release,
};

static int stream_open_copy(struct inode *inode, struct file *file)
{
	return packets_open(inode, file, false);
}

const struct file_operations marker_reader_stream_fops = {
	.owner = THIS_MODULE,
	.open = stream_open_copy,
	.read = packets_read,
	.release = packets_release,
};

/*
 * ctf/metadata: made when the file is opened.  Events are never forgotten and
 * never change, so two passes over the first so many of them give the same text
 * without any lock.
 */

/**
 * struct metadata - one that is open
 * @len:	bytes of @text so far
 * @size:	bytes that @text has room for; 0: only count
 * @text:	the text
 */
struct metadata {
	size_t len;
	size_t size;
	char text[];
};

static void metadata_emit(void *ctx, const char *text, size_t len)
{
	struct metadata *metadata = ctx;

	if (metadata->size && !WARN_ON_ONCE(len > metadata->size - metadata->len))
		memcpy(metadata->text + metadata->len, text, len);
	metadata->len += len;
}

/* All before the events. */
static void metadata_header(const struct marker_metadata_out *out)
{
	struct marker_metadata_env env = {
		.hostname = init_utsname()->nodename,
		.kernel_release = init_utsname()->release,
		.kernel_version = init_utsname()->version,
		.tracer_major = MARKERS_VERSION_MAJOR,
		.tracer_minor = MARKERS_VERSION_MINOR,
		.clock_name = marker_clock.name,
		.clock_description = marker_clock.description,
		.clock_freq = marker_clock.frequency,
		.clock_offset_s = marker_clock.offset_s,
		.clock_offset = marker_clock.offset,
	};

	memcpy(env.uuid, marker_uuid, sizeof(env.uuid));
	marker_metadata_header(out, &env);
}

/* Up to @nr events; returns how many. */
static u32 metadata_events(const struct marker_metadata_out *out, u32 nr)
{
	const struct marker_event *event;
	u32 id;

	for (id = 0; id < nr; id++) {
		event = marker_event_by_id(id);
		if (!event)
			break;
		marker_metadata_event(out, id, event->title, &event->format);
		cond_resched();
	}
	return id;
}

static int metadata_open(struct inode *inode, struct file *file)
{
	struct metadata header = { 0 }, events = { 0 }, *metadata;
	struct marker_metadata_out out = { .emit = metadata_emit };
	u32 nr;

	out.ctx = &header;
	metadata_header(&out);
	out.ctx = &events;
	nr = metadata_events(&out, U32_MAX);

	/* sethostname() may come in between: room to spare */
	header.len += 4 * __NEW_UTS_LEN;
	metadata = kvmalloc(sizeof(*metadata) + header.len + events.len,
			    GFP_KERNEL);
	if (!metadata)
		return -ENOMEM;
	metadata->size = header.len + events.len;
	metadata->len = 0;
	out.ctx = metadata;
	metadata_header(&out);
	metadata_events(&out, nr);
	file->private_data = metadata;
	return 0;
}

static ssize_t metadata_read(struct file *file, char __user *to, size_t count,
			     loff_t *pos)
{
	const struct metadata *metadata = file->private_data;

	return simple_read_from_buffer(to, count, pos, metadata->text,
				       metadata->len);
}

static int metadata_release(struct inode *inode, struct file *file)
{
	kvfree(file->private_data);
	return 0;
}

const struct file_operations marker_reader_metadata_fops = {
	.owner = THIS_MODULE,
	.open = metadata_open,
	.read = metadata_read,
	.llseek = default_llseek,
	.release = metadata_release,
};
