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
#include <linux/pipe_fs_i.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/splice.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>

#include "channel.h"
#include "command.h"
#include "metadata.h"
#include "reader.h"
#include "registry.h"
#include "stream.h"

static int file_cpu(const struct inode *inode)
{
	return marker_reader_cpu(inode->i_private);
}

static bool file_is_snapshot(const struct inode *inode)
{
	return marker_reader_is_snapshot(inode->i_private);
}

/*
 * trace and snapshot.  Position 0 is the heading, where the stream is rewound.
 */

/**
 * struct trace - one of these files that is open for reading
 * @buffer:	what is read, a reference; NULL: there is no snapshot
 * @stream:	its text
 * @pos:	the position of its current item, from 1
 */
struct trace {
	struct marker_buffer *buffer;
	struct marker_stream *stream;
	loff_t pos;
};

static void *trace_start(struct seq_file *seq, loff_t *pos)
{
	struct trace *trace = seq->private;

	if (!trace->buffer)
		return *pos ? NULL : SEQ_START_TOKEN;
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
}

static void show_heading(struct seq_file *seq, const struct marker_buffer *buffer)
{
	int only = file_cpu(file_inode(seq->file)), cpu, i;
	u64 entries = 0, lost = 0;
	struct ring_stats stats;

	for_each_possible_cpu(cpu) {
		if (only != RING_ALL_CPUS && only != cpu)
			continue;
		ring_stats(buffer->ring, cpu, &stats);
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
		   entries, lost, buffer->clock.name);
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

	buffer = marker_channel_get(file_is_snapshot(inode));
	stream = NULL;
	if (buffer)
		stream = marker_stream_create(buffer, file_cpu(inode), false);
	if (IS_ERR(stream)) {
		marker_buffer_put(buffer);
		return PTR_ERR(stream);
	}
	trace = __seq_open_private(file, &trace_seq_ops, sizeof(*trace));
	if (!trace) {
		if (buffer) {
			marker_stream_destroy(stream);
			marker_buffer_put(buffer);
		}
		return -ENOMEM;
	}
	trace->buffer = buffer;
	trace->stream = stream;
	return 0;
}

static void clear(int cpu)
{
	struct marker_buffer *buffer = marker_channel_get(false);

	marker_buffer_clear(buffer, cpu);
	marker_buffer_put(buffer);
}

static int trace_open(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		clear(file_cpu(inode));
	return file->f_mode & FMODE_READ ? open_text(inode, file) : 0;
}

/* Whatever is written, it means "clear". */
static ssize_t trace_write(struct file *file, const char __user *from,
			   size_t count, loff_t *pos)
{
	clear(file_cpu(file_inode(file)));
	return count;
}

