// SPDX-License-Identifier: GPL-2.0
/*
 * ctf/metadata: what the packets of a CTF trace mean.  Process context.
 *
 * Position 0 is what comes before the events, then each event by its id.
 * Events are never forgotten and never change, so it takes no lock to read them, and
 * the text is that of the time when the file was opened.
 */
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include <markers/format/metadata.h>
#include <markers/model/registry.h>
#include <markers/read/env.h>
#include <markers/record/record.h>
#include "command.h"
#include "file.h"
#include "reader.h"

/**
 * struct metadata - one that is open
 * @uuid:	of the trace that it describes
 * @clock:	of that trace
 * @contexts:	of that trace: MARKER_CONTEXT_TAG()
 * @nr:		events that were known when it was opened
 *
 * It has no reference to the buffer, which would keep that in memory.
 */
struct metadata {
	u8 uuid[CTF_UUID_SIZE];
	struct marker_clock clock;
	u32 contexts;
	u32 nr;
};

static void *metadata_start(struct seq_file *seq, loff_t *pos)
{
	const struct metadata *metadata = seq->private;

	if (!*pos)
		return SEQ_START_TOKEN;
	return *pos <= metadata->nr ? marker_registry_by_id(*pos - 1) : NULL;
}

static void *metadata_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return metadata_start(seq, pos);
}

static void metadata_stop(struct seq_file *seq, void *v)
{
}

static void metadata_emit(void *ctx, const char *text, size_t len)
{
	seq_write(ctx, text, len);
}

static int metadata_show(struct seq_file *seq, void *v)
{
	const struct marker_metadata_out out = { .emit = metadata_emit, .ctx = seq };
	const struct metadata *metadata = seq->private;
	const struct marker_event *event = v;

	if (v == SEQ_START_TOKEN)
		marker_env_header(&out, metadata->uuid, &metadata->clock, metadata->contexts);
	else
		marker_metadata_event(&out, metadata->uuid, event->id, event->title,
				      &event->format);
	return 0;
}

static const struct seq_operations metadata_seq_ops = {
	.start = metadata_start,
	.next = metadata_next,
	.stop = metadata_stop,
	.show = metadata_show,
};

/* Without a snapshot: the buffer of an empty one. */
static struct marker_buffer *metadata_buffer(const struct inode *inode)
{
	struct marker_buffer *buffer = marker_reader_get(inode);

	return buffer ?: marker_recording_get(marker_reader_recording_of(inode), false);
}

static int metadata_open(struct inode *inode, struct file *file)
{
	struct marker_buffer *buffer;
	struct metadata *metadata;

	metadata = __seq_open_private(file, &metadata_seq_ops, sizeof(*metadata));
	if (!metadata)
		return -ENOMEM;
	buffer = metadata_buffer(inode);
	memcpy(metadata->uuid, buffer->uuid, sizeof(metadata->uuid));
	metadata->clock = buffer->clock;
	metadata->contexts = marker_buffer_contexts(buffer);
	marker_buffer_put(buffer);
	while (marker_registry_by_id(metadata->nr))
		metadata->nr++;
	return 0;
}

const struct marker_methods marker_reader_metadata_file = {
	.fops = &marker_methods_fops,
	.open = metadata_open,
	.read = seq_read,
	.write = marker_command_read_only,
	.llseek = seq_lseek,
	.release = seq_release_private,
};
