// SPDX-License-Identifier: GPL-2.0
/*
 * Adding events to the kernel's own tracing, and removing them.
 *
 * trace_add_event_call() wants event_mutex, which is not exported.  The kernel holds it when it
 * calls the reg method of an event.  So there is an event of ours, markers:control, which is
 * never enabled by anybody else: to enable it does the work, for all events of a change at once.
 *
 * Process context.
 */
#include "published.h"

#if MARKER_CAN_PUBLISH

#include <linux/err.h>
#include <linux/module.h>
#include <linux/sched.h>

#include <markers/log.h>

#define SYSTEM	"markers"
#define EVENT	"control"

/* The change that is being made, and the task that makes it; the publish mutex protects them. */
static struct list_head *changes;
static bool change_adds;
static bool change_is_done;
static struct task_struct *changer;

static void add(struct marker_published *published)
{
	char why[PUBLISH_WHY];
	int err;

	/* of the time before it was removed */
	published->call.event.type = 0;
	err = trace_add_event_call(&published->call);
	if (err < 0) {
		snprintf(why, sizeof(why), "error %d of the kernel's tracing", err);
		marker_published_refuse(published, err == -ENODEV ?
					"the kernel has no number left for an event" : why);
		return;
	}
	/* who takes a reference to the event takes one to this module */
	published->call.module = THIS_MODULE;
	published->is_added = true;
	published->was_added = true;
	*published->why = '\0';
}

static void make_change(void)
{
	struct marker_published *published, *next;

	list_for_each_entry_safe(published, next, changes, change) {
		cond_resched();
		if (change_adds)
			add(published);
		else if (!trace_remove_event_call(&published->call))
			published->is_added = false;
		else
			continue;
		list_del_init(&published->change);
	}
}

static int control_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	if (type == TRACE_REG_REGISTER && READ_ONCE(changer) == current) {
		make_change();
		change_is_done = true;
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
		if (err || change_is_done)
			break;
		trace_set_clr_event(SYSTEM, EVENT, 0);
		cond_resched();
	}
	trace_set_clr_event(SYSTEM, EVENT, 0);
	return change_is_done ? 0 : err ?: -EAGAIN;
}

int marker_tracefs_change(struct list_head *list, bool adds)
{
	struct marker_published *published, *next;
	int err;

	if (list_empty(list))
		return 0;
	changes = list;
	change_adds = adds;
	change_is_done = false;
	WRITE_ONCE(changer, current);
	err = call_control();
	WRITE_ONCE(changer, NULL);
	if (err)
		marker_log("publish: the event %s:%s of tracefs cannot be used: error %d", SYSTEM,
			   EVENT, err);
	list_for_each_entry_safe(published, next, list, change) {
		list_del_init(&published->change);
		err = err ?: -EBUSY;
	}
	return err;
}

bool marker_tracefs_has(const char *system, const char *name)
{
	struct trace_event_file *file = trace_get_event_file(NULL, system, name);

	if (IS_ERR(file))
		return false;
	trace_put_event_file(file);
	return true;
}

#endif /* MARKER_CAN_PUBLISH */
