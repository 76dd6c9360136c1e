// SPDX-License-Identifier: GPL-2.0
/*
 * Adding events to the kernel's own tracing, and removing them, before Linux 6.1, which does not
 * export the functions for it.  But tracing adds the events that a coming module has, and removes
 * those that belong to a going one, by a notifier.  So any module that comes is lent our events
 * for as long as the notifiers run, and any that goes is given those that are to be removed.
 *
 *	coming	our first notifier lends the events, tracing adds them and gives them to the module,
 *		take_over() takes them from it under the same event_mutex, our last notifier takes
 *		the loan back
 *	going	our first notifier gives events that have no user to the module, under
 *		event_mutex; tracing removes them
 *
 * So at all other times an event belongs to markers.ko, and outlives the module that has brought
 * it.  An event that belongs to another module gets no user: see reg() in call.c.
 *
 * Process context.  The publish mutex protects all of it.
 */
#include "published.h"

#if MARKER_PUBLISH_LENDS

#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include <markers/log.h>

#define WAITS	"waits for the next module that is loaded, whichever it is"
#define STAYS	"goes with the next module that is unloaded, whichever it is"

/**
 * struct loan - what a coming module has been lent
 * @list:	in the list of all
 * @mod:	the module
 * @own:	its own events
 * @nr_own:	how many
 * @all:	these, and ours
 */
struct loan {
	struct list_head list;
	struct module *mod;
	struct trace_event_call **own;
	unsigned int nr_own;
	struct trace_event_call *all[];
};

static LIST_HEAD(loans);
static const struct marker_carrier_ops *carrier_ops;

/* Tracing, which holds event_mutex, has just given the event to the module that it came with. */
static int take_over(struct trace_event_call *call)
{
	MARKER_CALL_MODULE(call) = THIS_MODULE;
	marker_published_show_fields(container_of(call, struct marker_published, call));
	return 0;
}

/* lend() has registered it: an error here is too late for tracing. */
static int raw_init(struct trace_event_call *call)
{
	return 0;
}

void marker_tracefs_prepare(struct marker_published *published)
{
	/* its members are constant */
	const struct trace_event_fields last = {
		.type = TRACE_FUNCTION_TYPE,
		{ .define_fields = take_over },
	};

	published->class.raw_init = raw_init;
	memcpy((void *)&published->kernel_fields[published->event->format.nr_fields], &last,
	       sizeof(last));
}

/* As the kernel decides; one with another taint would be told off for our events. */
static bool can_carry(const struct module *mod)
{
	return mod && !(mod->taints & ~(BIT(TAINT_OOT_MODULE) | BIT(TAINT_CRAP) |
					BIT(TAINT_UNSIGNED_MODULE)));
}

/* Tracing does not know the events of a module that is coming. */
static void refuse_own(const struct module *mod)
{
	struct trace_event_call *call;
	unsigned int i;

	marker_registry_lock();
	for (i = 0; i < mod->num_trace_events; i++) {
		call = mod->trace_events[i];
		marker_published_refuse_name(call->class->system, trace_event_name(call),
					     "its module has an event of that name");
	}
	marker_registry_unlock();
}

static void lend(struct loan *loan, struct marker_published *published)
{
	struct trace_event_call *call = &published->call;

	marker_published_begin(published);
	if (!register_trace_event(&call->event)) {
		marker_published_refuse(published, PUBLISH_NO_NUMBER);
		return;
	}
	MARKER_CALL_MODULE(call) = NULL;
	published->carrier = loan->mod;
	loan->all[loan->mod->num_trace_events++] = call;
}

static int lend_all(struct list_head *list, struct module *mod)
{
	struct marker_published *published;
	unsigned int nr = mod->num_trace_events;
	struct loan *loan;

	refuse_own(mod);
	if (list_empty(list))
		return 0;
	list_for_each_entry(published, list, change)
		nr++;
	loan = kvzalloc(sizeof(*loan) + nr * sizeof(loan->all[0]), GFP_KERNEL);
	if (!loan) {
		marker_log("publish: no memory to let module %s bring %u events", mod->name, nr);
		return -ENOMEM;
	}
	loan->mod = mod;
	loan->own = mod->trace_events;
	loan->nr_own = mod->num_trace_events;
	if (loan->nr_own)
		memcpy(loan->all, loan->own, loan->nr_own * sizeof(loan->all[0]));
	list_for_each_entry(published, list, change) {
		cond_resched();
		lend(loan, published);
	}
	mod->trace_events = loan->all;
	list_add(&loan->list, &loans);
	return 0;
}

/* The task that calls this holds event_mutex, so nobody becomes a user meanwhile. */
static void give_away(struct list_head *list)
{
	struct marker_published *published;
	char users[PUBLISH_WHY];

	list_for_each_entry(published, list, change) {
		if (marker_published_users(published, users))
			continue;
		MARKER_CALL_MODULE(&published->call) = published->carrier;
		if (!published->is_partial)
			marker_published_hide_fields(published);
	}
}

static int give_all(struct list_head *list, struct module *mod)
{
	struct marker_published *published;
	int err;

	list_for_each_entry(published, list, change)
		published->carrier = mod;
	err = marker_tracefs_locked(give_away, list);
	list_for_each_entry(published, list, change) {
		if (MARKER_CALL_MODULE(&published->call) != mod)
			published->carrier = NULL;
	}
	return err;
}

