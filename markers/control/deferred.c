// SPDX-License-Identifier: GPL-2.0
/*
 * The task that carries out what hits ask for (hit/asks.h), in the order of the last hits.  An
 * irq_work starts it, since a workqueue cannot be told in NMI.  It runs at most MAX_RATE times
 * a second: that limits what a marker in the scheduler costs, or two triggers that undo each
 * other.
 *
 * The same task frees actions, a grace period after the last hit could find them: none of
 * them is queued by then.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include <markers/after/last_words.h>
#include <markers/hit/asks.h>
#include <markers/hit/hists.h>
#include <markers/hit/latencies.h>
#include <markers/log.h>
#include <markers/model/registry.h>
#include <markers/model/rules.h>
#include <markers/record/record.h>
#include <markers/record/keeper.h>
#include "control.h"
#include "deferred.h"
#include "latency_events.h"
#include "triggers.h"

#define MAX_RATE	100	/* per second */

/* One thread, so the two works never run at the same time. */
static struct workqueue_struct *task;
static void run_queue(struct work_struct *work);
static void free_retired(struct work_struct *work);
static DECLARE_DELAYED_WORK(run_work, run_queue);
static DECLARE_WORK(free_work, free_retired);

static LLIST_HEAD(retired);	/* by marker_action.retired */
static unsigned long last_run;	/* jiffies */

/* In an interrupt. */
static void start_deferred(struct irq_work *work)
{
	unsigned long next = READ_ONCE(last_run) + DIV_ROUND_UP(HZ, MAX_RATE);

	queue_delayed_work(task, &run_work, time_before(jiffies, next) ? next - jiffies : 0);
}

static int carry_out(struct marker_action *action)
{
	const struct marker_rule *target = action->trigger->target;
	const bool log = !action->trigger->is_failing;

	if (action->kind == MARKER_ACTION_SNAPSHOT)
		return marker_recording_take_snapshot(action->recording, log);
	return marker_control_ask(action->recording, target->module, target->name,
				  action->kind == MARKER_ACTION_ENABLE ? target->asked : 0,
				  log, &action->settled);
}

/* Search from the newest on: most actions arrive in order. */
static void add_by_number(struct list_head *pending, struct marker_action *action)
{
	struct marker_action *before;

	list_for_each_entry_reverse(before, pending, pending) {
		if ((long)(READ_ONCE(action->number) - READ_ONCE(before->number)) > 0)
			break;
		cond_resched();
	}
	list_add(&action->pending, &before->pending);
}

static void carry_out_queued(void)
{
	struct marker_action *action, *next;
	struct marker_log_scope scope;
	LIST_HEAD(pending);

	llist_for_each_entry_safe(action, next, marker_asks_take(), node) {
		/*
		 * A full barrier: a hit from here on queues it again, and the task carries
		 * that out after all of these.
		 */
		xchg(&action->is_queued, 0);
		add_by_number(&pending, action);
	}
	list_for_each_entry_safe(action, next, &pending, pending) {
		marker_log_enter(&scope, action->recording->name);
		action->trigger->is_failing = carry_out(action);
		marker_log_leave(&scope);
		action->failed += action->trigger->is_failing;
		action->done++;
	}
	marker_asks_done();
}

static void run_queue(struct work_struct *work)
{
	carry_out_queued();
	WRITE_ONCE(last_run, jiffies);
}

static void free_retired(struct work_struct *work)
{
	struct llist_node *first = llist_del_all(&retired);
	struct marker_action *action, *next;

	if (!first)
		return;
	synchronize_rcu();
	carry_out_queued();
	marker_registry_lock();
	llist_for_each_entry_safe(action, next, first, retired)
		marker_triggers_free(action);
	marker_registry_unlock();
}

/* Actions that need data of their own get them here. */
static int create_action(struct marker_action *action, struct marker_format_error *error)
{
	switch (action->kind) {
	case MARKER_ACTION_HIST:
		return marker_hists_create(action, error);
	case MARKER_ACTION_BEGIN:
	case MARKER_ACTION_LATENCY:
		return marker_latencies_create(action, error) ?:
		       marker_latency_events_get(action, error);
	case MARKER_ACTION_DUMP:
		return marker_last_words_prepare();
	default:
		return 0;
	}
}

static void retire_action(struct marker_action *action)
{
	if (action->kind == MARKER_ACTION_BEGIN || action->kind == MARKER_ACTION_LATENCY)
		marker_latencies_retire(action);
	if (llist_add(&action->retired, &retired))
		queue_work(task, &free_work);
}

static void wait_for_retired(void)
{
	bool is_new;

	flush_work(&free_work);
	marker_registry_lock();
	is_new = marker_latency_events_update();
	marker_registry_unlock();
	if (is_new)
		marker_keeper->update();
}

static void destroy_action(struct marker_action *action)
{
	switch (action->kind) {
	case MARKER_ACTION_HIST:
		marker_hists_destroy(action);
		break;
	case MARKER_ACTION_BEGIN:
	case MARKER_ACTION_LATENCY:
		marker_latency_events_put(action);
		marker_latencies_destroy(action);
		break;
	default:
		break;
	}
}

static const struct marker_trigger_ops trigger_ops = {
	.create = create_action,
	.retire = retire_action,
	.destroy = destroy_action,
	.wait = wait_for_retired,
};

int __init marker_deferred_init(void)
{
	task = alloc_ordered_workqueue("markers", 0);
	if (!task)
		return -ENOMEM;
	init_irq_work(&marker_asks_actions, start_deferred);
	marker_triggers_init(&trigger_ops);
	return 0;
}

void marker_deferred_exit(void)
{
	irq_work_sync(&marker_asks_actions);
	flush_delayed_work(&run_work);
	destroy_workqueue(task);
	marker_triggers_exit();
	marker_registry_lock();
	marker_latency_events_update();
	marker_registry_unlock();
}
