// SPDX-License-Identifier: GPL-2.0
/*
 * The file hist: the hists of a marker; hists and hists.tsv: all those of a recording;
 * latencies: its pairs of markers.  Process context.
 *
 * Opening a file copies the counts under the registry mutex, and adds them up without it;
 * reading only prints the result.  So all lines show the same moment, and a reader holds no
 * lock.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/control/triggers.h>
#include <markers/hist/table.h>
#include <markers/hit/hists.h>
#include <markers/hit/latencies.h>
#include <markers/model/program.h>
#include <markers/model/registry.h>
#include <markers/model/rules.h>
#include <markers/record/record.h>
#include "command.h"
#include "command_file.h"
#include "hists.h"

/**
 * struct hist_view - one hist
 * @event:	its event
 * @hist:	what is counted
 * @table:	the rows
 * @what:	the trigger's text
 * @filter:	its filter, or NULL
 * @paused:	it does not count now
 */
struct hist_view {
	const struct marker_event *event;
	struct marker_hist hist;
	struct marker_table *table;
	char *what;
	char *filter;
	bool paused;
};

/**
 * struct hist_file - an open file
 * @event:	its event; NULL: the hists of all events
 * @recording:	whose
 * @is_tsv:	as columns
 * @nr:		how many hists
 * @line:	room for a row
 * @view:	the hists
 */
struct hist_file {
	struct marker_event *event;
	const struct marker_recording *recording;
	bool is_tsv;
	unsigned int nr;
	char line[MARKER_TABLE_LINE];
	struct hist_view view[];
};

/* The next hist of a recording from @i on, which moves past it; NULL: there is none. */
static struct marker_action *next_hist(const struct marker_event *event,
				       const struct marker_recording *recording, unsigned int *i)
{
	const struct marker_actions *actions = marker_program_actions(event);
	struct marker_action *action;

	while (actions && *i < actions->nr) {
		action = actions->action[(*i)++];
		if (action->kind == MARKER_ACTION_HIST && action->recording == recording)
			return action;
	}
	return NULL;
}

bool marker_hists_any(const struct marker_event *event, const struct marker_recording *recording)
{
	const struct marker_actions *actions;
	const struct marker_action *action;
	bool any = false;
	unsigned int i;

	rcu_read_lock();
	actions = marker_program_actions(event);
	for (i = 0; actions && i < actions->nr; i++) {
		action = actions->action[i];
		any |= action->kind == MARKER_ACTION_HIST && action->recording == recording;
	}
	rcu_read_unlock();
	return any;
}

static int fill_view(struct hist_view *view, const struct marker_action *action)
{
	const struct marker_hist_run *run = action->data;
	const struct marker_trigger *trigger = action->trigger;

	view->event = action->event;
	view->hist = run->hist;
	view->paused = !rcu_access_pointer(run->live);
	view->what = kstrdup(trigger->what, GFP_KERNEL_ACCOUNT);
	view->table = marker_table_read(&run->hist, run->map);
	if (!view->what || !view->table)
		return -ENOMEM;
	if (!trigger->filter)
		return 0;
	view->filter = kstrdup(trigger->filter, GFP_KERNEL_ACCOUNT);
	return view->filter ? 0 : -ENOMEM;
}

static void free_file(struct hist_file *hists)
{
	unsigned int i;

	for (i = 0; i < hists->nr; i++) {
		kvfree(hists->view[i].table);
		kfree(hists->view[i].what);
		kfree(hists->view[i].filter);
	}
	kvfree(hists);
}

static unsigned int count_hists(const struct marker_event *event,
				const struct marker_recording *recording)
{
	unsigned int i, nr = 0;

	for (i = 0; next_hist(event, recording, &i); nr++)
		;
	return nr;
}

static int add_views(struct hist_file *hists, const struct marker_event *event)
{
	const struct marker_action *action;
	unsigned int i = 0;
	int err = 0;

	while (!err && (action = next_hist(event, hists->recording, &i)))
		err = fill_view(&hists->view[hists->nr++], action);
	return err;
}

/*
 * The hists of @only, or of all; none for a file that is not read.  The file hist goes with its
 * last hist, but its path stays while the file is open.  Registry mutex held.
 */
static struct hist_file *make_file(const struct marker_recording *recording,
				   struct marker_event *only, bool read)
{
	struct marker_event *event;
	struct hist_file *hists;
	unsigned int nr = 0;
	int err = 0;

