// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's own tracing: its mutex, its names, adding events to it, and removing them.
 *
 * trace_add_event_call() wants event_mutex, which is not exported.  The kernel holds it when it
 * calls the reg method of an event.  So there is an event of ours, markers:control, which is
 * never enabled by anybody else: to enable it does the work, for all events of a change at once.
 * Before Linux 6.1, lend.c makes the changes.
 *
 * Process context.
 */
#include "published.h"

#if MARKER_CAN_PUBLISH

#include <linux/err.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sizes.h>

#include <markers/log.h>

#define SYSTEM	"markers"
#define EVENT	"control"

/* The work that is to be done, and the task that does it; the publish mutex protects them. */
static void (*work)(struct list_head *list);
static struct list_head *work_list;
static bool work_is_done;
static struct task_struct *worker;

/* The head of the circle of the files of all events at the top of tracefs, the newest first. */
static struct list_head *all_files;

/*
 * It is in the struct that file->tr leads to, of which no more is known here.  That of the top is
 * in the kernel's image, and the files are in memory of their own.
 */
static struct list_head *find_head(struct trace_event_file *file)
{
	struct list_head *at;

	for (at = file->list.next; at != &file->list; at = at->next) {
		if ((unsigned long)at - (unsigned long)file->tr < SZ_64K)
			return at;
	}
	return NULL;
}

static int control_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	if (type == TRACE_REG_REGISTER && READ_ONCE(worker) == current) {
		all_files = find_head(data);
		if (!all_files)
			return -EOPNOTSUPP;
		work(work_list);
		work_is_done = true;
	}
#ifdef CONFIG_PERF_EVENTS
	if (type == TRACE_REG_PERF_REGISTER)
		return -EOPNOTSUPP;
#endif
	return 0;
}

static enum print_line_t print_control(struct trace_iterator *iter, int flags,
				       struct trace_event *event)
{
	return TRACE_TYPE_HANDLED;
}

static struct trace_event_functions control_functions = { .trace = print_control };
static struct trace_event_fields control_fields[] = { {} };
static struct trace_event_class control_class = {
	.system = SYSTEM,
	.reg = control_reg,
	.fields_array = control_fields,
	.fields = LIST_HEAD_INIT(control_class.fields),
	.raw_init = trace_event_raw_init,
};

static struct trace_event_call control_call = {
	.class = &control_class,
	.name = EVENT,
	.event.funcs = &control_functions,
	.print_fmt = "\"\"",
};

static struct trace_event_call *control_entry __used __section("_ftrace_events") = &control_call;

/* Somebody may enable all events just now: then it is enabled already. */
static int call_control(void)
{
	int tries, err;

	for (tries = 0; tries < 100; tries++) {
		err = trace_set_clr_event(SYSTEM, EVENT, 1);
		if (err || work_is_done)
			break;
		trace_set_clr_event(SYSTEM, EVENT, 0);
		cond_resched();
	}
	trace_set_clr_event(SYSTEM, EVENT, 0);
	return work_is_done ? 0 : err ?: -EAGAIN;
}

int marker_tracefs_locked(void (*func)(struct list_head *list), struct list_head *list)
{
	int err;

	work = func;
	work_list = list;
	work_is_done = false;
	WRITE_ONCE(worker, current);
	err = call_control();
	WRITE_ONCE(worker, NULL);
	if (err)
		marker_log("publish: the event %s:%s of tracefs cannot be used: error %d", SYSTEM,
			   EVENT, err);
	return err;
}

/* Files of tracefs: not all kernels refuse a directory of the same name. */
static bool is_file(const struct marker_published *published)
{
	const char *system = published->system, *name = published->name;

	return !strcmp(name, "enable") || !strcmp(name, "filter") || !strcmp(system, "enable") ||
	       !strcmp(system, "header_page") || !strcmp(system, "header_event");
}

/* Before Linux 6.1, one of ours that nobody uses may be there until a module goes. */
static const char *why_taken(const struct trace_event_call *call)
{
	const struct marker_published *published =
		container_of(call, struct marker_published, call);
	char users[PUBLISH_WHY];

	if (!marker_published_is_ours(call))
		return "tracefs has an event of that name";
	if (!MARKER_PUBLISH_LENDS || marker_published_users(published, users))
		return PUBLISH_IS_USED;
	return "its earlier format goes with the next module that is unloaded";
}

