// SPDX-License-Identifier: GPL-2.0
/*
 * Which markers are published: rules of the operator, and the events that follow from them.  A
 * command takes effect as a whole or not at all; what the kernel refuses after that is told by
 * the file published.
 *
 * Process context.  Locks: publish mutex > event_mutex of the kernel > registry mutex.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/control/control.h>
#include <markers/control/modules.h>
#include <markers/log.h>
#include "publish.h"
#include "published.h"

struct marker_rules marker_publish_rules = MARKER_RULES_INIT(marker_publish_rules);

#if MARKER_CAN_PUBLISH

static DEFINE_MUTEX(publish_mutex);
static unsigned int nr_published;
static LIST_HEAD(previewed);	/* new events of a module that is coming, before Linux 6.1 */

/* Options and filters say how to record. */
static int check_text(const char *text, const struct marker_rules *command)
{
	const struct marker_rule *rule;
	const char *at;

	for_each_rule(command, rule) {
		if (!rule->filter && !(rule->asked & ~MARKER_ASK_RECORD))
			continue;
		at = rule->filter ? strstr(text, " if") : strpbrk(text, "=+");
		marker_log_at(text, at ? at - text : 0,
			      "publish: a pattern here has no options and no filter: use those of tracefs, perf or BPF");
		return -EINVAL;
	}
	return 0;
}

static bool is_wanted(const struct marker_event *event)
{
	return marker_rules_want(&marker_publish_rules, event->module_name, event->name);
}

/* What a marker is to be: by the last rule of the command that matches, or by those in force. */
static bool wants(const struct marker_event *event, const struct marker_rules *command, bool clear)
{
	const struct marker_rule *rule;

	rule = marker_rules_last(command, event->module_name, event->name);
	return rule ? rule->asked : !clear && is_wanted(event);
}

/* Nothing of it may be in use.  The registry mutex is held. */
static int check_users(const struct marker_rules *command, bool clear)
{
	struct marker_published *published;
	char users[PUBLISH_WHY];

	list_for_each_entry(published, &marker_published_all, list) {
		cond_resched();
		if (!published->is_added || wants(published->event, command, clear) ||
		    !marker_published_users(published, users))
			continue;
		marker_log("!%s: in use by %s: end that first", published->event->title, users);
		return -EBUSY;
	}
	return 0;
}

static int check_rules(const struct marker_rules *command, bool clear)
{
	const struct marker_rule *rule;
	int err;

	err = marker_rules_check_room(&marker_publish_rules, &command->list, clear, true);
	for_each_rule(command, rule) {
		if (err)
			break;
		cond_resched();
		if (!marker_control_next_match(rule, NULL))
			err = marker_control_check_match(&marker_publish_rules, rule,
							 &command->list, clear);
	}
	return err ?: check_users(command, clear);
}

/* Make what an event needs, unless it has that already. */
static int create(struct marker_event *event)
{
	struct marker_published *published;

	if (event->published)
		return 0;
	if (nr_published == MARKER_MAX_PUBLISHED) {
		marker_log("publish: more than %u events since markers.ko was loaded: publish fewer markers, by narrower patterns",
			   MARKER_MAX_PUBLISHED);
		return -ENOSPC;
	}
	published = marker_published_create(event);
	if (IS_ERR(published)) {
		marker_log("publish: %s: %s", event->title, PTR_ERR(published) == -ENOMEM ?
			   "no memory" : "its text is too long for the file format");
		return PTR_ERR(published);
	}
	marker_tracefs_prepare(published);
	marker_raw_watch(&published->tp);
	event->published = published;
	list_add_tail(&published->list, &marker_published_all);
	nr_published++;
	return 0;
}

/* For all events that a command publishes, before it takes effect. */
static int create_all(const struct marker_rules *command, bool clear)
{
	struct marker_event *event;
	int err = 0;

	for_each_loaded_event(event) {
		cond_resched();
		if (event->module->mod && wants(event, command, clear))
			err = create(event);
		if (err)
			break;
	}
	return err;
}

/* A command has failed: what it has made leaves its place to others. */
static void free_unused(void)
{
	struct marker_published *published, *next;

	list_for_each_entry_safe(published, next, &marker_published_all, list) {
		cond_resched();
		if (published->was_added || published->carrier ||
		    !list_empty(&published->change) || is_wanted(published->event))
			continue;
		published->event->published = NULL;
		list_del(&published->list);
		marker_published_free(published);
		nr_published--;
	}
}