	if (only && !count_hists(only, recording))
		return ERR_PTR(-ENOENT);
	for_each_event(event) {
		if (read && (!only || event == only))
			nr += count_hists(event, recording);
		cond_resched();
	}
	hists = kvzalloc(struct_size(hists, view, nr), GFP_KERNEL_ACCOUNT);
	if (!hists)
		return ERR_PTR(-ENOMEM);
	hists->event = only;
	hists->recording = recording;
	for_each_event(event) {
		if (!err && read && (!only || event == only))
			err = add_views(hists, event);
		cond_resched();
	}
	if (!err)
		return hists;
	free_file(hists);
	return ERR_PTR(err);
}

static void sort_file(struct hist_file *hists)
{
	unsigned int i;

	for (i = 0; i < hists->nr; i++)
		marker_table_sort(hists->view[i].table, &hists->view[i].hist);
}

/*
 * A position is the number of a hist, and of a line in it: the head, the rows, the foot.
 */
#define LINES	(U32_MAX + 1ll)

static void *find_line(struct seq_file *seq, loff_t *pos)
{
	const struct hist_file *hists = seq->private;
	unsigned int nr = *pos / LINES;

	if (nr < hists->nr && *pos % LINES > hists->view[nr].table->nr + 1ll)
		*pos = ++nr * LINES;
	return nr < hists->nr ? (void *)&hists->view[nr] : NULL;
}

static void *hist_start(struct seq_file *seq, loff_t *pos)
{
	return find_line(seq, pos);
}

static void *hist_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return find_line(seq, pos);
}

static void hist_stop(struct seq_file *seq, void *v)
{
}

static void show_head(struct seq_file *seq, const struct hist_view *view)
{
	struct hist_file *hists = seq->private;

	if (view != hists->view)
		seq_putc(seq, '\n');
	if (hists->is_tsv) {
		seq_printf(seq, "# %s %s%s%s\n", view->event->title, view->what,
			   view->filter ? " if " : "", view->filter ?: "");
		seq_puts(seq, marker_table_tsv_head(hists->line, &view->hist));
		return;
	}
	seq_printf(seq, "# event histogram%s%s\n#\n# trigger info: %s%s%s [%s]\n#\n\n",
		   hists->event ? "" : " of ", hists->event ? "" : view->event->title,
		   view->what, view->filter ? " if " : "", view->filter ?: "",
		   view->paused ? "paused" : "active");
}

static void show_foot(struct seq_file *seq, const struct hist_view *view)
{
	const struct hist_file *hists = seq->private;
	const struct marker_table *table = view->table;

	if (!hists->is_tsv)
		seq_printf(seq, "\nTotals:\n    Hits: %llu\n    Entries: %u\n    Dropped: %llu\n",
			   table->hits + table->dropped, table->nr, table->dropped);
	else if (table->dropped)
		seq_printf(seq, "# dropped: %llu\n", table->dropped);
}

static int hist_show(struct seq_file *seq, void *v)
{
	struct hist_file *hists = seq->private;
	const struct hist_view *view = v;
	u32 line = seq->index % LINES;
	const u64 *row;

	if (!line) {
		show_head(seq, view);
	} else if (line > view->table->nr) {
		show_foot(seq, view);
	} else {
		row = marker_table_row(view->table, line - 1);
		seq_puts(seq, hists->is_tsv ?
			      marker_table_tsv(hists->line, &view->hist, row) :
			      marker_table_print(hists->line, &view->hist, row));
	}
	return 0;
}

static const struct seq_operations hist_sops = {
	.start = hist_start,
	.next = hist_next,
	.stop = hist_stop,
	.show = hist_show,
};

static int open_hists(struct file *file, const struct marker_recording *recording,
		      struct marker_event *event, bool is_tsv)
{
	struct hist_file *hists;
	int err;

	marker_registry_lock();
	hists = make_file(recording, event, file->f_mode & FMODE_READ);
	marker_registry_unlock();
	if (IS_ERR(hists))
		return PTR_ERR(hists);
	hists->is_tsv = is_tsv;
	sort_file(hists);
	err = seq_open(file, &hist_sops);
	if (err)
		free_file(hists);
	else
		((struct seq_file *)file->private_data)->private = hists;
	return err;
}

static int hist_open(struct inode *inode, struct file *file)
{
	return open_hists(file, marker_command_recording(file), inode->i_private, false);
}