static void put_off(struct list_head *list, bool add)
{
	const char *why = add ? WAITS : STAYS;
	struct marker_published *published;
	unsigned int nr = 0;

	list_for_each_entry(published, list, change) {
		if (published->is_partial || !strcmp(published->why, why))
			continue;
		strscpy(published->why, why, PUBLISH_WHY);
		nr++;
	}
	if (!nr)
		return;
	if (add)
		marker_log("publish: %u event%s wait%s for a module: before Linux 6.1, events come only when any module is loaded: modprobe one, such as crc7",
			   nr, nr == 1 ? "" : "s", nr == 1 ? "s" : "");
	else
		marker_log("publish: %u event%s stay%s for now: before Linux 6.1, events go only when any module is unloaded: modprobe one, such as crc7, and modprobe -r it",
			   nr, nr == 1 ? "" : "s", nr == 1 ? "s" : "");
}

int marker_tracefs_change(struct list_head *list, bool add, struct module *carrier)
{
	struct marker_published *published, *next;
	int err = 0;

	if (list_empty(list))
		return 0;
	if (add)
		err = marker_tracefs_locked(marker_tracefs_refuse_taken, list);
	if (!err && !can_carry(carrier))
		put_off(list, add);
	else if (!err)
		err = add ? lend_all(list, carrier) : give_all(list, carrier);
	list_for_each_entry_safe(published, next, list, change)
		list_del_init(&published->change);
	return err;
}

/*
 * Tracing has seen the module
 */

/*
 * Tracing has a partial one nevertheless, until a module goes.  An event probe, which is no user
 * until it is enabled, may still refer to one that has gone, and puts its reference to the owner.
 */
static void take_back(struct list_head *list)
{
	struct marker_published *published;

	list_for_each_entry(published, list, change)
		MARKER_CALL_MODULE(&published->call) = THIS_MODULE;
}

static void note_added(struct marker_published *published, struct list_head *rest)
{
	struct trace_event_call *call = &published->call;

	/* the notifiers did not get there */
	if (!MARKER_CALL_MODULE(call)) {
		unregister_trace_event(&call->event);
		MARKER_CALL_MODULE(call) = THIS_MODULE;
		strscpy(published->why, WAITS, PUBLISH_WHY);
		return;
	}
	published->is_added = true;
	published->was_added = true;
	*published->why = '\0';
	/* tracing did not get as far as take_over() */
	if (MARKER_CALL_MODULE(call) == THIS_MODULE)
		return;
	published->is_partial = true;
	list_add_tail(&published->change, rest);
	marker_published_refuse(published, PUBLISH_NO_FILES);
}

static void end_loan(const struct module *mod)
{
	struct loan *loan;

	list_for_each_entry(loan, &loans, list) {
		if (loan->mod != mod)
			continue;
		loan->mod->trace_events = loan->own;
		loan->mod->num_trace_events = loan->nr_own;
		list_del(&loan->list);
		kvfree(loan);
		return;
	}
}

void marker_lend_end(struct module *mod)
{
	struct marker_published *published, *next;
	LIST_HEAD(rest);

	end_loan(mod);
	list_for_each_entry(published, &marker_published_all, list) {
		cond_resched();
		if (published->carrier != mod)
			continue;
		published->carrier = NULL;
		if (!published->is_added) {
			note_added(published, &rest);
			continue;
		}
		published->is_added = false;
		published->is_partial = false;
		*published->why = '\0';
		list_add_tail(&published->change, &rest);
	}
	if (list_empty(&rest))
		return;
	marker_tracefs_locked(take_back, &rest);
	list_for_each_entry_safe(published, next, &rest, change)
		list_del_init(&published->change);
}

/*
 * The notifiers.  If one of the coming module fails, those before it are called again, as if it
 * went, but the kernel does not say yet that it does.
 */

static int notify_first(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;

	if (state == MODULE_STATE_COMING)
		carrier_ops->coming(mod);
	else if (state == MODULE_STATE_GOING && mod->state == MODULE_STATE_GOING)
		carrier_ops->going(mod);
	else if (state == MODULE_STATE_GOING)
		carrier_ops->seen(mod);
	return NOTIFY_OK;
}

static int notify_last(struct notifier_block *nb, unsigned long state, void *data)
{
	if (state == MODULE_STATE_COMING || state == MODULE_STATE_GOING)
		carrier_ops->seen(data);
	return NOTIFY_OK;
}

static struct notifier_block first = { .notifier_call = notify_first, .priority = INT_MAX };
/* tracing has 1 */
static struct notifier_block last = { .notifier_call = notify_last, .priority = 0 };

int marker_lend_init(const struct marker_carrier_ops *ops)
{
	int err;

	carrier_ops = ops;
	err = register_module_notifier(&last);
	if (err)
		return err;
	/* a module never meets the first one alone */
	err = register_module_notifier(&first);
	if (err)
		unregister_module_notifier(&last);
	return err;
}

void marker_lend_exit(void)
{
	unregister_module_notifier(&first);
	unregister_module_notifier(&last);
}

#endif /* MARKER_PUBLISH_LENDS */
