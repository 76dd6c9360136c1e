// SPDX-License-Identifier: GPL-2.0
/*
 * The files trigger, of a marker, a module and all markers; and triggers, the list of all
 * of a recording with their patterns.  Process context.
 *
 * An operator can write back what they show: lines that are no triggers begin with "#".
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/control/triggers.h>
#include <markers/hit/hists.h>
#include <markers/hit/latencies.h>
#include <markers/log.h>
#include <markers/model/program.h>
#include <markers/model/registry.h>
#include <markers/model/rules.h>
#include <markers/record/record.h>
#include "command.h"
#include "command_file.h"
#include "triggers.h"

/* As it was written. */
static void show_trigger(struct seq_file *seq, const struct marker_trigger *trigger)
{
	seq_puts(seq, trigger->what);
	if (trigger->count)
		seq_printf(seq, ":%u", trigger->count);
	if (trigger->filter)
		seq_printf(seq, " if %s", trigger->filter);
	seq_putc(seq, '\n');
}

static void show_available(struct seq_file *seq)
{
	unsigned int i;

	seq_puts(seq, "# Available triggers:\n#");
	for (i = 0; i < NR_MARKER_ACTIONS; i++)
		seq_printf(seq, " %s", marker_trigger_name(i));
	seq_putc(seq, '\n');
}

/* The sums of some actions of one trigger. */
struct sums {
	unsigned int nr;
	unsigned int misfits;
	u64 hits;
	u64 left;
	u64 done;
	u64 failed;
};

static bool is_misfit(const struct marker_action *action)
{
	return (action->filter && action->filter->error.why) ||
	       marker_triggers_lacks_latency(action);
}

static bool is_of_pair(const struct marker_action *action)
{
	return action->kind == MARKER_ACTION_BEGIN || action->kind == MARKER_ACTION_LATENCY;
}

/* Hists and pairs count by themselves. */
static u64 add_hits(u64 hits, const struct marker_action *action)
{
	const struct marker_latency_end *end = action->data;
	struct marker_pairs_stats stats;

	switch (action->kind) {
	case MARKER_ACTION_HIST:
		return hits + marker_hists_hits(action);
	case MARKER_ACTION_BEGIN:
		marker_pairs_stats(end->latency->pairs, &stats);
		return stats.begun;
	case MARKER_ACTION_LATENCY:
		marker_pairs_stats(end->latency->pairs, &stats);
		return stats.matched + stats.unmatched;
	default:
		return hits + atomic_long_read(&action->hits);
	}
}

static void add_action(struct sums *sums, const struct marker_action *action)
{
	/* All actions of a trigger have the same pair. */
	if (!sums->nr++ || !is_of_pair(action))
		sums->hits = add_hits(sums->hits, action);
	sums->misfits += is_misfit(action);
	if (!is_misfit(action))
		sums->left += atomic_long_read(&action->left);
	sums->done += READ_ONCE(action->done);
	sums->failed += READ_ONCE(action->failed);
}

static void show_sums(struct seq_file *seq, const struct marker_trigger *trigger,
		      const struct sums *sums)
{
	seq_printf(seq, "hits %llu", sums->hits);
	if (trigger->count)
		seq_printf(seq, " left %llu", sums->left);
	if (marker_trigger_is_deferred(trigger->kind))
		seq_printf(seq, " done %llu failed %llu", sums->done, sums->failed);
	seq_putc(seq, '\n');
}

/*
 * trigger: i_private is the event, the module, or NULL for all.
 */

static void show_action(struct seq_file *seq, const struct marker_action *action)
{
	struct sums sums = { };

	show_trigger(seq, action->trigger);
	if (action->filter && action->filter->error.why) {
		seq_printf(seq, "# not in force: filter, column %u: %s\n",
			   action->filter->error.column, action->filter->error.why);
		return;
	}
	if (marker_triggers_lacks_latency(action)) {
		seq_puts(seq, "# not in force: " MARKER_NO_LATENCY "\n");
		return;
	}
	add_action(&sums, action);
	seq_puts(seq, "# ");
	show_sums(seq, action->trigger, &sums);
}

/* There is no action. */
static void show_why_not(struct seq_file *seq, const struct marker_trigger *trigger)
{
	seq_printf(seq, "# not in force: column %u: %s\n", trigger->why.column,
		   trigger->why.why);
}

static int marker_trigger_show(struct seq_file *seq, void *unused)
{
	const struct marker_recording *recording = marker_command_recording(seq->file);
	const struct marker_event *event = seq->private;
	const struct marker_actions *actions;
	const struct marker_trigger *trigger;
	bool any = false;
	unsigned int i;

	marker_registry_lock();
	actions = marker_program_actions(event);
	for (i = 0; i < marker_actions_nr(actions); i++) {
		if (actions->action[i]->recording != recording)
			continue;
		show_action(seq, actions->action[i]);
		any = true;
	}
	for_each_trigger(recording, trigger) {
		/* a pattern may be meant for others */
		if (marker_rules_is_glob(trigger->name) ||
		    !marker_triggers_is_misfit(trigger, event))
			continue;
		show_trigger(seq, trigger);
		show_why_not(seq, trigger);
		any = true;
	}
	if (!any)
		show_available(seq);
	marker_registry_unlock();
	return 0;
}

