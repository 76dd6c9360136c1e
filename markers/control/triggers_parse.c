// SPDX-License-Identifier: GPL-2.0
/*
 * From the text of a trigger to struct marker_trigger.  Process context.
 */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/hist/hist.h>
#include <markers/log.h>
#include <markers/model/rules.h>
#include "filters.h"
#include "triggers_internal.h"

/* A rule for one pattern, [@text, @text + @len), or an error that is in error_log. */
static struct marker_rule *parse_pattern(const char *text, unsigned int len)
{
	char *word = kmemdup_nul(text, len, GFP_KERNEL_ACCOUNT);
	struct marker_rule *rule = NULL;
	LIST_HEAD(rules);
	int err;

	if (!word)
		return ERR_PTR(-ENOMEM);
	err = marker_rules_parse(word, &rules);
	if (!err && !list_empty(&rules))
		rule = list_first_entry(&rules, struct marker_rule, list);
	if (rule && *word != '!' && rule->list.next == &rules) {
		list_del_init(&rule->list);
	} else if (!err) {
		marker_log_at(word, 0, "one pattern of markers is wanted: [module:]name");
		err = -EINVAL;
	}
	marker_rules_free(&rules);
	kfree(word);
	return err ? ERR_PTR(err) : rule;
}

/* Is it a hist at all, whatever the fields are? */
static int check_hist(const char *what, const char *text,
		      const struct marker_trigger_text *parts)
{
	unsigned int skip = parts->arg - parts->name;
	struct marker_format_error error;
	struct marker_hist *hist;
	int err;

	/* a pair has a name, and may have no keys */
	if (parts->kind != MARKER_ACTION_HIST) {
		if (what[skip] == ':') {
			marker_log_at(text, parts->arg, "trigger: the name of the pair is missing");
			return -EINVAL;
		}
		skip += strcspn(what + skip, ":");
		if (!what[skip])
			return 0;
		skip++;
	}

	hist = kmalloc(sizeof(*hist), GFP_KERNEL_ACCOUNT);
	if (!hist)
		return -ENOMEM;
	if (parts->kind == MARKER_ACTION_HIST)
		err = marker_hist_parse(hist, what + skip, NULL, &error);
	else
		err = marker_hist_parse_pair(hist, what + skip, NULL, &error);
	if (!err && hist->event && parts->kind != MARKER_ACTION_LATENCY)
		err = marker_format_refuse(&error, 0,
					   "only the end of a pair, latency:NAME, makes an event");
	kfree(hist);
	if (err)
		marker_log_at(text, parts->name + skip + error.column, "trigger: %s", error.why);
	return err;
}

/* A module of that name, and so a pattern for it, can only mean notes. */
static int refuse_notes(const char *text, const struct marker_trigger_text *parts)
{
	marker_log_at(text, parts->name,
		      "trigger: notes have no triggers, and " KBUILD_MODNAME " has no other markers");
	return -EINVAL;
}

/* The parts of @text that are kept. */
static int fill_in(struct marker_trigger *trigger, const char *text,
		   const struct marker_trigger_text *parts)
{
	struct marker_rule *rule;
	int err = 0;

	if (!trigger->remove && !strcmp(trigger->module, KBUILD_MODNAME))
		return refuse_notes(text, parts);
	trigger->what = kmemdup_nul(text + parts->name, parts->what_len, GFP_KERNEL_ACCOUNT);
	if (!trigger->what)
		return -ENOMEM;
	if (parts->filter_len) {
		trigger->filter = kmemdup_nul(text + parts->filter, parts->filter_len,
					      GFP_KERNEL_ACCOUNT);
		if (!trigger->filter)
			return -ENOMEM;
	}
	if (parts->kind >= MARKER_ACTION_HIST) {
		if (parts->arg_len)
			err = check_hist(trigger->what, text, parts);
		if (err)
			return err;
	} else if (parts->arg_len) {
		rule = parse_pattern(text + parts->arg, parts->arg_len);
		if (IS_ERR(rule))
			return PTR_ERR(rule);
		trigger->target = rule;
	}
	if (parts->kind == MARKER_ACTION_STACKTRACE && !trigger->remove &&
	    !READ_ONCE(trigger->recording->rules.stacks_allowed)) {
		marker_log_at(text, parts->name,
			      "trigger: events have no room for stacks: add callstack_kernel to contexts first");
		return -EINVAL;
	}
	return trigger->filter ? marker_filters_check(trigger->filter, text, parts->filter) : 0;
}

void marker_triggers_destroy(struct marker_trigger *trigger)
{
	if (trigger->target)
		marker_rules_destroy(trigger->target);
	kfree(trigger->filter);
	kfree(trigger->what);
	kfree(trigger->name);
	kfree(trigger->module);
	kfree(trigger);
}

int marker_triggers_parse(struct marker_recording *recording, struct list_head *commands,
			  const char *module, const char *name, const char *text,
			  unsigned int at, bool remove)
{
	struct marker_format_error error;
	struct marker_trigger_text parts;
	struct marker_trigger *trigger;
	int err;

	err = marker_trigger_parse(&parts, text + at, remove, &error);
	if (err) {
		marker_log_at(text, at + error.column, "trigger: %s", error.why);
		return err;
	}
	trigger = kzalloc(sizeof(*trigger), GFP_KERNEL_ACCOUNT);
	if (!trigger)
		return -ENOMEM;
	INIT_LIST_HEAD(&trigger->actions);
	list_add_tail(&trigger->list, commands);
	trigger->recording = recording;
	trigger->kind = parts.kind;
	trigger->remove = parts.remove;
	trigger->after = parts.after;
	trigger->count = parts.count;
	trigger->module = kstrdup(module, GFP_KERNEL_ACCOUNT);
	trigger->name = kstrdup(name, GFP_KERNEL_ACCOUNT);
	if (!trigger->module || !trigger->name)
		return -ENOMEM;
	return fill_in(trigger, text + at, &parts);
}

/* "[!]PATTERN TRIGGER" or nothing: one line, without what is around it. */
static int parse_line(struct marker_recording *recording, struct list_head *commands,
		      const char *line)
{
	const bool remove = *line == '!';
	struct marker_rule *rule;
	unsigned int end;
	int err;

	if (!*line || *line == '#')
		return 0;
	end = strcspn(line, " \t");
	rule = parse_pattern(line + remove, end - remove);
	if (IS_ERR(rule))
		return PTR_ERR(rule);
	if (rule->asked != MARKER_ASK_RECORD) {
		marker_log_at(line, 0, "trigger: a pattern without options is wanted");
		err = -EINVAL;
	} else {
		err = marker_triggers_parse(recording, commands, rule->module, rule->name, line,
					    end, remove);
	}
	marker_rules_destroy(rule);
	return err;
}

int marker_triggers_parse_lines(struct marker_recording *recording, struct list_head *commands,
				const char *text)
{
	char *copy, *line, *rest;
	int err = 0;

	copy = kstrdup(text, GFP_KERNEL_ACCOUNT);
	if (!copy)
		return -ENOMEM;
	for (rest = copy; !err && (line = strsep(&rest, "\n"));)
		err = parse_line(recording, commands, marker_rules_trim(line));
	kfree(copy);
	return err;
}
