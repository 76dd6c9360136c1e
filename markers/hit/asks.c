// SPDX-License-Identifier: GPL-2.0
/*
 * See asks.h.  A hit queues an action by one atomic instruction for the list, and irq_work, which
 * works in NMI, starts the task.  A list of actions needs no memory, so a hit cannot fail.
 *
 * If a second hit asks for the same before the task has done it, the task does it once,
 * after both: the final state is the same, so nothing is lost.
 */
#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>

#include "asks.h"

struct irq_work marker_asks_actions;
struct irq_work marker_asks_dump;
struct marker_asked_dump marker_asked_dump;

static LLIST_HEAD(queue);	/* by marker_action.node */
static atomic_long_t last_number;
static bool running;		/* what was in the queue is being carried out */

/* The newest hit wins: a hit that was interrupted must not set its older number. */
static __always_inline void set_number(struct marker_action *action)
{
	const unsigned long number = atomic_long_inc_return(&last_number);
	unsigned long old = READ_ONCE(action->number), seen;

	for (; (long)(number - old) > 0; old = seen) {
		seen = cmpxchg(&action->number, old, number);
		if (seen == old)
			break;
	}
}

void marker_asks_queue(struct marker_action *action)
{
	set_number(action);
	/* A full barrier: the task sees the number, or we see that it has begun. */
	if (xchg(&action->is_queued, 1))
		return;
	if (llist_add(&action->node, &queue))
		irq_work_queue(&marker_asks_actions);
}
NOKPROBE_SYMBOL(marker_asks_queue);

bool marker_asks_are_busy(void)
{
	if (!llist_empty(&queue))
		return true;
	/* A hit that finds the queue emptied by marker_asks_take() sees that it runs, or ran. */
	smp_rmb();
	/* Before marker_rules.changes is read. */
	return smp_load_acquire(&running);
}
NOKPROBE_SYMBOL(marker_asks_are_busy);

struct llist_node *marker_asks_take(void)
{
	WRITE_ONCE(running, true);
	/* It is written before the queue is emptied. */
	smp_mb();
	return llist_reverse_order(llist_del_all(&queue));
}

void marker_asks_done(void)
{
	/* A hit that sees this sees the changes, too. */
	smp_store_release(&running, false);
}

bool marker_asks_claim_dump(struct marker_recording *recording, unsigned int nr)
{
	if (time_before(jiffies, READ_ONCE(marker_asked_dump.next_time)) ||
	    cmpxchg(&marker_asked_dump.nr, 0, nr ?: MARKER_DUMP_EVENTS))
		return false;
	marker_asked_dump.recording = recording;
	return true;
}
NOKPROBE_SYMBOL(marker_asks_claim_dump);

void marker_asks_end_dump(void)
{
	/* The next hit that asks has all that the dump needs. */
	smp_store_release(&marker_asked_dump.nr, 0);
}
NOKPROBE_SYMBOL(marker_asks_end_dump);
