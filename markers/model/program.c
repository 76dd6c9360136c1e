// SPDX-License-Identifier: GPL-2.0
/*
 * Which recordings take the hits of events.  Process context, under the registry mutex.  Hits
 * read the program in force under RCU.
 *
 * A program is never changed: each edit makes another one.  Two kinds need no memory, so that
 * thousands of markers can be enabled, and disabled, without any: the one that does nothing,
 * and the one of each recording that takes all hits.
 */
#include <linux/errno.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/marker_types.h>
#include "counts.h"
#include "idle.h"
#include "program.h"
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

static unsigned int count(const struct marker_program *program)
{
	return program->nr + program->nr_waiting;
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
	for (i = 0; i < count(program); i++) {
		filter = program->take[i].filter;
		if (filter && !--filter->refs)
			kfree_rcu(filter, rcu);
	}
	kfree_rcu(program, rcu);
}

static struct marker_program *allocate(unsigned int nr_cells, unsigned int nr_takes, gfp_t gfp)
{
	struct marker_program *program;

	program = kzalloc(struct_size(program, gate, nr_cells) +
			  nr_takes * sizeof(program->take[0]), gfp);
	if (program)
		program->take = (struct marker_take *)&program->gate[nr_cells];
	return program;
}

static bool fits(const struct marker_take *take)
{
	return !take->filter || !take->filter->error.why;
}

/* Does it record hits? */
static bool is_running(const struct marker_event *event, const struct marker_take *take)
{
	return fits(take) && (take->asked & MARKER_ASK_RECORD ||
			      (take->recording == &marker_top && event->nr_alone));
}

/* Does it take all hits, and nothing else? */
static bool is_whole(const struct marker_take *take)
{
	return take->asked == MARKER_ASK_RECORD && !take->filter;
}

/* Add to @program the takes of @from, and @take in place of one, that run, or that do not. */
static void add_takes(const struct marker_event *event, struct marker_program *program,
		      const struct marker_program *from, const struct marker_take *take,
		      bool running)
{
	const struct marker_take *next;
	unsigned int i;

	for (i = 0; i <= count(from); i++) {
		next = i < count(from) ? &from->take[i] : take;
		if ((next != take && next->recording == take->recording) ||
		    (next == take && !take->asked && !take->filter &&
		     !is_running(event, take)) ||
		    is_running(event, next) != running)
			continue;
		program->take[count(program)] = *next;
		if (running)
			program->nr++;
		else
			program->nr_waiting++;
	}
}

/* The gate needs as many cells at most. */
static unsigned int cells_of(const struct marker_take *take)
{
	return take->filter ? take->filter->program.nr_cells : 1;
}

/* @record: struct marker_event.record */
static void put_gate(struct marker_program *program, u32 record)
{
	static const union marker_filter_cell any = MARKER_GATE_OPEN;
	const struct marker_take *take = program->take;
	const struct marker_event_filter *filter;

	program->ring = &marker_no_ring;
	program->then = program->nr ? MARKER_SHARED : 0;
	program->gate[0] = any;
	if (program->nr != 1)
		return;
	filter = take->filter;
	if (!filter) {
		program->ring = take->ring;
		return;
	}
	if (take->recording == &marker_top)
		program->then = record;
	memcpy(program->gate, filter->program.cell,
	       filter->program.nr_cells * sizeof(filter->program.cell[0]));
}

/* The program of @from with @take in place of that of the same recording.  NULL: no memory. */
static struct marker_program *create(const struct marker_event *event,
				     const struct marker_program *from,
				     const struct marker_take *take, gfp_t gfp)
{
	unsigned int i, nr_cells = cells_of(take), others = 0;
	struct marker_program *program, *whole;

	for (i = 0; i < count(from); i++) {
		if (from->take[i].recording == take->recording)
			continue;
		others++;
		nr_cells = max(nr_cells, cells_of(&from->take[i]));
	}
	if (!others && is_whole(take))
		return take->recording->whole;
	if (!others && !take->asked && !take->filter && !is_running(event, take))
		return &marker_idle;
	program = allocate(nr_cells, others + 1, gfp);
	if (!program)
		return NULL;
	add_takes(event, program, from, take, true);
	add_takes(event, program, from, take, false);
	put_gate(program, event->record);
	if (count(program) == 1 && is_whole(&program->take[0])) {
		whole = program->take[0].recording->whole;
		kfree(program);
		return whole;
	}
	for (i = 0; i < count(program); i++) {
		if (program->take[i].filter)
			program->take[i].filter->refs++;
	}
	return program;
}

int marker_recordings_add(struct marker_recording *recording)
{
	struct marker_program *whole = allocate(1, 1, GFP_KERNEL_ACCOUNT);

	if (!whole)
		return -ENOMEM;
	whole->nr = 1;
	whole->take[0] = (struct marker_take) {
		.recording = recording,
		.ring = recording->ring,
		.asked = MARKER_ASK_RECORD,
	};
	put_gate(whole, 0);
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

	for (i = 0; i < count(program); i++) {
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

	for (i = 0; i < count(program); i++) {
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
	struct marker_program *program;

	marker_registry_assert_locked();
	/* a recording can be removed even if there is no memory */
	program = create(event, newest(event), &take,
			 asked || filter ? GFP_KERNEL_ACCOUNT : GFP_KERNEL | __GFP_NOFAIL);
	if (!program) {
		if (filter && !filter->refs)
			kfree(filter);
		return -ENOMEM;
	}
	if (event->next_program)
		drop(event->next_program);
	event->next_program = program;
	return 0;
}

int marker_program_make_counts(struct marker_event *event)
{
	struct marker_program *program = event->next_program;
	struct marker_take *take;
	unsigned int i;

	for (i = 0; program && i < count(program); i++) {
		take = &program->take[i];
		if (!(take->asked & MARKER_ASK_COUNT) || take->counts)
			continue;
		take->counts = marker_counts_create(take->recording, event);
		if (!take->counts)
			return -ENOMEM;
	}
	return 0;
}

/* Of all that count: is it only the one at the top?  Its counts are those of the event. */
static u32 counted_state(const struct marker_program *program)
{
	unsigned int i;
	u32 state = 0;

	for (i = 0; i < count(program); i++) {
		if (program->take[i].counts)
			state |= program->take[i].recording == &marker_top ? MARKER_COUNTED :
				 MARKER_COUNTED | MARKER_SHARED;
	}
	return state;
}

u32 marker_program_state(const struct marker_event *event, bool top, u32 more)
{
	const struct marker_program *program = in_force(event);
	const struct marker_take *take = program->take;
	unsigned int i, nr = 0;

	more |= counted_state(program);
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
	marker_program_settle(event);
	event->next_program = &marker_idle;
	marker_program_exchange(event);
	marker_program_settle(event);
}
