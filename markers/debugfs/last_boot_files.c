// SPDX-License-Identifier: GPL-2.0
/*
 * Files to read the last boot's trace from: last_boot/trace, last_boot/ctf.  Process context.
 *
 * It does not change, and takes no lock to read.  What is written to trace frees it, but an
 * open file keeps what it reads.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <markers/format/print.h>
#include <markers/after/last_boot.h>
#include <markers/after/recover.h>
#include "command.h"
#include "file.h"
#include "last_boot_files.h"

/**
 * struct text - a last_boot/trace that is open for reading
 * @boot:	what is read, a reference; NULL: there is none
 * @why:	and why
 * @reader:	its lines
 * @pos:	the position of its current line, from 1; position 0 is the heading
 */
struct text {
	struct marker_last_boot *boot;
	const char *why;
	struct marker_last_boot_reader *reader;
	loff_t pos;
};

static void *current_line(struct text *text)
{
	return marker_last_boot_more(text->reader) ? text->reader : NULL;
}

static void *text_start(struct seq_file *seq, loff_t *pos)
{
	struct text *text = seq->private;

	if (!*pos)
		return SEQ_START_TOKEN;
	if (!text->boot)
		return NULL;
	if (*pos < text->pos) {
		marker_last_boot_rewind(text->reader);
		text->pos = 1;
	}
	while (text->pos < *pos && current_line(text)) {
		marker_last_boot_next(text->reader);
		text->pos++;
	}
	return current_line(text);
}

static void *text_next(struct seq_file *seq, void *v, loff_t *pos)
{
	struct text *text = seq->private;

	++*pos;
	if (!text->boot)
		return NULL;
	if (v == SEQ_START_TOKEN)
		return text_start(seq, pos);
	marker_last_boot_next(text->reader);
	text->pos++;
	return current_line(text);
}

static void text_stop(struct seq_file *seq, void *v)
{
}

static void show_heading(struct seq_file *seq, const struct marker_recovered *trace)
{
	size_t size, len;
	char *buf;

	seq_printf(seq,
		   "# tracer: markers\n"
		   "#\n"
		   "# entries: %llu   lost: %llu   clock: %s\n",
		   trace->nr_events, trace->nr_lost, trace->clock.name);
	if (trace->nr_bad)
		seq_printf(seq, "# damaged packets that are not shown: %u\n", trace->nr_bad);
	seq_puts(seq, "#\n");
	size = seq_get_buf(seq, &buf);
	len = marker_print_legend(buf, size, marker_context_set(trace->contexts));
	/* No room: seq_file comes back with a larger buffer. */
	seq_commit(seq, len + 1 < size ? (int)len : -1);
}

static int last_boot_text_show(struct seq_file *seq, void *v)
{
	const struct text *text = seq->private;
	size_t size, len;
	char *buf;

	if (v == SEQ_START_TOKEN) {
		if (text->boot)
			show_heading(seq, marker_last_boot_trace(text->boot));
		else
			seq_printf(seq, "# no trace of the last boot: %s\n", text->why);
		return 0;
	}
	size = seq_get_buf(seq, &buf);
	len = marker_last_boot_print(text->reader, buf, size);
	/* No room: as above. */
	seq_commit(seq, len + 1 < size ? (int)len : -1);
	return 0;
}

static const struct seq_operations text_seq_ops = {
	.start = text_start,
	.next = text_next,
	.stop = text_stop,
	.show = last_boot_text_show,
};

static void end_text(struct text *text)
{
	kvfree(text->reader);
	marker_last_boot_put(text->boot);
}

/* Return: 0, or -ENOMEM; with @drop, which leaves nothing to read, the trace stays then. */
static int open_text(struct inode *inode, struct file *file, bool drop)
{
	struct text *text = __seq_open_private(file, &text_seq_ops, sizeof(*text));

	if (!text)
		return -ENOMEM;
	if (drop)
		marker_last_boot_drop();
	text->pos = 1;
	text->boot = marker_last_boot_get(&text->why);
	if (!text->boot)
		return 0;
	text->reader = marker_last_boot_read(marker_last_boot_trace(text->boot));
	if (text->reader)
		return 0;
	end_text(text);
	seq_release_private(inode, file);
	return -ENOMEM;
}

static int last_boot_text_open(struct inode *inode, struct file *file)
{
	const bool drop = file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC;

	if (file->f_mode & FMODE_READ)
		return open_text(inode, file, drop);
	if (drop)
		marker_last_boot_drop();
	return 0;
}

/* Whatever is written, it means "free". */
static ssize_t text_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	const ssize_t taken = marker_command_discard(from, count);

	if (taken > 0)
		marker_last_boot_drop();
	return taken;
}

static int text_release(struct inode *inode, struct file *file)
{
	if (!(file->f_mode & FMODE_READ))
		return 0;
	end_text(((struct seq_file *)file->private_data)->private);
	return seq_release_private(inode, file);
}

const struct marker_methods marker_last_boot_trace_file = {
	.fops = &marker_methods_fops,
	.open = last_boot_text_open,
	.read = seq_read,
	.write = text_write,
	.llseek = marker_file_llseek,
	.release = text_release,
};

/*
 * ctf/
 */

static int bytes_open(struct inode *inode, struct file *file)
{
	const char *why;

	file->private_data = marker_last_boot_get(&why);
	return file->private_data ? 0 : -ENODATA;
}

static int bytes_release(struct inode *inode, struct file *file)
{
	marker_last_boot_put(file->private_data);
	return 0;
}

static ssize_t metadata_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	const struct marker_recovered *trace = marker_last_boot_trace(file->private_data);

	return simple_read_from_buffer(to, count, pos, trace->metadata, strlen(trace->metadata));
}

static ssize_t stream_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	const struct marker_recovered *trace = marker_last_boot_trace(file->private_data);
	const struct marker_recovered_packet *first, *last;
	const struct marker_recovered_cpu *cpu;

	cpu = &trace->cpu[(unsigned long)file_inode(file)->i_private];
	first = &trace->packet[cpu->from];
	last = &trace->packet[cpu->to - 1];
	return simple_read_from_buffer(to, count, pos, trace->data + first->at,
				       last->at + last->size - first->at);
}

const struct marker_methods marker_last_boot_metadata_file = {
	.fops = &marker_methods_fops,
	.open = bytes_open,
	.read = metadata_read,
	.write = marker_command_read_only,
	.llseek = default_llseek,
	.release = bytes_release,
};

const struct marker_methods marker_last_boot_stream_file = {
	.fops = &marker_methods_fops,
	.open = bytes_open,
	.read = stream_read,
	.write = marker_command_read_only,
	.llseek = default_llseek,
	.release = bytes_release,
};