static void commit(struct marker_rules *command, bool clear)
{
	if (clear)
		marker_rules_clear(&marker_publish_rules);
	marker_rules_move(&marker_publish_rules, command);
}

/*
 * From rules to events
 */

/* An event of a module that had another format before. */
static bool is_replaced(const struct marker_published *published)
{
	const struct marker_event *event = published->event, *other = NULL;

	if (event->module)
		return false;
	while ((other = marker_registry_next((struct marker_event *)other, event->name))) {
		if (other != event && other->module && other->published &&
		    !strcmp(other->module_name, event->module_name))
			return true;
	}
	return false;
}

/* Is it to go?  What has users is left to them; the event that replaces it waits. */
static bool is_old(const struct marker_published *published)
{
	char users[PUBLISH_WHY];

	if (!published->is_added)
		return false;
	return published->is_partial || !is_wanted(published->event) ||
	       (is_replaced(published) && !marker_published_users(published, users));
}

/* The newest come first: tracing looks for each from its newest event on. */
static void find_old(struct list_head *list)
{
	struct marker_published *published;

	marker_registry_lock();
	list_for_each_entry(published, &marker_published_all, list) {
		cond_resched();
		if (published->carrier)
			continue;
		if (is_old(published))
			list_add(&published->change, list);
		else if (published->is_added || !is_wanted(published->event))
			*published->why = '\0';
	}
	marker_registry_unlock();
}

static void find_new(struct list_head *list)
{
	struct marker_published *published;

	marker_registry_lock();
	list_for_each_entry(published, &marker_published_all, list) {
		cond_resched();
		if (!published->is_added && !published->carrier && published->event->module &&
		    list_empty(&published->change) &&
		    is_wanted(published->event))
			list_add_tail(&published->change, list);
	}
	marker_registry_unlock();
}

/* Let tracing have what the rules say, before Linux 6.1 by a module that is coming, or going. */
static void update(struct module *coming, struct module *going)
{
	LIST_HEAD(list);
	int err;

	find_old(&list);
	err = marker_tracefs_change(&list, false, going);
	/* one that has got a user stays; an event of its name says so */
	if (!err || err == -EBUSY) {
		list_splice_init(&previewed, &list);
		find_new(&list);
		marker_tracefs_change(&list, true, coming);
	}
	marker_raw_update();
}

static void update_again(struct work_struct *work)
{
	mutex_lock(&publish_mutex);
	update(NULL, NULL);
	mutex_unlock(&publish_mutex);
}

static void nothing(struct list_head *list)
{
}

/* Can tracing be asked?  It could not be, if there were no way to its mutex. */
static int check_tracing(const struct marker_rules *command)
{
	LIST_HEAD(list);

	return list_empty(&command->list) ? 0 : marker_tracefs_locked(nothing, &list);
}

static int set_rules(struct marker_rules *command, bool clear)
{
	int err;

	mutex_lock(&publish_mutex);
	err = check_tracing(command);
	if (err)
		goto out;
	marker_registry_lock();
	err = check_rules(command, clear) ?: create_all(command, clear);
	if (!err)
		commit(command, clear);
	else
		free_unused();
	marker_registry_unlock();
	/* the file published says what is not done yet */
	if (!err)
		update(NULL, NULL);
out:
	mutex_unlock(&publish_mutex);
	return err;
}

int marker_publish_set(const char *text, bool clear)
{
	struct marker_rules *command;
	LIST_HEAD(rules);
	int err;

	command = kvzalloc(sizeof(*command), GFP_KERNEL);
	if (!command)
		return -ENOMEM;
	INIT_LIST_HEAD(&command->list);
	INIT_LIST_HEAD(&command->globs);
	err = marker_rules_parse(text, &rules);
	if (!err) {
		marker_rules_index(command, &rules);
		err = check_text(text, command) ?: set_rules(command, clear);
	}
	marker_rules_clear(command);
	kvfree(command);
	return err;
}

/* For an event of a module that is coming. */
static bool create_wanted(struct marker_event *event)
{
	return is_wanted(event) && !create(event);
}

