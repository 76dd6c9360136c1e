// SPDX-License-Identifier: GPL-2.0
/*
 * The files publish, the patterns of markers that are events of the kernel's own tracing, and
 * published, these events.  Process context.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#include <markers/control/control.h>
#include <markers/log.h>
#include <markers/model/registry.h>
#include <markers/model/rules.h>
#include <markers/publish/publish.h>
#include "command.h"
#include "command_file.h"
#include "publish_files.h"

/*
 * publish
 */

static void *rules_start(struct seq_file *seq, loff_t *pos)
{
	marker_registry_lock();
	return seq_list_start(&marker_publish_rules.list, *pos);
}

static void *rules_next(struct seq_file *seq, void *v, loff_t *pos)
{
	cond_resched();
	return seq_list_next(v, &marker_publish_rules.list, pos);
}

static void rules_stop(struct seq_file *seq, void *v)
{
	marker_registry_unlock();
}

/* A line can be written back. */
static int rules_show(struct seq_file *seq, void *v)
{
	const struct marker_rule *rule = list_entry(v, struct marker_rule, list);

	seq_printf(seq, "%s%s:%s%s\n", rule->asked ? "" : "!", rule->module, rule->name,
		   marker_control_is_pending(rule) ? " # pending" : "");
	return 0;
}

static const struct seq_operations rules_sops = {
	.start = rules_start,
	.next = rules_next,
	.stop = rules_stop,
	.show = rules_show,
};

/**
 * struct publish - an open file
 * @clear:	opened with O_TRUNC, and not cleared yet
 */
struct publish {
	bool clear;
};

static struct publish *opened(const struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static int publish_open(struct inode *inode, struct file *file)
{
	struct publish *state = __seq_open_private(file, &rules_sops, sizeof(*state));

	if (!state)
		return -ENOMEM;
	state->clear = file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC;
	return 0;
}

/* The first command after ">" that succeeds also drops the old rules. */
static int publish_command(const struct file *file, char *text)
{
	struct publish *state = opened(file);
	int err = marker_publish_set(text, state->clear);

	if (!err)
		state->clear = false;
	return err;
}

/* ": > publish" */
static int publish_close(const struct file *file)
{
	struct publish *state = opened(file);
	int err = state->clear ? marker_publish_set("", true) : 0;

	if (!err)
		state->clear = false;
	return err;
}

static const struct marker_methods publish_file = {
	.fops = &marker_command_fops,
	.open = publish_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release_private,
	.whole = marker_command_lines,
	.run = publish_command,
	.close = publish_close,
};

/*
 * published: the position is the id of an event
 */

static void *find_event(loff_t *pos)
{
	struct marker_event *event;

	for (; *pos < U32_MAX; ++*pos) {
		event = marker_registry_by_id(*pos);
		if (!event || event->published)
			return event;
		cond_resched();
	}
	return NULL;
}

static void *published_start(struct seq_file *seq, loff_t *pos)
{
	marker_registry_lock();
	return find_event(pos);
}

static void *published_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return find_event(pos);
}

static int published_show(struct seq_file *seq, void *v)
{
	marker_publish_show(seq, v);
	return 0;
}

static const struct seq_operations published_sops = {
	.start = published_start,
	.next = published_next,
	.stop = rules_stop,
	.show = published_show,
};

static int published_open(struct inode *inode, struct file *file)
{
	return seq_open(file, &published_sops);
}

static const struct marker_methods published_file = {
	.fops = &marker_methods_fops,
	.open = published_open,
	.read = seq_read,
	.write = marker_command_read_only,
	.llseek = seq_lseek,
	.release = seq_release,
};

const struct marker_file marker_publish_files[] = {
	{ "publish", 0640, &publish_file },
	{ "published", 0440, &published_file },
	{ }
};
