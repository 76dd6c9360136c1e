// SPDX-License-Identifier: GPL-2.0
/*
 * Switching markers on and off.  Every change ends in marker_switch_apply(), which
 * gives markers the states, and sites the code, that rules ask for.
 * Process context, under the registry mutex.
 *
 *	on:	publish the program, set marker.state, patch in
 *	off:	publish another, clear marker.state, patch out, free it after a grace period
 */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include <markers/log.h>
#include <markers/model/patcher.h>
#include <markers/model/program.h>
#include <markers/model/rules.h>
#include "switch.h"
#include "triggers.h"

static u8 default_mode = MARKER_MODE_JUMP;
static unsigned int nr_guards_on;

/* Of a marker with no site that is enabled alone. */
static u32 event_state(const struct marker_event *event)
{
	return marker_program_state(event, marker_program_asked(event, &marker_top) &
				    MARKER_ASK_RECORD);
}

/*
 * Set the states of an event's markers.  The sites of a marker are side by side, so each marker
 * is set once.  A marker with a site that is enabled alone never stops being recorded in between.
 */
static void set_states(struct marker_event *event, u32 state)
{
	const struct marker_site *site, *end;
	bool alone = false;

	/* for count_only(): the counts before the states */
	smp_wmb();
	for_each_event_site(event, site, end) {
		alone |= site->alone;
		if (site + 1 < end && site[1].marker == site->marker)
			continue;
		WRITE_ONCE(site->marker->state, !alone ? state :
			   marker_program_state(event, true));
		alone = false;
	}
}

/* The code that enabled sites of the event have. */
static u8 enabled_code(const struct marker_event *event)
{
	u8 mode = event->mode ?: default_mode;

	return mode == MARKER_MODE_JUMP ? MARKER_SITE_JUMP : MARKER_SITE_BREAKPOINT;
}

/* Set the goal of a site.  Return true if the site must be patched. */
static bool set_goal(struct marker_site *site, u8 goal)
{
	switch (marker_patcher_state(site)) {
	case MARKER_SITE_NOP:
	case MARKER_SITE_BREAKPOINT:
	case MARKER_SITE_JUMP:
		site->goal = goal;
		return site->goal != site->state;
	}
	return false;
}

/* The guard page is unmapped while any marker needs that. */
int marker_switch_guard_page(struct marker_event *event)
{
	const struct marker_site *site, *end;
	bool on = false;

	for_each_event_site(event, site, end) {
		if (site->state == MARKER_SITE_GUARD &&
		    (event_state(event) || site->alone))
			on = true;
	}
	if (on == event->guard_on)
		return 0;
	event->guard_on = on;
	if (on)
		nr_guards_on++;
	else
		nr_guards_on--;
	return marker_arch_guard_page(nr_guards_on);
}

void marker_switch_add(struct list_head *changes, struct marker_event *event)
{
	if (!list_empty(&event->change))
		return;
	list_add_tail(&event->change, changes);
}

/* What is to be counted has counts, before a program has them. */
static int make_counts(struct list_head *changes)
{
	struct marker_event *event;
	int err = 0;

	list_for_each_entry(event, changes, change) {
		err = marker_program_make_counts(event);
		if (err)
			break;
	}
	return err;
}

/*
 * Set the states, and the goals of sites.  Returns an array of the sites to patch, which
 * the caller frees with kvfree().  NULL: no memory, and nothing has changed.
 */
static struct marker_site **set_goals(struct list_head *changes, unsigned int *nr)
{
	struct marker_site **sites, *site, *end;
	struct marker_event *event;
	unsigned int room = 0;
	u8 enabled, rest;
	u32 state;

	list_for_each_entry(event, changes, change)
		room += event->nr_sites;
	*nr = 0;
	/* NULL means out of memory, also if there is no site */
	sites = kvmalloc_array(room + 1, sizeof(*sites), GFP_KERNEL);
	if (!sites)
		return NULL;
	list_for_each_entry(event, changes, change) {
		cond_resched();
		enabled = enabled_code(event);
		state = event_state(event);
		rest = state ? enabled : MARKER_SITE_NOP;
		for_each_event_site(event, site, end) {
			if (set_goal(site, site->alone ? enabled : rest))
				sites[(*nr)++] = site;
		}
		set_states(event, state);
	}
	return sites;
}

static void exchange_all(struct list_head *changes)
{
	struct marker_event *event;

	marker_registry_assert_locked();
	list_for_each_entry(event, changes, change)
		marker_program_exchange(event);
}

static void set_all_states(struct list_head *changes)
{
	struct marker_event *event;

	list_for_each_entry(event, changes, change) {
		cond_resched();
		set_states(event, event_state(event));
	}
}

/* The program that is not in force goes, with the actions that only it has. */
static void settle(struct marker_event *event)
{
	if (!event->next_program)
		return;
	if (event->next_program->has_actions)
		marker_triggers_settle(event);
	marker_program_settle(event);
}

