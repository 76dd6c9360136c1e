// SPDX-License-Identifier: GPL-2.0
/*
 * The files that list markers: available_markers, set_marker, filters; and the patterns
 * that are written to set_marker.  Process context.
 *
 * A list has events, then names of which all markers were refused, then rules that nothing
 * matches.  The position of an event is its id; the others come after all of them.  The
 * registry mutex is held while a buffer is filled, not while the reader looks at it.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include <markers/control/control.h>
#include <markers/control/switch.h>
#include <markers/log.h>
#include <markers/model/program.h>
#include <markers/model/registry.h>
#include <markers/model/rules.h>
#include <markers/record/record.h>
#include "command.h"
#include "command_file.h"
#include "lists.h"

#define FIRST_REFUSED	(1LL << 32)
#define FIRST_RULE	(2LL << 32)

/**
 * struct marker_list - an open file that lists markers
 * @recording:	whose files these are
 * @enabled:	it is set_marker: only markers that are enabled, or that a rule enables but
 *		that were refused
 * @filtered:	it is filters: only markers and rules that have a filter
 * @at:		the present element
 */
struct marker_list {
	struct marker_recording *recording;
	bool enabled;
	bool filtered;
	enum { AT_EVENT, AT_REFUSED, AT_RULE } at;
};

/* The first event from @pos on that the file lists. */
static struct marker_event *find_event(loff_t *pos, const struct marker_list *list)
{
	struct marker_event *event;

	for (; *pos < U32_MAX; (*pos)++) {
		event = marker_registry_by_id(*pos);
		if (!event)
			break;
		if (event->module &&
		    (!list->enabled || marker_program_asked(event, list->recording)) &&
		    (!list->filtered || marker_program_filter(event, list->recording)))
			return event;
		cond_resched();
	}
	return NULL;
}

/* Does the file list this name, which has no event? */
static bool lists_refusal(const struct marker_refusal *refusal, const struct marker_list *list)
{
	const struct marker_module *module = refusal->module;

	return !marker_registry_find(module, refusal->name) &&
	       (!list->enabled ||
		marker_rules_want(&list->recording->rules, module->name, refusal->name));
}

static struct marker_refusal *find_refusal(loff_t *pos, const struct marker_list *list)
{
	struct marker_refusal *refusal;
	struct marker_module *module;
	loff_t at = FIRST_REFUSED;

	for_each_marker_module(module) {
		for_each_refusal(module, refusal) {
			if (at++ < *pos)
				continue;
			if (lists_refusal(refusal, list))
				return refusal;
			++*pos;
		}
	}
	return NULL;
}

/*
 * The first rule from @from on, which is at @pos, that enables, or has a filter, and that
 * nothing matches.
 */
static struct marker_rule *next_rule(struct list_head *from, loff_t *pos,
				     const struct marker_list *list)
{
	struct marker_rule *rule;

	for (; from != &list->recording->rules.list; from = from->next, ++*pos) {
		rule = list_entry(from, struct marker_rule, list);
		if ((list->filtered ? !!rule->filter : !rule->only_filter) &&
		    marker_control_is_pending(rule))
			return rule;
		cond_resched();
	}
	return NULL;
}

/* The same from @pos on. */
static struct marker_rule *find_rule(loff_t *pos, const struct marker_list *list)
{
	struct list_head *from = list->recording->rules.list.next;
	loff_t at;

	for (at = FIRST_RULE; at < *pos && from != &list->recording->rules.list; at++)
		from = from->next;
	return next_rule(from, pos, list);
}

static void *list_find(struct seq_file *seq, loff_t *pos)
{
	struct marker_list *list = seq->private;
	void *found;

	list->at = AT_EVENT;
	if (*pos < FIRST_REFUSED) {
		found = find_event(pos, list);
		if (found)
			return found;
		*pos = FIRST_REFUSED;
	}
	list->at = AT_REFUSED;
	if (*pos < FIRST_RULE && !list->filtered) {
		found = find_refusal(pos, list);
		if (found)
			return found;
	}
	if (*pos < FIRST_RULE)
		*pos = FIRST_RULE;
	list->at = AT_RULE;
	return list->enabled || list->filtered ? find_rule(pos, list) : NULL;
}

static void *list_start(struct seq_file *seq, loff_t *pos)
{
	marker_registry_lock();
	return list_find(seq, pos);
}

static void *list_next(struct seq_file *seq, void *v, loff_t *pos)
{
	const struct marker_list *list = seq->private;
	struct marker_rule *rule = v;

	++*pos;
	/*
	 * the mutex has been held since the last call: no need to count from the first rule
	 * again
	 */
	if (list->at == AT_RULE)
		return next_rule(rule->list.next, pos, list);
	return list_find(seq, pos);
}

static void list_stop(struct seq_file *seq, void *v)
{
	marker_registry_unlock();
}

static void show_options(char *options, u32 asked, const struct marker_list *list)
{
	marker_rules_options(options, marker_rules_shown(&list->recording->rules, asked));
}

/* A line for anything but an enabled marker ends in a mark, which a later write ignores. */
static void show_event(struct seq_file *seq, const struct marker_event *event,
		       const struct marker_list *list)
{
	const struct marker_event_filter *filter = marker_program_filter(event, list->recording);
	char options[MARKER_OPTIONS_SIZE] = "";

	if (list->enabled)
		show_options(options, marker_program_asked(event, list->recording), list);
	/* of thousands of markers, a format would be most of the work */
	seq_puts(seq, event->title);
	seq_puts(seq, options);
	if (filter && filter->error.why)
		seq_puts(seq, MARKER_MARK_MISFIT);
	else if (marker_registry_refusal(event->module, event->name))
		seq_puts(seq, "#partly_refused");
	if ((list->enabled || list->filtered) && filter)
		seq_printf(seq, " if %s", filter->text);
	seq_putc(seq, '\n');
}

