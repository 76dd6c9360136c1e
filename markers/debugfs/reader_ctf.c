// SPDX-License-Identifier: GPL-2.0
/*
 * Files to read the packets of a CTF trace from: trace_pipe_raw and ctf/stream_N.  Process
 * context.
 *
 * ctf/stream_N copies what is in the buffers and leaves it there.  trace_pipe_raw takes
 * it away, waits for more, and so is for one at a time: there is one consumer of
 * each CPU.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pipe_fs_i.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/splice.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <markers/record/record.h>
#include "command.h"
#include "file.h"
#include "reader.h"

/**
 * struct packets - one of these that is open
 * @buffer:	whose packets, of a consumer a reference; NULL: there is no snapshot
 * @cpu:	of which CPU
 * @consume:	take them away and wait for more, or copy those there are
 * @lock:	protects the rest; not held while waiting for packets
 * @place:	if not @consume: the next one, and where it ends
 * @at:		bytes of @data that were read
 * @len:	bytes of @data
 * @spliced:	pages of @data are in a pipe: it is no room for another packet
 * @kept:	what was spliced earlier, to be used again
 * @data:	a packet: pages from ring_subbuf_alloc(), which are exchanged for the
 *		ring's; or if not @consume, room for a copy
 */
struct packets {
	struct marker_buffer *buffer;
	int cpu;
	bool consume;
	struct mutex lock;	/* see above */
	struct marker_place place;
	size_t at;
	size_t len;
	bool spliced;
	void *kept[PIPE_DEF_BUFFERS];
	void *data;
};

/*
 * Pages that were spliced are kept until the readers of the pipe have released them,
 * and then used again: new ones are more work than all the rest, above all where the
 * kernel clears them.  One more is kept than fills a pipe.
 */
static unsigned int max_kept(size_t size)
{
	return min_t(size_t, PIPE_DEF_BUFFERS,
		     PIPE_DEF_BUFFERS * PAGE_SIZE / size + 1);
}

/* Are ours the only references to these pages? */
static bool is_ours(void *data, size_t size)
{
	size_t at;

	for (at = 0; at < size; at += PAGE_SIZE) {
		if (page_count(virt_to_page(data + at)) != 1)
			return false;
	}
	/* the reader that dropped the last reference is done */
	smp_acquire__after_ctrl_dep();
	return true;
}

static void keep_subbuf(struct packets *packets, void *data, size_t size)
{
	unsigned int i;

	for (i = 0; i < max_kept(size); i++) {
		if (!packets->kept[i]) {
			packets->kept[i] = data;
			return;
		}
	}
	ring_subbuf_free(data, size);
}

/* NULL: none can be used yet. */
static void *find_kept_subbuf(struct packets *packets, size_t size)
{
	unsigned int i;
	void *data;

	for (i = 0; i < max_kept(size); i++) {
		data = packets->kept[i];
		if (data && is_ours(data, size)) {
			packets->kept[i] = NULL;
			return data;
		}
	}
	return NULL;
}

/*
 * Room for the next packet.  First look for what was kept, then keep what was spliced:
 * with sub-buffers larger than a pipe there is room for one, which would be taken.
 */
static int packets_alloc(struct packets *packets)
{
	size_t size = marker_buffer_subbuf_size(packets->buffer);
	void *data;

	if (!packets->consume)
		data = kvmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_NORETRY);
	else
		data = find_kept_subbuf(packets, size) ?: ring_subbuf_alloc(size, packets->cpu, 0);
	if (!data)
		return -ENOMEM;
	if (packets->spliced)
		keep_subbuf(packets, packets->data, size);
	packets->data = data;
	packets->spliced = false;
	return 0;
}

static int packets_begin(struct packets *packets)
{
	struct marker_buffer *buffer = packets->buffer;
	int err;

	if (packets->consume) {
		err = packets_alloc(packets);
		if (!err)
			ring_flush(buffer->ring, packets->cpu);
		return err;
	}
	if (!marker_buffer_enter(buffer))
		return -ESTALE;
	err = packets_alloc(packets);
	if (!err)
		marker_buffer_rewind(buffer, packets->cpu, &packets->place);
	marker_buffer_leave(buffer);
	return err;
}

/* @buffer belongs to the file, if that succeeds. */
static int packets_open(struct inode *inode, struct file *file,
			struct marker_buffer *buffer, bool consume)
{
	struct packets *packets;
	int err;

