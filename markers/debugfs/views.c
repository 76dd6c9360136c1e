// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the files of a recording.  Process context.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/seq_file.h>

#include <markers/hit/dispatch.h>
#include <markers/record/record.h>
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

/* i_private: struct marker_view, as of all files below */
static const struct marker_file reader_files[] = {
	{ "trace", 0640, &marker_reader_trace_fops },
	{ "trace_pipe", 0440, &marker_reader_trace_pipe_fops },
	{ }
};

static const struct marker_file cpu_files[] = {
	{ "stats", 0440, &stats_fops },
	{ }
};

/* Give @dentry the higher one of two inode numbers. */
static void raise_ino(struct dentry *dentry, struct dentry *other)
{
	if (IS_ERR(dentry) || IS_ERR(other))
		return;
	if (d_inode(dentry)->i_ino < d_inode(other)->i_ino)
		swap(d_inode(dentry)->i_ino, d_inode(other)->i_ino);
}

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
static void *find_view(struct marker_view *views, int cpu, bool snapshot)
{
	return &views[2 * (cpu - RING_ALL_CPUS) + snapshot];
}

/*
 * A copy must read the metadata last: then they describe all events in the streams.  A
 * directory is listed from its newest file to the oldest, so the metadata are made
 * first.  GNU "cp -r" sorts by inode number, so they get the highest one.  (New
 * numbers do not ascend if this task moves to another CPU.)
 */
static void create_ctf(struct dentry *dir, struct marker_view *views, bool snapshot)
{
	struct dentry *metadata, *stream;
	char name[32];
	int cpu;

	metadata = marker_file_create("metadata", 0440, dir,
				      find_view(views, RING_ALL_CPUS, snapshot),
				      &marker_reader_metadata_fops);
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "stream_%d", cpu);
		stream = marker_file_create(name, 0440, dir,
					    find_view(views, cpu, snapshot),
					    &marker_reader_stream_fops);
		raise_ino(metadata, stream);
	}
}

static void create_cpu(struct dentry *per_cpu_dir, struct marker_view *views, int cpu)
{
	void *private = find_view(views, cpu, false);
	struct dentry *dir;
	char name[32];

	snprintf(name, sizeof(name), "cpu%d", cpu);
	dir = debugfs_create_dir(name, per_cpu_dir);
	marker_file_create_all(dir, reader_files, private);
	marker_file_create_all(dir, cpu_files, private);
	marker_file_create("snapshot", 0440, dir, find_view(views, cpu, true),
			   &marker_reader_snapshot_cpu_fops);
	marker_file_create("trace_pipe_raw", 0440, dir, private, &marker_reader_pipe_raw_fops);
}

void marker_views_create_files(struct dentry *dir, struct marker_view *views)
{
	struct dentry *per_cpu_dir;
	int cpu;

	marker_file_create_all(dir, marker_enable_files, NULL);
	marker_file_create_all(dir, marker_list_files, views->recording);
	marker_file_create_all(dir, marker_hits_files, views->recording);
	marker_file_create_all(dir, marker_triggers_files, views->recording);
	marker_file_create_all(dir, marker_hists_files, views->recording);
	marker_file_create_all(dir, marker_note_files, views->recording);
	marker_file_create_all(dir, marker_settings_files, views->recording);
	marker_file_create_all(dir, reader_files, find_view(views, RING_ALL_CPUS, false));
	marker_file_create("snapshot", 0640, dir, find_view(views, RING_ALL_CPUS, true),
			   &marker_reader_snapshot_file.fops);
	per_cpu_dir = debugfs_create_dir("per_cpu", dir);
	for_each_possible_cpu(cpu)
		create_cpu(per_cpu_dir, views, cpu);
	create_ctf(debugfs_create_dir("ctf", dir), views, false);
	create_ctf(debugfs_create_dir("snapshot_ctf", dir), views, true);
}