static int marker_trigger_command(const struct file *file, char *text)
{
	struct marker_recording *recording = marker_command_recording(file);
	const struct marker_event *event = file_inode(file)->i_private;

	return marker_triggers_set(recording, event->module_name, event->name,
				   marker_rules_trim(text));
}
DEFINE_MARKER_COMMAND_ATTRIBUTE(marker_trigger, marker_command_line);

static void show_all_actions(struct seq_file *seq, const struct marker_trigger *trigger)
{
	const struct marker_action *action;
	struct sums sums = { };
	unsigned int misfits;

	for_each_trigger_action(trigger, action)
		add_action(&sums, action);
	misfits = marker_triggers_misfits(trigger);
	sums.nr += misfits;
	sums.misfits += misfits;
	if (!sums.nr) {
		seq_puts(seq, "# pending\n");
		return;
	}
	seq_printf(seq, "# markers %u ", sums.nr - sums.misfits);
	if (sums.misfits)
		seq_printf(seq, "misfits %u ", sums.misfits);
	show_sums(seq, trigger, &sums);
	if (misfits && sums.nr == sums.misfits)
		show_why_not(seq, trigger);
}

/* Triggers for exactly these markers, not for some of them. */
static int module_trigger_show(struct seq_file *seq, void *unused)
{
	const struct marker_recording *recording = marker_command_recording(seq->file);
	const struct marker_module *module = seq->private;
	const struct marker_trigger *trigger;
	bool any = false;

	marker_registry_lock();
	for_each_trigger(recording, trigger) {
		if (strcmp(trigger->module, module ? module->name : "*") ||
		    strcmp(trigger->name, "*"))
			continue;
		show_trigger(seq, trigger);
		show_all_actions(seq, trigger);
		any = true;
	}
	if (!any)
		show_available(seq);
	marker_registry_unlock();
	return 0;
}

static int module_trigger_command(const struct file *file, char *text)
{
	struct marker_recording *recording = marker_command_recording(file);
	const struct marker_module *module = file_inode(file)->i_private;

	return marker_triggers_set(recording, module ? module->name : "*", "*",
				   marker_rules_trim(text));
}

static int module_trigger_open(struct inode *inode, struct file *file)
{
	return marker_file_open_show(inode, file, module_trigger_show);
}

const struct marker_methods marker_module_trigger_file = {
	.fops = &marker_command_fops,
	.open = module_trigger_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
	.whole = marker_command_line,
	.run = module_trigger_command,
};

/*
 * triggers: i_private is the recording.
 */

/**
 * struct triggers_file - an open file
 * @recording:	whose triggers
 * @clear:	opened with O_TRUNC, and not cleared yet
 */
struct triggers_file {
	struct marker_recording *recording;
	bool clear;
};

static void *triggers_start(struct seq_file *seq, loff_t *pos)
{
	const struct triggers_file *state = seq->private;

	marker_registry_lock();
	return seq_list_start(&state->recording->triggers, *pos);
}

static void *triggers_next(struct seq_file *seq, void *v, loff_t *pos)
{
	const struct triggers_file *state = seq->private;

	return seq_list_next(v, &state->recording->triggers, pos);
}

static void triggers_stop(struct seq_file *seq, void *v)
{
	marker_registry_unlock();
}

static int triggers_show(struct seq_file *seq, void *v)
{
	const struct marker_trigger *trigger = list_entry(v, struct marker_trigger, list);

	seq_printf(seq, "%s:%s ", trigger->module, trigger->name);
	show_trigger(seq, trigger);
	show_all_actions(seq, trigger);
	return 0;
}

static const struct seq_operations triggers_sops = {
	.start = triggers_start,
	.next = triggers_next,
	.stop = triggers_stop,
	.show = triggers_show,
};

static struct triggers_file *triggers_state(const struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static int triggers_open(struct inode *inode, struct file *file)
{
	struct marker_recording *recording = inode->i_private;
	struct triggers_file *state;
	int err;

	state = __seq_open_private(file, &triggers_sops, sizeof(*state));
	if (!state)
		return -ENOMEM;
	if (file->f_mode & FMODE_WRITE) {
		err = marker_recording_get_writer(recording);
		if (err) {
			seq_release_private(inode, file);
			return err;
		}
	}
	state->recording = recording;
	state->clear = file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC;
	return 0;
}

/* The first command after ">" that succeeds also removes the others. */
static int triggers_command(const struct file *file, char *text)
{
	struct triggers_file *state = triggers_state(file);
	int err = marker_triggers_set_patterns(state->recording, text, state->clear);

	if (!err)
		state->clear = false;
	return err;
}

/* ": > triggers" */
static int triggers_close(const struct file *file)
{
	struct triggers_file *state = triggers_state(file);
	int err = state->clear ? marker_triggers_set_patterns(state->recording, "", true) : 0;

	if (err)
		marker_log("triggers: no memory, nothing was taken away");
	else
		state->clear = false;
	return err;
}

static int triggers_release(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_WRITE)
		marker_recording_put_writer(inode->i_private);
	return seq_release_private(inode, file);
}

static const struct marker_methods triggers_file = {
	.fops = &marker_command_fops,
	.open = triggers_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = triggers_release,
	.whole = marker_command_lines,
	.run = triggers_command,
	.close = triggers_close,
};

const struct marker_file marker_event_trigger_files[] = {
	{ "trigger", 0640, &marker_trigger_file },
	{ }
};

const struct marker_file marker_triggers_files[] = {
	{ "triggers", 0640, &triggers_file },
	{ }
};
