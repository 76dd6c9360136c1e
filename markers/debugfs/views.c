// SPDX-License-Identifier: GPL-2.0
/*
 * The files of a recording.  Process context.
 */
#include <linux/cpumask.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/seq_file.h>

#include <markers/hit/dispatch.h>
#include <markers/record/record.h>
#include "event_dirs.h"
#include "events.h"
#include "file.h"
#include "hists.h"
#include "hits.h"
#include "lists.h"
#include "notes.h"
#include "reader.h"
#include "settings.h"
#include "triggers.h"
#include "views.h"

/*
 * per_cpu/cpuN/stats
 */

static int stats_show(struct seq_file *seq, void *unused)
{
	const struct marker_view *view = seq->private;
	struct marker_buffer *buffer;
	struct ring_stats stats;
	u64 lost;
	int i;

	buffer = marker_recording_get(view->recording, false);
	ring_stats(buffer->ring, view->cpu, &stats);
	marker_buffer_put(buffer);
	lost = stats.overwritten;
	for (i = 0; i < RING_NR_LOST; i++)
		lost += stats.lost[i];
	seq_printf(seq, "written: %llu\n", stats.written);
	seq_printf(seq, "read: %llu\n", stats.read);
	seq_printf(seq, "unread: %llu\n", stats.unread);
	seq_printf(seq, "open: %llu\n", stats.open);
	seq_printf(seq, "lost: %llu\n", lost);
	seq_printf(seq, "lost_full: %llu\n", stats.lost[RING_LOST_FULL]);
	seq_printf(seq, "lost_big: %llu\n", stats.lost[RING_LOST_BIG]);
	seq_printf(seq, "lost_no_buffer: %llu\n",
		   stats.lost[RING_LOST_NO_BUFFER]);
	seq_printf(seq, "lost_overwritten: %llu\n", stats.overwritten);
	if (view->recording == &marker_top)
		seq_printf(seq, "skipped: %llu\n", marker_dispatch_skipped(view->cpu));
	return 0;
}
DEFINE_MARKER_SHOW_ATTRIBUTE(stats);

/* By CPU from RING_ALL_CPUS on. */
struct marker_view *marker_views_create(struct marker_recording *recording)
{
	struct marker_view *views;
	unsigned int i;

	views = kvcalloc(2 * (nr_cpu_ids + 1), sizeof(*views), GFP_KERNEL);
	for (i = 0; views && i < 2 * (nr_cpu_ids + 1); i++) {
		views[i].recording = recording;
		views[i].cpu = RING_ALL_CPUS + (int)(i / 2);
		views[i].snapshot = i & 1;
	}
	return views;
}

/* One of them. */
static void *find_view(const struct marker_view *views, int cpu, bool snapshot)
{
	return (void *)&views[2 * (cpu - RING_ALL_CPUS) + snapshot];
}

/* The view with the snapshot follows the one without. */
static const void *snapshot_view(struct dentry *dir)
{
	return (const struct marker_view *)d_inode(dir)->i_private + 1;
}

static const struct marker_file reader_files[] = {
	{ "trace", 0640, &marker_reader_trace_file },
	{ "trace_pipe", 0440, &marker_reader_trace_pipe_file },
	{ }
};

/*
 * per_cpu/cpuN; i_private: the view of the CPU
 */

static const struct marker_file cpu_files[] = {
	{ "stats", 0440, &stats_file },
	{ "trace_pipe_raw", 0440, &marker_reader_pipe_raw_file },
	{ }
};

static const struct marker_file cpu_snapshot_files[] = {
	{ "snapshot", 0440, &marker_reader_snapshot_cpu_file },
	{ }
};

static const struct marker_group cpu_groups[] = {
	{ reader_files },
	{ cpu_files },
	{ cpu_snapshot_files, .private = snapshot_view },
	{ }
};

static const struct marker_dir cpu_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_CPU,
	.groups = { cpu_groups },
};