/* @err: not 0: the change is taken back */
static void finish_switch(struct list_head *changes, int err)
{
	struct marker_event *event, *next;

	list_for_each_entry_safe(event, next, changes, change) {
		cond_resched();
		list_del_init(&event->change);
		if (err) {
			marker_program_exchange(event);
			set_states(event, event_state(event));
		} else if (marker_switch_guard_page(event)) {
			marker_log("marker %s: the guard page cannot be switched on this machine",
				   event->title);
		}
		settle(event);
	}
}

void marker_switch_forget(struct list_head *changes)
{
	struct marker_event *event, *next;

	list_for_each_entry_safe(event, next, changes, change) {
		list_del_init(&event->change);
		settle(event);
	}
}

int marker_switch_apply(struct list_head *changes)
{
	struct marker_site **sites = NULL;
	unsigned int nr;
	int err;

	err = make_counts(changes);
	if (err) {
		marker_switch_forget(changes);
		return err;
	}
	exchange_all(changes);
	sites = set_goals(changes, &nr);
	err = -ENOMEM;
	if (sites) {
		err = marker_patcher_apply(sites, nr);
		kvfree(sites);
	}
	finish_switch(changes, err);
	return err;
}

void marker_switch_take_away(struct list_head *changes)
{
	struct marker_site **sites;
	unsigned int nr;

	exchange_all(changes);
	sites = set_goals(changes, &nr);
	if (!sites)
		set_all_states(changes);
	if (!sites || marker_patcher_apply(sites, nr))
		marker_log("no memory: markers that nobody wants any more stay armed until they are changed again");
	kvfree(sites);
	finish_switch(changes, 0);
}

void marker_switch_leave(struct marker_event *event)
{
	event->nr_alone = 0;
	event->nr_sites = 0;
	if (event->guard_on)
		marker_switch_guard_page(event);
	/* of a load that failed */
	settle(event);
	marker_program_clear(event);
	event->module = NULL;
}

int marker_switch_set_mode(struct marker_event *event, enum marker_mode mode)
{
	LIST_HEAD(changes);
	u8 was;
	int err;

	marker_registry_lock();
	was = event->mode;
	event->mode = mode;
	if (event->module)
		marker_switch_add(&changes, event);
	err = marker_switch_apply(&changes);
	if (err)
		event->mode = was;
	marker_registry_unlock();
	return err;
}

int marker_switch_set_default_mode(enum marker_mode mode)
{
	struct marker_event *event;
	LIST_HEAD(changes);
	u8 was;
	int err;

	marker_registry_lock();
	was = default_mode;
	default_mode = mode;
	for_each_loaded_event(event) {
		if (!event->mode)
			marker_switch_add(&changes, event);
	}
	err = marker_switch_apply(&changes);
	if (err)
		default_mode = was;
	marker_registry_unlock();
	return err;
}

enum marker_mode marker_switch_default_mode(void)
{
	return default_mode;
}

/*
 * A site that is not patched looks at the state of its marker.  So it cannot be enabled
 * without the other sites of the marker.  One that will not be hit cannot be at all.
 */
static int check_site_alone(const struct marker_event *event,
			    const struct marker_site *site)
{
	const struct marker_site *other, *end;

	if (site->state == MARKER_SITE_GONE) {
		marker_log("marker %s: this site was in init text, which has been freed",
			   event->title);
		return -EINVAL;
	}
	if (site->state == MARKER_SITE_QUARANTINED) {
		marker_log("marker %s: the code of this site has been changed from outside: it is left alone",
			   event->title);
		return -EINVAL;
	}
	if (site->addr && site->state != MARKER_SITE_GUARD)
		return 0;
	for_each_event_site(event, other, end) {
		if (other == site || other->marker != site->marker)
			continue;
		marker_log("marker %s: this site is not patched and shares its marker with others: it cannot be enabled alone",
			   event->title);
		return -EINVAL;
	}
	return 0;
}

/* The program has the take of the top for a site, too. */
static int choose_alone(struct marker_event *event, int more, struct list_head *changes)
{
	const struct marker_take *take = marker_program_take(event, &marker_top);
	int err;

	event->nr_alone += more;
	marker_switch_add(changes, event);
	err = marker_program_edit(event, &marker_top, take ? take->asked : 0,
				  take ? take->filter : NULL);
	if (err)
		list_del_init(&event->change);
	return err;
}

static int set_site(struct marker_event *event, unsigned int index, bool on)
{
	struct marker_site *site;
	LIST_HEAD(changes);
	int err;

	site = marker_event_site(event, index);
	if (!site) {
		marker_log("marker %s: no site %u, it has %u", event->title,
			   index, event->nr_sites);
		return -EINVAL;
	}
	err = on ? check_site_alone(event, site) : 0;
	if (err || site->alone == on)
		return err;
	site->alone = on;
	err = choose_alone(event, on ? 1 : -1, &changes) ?: marker_switch_apply(&changes);
	if (err) {
		site->alone = !on;
		event->nr_alone -= on ? 1 : -1;
		set_states(event, event_state(event));
	}
	return err;
}

int marker_switch_set_site(struct marker_event *event, unsigned int index, bool on)
{
	int err = -ENOENT;

	marker_registry_lock();
	if (event->module)
		err = set_site(event, index, on);
	marker_registry_unlock();
	return err;
}
