// SPDX-License-Identifier: GPL-2.0
/*
 * Makes programs: all that one says, in one piece of memory.  Process context, under the registry
 * mutex.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <markers/compat/uninitialized.h>
#include <markers/marker_types.h>
#include "idle.h"
#include "program_internal.h"

/**
 * struct probes - the probes of a program, if there are several
 * @nr:		how many
 * @probe:	in the order in which they were registered
 */
struct probes {
	unsigned int nr;
	struct marker_probe probe[];
};

static void call_probes(void *probe_private, void *call_private, const char *fmt,
			va_list *args)
{
	va_list copy __marker_uninitialized;
	const struct probes *probes = probe_private;
	const struct marker_probe *probe = probes->probe;
	const struct marker_probe *end = probe + probes->nr;

	do {
		va_copy(copy, *args);
		probe->func(probe->private, NULL, fmt, &copy);
		va_end(copy);
	} while (++probe < end);
}
NOKPROBE_SYMBOL(call_probes);

static const struct marker_probe *probes_of(const struct marker_program *program,
					    unsigned int *nr)
{
	const struct probes *probes = program->call.private;

	if (program->call.func == call_probes) {
		*nr = probes->nr;
		return probes->probe;
	}
	*nr = program->call.func != marker_call_nobody;
	return &program->call;
}

/**
 * struct room - what there is to be in a program
 * @cells:	of its gate, at most
 * @takes:	all of them
 * @actions:	the same
 * @probes:	the same
 */
struct room {
	unsigned int cells;
	unsigned int takes;
	unsigned int actions;
	unsigned int probes;
};

static struct marker_program *allocate(const struct room *room, gfp_t gfp)
{
	struct marker_program *program;
	struct marker_actions *actions;
	struct probes *probes;
	size_t size;