/* The first possible CPU from @at on, which is moved past it; or -1. */
static int next_cpu(loff_t *at)
{
	int cpu = *at < nr_cpu_ids ? cpumask_next(*at - 1, cpu_possible_mask) : nr_cpu_ids;

	*at = cpu + 1;
	return cpu < nr_cpu_ids ? cpu : -1;
}

static bool next_cpu_dir(struct dentry *dir, loff_t *at, struct marker_entry *entry)
{
	const int cpu = next_cpu(at);

	if (cpu < 0)
		return false;
	snprintf(entry->text, sizeof(entry->text), "cpu%d", cpu);
	entry->name = entry->text;
	entry->id = cpu;
	entry->dir = &cpu_dir;
	entry->private = find_view(d_inode(dir)->i_private, cpu, false);
	return true;
}

/* i_private of what is below: the views of the recording */
static const struct marker_dir per_cpu_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_PER_CPU,
	.next = next_cpu_dir,
};

/*
 * ctf, snapshot_ctf
 */

/*
 * A copy must read the metadata last: then they describe all events in the streams.  So they are
 * listed last, and GNU "cp -r" sorts by inode number, so they get the highest one.
 */
#define METADATA_ID	65000

static bool next_stream(struct dentry *dir, loff_t *at, struct marker_entry *entry, bool snapshot)
{
	const struct marker_view *views = d_inode(dir)->i_private;
	const bool all = *at <= nr_cpu_ids;
	const int cpu = next_cpu(at);

	if (cpu < 0 && !all)
		return false;
	entry->name = entry->text;
	entry->mode = 0440;
	if (cpu >= 0) {
		snprintf(entry->text, sizeof(entry->text), "stream_%d", cpu);
		entry->id = cpu;
		entry->methods = &marker_reader_stream_file;
		entry->private = find_view(views, cpu, snapshot);
		return true;
	}
	entry->name = "metadata";
	entry->id = METADATA_ID;
	entry->methods = &marker_reader_metadata_file;
	entry->private = find_view(views, RING_ALL_CPUS, snapshot);
	return true;
}

static bool next_ctf_file(struct dentry *dir, loff_t *at, struct marker_entry *entry)
{
	return next_stream(dir, at, entry, false);
}

static bool next_snapshot_ctf_file(struct dentry *dir, loff_t *at, struct marker_entry *entry)
{
	return next_stream(dir, at, entry, true);
}

static const struct marker_dir ctf_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_CTF,
	.next = next_ctf_file,
};

static const struct marker_dir snapshot_ctf_dir = {
	.iops = MARKER_DIR_IOPS,
	.number = MARKER_DIR_SNAPSHOT_CTF,
	.next = next_snapshot_ctf_file,
};

/*
 * All of a recording
 */

static const void *recording_of(struct dentry *dir)
{
	return marker_reader_recording_of(d_inode(dir));
}

/* i_private of the file enable of all markers */
static const void *no_module(struct dentry *dir)
{
	return NULL;
}

static const struct marker_file snapshot_files[] = {
	{ "snapshot", 0640, &marker_reader_snapshot_file },
	{ }
};

static const struct marker_file view_dirs[] = {
	{ "per_cpu", .dir = &per_cpu_dir },
	{ "ctf", .dir = &ctf_dir },
	{ "snapshot_ctf", .dir = &snapshot_ctf_dir },
	{ }
};

const struct marker_group marker_recording_groups[] = {
	{ marker_enable_files, .private = no_module },
	{ marker_list_files, .private = recording_of },
	{ marker_hits_files, .private = recording_of },
	{ marker_triggers_files, .private = recording_of },
	{ marker_hists_files, .private = recording_of },
	{ marker_note_files, .private = recording_of },
	{ marker_settings_files, .private = recording_of },
	{ reader_files },
	{ snapshot_files, .private = snapshot_view },
	{ marker_events_files },
	{ view_dirs },
	{ }
};