void marker_publish_module_coming(struct marker_module *module)
{
	struct marker_event *event;
	bool any = false;

	mutex_lock(&publish_mutex);
	marker_registry_lock();
	for_each_module_event(module, event) {
		cond_resched();
		any = create_wanted(event) || any;
	}
	marker_registry_unlock();
	if (any)
		update(NULL, NULL);
	mutex_unlock(&publish_mutex);
}

/*
 * Modules that bring events, or take them with them
 */

#if MARKER_PUBLISH_LENDS

static bool preview(struct marker_event *event)
{
	struct marker_published *published;

	if (!create_wanted(event))
		return false;
	published = event->published;
	if (!published->is_added && !published->carrier && list_empty(&published->change))
		list_add_tail(&published->change, &previewed);
	return true;
}

static void carrier_coming(struct module *mod)
{
	mutex_lock(&publish_mutex);
	if (!list_empty(&marker_publish_rules.list)) {
		marker_modules_preview(mod, preview);
		update(mod, NULL);
	}
	mutex_unlock(&publish_mutex);
}

static void carrier_going(struct module *mod)
{
	mutex_lock(&publish_mutex);
	update(NULL, mod);
	mutex_unlock(&publish_mutex);
}

static void carrier_seen(struct module *mod)
{
	mutex_lock(&publish_mutex);
	marker_lend_end(mod);
	/* some wait no more for others to go */
	update(NULL, NULL);
	mutex_unlock(&publish_mutex);
}

static const struct marker_carrier_ops carrier_ops = {
	.coming = carrier_coming,
	.going = carrier_going,
	.seen = carrier_seen,
};

#endif

int __init marker_publish_init(void)
{
	INIT_WORK(&marker_published_idle, update_again);
#if MARKER_PUBLISH_LENDS
	return marker_lend_init(&carrier_ops);
#else
	return 0;
#endif
}

void marker_publish_show(struct seq_file *seq, const struct marker_event *event)
{
	const struct marker_published *published = event->published;
	const bool is_there = published && published->is_added && !published->is_partial;
	char users[PUBLISH_WHY];

	if (!is_there && (!published || !*published->why))
		return;
	seq_puts(seq, event->title);
	if (is_there)
		seq_printf(seq, "\t%s/%s\tid %d\tused by: %s", published->system, published->name,
			   published->call.event.type,
			   marker_published_users(published, users) ? users : "-");
	if (*published->why)
		seq_printf(seq, "\t# %s", published->why);
	seq_putc(seq, '\n');
}

void marker_publish_exit(void)
{
	struct marker_published *published, *next;
	LIST_HEAD(list);

	marker_lend_exit();
	marker_raw_exit();
	cancel_work_sync(&marker_published_idle);
	mutex_lock(&publish_mutex);
	list_for_each_entry(published, &marker_published_all, list) {
		if (published->is_added)
			list_add(&published->change, &list);
	}
	marker_tracefs_change(&list, false, NULL);
	/* the kernel removes these after this, as those of any module; until then, no text */
	list_for_each_entry(published, &marker_published_all, list) {
		if (!published->is_added)
			continue;
		unregister_trace_event(&published->call.event);
		published->call.event.funcs = NULL;
	}
	mutex_unlock(&publish_mutex);
	tracepoint_synchronize_unregister();
	list_for_each_entry_safe(published, next, &marker_published_all, list) {
		list_del(&published->list);
		/* files that are open may show it, and that of raw.c goes with this module */
		published->tp.name = published->name;
		marker_published_free(published);
	}
	marker_registry_lock();
	marker_rules_clear(&marker_publish_rules);
	marker_registry_unlock();
}

#else

int marker_publish_set(const char *text, bool clear)
{
	/* to take all back succeeds */
	if (!text[strspn(text, " \t\n")])
		return 0;
	marker_log("publish: this kernel has no events in tracefs: that needs CONFIG_EVENT_TRACING");
	return -EOPNOTSUPP;
}

int __init marker_publish_init(void)
{
	return 0;
}

void marker_publish_module_coming(struct marker_module *module)
{
}

void marker_publish_show(struct seq_file *seq, const struct marker_event *event)
{
}

void marker_publish_exit(void)
{
}

#endif
