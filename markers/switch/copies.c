// SPDX-License-Identifier: GPL-2.0
/*
 * What instances record of events.  Process context, under the registry mutex.  Hits read the
 * copies in force under RCU.
 *
 * An array is never changed: each change makes another one.  Both may have the same filter,
 * which is freed when no array has it.
 */
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include <markers/log.h>
#include "copies.h"
#include "filters.h"
#include "registry.h"
#include "triggers.h"

LIST_HEAD(marker_instances);

static struct marker_copies *in_force(const struct marker_event *event)
{
	return rcu_dereference_protected(event->copies, true);
}

/* The next copies during a change, else those in force. */
static struct marker_copies *newest(const struct marker_event *event)
{
	return event->copies_change ? event->next_copies : in_force(event);
}

static unsigned int count(const struct marker_copies *copies)
{
	return copies ? copies->nr : 0;
}

void marker_copies_add(struct marker_rules *rules)
{
	marker_registry_lock();
	list_add_tail(&rules->instance, &marker_instances);
	marker_registry_unlock();
}

void marker_copies_remove(struct marker_rules *rules)
{
	marker_registry_lock();
	list_del(&rules->instance);
	marker_registry_unlock();
	synchronize_rcu();
}

const struct marker_copy *marker_copies_find(const struct marker_event *event,
					     const struct marker_rules *rules)
{
	const struct marker_copies *copies = newest(event);
	unsigned int i;

	for (i = 0; i < count(copies); i++) {
		if (copies->copy[i].rules == rules)
			return &copies->copy[i];
	}
	return NULL;
}

u64 marker_copies_cost(const struct marker_event *event, const struct marker_rules *without)
{
	const struct marker_copies *copies = newest(event);
	u64 cost = 0;
	unsigned int i;

	for (i = 0; i < count(copies); i++) {
		if (copies->copy[i].filter && copies->copy[i].rules != without)
			cost += copies->copy[i].filter->cost;
	}
	return cost;
}

bool marker_copies_are_wanted(const struct marker_event *event)
{
	const struct marker_copies *copies = in_force(event);
	unsigned int i;

	for (i = 0; i < count(copies); i++) {
		if (!copies->copy[i].filter || !copies->copy[i].filter->error.why)
			return true;
	}
	return false;
}

static bool has_filter(const struct marker_copies *copies,
		       const struct marker_event_filter *filter)
{
	unsigned int i;

	for (i = 0; i < count(copies); i++) {
		if (copies->copy[i].filter == filter)
			return true;
	}
	return false;
}

/* Free @copies, and their filters that neither @a nor @b has. */
static void drop(struct marker_copies *copies, const struct marker_copies *a,
		 const struct marker_copies *b)
{
	struct marker_event_filter *filter;
	unsigned int i;

	if (!copies)
		return;
	for (i = 0; i < copies->nr; i++) {
		filter = copies->copy[i].filter;
		if (filter && !has_filter(a, filter) && !has_filter(b, filter))
			kfree_rcu(filter, rcu);
	}
	kfree_rcu(copies, rcu);
}

int marker_copies_set(struct marker_event *event, struct marker_rules *rules, u32 asked,
		      const char *text)
{
	struct marker_copies *from = newest(event), *copies = NULL;
	struct marker_event_filter *filter = NULL;
	unsigned int i;

	marker_registry_assert_locked();
	if (!asked && !marker_copies_find(event, rules))
		return 0;
	/* an instance can be removed even if there is no memory */
	if (asked || count(from) > 1) {
		copies = kzalloc(struct_size(copies, copy, count(from) + 1),
				 asked ? GFP_KERNEL_ACCOUNT : GFP_KERNEL | __GFP_NOFAIL);
		if (!copies)
			return -ENOMEM;
	}
	if (asked && text) {
		filter = marker_filters_of_rule(&event->format, text);
		if (!filter) {
			kfree(copies);
			return -ENOMEM;
		}
		marker_filters_limit(filter, marker_filters_cost(event) +
					     marker_copies_cost(event, rules) +
					     marker_triggers_cost(event));
	}
	for (i = 0; i < count(from); i++) {
		if (from->copy[i].rules != rules)
			copies->copy[copies->nr++] = from->copy[i];
	}
	if (asked)
		copies->copy[copies->nr++] = (struct marker_copy) {
			.rules = rules,
			.recording = rules->recording,
			.asked = asked,
			.filter = filter,
		};
	if (event->copies_change)
		drop(from, copies, in_force(event));
	event->next_copies = copies;
	event->copies_change = true;
	return filter && filter->error.why ? -EINVAL : 0;
}

int marker_copies_connect(struct marker_event *event)
{
	struct marker_log_scope scope;
	struct marker_rules *rules;
	int err;

	for_each_instance(rules) {
		err = marker_copies_set(event, rules,
					marker_rules_want(rules, event->module_name, event->name),
					marker_rules_filter(rules, event->module_name,
							    event->name));
		if (err == -ENOMEM)
			return err;
		if (!err)
			continue;
		marker_log_enter(&scope, rules->name);
		marker_filters_log(event, marker_copies_find(event, rules)->filter, 0, true);
		marker_log_leave(&scope);
	}
	return 0;
}

void marker_copies_exchange(struct marker_event *event)
{
	struct marker_copies *copies = in_force(event);

	if (!event->copies_change)
		return;
	rcu_assign_pointer(event->copies, event->next_copies);
	event->next_copies = copies;
}

void marker_copies_settle(struct marker_event *event)
{
	drop(event->next_copies, in_force(event), NULL);
	event->next_copies = NULL;
	event->copies_change = false;
}

void marker_copies_clear(struct marker_event *event)
{
	struct marker_copies *copies = in_force(event);

	marker_copies_settle(event);
	RCU_INIT_POINTER(event->copies, NULL);
	drop(copies, NULL, NULL);
}