static int list_show(struct seq_file *seq, void *v)
{
	const struct marker_list *list = seq->private;
	const struct marker_rules *rules = &list->recording->rules;
	const struct marker_refusal *refusal = v;
	const struct marker_rule *rule = v;
	char options[MARKER_OPTIONS_SIZE] = "";
	const char *filter, *module;

	switch (list->at) {
	case AT_EVENT:
		show_event(seq, v, list);
		break;
	case AT_REFUSED:
		module = refusal->module->name;
		if (list->enabled)
			show_options(options, marker_rules_want(rules, module, refusal->name),
				     list);
		filter = list->enabled ?
			 marker_rules_filter(rules, module, refusal->name) : NULL;
		seq_printf(seq, "%s:%s%s#refused%s%s\n", module, refusal->name, options,
			   filter ? " if " : "", filter ?: "");
		break;
	case AT_RULE:
		/* the filter may be that of another rule */
		filter = rule->keeps_filter ?
			 marker_rules_filter(rules, rule->module, rule->name) : rule->filter;
		if (!rule->only_filter)
			show_options(options, rule->asked, list);
		seq_printf(seq, "%s:%s%s#pending%s%s\n", rule->module, rule->name,
			   options, filter ? " if " : "", filter ?: "");
		break;
	}
	return 0;
}

static const struct seq_operations marker_list_sops = {
	.start = list_start,
	.next = list_next,
	.stop = list_stop,
	.show = list_show,
};

/* Return: 0 or -ENOMEM; @size is that of a struct that begins with a struct marker_list. */
static int open_list(struct inode *inode, struct file *file, size_t size)
{
	struct marker_recording *recording = inode->i_private;
	struct marker_list *list = __seq_open_private(file, &marker_list_sops, size);

	if (!list)
		return -ENOMEM;
	list->recording = recording;
	return 0;
}

static void *opened(const struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static int available_markers_open(struct inode *inode, struct file *file)
{
	return open_list(inode, file, sizeof(struct marker_list));
}

static const struct marker_methods available_markers_file = {
	.fops = &marker_methods_fops,
	.open = available_markers_open,
	.read = seq_read,
	.write = marker_command_read_only,
	.llseek = seq_lseek,
	.release = seq_release_private,
};

static int filters_open(struct inode *inode, struct file *file)
{
	int err = open_list(inode, file, sizeof(struct marker_list));
	struct marker_list *list;

	if (err)
		return err;
	list = opened(file);
	list->filtered = true;
	return 0;
}

static const struct marker_methods filters_file = {
	.fops = &marker_methods_fops,
	.open = filters_open,
	.read = seq_read,
	.write = marker_command_read_only,
	.llseek = seq_lseek,
	.release = seq_release_private,
};

/**
 * struct set_marker - an open file
 * @list:	for reading
 * @clear:	opened with O_TRUNC, and not cleared yet
 */
struct set_marker {
	struct marker_list list;
	bool clear;
};

static int set_marker_open(struct inode *inode, struct file *file)
{
	int err = open_list(inode, file, sizeof(struct set_marker));
	struct set_marker *state;

	if (err)
		return err;
	state = opened(file);
	if (file->f_mode & FMODE_WRITE) {
		err = marker_recording_get_writer(inode->i_private);
		if (err) {
			seq_release_private(inode, file);
			return err;
		}
	}
	state->list.enabled = true;
	state->clear = file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC;
	return 0;
}

/*
 * A line is a command.  One that is too long for that ends after the last pattern that
 * nothing can be added to.
 */
static size_t set_marker_whole(char *text)
{
	size_t whole = marker_command_lines(text);
	bool comment;

	if (strlen(text + whole) <= MARKER_MAX_COMMAND)
		return whole;
	whole = marker_rules_whole(text, &comment);
	if (comment)
		strcpy(text + whole, "#");
	return whole;
}

/* The first command after ">" that succeeds also drops the old rules. */
static int set_marker_command(const struct file *file, char *text)
{
	struct set_marker *state = opened(file);
	int err = marker_control_set_patterns(state->list.recording, text, state->clear);

	if (!err)
		state->clear = false;
	return err;
}

/* ": > set_marker" */
static int set_marker_close(const struct file *file)
{
	struct set_marker *state = opened(file);
	int err = state->clear ?
		  marker_control_set_patterns(state->list.recording, "", true) : 0;

	if (err)
		marker_log("set_marker: no memory, nothing was cleared");
	else
		state->clear = false;
	return err;
}

static int set_marker_release(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_WRITE)
		marker_recording_put_writer(inode->i_private);
	return seq_release_private(inode, file);
}

static const struct marker_methods set_marker_file = {
	.fops = &marker_command_fops,
	.open = set_marker_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = set_marker_release,
	.whole = set_marker_whole,
	.run = set_marker_command,
	.close = set_marker_close,
};

/* i_private: the recording */
const struct marker_file marker_list_files[] = {
	{ "available_markers", 0440, &available_markers_file },
	{ "set_marker", 0640, &set_marker_file },
	{ "filters", 0440, &filters_file },
	{ }
};