static int hists_open(struct inode *inode, struct file *file)
{
	return open_hists(file, inode->i_private, NULL, false);
}

static int hists_tsv_open(struct inode *inode, struct file *file)
{
	return open_hists(file, inode->i_private, NULL, true);
}

static int hist_release(struct inode *inode, struct file *file)
{
	free_file(((struct seq_file *)file->private_data)->private);
	return seq_release(inode, file);
}

static struct marker_event *next_event(const struct hist_file *hists,
				       const struct marker_event *event)
{
	if (hists->event)
		return event ? NULL : hists->event;
	return event ? event->next : marker_first_event;
}

/* Old maps that wait for the same grace period: "clear" needs so much memory besides. */
#define CLEAR_KIB	4096

/* Clear the hists of some events after @last, which is the last of them then, or NULL. */
static int clear_some(const struct hist_file *hists, struct marker_event **last)
{
	struct marker_map *old = NULL;
	struct marker_action *action;
	unsigned long kib = 0;
	unsigned int i;
	int err = 0;

	marker_registry_lock();
	do {
		cond_resched();
		*last = next_event(hists, *last);
		for (i = 0; *last && !err && (action = next_hist(*last, hists->recording, &i));)
			err = marker_hists_clear(action, &old, &kib);
	} while (*last && !err && kib < CLEAR_KIB);
	marker_registry_unlock();
	marker_hists_destroy_old(old);
	return err;
}

static int clear_hists(const struct hist_file *hists)
{
	struct marker_event *last = NULL;
	int err;

	do {
		err = clear_some(hists, &last);
	} while (last && !err);
	return err;
}

static void pause_hists(const struct hist_file *hists, bool pause)
{
	struct marker_event *event = NULL;
	struct marker_action *action;
	unsigned int i;

	marker_registry_lock();
	while ((event = next_event(hists, event))) {
		cond_resched();
		for (i = 0; (action = next_hist(event, hists->recording, &i));)
			marker_hists_pause(action, pause);
	}
	marker_registry_unlock();
}

/* A command to all hists that the file shows. */
static int command_hists(const struct file *file, char *text)
{
	const struct hist_file *hists = ((struct seq_file *)file->private_data)->private;
	const char *command = marker_rules_trim(text);
	const bool pause = !strcmp(command, "pause");

	if (!strcmp(command, "clear") || !strcmp(command, "0"))
		return clear_hists(hists);
	if (!pause && strcmp(command, "cont")) {
		marker_command_refuse(file, command, "one of pause, cont, clear is wanted");
		return -EINVAL;
	}
	pause_hists(hists, pause);
	return 0;
}

static const struct marker_methods hist_file = {
	.fops = &marker_command_fops,
	.open = hist_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = hist_release,
	.whole = marker_command_switch,
	.run = command_hists,
};

static const struct marker_methods hists_file = {
	.fops = &marker_command_fops,
	.open = hists_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = hist_release,
	.whole = marker_command_switch,
	.run = command_hists,
};

static const struct marker_methods hists_tsv_file = {
	.fops = &marker_methods_fops,
	.open = hists_tsv_open,
	.read = seq_read,
	.write = marker_command_read_only,
	.llseek = seq_lseek,
	.release = hist_release,
};

const struct marker_file marker_event_hist_files[] = {
	{ "hist", 0640, &hist_file },
	{ }
};

/*
 * latencies: the pairs of markers
 */

static int latencies_show(struct seq_file *seq, void *unused)
{
	const struct marker_recording *recording = seq->private;
	const struct marker_latency *latency;
	struct marker_pairs_stats stats;

	seq_puts(seq, "#begun\tagain\tlost\topen\tmatched\tunmatched\tname\n");
	marker_registry_lock();
	list_for_each_entry(latency, &marker_latencies, list) {
		if (latency->recording != recording)
			continue;
		marker_pairs_stats(latency->pairs, &stats);
		seq_printf(seq, "%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%s\n", stats.begun,
			   stats.again, stats.lost, stats.open, stats.matched,
			   stats.unmatched, latency->name);
	}
	marker_registry_unlock();
	return 0;
}
DEFINE_MARKER_SHOW_ATTRIBUTE(latencies);

const struct marker_file marker_hists_files[] = {
	{ "hists", 0640, &hists_file },
	{ "hists.tsv", 0440, &hists_tsv_file },
	{ "latencies", 0440, &latencies_file },
	{ }
};