	packets = kzalloc(sizeof(*packets), GFP_KERNEL_ACCOUNT);
	if (!packets)
		return -ENOMEM;
	mutex_init(&packets->lock);
	packets->buffer = buffer;
	packets->cpu = marker_reader_cpu_of(inode);
	packets->consume = consume;
	err = buffer ? packets_begin(packets) : 0;
	if (err) {
		kfree(packets);
		return err;
	}
	file->private_data = packets;
	return nonseekable_open(inode, file);
}

static int packets_copy(struct packets *packets, struct ring_packet *packet)
{
	struct marker_gap gap;
	int err;

	if (!marker_buffer_enter(packets->buffer))
		return -ESTALE;
	err = marker_buffer_peek(packets->buffer, packets->cpu, &packets->place,
				 packets->data, packet, &gap);
	marker_buffer_leave(packets->buffer);
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
	/* the pages of a region cannot go into a pipe */
	if (marker_buffer_is_in_region(packets->buffer))
		return marker_buffer_take(packets->buffer, packets->cpu, packets->data, NULL,
					  packet, &gap);
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

/* Until there may be another packet. */
static int packets_wait(struct packets *packets)
{
	int err = ring_wait_filled(packets->buffer->ring, packets->cpu,
				   marker_recording_needed);

	if (err)
		return err;
	cond_resched();
	return signal_pending(current) ? -ERESTARTSYS : 0;
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
		err = packets_wait(packets);
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
		err = packets_wait(packets);
		if (err)
			return err;
	}
}

static int raw_open(struct inode *inode, struct file *file)
{
	struct marker_recording *recording = marker_reader_recording_of(inode);
	struct marker_log_scope scope;
	struct marker_buffer *buffer;
	int err;

	marker_command_enter(&scope, file);
	buffer = marker_recording_get_consumer(recording, marker_reader_cpu_of(inode));
	marker_log_leave(&scope);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	err = packets_open(inode, file, buffer, true);
	if (err)
		marker_recording_put_consumer(recording, buffer, marker_reader_cpu_of(inode));
	return err;
}

static int raw_release(struct inode *inode, struct file *file)
{
	struct packets *packets = file->private_data;
	size_t size = marker_buffer_subbuf_size(packets->buffer);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(packets->kept); i++)
		ring_subbuf_free(packets->kept[i], size);
	ring_subbuf_free(packets->data, size);
	marker_recording_put_consumer(marker_reader_recording_of(inode), packets->buffer,
				      packets->cpu);
	kfree(packets);
	return 0;
}

/*
 * A reader that holds the lock may hold it for long, in a page fault.  It has data, and what
 * it leaves is not known yet, so answer yes.
 */
static bool packets_has_more(struct packets *packets)
{
	bool more;

	if (!mutex_trylock(&packets->lock))
		return true;
	more = packets->at < packets->len;
	mutex_unlock(&packets->lock);
	return more;
}

static __poll_t raw_poll(struct file *file, poll_table *table)
{
	struct packets *packets = file->private_data;
	bool readable;

	readable = ring_poll_filled(packets->buffer->ring, packets->cpu,
				    marker_recording_needed,
				    file, table) || packets_has_more(packets);
	return readable ? EPOLLIN | EPOLLRDNORM : 0;
}

/* Only open is guarded, as that of trace_pipe (reader_text.c). */
static const struct file_operations raw_fops = {
	.owner = THIS_MODULE,
	.open = __marker_methods_open,
	.read = packets_read,
	.write = marker_command_read_only,
	.splice_read = raw_splice_read,
	.poll = raw_poll,
	.release = raw_release,
};

const struct marker_methods marker_reader_pipe_raw_file = {
	.fops = &raw_fops,
	.open = raw_open,
};

static int copies_open(struct inode *inode, struct file *file)
{
	struct marker_buffer *buffer = marker_reader_open(inode);
	const int err = packets_open(inode, file, buffer, false);

	if (err && buffer)
		marker_buffer_close(buffer);
	return err;
}

static int copies_release(struct inode *inode, struct file *file)
{
	struct packets *packets = file->private_data;

	kvfree(packets->data);
	if (packets->buffer)
		marker_buffer_close(packets->buffer);
	kfree(packets);
	return 0;
}

const struct marker_methods marker_reader_stream_file = {
	.fops = &marker_methods_fops,
	.open = copies_open,
	.read = packets_read,
	.write = marker_command_read_only,
	.release = copies_release,
};