void marker_tracefs_refuse_taken(struct list_head *list)
{
	struct marker_published *published, *next;
	const struct trace_event_file *file;
	struct trace_event_call *call;
	const char *name;

	list_for_each_entry_safe(published, next, list, change) {
		if (!is_file(published))
			continue;
		list_del_init(&published->change);
		marker_published_refuse(published, "tracefs has a file of that name");
	}
	marker_registry_lock();
	list_for_each_entry(file, all_files, list) {
		cond_resched();
		call = file->event_call;
		name = trace_event_name(call);
		if (name && call->class)
			marker_published_refuse_name(call->class->system, name,
						     why_taken(call));
	}
	marker_registry_unlock();
}

#if !MARKER_PUBLISH_LENDS

/* Tracing does not tell whether it could make all of the newest event. */
static bool is_whole(const struct marker_published *published)
{
	const struct trace_event_file *file;
	const struct list_head *field;
	unsigned int nr = 0;

	file = list_first_entry(all_files, struct trace_event_file, list);
	list_for_each(field, &published->class.fields)
		nr++;
	return file->event_call == &published->call && MARKER_EVENT_DIR(file) &&
	       nr == published->event->format.nr_fields;
}

static int remove(struct marker_published *published)
{
	int err;

	marker_published_hide_fields(published);
	err = trace_remove_event_call(&published->call);
	if (err)
		marker_published_show_fields(published);
	return err;
}

static void add(struct marker_published *published)
{
	char why[PUBLISH_WHY];
	int err;

	marker_published_begin(published);
	err = trace_add_event_call(&published->call);
	if (err < 0) {
		snprintf(why, sizeof(why), "error %d of the kernel's tracing", err);
		marker_published_refuse(published, err == -ENODEV ? PUBLISH_NO_NUMBER : why);
		return;
	}
	published->was_added = true;
	/* who takes a reference to the event takes one to this module */
	MARKER_CALL_MODULE(&published->call) = THIS_MODULE;
	if (!is_whole(published)) {
		trace_remove_event_call(&published->call);
		marker_published_refuse(published, PUBLISH_NO_FILES);
		return;
	}
	marker_published_show_fields(published);
	published->is_added = true;
	*published->why = '\0';
}

static void add_all(struct list_head *list)
{
	struct marker_published *published, *next;

	marker_tracefs_refuse_taken(list);
	list_for_each_entry_safe(published, next, list, change) {
		cond_resched();
		add(published);
		list_del_init(&published->change);
	}
}

static void remove_all(struct list_head *list)
{
	struct marker_published *published, *next;
	char users[PUBLISH_WHY];

	list_for_each_entry_safe(published, next, list, change) {
		cond_resched();
		/* tracing does not know those at the raw tracepoint */
		if (marker_published_users(published, users) || remove(published))
			continue;
		published->is_added = false;
		list_del_init(&published->change);
	}
}

/*
 * The next event gets the number of one that has gone, and entries of that one would be shown
 * as its.  So tracing empties buffers when an event of its own goes that was enabled there.  To
 * delete the event of a kprobe has it do so for ours; none has a name that begins with a digit.
 */
static void forget_entries(void)
{
	int err = -EOPNOTSUPP;

#ifdef CONFIG_KPROBE_EVENTS
	err = kprobe_event_delete("0");
#endif
	if (err != -ENOENT)
		marker_log("publish: tracing may show entries of removed events as those of others: echo >/sys/kernel/tracing/trace");
}

int marker_tracefs_change(struct list_head *list, bool add, struct module *carrier)
{
	struct marker_published *published, *next;
	int err;

	if (list_empty(list))
		return 0;
	err = marker_tracefs_locked(add ? add_all : remove_all, list);
	if (!add)
		forget_entries();
	list_for_each_entry_safe(published, next, list, change) {
		list_del_init(&published->change);
		err = err ?: -EBUSY;
	}
	return err;
}

void marker_tracefs_prepare(struct marker_published *published)
{
	published->class.raw_init = trace_event_raw_init;
}

#endif /* !MARKER_PUBLISH_LENDS */

#endif /* MARKER_CAN_PUBLISH */
