// SPDX-License-Identifier: GPL-2.0
/*
 * What the hits of events do: which recordings take them, and which actions and probes they run.
 * Process context, under the registry mutex.  Hits read the program in force under RCU.
 *
 * A program is never changed: each edit makes another one.  Two kinds need no memory, so that
 * thousands of markers can be enabled, and disabled, without any: the one that does nothing,
 * and the one of each recording that takes all hits.
 */
#include <linux/errno.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/marker_types.h>
#include "counts.h"
#include "idle.h"
#include "program.h"
#include "program_internal.h"
#include "registry.h"

static struct marker_program *in_force(const struct marker_event *event)
{
	return (struct marker_program *)marker_program_of(event);
}

static struct marker_program *newest(const struct marker_event *event)
{
	return event->next_program ?: in_force(event);
}

static void publish(struct marker_event *event, const struct marker_program *program)
{
	rcu_assign_pointer(event->gate, &program->gate[0].test);
}

static bool is_common(const struct marker_program *program)
{
	return program == &marker_idle ||
	       (program->nr == 1 && program == program->take[0].recording->whole);
}

/* No event leads to it any more, but hits in progress may still run it. */
static void drop(struct marker_program *program)
{
	struct marker_event_filter *filter;
	unsigned int i;

	if (is_common(program))
		return;
	for (i = 0; i < marker_program_takes(program); i++) {
		filter = program->take[i].filter;
		if (filter && !--filter->refs)
			kfree_rcu(filter, rcu);
	}
	kfree_rcu(program, rcu);
}

int marker_program_edit_part(struct marker_event *event, enum marker_edit_kind kind,
			     const void *part)
{
	const struct marker_edit edit = { .kind = kind, .part = part };
	struct marker_program *program;

	marker_registry_assert_locked();
	program = marker_program_create(event, newest(event), &edit);
	if (!program)
		return -ENOMEM;
	if (event->next_program)
		drop(event->next_program);
	event->next_program = program;
	return 0;
}

int marker_recordings_add(struct marker_recording *recording)
{
	struct marker_program *whole = marker_program_create_whole(recording);

	if (!whole)
		return -ENOMEM;
	marker_registry_lock();
	recording->whole = whole;
	list_add_tail_rcu(&recording->node, &marker_recordings);
	marker_registry_unlock();
	return 0;
}

void marker_recordings_remove(struct marker_recording *recording)
{
	marker_registry_lock();
	list_del_rcu(&recording->node);
	marker_registry_unlock();
	synchronize_rcu();
	marker_counts_free(recording);
	kfree(recording->whole);
}

static const struct marker_take *find(const struct marker_program *program,
				      const struct marker_recording *recording)
{
	unsigned int i;

	for (i = 0; i < marker_program_takes(program); i++) {
		if (program->take[i].recording == recording)
			return &program->take[i];
	}
	return NULL;
}

const struct marker_take *marker_program_take(const struct marker_event *event,
					      const struct marker_recording *recording)
{
	return find(newest(event), recording);
}

u32 marker_program_asked(const struct marker_event *event, const struct marker_recording *recording)
{
	const struct marker_take *take = find(in_force(event), recording);

	return take ? take->asked : 0;
}

struct marker_event_filter *marker_program_filter(const struct marker_event *event,
						  const struct marker_recording *recording)
{
	const struct marker_take *take = marker_program_take(event, recording);

	return take ? take->filter : NULL;
}

u64 marker_program_cost(const struct marker_event *event, const struct marker_recording *without)
{
	const struct marker_program *program = newest(event);
	u64 cost = 0;
	unsigned int i;

	for (i = 0; i < marker_program_takes(program); i++) {
		if (program->take[i].filter && program->take[i].recording != without)
			cost += program->take[i].filter->cost;
	}
	return cost;
}

int marker_program_edit(struct marker_event *event, struct marker_recording *recording, u32 asked,
			struct marker_event_filter *filter)
{
	const struct marker_take take = {
		.recording = recording,
		.ring = recording->ring,
		.filter = filter,
		.asked = asked,
	};
	const int err = marker_program_edit_part(event, MARKER_EDIT_TAKE, &take);

	if (err && filter && !filter->refs)
		kfree(filter);
	return err;
}

const struct marker_actions *marker_program_actions(const struct marker_event *event)
{
	return marker_actions_of(in_force(event));
}

const struct marker_actions *marker_program_newest_actions(const struct marker_event *event)
{
	return marker_actions_of(newest(event));
}

int marker_program_make_counts(struct marker_event *event)
{
	struct marker_program *program = event->next_program;
	struct marker_take *take;
	unsigned int i;

	for (i = 0; program && i < marker_program_takes(program); i++) {
		take = &program->take[i];
		if (!(take->asked & MARKER_ASK_COUNT) || take->counts)
			continue;
		cond_resched();
		take->counts = marker_counts_create(take->recording, event);
		if (!take->counts)
			return -ENOMEM;
	}
	return 0;
}

/* What a hit does besides recording. */
static u32 more_state(const struct marker_program *program)
{
	const struct marker_actions *actions = marker_actions_of(program);
	unsigned int i;
	u32 state = 0;

	if (actions && actions->nr)
		state |= MARKER_ACTED;
	if (program->call.func != marker_call_nobody)
		state |= MARKER_PROBED;
	/* Of all that count: is it only the one at the top?  Its counts are those of the event. */
	for (i = 0; i < marker_program_takes(program); i++) {
		if (program->take[i].counts)
			state |= program->take[i].recording == &marker_top ? MARKER_COUNTED :
				 MARKER_COUNTED | MARKER_SHARED;
	}
	return state;
}

u32 marker_program_state(const struct marker_event *event, bool top)
{
	const struct marker_program *program = in_force(event);
	const struct marker_take *take = program->take;
	u32 more;
	unsigned int i, nr = 0;

	if (program == &marker_idle)
		return 0;
	more = more_state(program);
	for (i = 0; i < program->nr; i++)
		nr += top || program->take[i].recording != &marker_top;
	/* those that do not run the program, if another site is enabled alone */
	if (!nr && (!program->nr || !more || more == MARKER_PROBED || more == MARKER_COUNTED))
		return more == MARKER_PROBED ? MARKER_ONLY_PROBED : more;
	if (nr < program->nr)
		return MARKER_SHARED | MARKER_NOT_TOP | more;
	if (nr > 1 || (more && (take->filter || take->recording != &marker_top)))
		return MARKER_SHARED | more;
	if (take->recording == &marker_top)
		return take->filter ? MARKER_FILTERED : event->record | more;
	return take->filter ? MARKER_FILTERED | MARKER_SHARED : event->record | MARKER_MORE;
}

void marker_program_exchange(struct marker_event *event)
{
	struct marker_program *program = in_force(event);

	if (!event->next_program)
		return;
	publish(event, event->next_program);
	event->next_program = program;
}

void marker_program_settle(struct marker_event *event)
{
	if (event->next_program)
		drop(event->next_program);
	event->next_program = NULL;
}

void marker_program_clear(struct marker_event *event)
{
	/* it has no actions that stay, and is not freed */
	if (!event->next_program && is_common(in_force(event))) {
		publish(event, &marker_idle);
		return;
	}
	marker_program_edit_part(event, MARKER_LEAVE, NULL);
	marker_program_exchange(event);
	marker_program_settle(event);
}

void marker_program_end(struct marker_event *event)
{
	struct marker_program *program = in_force(event);

	publish(event, &marker_idle);
	drop(program);
}