static int trace_release(struct inode *inode, struct file *file)
{
	struct trace *trace;

	if (!(file->f_mode & FMODE_READ))
		return 0;
	trace = ((struct seq_file *)file->private_data)->private;
	if (trace->buffer) {
		marker_stream_destroy(trace->stream);
		marker_buffer_put(trace->buffer);
	}
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

static int snapshot_open(struct inode *inode, struct file *file)
{
	return file->f_mode & FMODE_READ ? open_text(inode, file) : 0;
}

static ssize_t snapshot_write(struct file *file, const char __user *from,
			      size_t count, loff_t *pos)
{
	bool take;
	int err;

	err = marker_command_bool(file, from, count, &take);
	if (err)
		return err;
	if (take)
		err = marker_channel_take_snapshot();
	else
		marker_channel_free_snapshot();
	return err ?: count;
}

const struct file_operations marker_reader_snapshot_fops = {
	.owner = THIS_MODULE,
	.open = snapshot_open,
	.read = seq_read,
	.write = snapshot_write,
	.llseek = trace_llseek,
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
	int cpu = file_cpu(inode), err = -ENOMEM;
	struct marker_buffer *buffer;
	struct pipe *pipe;

	buffer = marker_channel_get_consumer(cpu);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	pipe = kvmalloc(sizeof(*pipe), GFP_KERNEL);
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
	marker_channel_put_consumer(buffer, cpu);
	return err;
}

static int pipe_release(struct inode *inode, struct file *file)
{
	struct pipe *pipe = file->private_data;

	marker_stream_destroy(pipe->stream);
	marker_channel_put_consumer(pipe->buffer, file_cpu(inode));
	kvfree(pipe);
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
		len = marker_stream_print(pipe->stream, item,
					  pipe->text + pipe->len, room);
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
		err = ring_wait(pipe->buffer->ring, cpu);
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

	readable = ring_poll(pipe->buffer->ring, cpu, file, table);
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
 * @buffer:	whose packets, a reference; NULL: there is no snapshot
 * @cpu:	of which CPU
 * @consume:	take them away and wait for more, or copy those there are
 * @lock:	protects the rest; not held while waiting for packets
 * @place:	if not @consume: the next one
 * @horizon:	if not: up to and without the one that begins later
 * @at:		bytes of @data that were read
 * @len:	bytes of @data
 * @spliced:	pages of @data are in a pipe: it is no room for another packet
 * @data:	a packet: pages from ring_subbuf_alloc(), which are exchanged for the
 *		ring's; or if not @consume, room for a copy
 */
struct packets {
	struct marker_buffer *buffer;
	int cpu;
	bool consume;
	struct mutex lock;	/* see above */
	struct marker_place place;
	u64 horizon;
	size_t at;
	size_t len;
	bool spliced;
	void *data;
};

/* Room for the next packet. */
static int packets_alloc(struct packets *packets)
{
	size_t size = marker_buffer_subbuf_size(packets->buffer);

	if (!packets->consume) {
		packets->data = kvmalloc(size, GFP_KERNEL);
	} else {
		if (packets->spliced)
			ring_subbuf_free(packets->data, size);
		packets->data = ring_subbuf_alloc(size, packets->cpu, 0);
	}
	packets->spliced = false;
	return packets->data ? 0 : -ENOMEM;
}

/* A reference to @buffer goes to the file, if that succeeds. */
static int packets_open(struct inode *inode, struct file *file,
			struct marker_buffer *buffer, bool consume)
{
	struct packets *packets;
	int err;

	packets = kzalloc(sizeof(*packets), GFP_KERNEL);
	if (!packets)
		return -ENOMEM;
	mutex_init(&packets->lock);
	packets->buffer = buffer;
	packets->cpu = file_cpu(inode);
	packets->consume = consume;
	if (buffer) {
		err = packets_alloc(packets);
		if (err) {
			kfree(packets);
			return err;
		}
		packets->horizon = marker_buffer_time(buffer);
		marker_buffer_rewind(buffer, packets->cpu, &packets->place);
		ring_flush(buffer->ring, packets->cpu);
	}
	file->private_data = packets;
	return nonseekable_open(inode, file);
}

static int packets_copy(struct packets *packets, struct ring_packet *packet)
{
	const struct ctf_packet_header *header = packets->data;
	struct marker_gap gap;
	int err;

	err = marker_buffer_peek(packets->buffer, packets->cpu, &packets->place,
				 packets->data, packet, &gap);
	if (!err && header->timestamp_begin > packets->horizon)
		err = -EAGAIN;
	return err;
}

static int packets_take(struct packets *packets, struct ring_packet *packet)
{
	struct marker_gap gap;
	int err;

	if (!packets->data || packets->spliced) {
		err = packets_alloc(packets);
		if (err)
			return err;
	}
	return marker_buffer_take(packets->buffer, packets->cpu, NULL,
				  &packets->data, packet, &gap);
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
		err = packets_take(packets, &packet);
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

	if (!count || !packets->buffer)
		return 0;
	for (;;) {
		if (mutex_lock_interruptible(&packets->lock))
			return -ERESTARTSYS;
		done = packets_read_some(packets, to, count);
		if (done == -EAGAIN && packets->consume &&
		    file->f_flags & O_NONBLOCK) {
			ring_flush(packets->buffer->ring, packets->cpu);
			done = packets_read_some(packets, to, count);
		}
		mutex_unlock(&packets->lock);
		if (done != -EAGAIN)
			return done;
		if (!packets->consume)
			return 0;
		if (file->f_flags & O_NONBLOCK)
			return done;
		err = ring_wait_filled(packets->buffer->ring, packets->cpu,
				       marker_channel_wanted(packets->buffer));
		if (err)
			return err;
	}
}

/*
 * What splice_to_pipe() could not use.  (Splice limits the length to what the
 * pipe has room for, so there is hardly anything.)
 */
static void release_page(struct splice_pipe_desc *spd, unsigned int i)
{
	put_page(spd->pages[i]);
}

/*
 * Pages of the packet in hand go into the pipe as they are, up to @count bytes.  The
 * packet ends in the middle of a page.
 */
static ssize_t packets_splice_one(struct packets *packets,
				  struct pipe_inode_info *pipe, size_t count)
{
	struct page *pages[PIPE_DEF_BUFFERS];
	struct partial_page partial[PIPE_DEF_BUFFERS];
	struct splice_pipe_desc spd = {
		.pages = pages,
		.partial = partial,
		.nr_pages_max = PIPE_DEF_BUFFERS,
		.ops = &nosteal_pipe_buf_ops,
		.spd_release = release_page,
	};
	size_t at = packets->at, end = min(packets->len, at + count), part;
	ssize_t done;

	while (at < end && spd.nr_pages < PIPE_DEF_BUFFERS) {
		part = min(end - at, PAGE_SIZE - offset_in_page(at));
		pages[spd.nr_pages] = virt_to_page(packets->data + at);
		get_page(pages[spd.nr_pages]);
		partial[spd.nr_pages].offset = offset_in_page(at);
		partial[spd.nr_pages].len = part;
		spd.nr_pages++;
		at += part;
	}
	packets->spliced = true;
	done = splice_to_pipe(pipe, &spd);
	if (done > 0)
		packets->at += done;
	return done;
}

/* Is there room for all of the packet in hand? */
static bool packet_fits(const struct packets *packets,
			const struct pipe_inode_info *pipe, size_t count)
{
	size_t room = pipe->max_usage - pipe_occupancy(pipe->head, pipe->tail);

	return packets->len <= count &&
	       DIV_ROUND_UP(packets->len, PAGE_SIZE) <= room;
}

/* As packets_read_some(), but another packet is begun only if it fits. */
static ssize_t packets_splice_some(struct packets *packets,
				   struct pipe_inode_info *pipe, size_t count)
{
	size_t done = 0;
	ssize_t part = 0;

	while (done < count && !fatal_signal_pending(current)) {
		part = packets_try(packets);
		if (part)
			break;
		if (done && !packets->at &&
		    !packet_fits(packets, pipe, count - done))
			break;
		part = packets_splice_one(packets, pipe, count - done);
		if (part < 0)
			break;
		done += part;
		cond_resched();
	}
	return done ?: part;
}

static ssize_t raw_splice_read(struct file *file, loff_t *pos,
			       struct pipe_inode_info *pipe, size_t count,
			       unsigned int flags)
{
	bool wait = !(flags & SPLICE_F_NONBLOCK || file->f_flags & O_NONBLOCK);
	struct packets *packets = file->private_data;
	ssize_t done;
	int err;

	if (!count)
		return 0;
	for (;;) {
		if (mutex_lock_interruptible(&packets->lock))
			return -ERESTARTSYS;
		done = packets_splice_some(packets, pipe, count);
		if (done == -EAGAIN && !wait) {
			ring_flush(packets->buffer->ring, packets->cpu);
			done = packets_splice_some(packets, pipe, count);
		}
		mutex_unlock(&packets->lock);
		if (done != -EAGAIN || !wait)
			return done;
		err = ring_wait_filled(packets->buffer->ring, packets->cpu,
				       marker_channel_wanted(packets->buffer));
		if (err)
			return err;
	}
}

static int raw_open(struct inode *inode, struct file *file)
{
	struct marker_buffer *buffer;
	int err;

	buffer = marker_channel_get_consumer(file_cpu(inode));
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	err = packets_open(inode, file, buffer, true);
	if (err)
		marker_channel_put_consumer(buffer, file_cpu(inode));
	return err;
}

static int raw_release(struct inode *inode, struct file *file)
{
	struct packets *packets = file->private_data;

	ring_subbuf_free(packets->data,
			 marker_buffer_subbuf_size(packets->buffer));
	marker_channel_put_consumer(packets->buffer, packets->cpu);
	kfree(packets);
	return 0;
}

static __poll_t raw_poll(struct file *file, poll_table *table)
{
	struct packets *packets = file->private_data;
	bool readable;

	readable = ring_poll_filled(packets->buffer->ring, packets->cpu,
				    marker_channel_wanted(packets->buffer),
				    file, table);
	mutex_lock(&packets->lock);
	readable |= packets->at < packets->len;
	mutex_unlock(&packets->lock);
	return readable ? EPOLLIN | EPOLLRDNORM : 0;
}

const struct file_operations marker_reader_pipe_raw_fops = {
	.owner = THIS_MODULE,
	.open = raw_open,
	.read = packets_read,
	.splice_read = raw_splice_read,
	.poll = raw_poll,
	.release = raw_release,
};

static int copies_open(struct inode *inode, struct file *file)
{
	struct marker_buffer *buffer = marker_channel_get(file_is_snapshot(inode));
	int err;

	err = packets_open(inode, file, buffer, false);
	if (err && buffer)
		marker_buffer_put(buffer);
	return err;
}

static int copies_release(struct inode *inode, struct file *file)
{
	struct packets *packets = file->private_data;

	kvfree(packets->data);
	if (packets->buffer)
		marker_buffer_put(packets->buffer);
	kfree(packets);
	return 0;
}

const struct file_operations marker_reader_stream_fops = {
	.owner = THIS_MODULE,
	.open = copies_open,
	.read = packets_read,
	.release = copies_release,
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
static void metadata_header(const struct marker_metadata_out *out,
			    const struct marker_buffer *buffer)
{
	const struct marker_clock *clock = &buffer->clock;
	struct marker_metadata_env env = {
		.hostname = init_utsname()->nodename,
		.kernel_release = init_utsname()->release,
		.kernel_version = init_utsname()->version,
		.tracer_major = MARKERS_VERSION_MAJOR,
		.tracer_minor = MARKERS_VERSION_MINOR,
		.clock_name = clock->name,
		.clock_description = clock->description,
		.clock_freq = clock->frequency,
		.clock_offset_s = clock->offset_s,
		.clock_offset = clock->offset,
	};

	memcpy(env.uuid, buffer->uuid, sizeof(env.uuid));
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

/* Of a snapshot that is not there: as if there was an empty one. */
static struct marker_buffer *metadata_buffer(const struct inode *inode)
{
	struct marker_buffer *buffer = marker_channel_get(file_is_snapshot(inode));

	return buffer ?: marker_channel_get(false);
}

static int metadata_open(struct inode *inode, struct file *file)
{
	struct marker_buffer *buffer = metadata_buffer(inode);
	struct metadata header = { 0 }, events = { 0 }, *metadata;
	struct marker_metadata_out out = { .emit = metadata_emit };
	u32 nr;

	out.ctx = &header;
	metadata_header(&out, buffer);
	out.ctx = &events;
	nr = metadata_events(&out, U32_MAX);

	/* sethostname() may come in between: room to spare */
	header.len += 4 * __NEW_UTS_LEN;
	metadata = kvmalloc(sizeof(*metadata) + header.len + events.len,
			    GFP_KERNEL);
	if (!metadata) {
		marker_buffer_put(buffer);
		return -ENOMEM;
	}
	metadata->size = header.len + events.len;
	metadata->len = 0;
	out.ctx = metadata;
	metadata_header(&out, buffer);
	metadata_events(&out, nr);
	marker_buffer_put(buffer);
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