	size = struct_size(program, gate, room->cells) + room->takes * sizeof(program->take[0]);
	if (room->actions)
		size += sizeof(*actions) + room->actions * sizeof(actions->action[0]);
	if (room->probes > 1)
		size += struct_size(probes, probe, room->probes);
	program = kzalloc(size, gfp);
	if (!program)
		return NULL;
	actions = (struct marker_actions *)&program->gate[room->cells];
	program->has_actions = !!room->actions;
	program->take = (struct marker_take *)(actions + program->has_actions);
	probes = (struct probes *)(program->take + room->takes);
	if (room->actions) {
		actions->action = (struct marker_action **)probes;
		probes = (struct probes *)(actions->action + room->actions);
	}
	program->call.func = marker_call_nobody;
	if (room->probes > 1) {
		program->call = (struct marker_probe) { call_probes, probes };
		probes->nr = room->probes;
	}
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

/* Does it need a place in the program? */
static bool is_there(const struct marker_event *event, const struct marker_take *take)
{
	return take->asked || take->filter || is_running(event, take);
}

/* Does @edit leave a take as it is? */
static bool stays(const struct marker_take *take, const struct marker_edit *edit)
{
	switch (edit->kind) {
	case MARKER_LEAVE:
		return false;
	case MARKER_EDIT_TAKE:
		return take->recording != edit->take->recording;
	default:
		return true;
	}
}

/* Is the take of @edit one of the new program? */
static bool comes(const struct marker_event *event, const struct marker_edit *edit)
{
	return edit->kind == MARKER_EDIT_TAKE && is_there(event, edit->take);
}

static void add_take(struct marker_program *program, const struct marker_take *take, bool running)
{
	program->take[marker_program_takes(program)] = *take;
	if (take->filter)
		take->filter->refs++;
	if (running)
		program->nr++;
	else
		program->nr_waiting++;
}

/* Those that run, or that do not. */
static void add_takes(const struct marker_event *event, struct marker_program *program,
		      const struct marker_program *from, const struct marker_edit *edit,
		      bool running)
{
	const struct marker_take *take = from->take;
	const struct marker_take *end = take + marker_program_takes(from);

	for (; take < end; take++) {
		if (stays(take, edit) && is_running(event, take) == running)
			add_take(program, take, running);
	}
	if (comes(event, edit) && is_running(event, edit->take) == running)
		add_take(program, edit->take, running);
}

static bool same_probe(const struct marker_probe *a, const struct marker_probe *b)
{
	return a->func == b->func && a->private == b->private;
}

/* There is room for all of them. */
static void add_probes(struct marker_program *program, const struct marker_program *from,
		       const struct marker_edit *edit)
{
	const struct marker_probe *probe;
	struct marker_probe *to;
	unsigned int i, nr;

	to = (struct marker_probe *)probes_of(program, &nr);
	probe = probes_of(from, &nr);
	for (i = 0; i < nr; i++) {
		if (edit->kind != MARKER_REMOVE_PROBE || !same_probe(&probe[i], edit->probe))
			*to++ = probe[i];
	}
	if (edit->kind == MARKER_ADD_PROBE)
		*to = *edit->probe;
}

/* The gate needs as many cells at most. */
static unsigned int cells_of(const struct marker_take *take)
{
	return take->filter ? take->filter->program.nr_cells : 1;
}

/* May a task that is moved to another CPU between the gate and its record make the record wrong? */
static bool asks_where(const struct marker_filter *filter)
{
	const struct marker_filter_test *test;
	unsigned int i;

	for (i = 0; i < filter->nr_tests; i++) {
		test = &filter->cell[i].test;
		if (test->is_context &&
		    (test->arg == MARKER_FILTER_CPU || test->arg == MARKER_FILTER_FLAGS))
			return true;
	}
	return false;
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
	/* else the whole filter is asked again, and the record made, without preemption between */
	if (take->recording == &marker_top && !asks_where(&filter->program))
		program->then = record;
	memcpy(program->gate, filter->program.cell,
	       filter->program.nr_cells * sizeof(filter->program.cell[0]));
}

static void make_room(struct room *room, const struct marker_take *take,
		      const struct marker_take **only)
{
	room->cells = max(room->cells, cells_of(take));
	room->takes++;
	*only = take;
}

/* The only take of those that are in @room is returned in @only. */
static struct room room_for(const struct marker_event *event, const struct marker_program *from,
			    const struct marker_edit *edit, const struct marker_take **only)
{
	const struct marker_take *take = from->take;
	const struct marker_take *end = take + marker_program_takes(from);
	struct room room = { .cells = 1 };

	for (; take < end; take++) {
		if (stays(take, edit))
			make_room(&room, take, only);
	}
	if (comes(event, edit))
		make_room(&room, edit->take, only);
	room.actions = marker_actions_nr(marker_actions_of(from)) +
		       (edit->kind == MARKER_ADD_ACTION) - (edit->kind == MARKER_REMOVE_ACTION);
	if (edit->kind != MARKER_LEAVE) {
		probes_of(from, &room.probes);
		room.probes += (edit->kind == MARKER_ADD_PROBE) -
			       (edit->kind == MARKER_REMOVE_PROBE);
	}
	return room;
}

/* What takes away waits for memory: it must not fail. */
static bool takes_away(const struct marker_edit *edit)
{
	switch (edit->kind) {
	case MARKER_EDIT_TAKE:
		return !edit->take->asked && !edit->take->filter;
	case MARKER_ADD_ACTION:
	case MARKER_ADD_PROBE:
		return false;
	default:
		return true;
	}
}

struct marker_program *marker_program_create(const struct marker_event *event,
					     const struct marker_program *from,
					     const struct marker_edit *edit)
{
	const struct marker_take *only = NULL;
	const struct room room = room_for(event, from, edit, &only);
	struct marker_program *program;

	if (!room.actions && !room.probes) {
		if (!room.takes)
			return &marker_idle;
		if (room.takes == 1 && is_whole(only))
			return only->recording->whole;
	}
	program = allocate(&room, takes_away(edit) ? GFP_KERNEL | __GFP_NOFAIL :
			   GFP_KERNEL_ACCOUNT);
	if (!program)
		return NULL;
	add_takes(event, program, from, edit, true);
	add_takes(event, program, from, edit, false);
	put_gate(program, event->record);
	if (room.actions)
		marker_actions_fill(marker_actions_before(program), marker_actions_of(from),
				    edit->kind == MARKER_ADD_ACTION ? edit->action : NULL,
				    edit->kind == MARKER_REMOVE_ACTION ? edit->action : NULL);
	if (room.probes)
		add_probes(program, from, edit);
	return program;
}

struct marker_program *marker_program_create_whole(struct marker_recording *recording)
{
	static const struct room room = { .cells = 1, .takes = 1 };
	struct marker_program *whole = allocate(&room, GFP_KERNEL_ACCOUNT);

	if (!whole)
		return NULL;
	whole->nr = 1;
	whole->take[0] = (struct marker_take) {
		.recording = recording,
		.ring = recording->ring,
		.asked = MARKER_ASK_RECORD,
	};
	put_gate(whole, 0);
	return whole;
}
