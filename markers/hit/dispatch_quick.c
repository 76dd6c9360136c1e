// SPDX-License-Identifier: GPL-2.0
/*
 * What an enabled marker runs, in the context of the code that it stands in.  No lock, no
 * allocation; preemption is off, which is what RCU readers here rely on, and what lets the ring
 * buffer work on the data of one CPU.
 *
 * The state of the marker chooses the function, the program of the event says what is done.
 * They change one after the other, and nothing orders them: any state may meet any program.  So
 * a hit does what one program says, at most one change late.
 *
 * An event that one recording takes goes to its ring buffer by the quick way: one function for
 * each kind of fields, each with as few registers as it can.  What does not fit goes the general
 * way, through dispatch.c.  There are two doors: the recording at the top, whose ring is found
 * without the program of the event, and any other.  An event that is recorded at the top and
 * probed is hit twice, once for the ring and once for the probes.
 *
 * Context of all: any, NMI too; preemption off but at the doors.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include <markers/model/counts.h>
#include <markers/model/event.h>
#include "dispatch_gate.h"
#include "dispatch_internal.h"
#include "hit.h"
#include "recursion.h"

/* The last record of a sub-buffer. */
static noinline void deliver_subbuf(struct ring_cpu *rc, struct ring_slot *slot)
{
	ring_deliver(rc, slot);
	enable_preemption();
}
NOKPROBE_SYMBOL(deliver_subbuf);

static __always_inline void commit_record(struct ring_cpu *rc,
					  const struct ring_record *rec)
{
	if (ring_add(rec))
		deliver_subbuf(rc, rec->slot);
	else
		enable_preemption();
}

/* Only hit_none() and hit_ints() call nothing and read no memory behind a pointer. */
static __always_inline bool reads_memory(u32 state)
{
	return state != MARKER_RECORD_NONE && state != MARKER_RECORD_INTS;
}

/*
 * To the recorder, by the quick way of @state for the contexts of @tag, which are
 * constants.
 */
static __always_inline bool try_quick(const struct marker_event *event, const u64 *args,
				      struct ring_cpu *rc, const struct ring_spot *spot,
				      u32 state, const u64 *ts, u32 tag)
{
	struct ring_record rec __marker_uninitialized;
	bool done;

	/* A pointer may be bad: a fault may lead to markers. */
	if (!ts && reads_memory(state))
		recursion_enter();
	done = hit_write(event, args, rc, spot, &rec, state, false, ts, tag);
	if (ts || reads_memory(state))
		recursion_leave();
	if (likely(done))
		commit_record(rc, &rec);
	return done;
}

/*
 * What is rare goes by the one function for all ways: a tail that the plan has no short way
 * for, and pointers with a clock that has to be called.  The arguments are those of the others,
 * so that no register moves for it.
 */
static noinline __noclone void dispatch_rare(const struct marker_event *event,
					     const u64 *args,
					     u32 __maybe_unused state,
					     unsigned long __maybe_unused pos,
					     struct ring_slot *slot __maybe_unused,
					     struct ring_cpu *rc)
{
	recursion_enter();
	marker_hit_record(rc, event, args);
	recursion_leave();
	enable_preemption();
}
NOKPROBE_SYMBOL(dispatch_rare);

/*
 * Functions of their own: each needs as few registers as it can.  @unused is the state, in
 * the register where the thunk has left it.
 */
#define DISPATCH(name, way, tag, otherwise)					\
static noinline void name(const struct marker_event *event,		\
			  const u64 *args, u32 __maybe_unused unused,	\
			  unsigned long pos,				\
			  struct ring_slot *slot, struct ring_cpu *rc)	\
{										\
	const struct ring_spot spot = { pos, slot };				\
										\
	if (!try_quick(event, args, rc, &spot, way, NULL, tag))			\
		otherwise;							\
}										\
NOKPROBE_SYMBOL(name)

/*
 * The same with a clock that has to be called: first of all, since what is in registers
 * has to be kept then.
 */
#define DISPATCH_OTHER_CLOCK(name, way, tag)					\
static noinline void name(const struct marker_event *event,		\
			  const u64 *args, u32 __maybe_unused unused,	\
			  unsigned long pos,				\
			  struct ring_slot *slot, struct ring_cpu *rc)	\
{										\
	const struct ring_spot spot = { pos, slot };				\
	u64 ts;									\
										\
	recursion_enter();							\
	ts = clock_other(rc->clock);						\
	if (!try_quick(event, args, rc, &spot, way, &ts, tag))			\
		marker_dispatch_slow(event, args, rc);				\
}										\
NOKPROBE_SYMBOL(name)

/* Without contexts and with the default ones. */
#define DISPATCH_BOTH(what, way, otherwise)					\
DISPATCH(plain_ ## what, way, 0, otherwise);					\
DISPATCH(usual_ ## what, way, MARKER_CONTEXT_USUAL, otherwise)

#define DISPATCH_BOTH_OTHER_CLOCK(what, way)					\
DISPATCH_OTHER_CLOCK(plain_clock_ ## what, way, 0);				\
DISPATCH_OTHER_CLOCK(usual_clock_ ## what, way, MARKER_CONTEXT_USUAL)

DISPATCH_BOTH(none, MARKER_RECORD_NONE, marker_dispatch_slow(event, args, rc));
DISPATCH_BOTH(ints, MARKER_RECORD_INTS, marker_dispatch_slow(event, args, rc));
/* One address: it needs no loop. */
DISPATCH_BOTH(fixed, MARKER_RECORD_FIXED, dispatch_rare(event, args, 0, 0, NULL, rc));
DISPATCH_BOTH(mixed, MARKER_RECORD_MIXED, dispatch_rare(event, args, 0, 0, NULL, rc));
DISPATCH_BOTH_OTHER_CLOCK(none, MARKER_RECORD_NONE);
DISPATCH_BOTH_OTHER_CLOCK(ints, MARKER_RECORD_INTS);
DISPATCH_BOTH_OTHER_CLOCK(string, MARKER_RECORD_STRING);

/*
 * A long string goes on in a second function, so that a short one needs no stack.  It
 * passes on the words that have been read, and the slot.  If the position has left that
 * slot, there is no room.  What fails asks the program again: so no register keeps the ring.
 */
#define DISPATCH_STRING(kind, tag)						\
static noinline void kind ## _long(const struct marker_event *event,	\
				   const u64 *args, u64 low, u64 high,	\
				   struct ring_slot *slot,		\
				   struct ring_cpu *rc)			\
{										\
	const struct ring_spot spot = { local_read(&rc->offset), slot };	\
	const struct quick_string string = { .low = low, .last = high };	\
	struct ring_record rec __marker_uninitialized;				\
	bool done;								\
										\
	done = hit_long(rc, &spot, &rec, event, args, &string, NULL, tag);	\
	recursion_leave();							\
	if (likely(done))							\
		commit_record(rc, &rec);					\
	else									\
		marker_dispatch_all(event, args, MARKER_SHARED);		\
}										\
NOKPROBE_SYMBOL(kind ## _long);							\
										\
static noinline void kind ## _string(const struct marker_event *event,	\
				     const u64 *args,			\
				     u32 __maybe_unused unused,		\
				     unsigned long pos,			\
				     struct ring_slot *slot,		\
				     struct ring_cpu *rc)		\
{										\
	const struct ring_spot spot = { pos, slot };				\
	struct quick_string string __marker_uninitialized;			\
	struct ring_record rec __marker_uninitialized;				\
	enum quick_where where;							\
										\
	recursion_enter();							\
	where = hit_string(rc, &spot, &rec, event, args, &string, NULL, tag);	\
	if (where == QUICK_LONGER) {						\
		kind ## _long(event, args, string.low, string.last, slot, rc);	\
		return;								\
	}									\
	recursion_leave();							\
	if (likely(where != QUICK_NOWHERE))					\
		commit_record(rc, &rec);					\
	else									\
		marker_dispatch_all(event, args, MARKER_SHARED);		\
}										\
NOKPROBE_SYMBOL(kind ## _string)

DISPATCH_STRING(plain, 0);
DISPATCH_STRING(usual, MARKER_CONTEXT_USUAL);

/* @tag, a constant, chooses one of the two. */
#define CALL(tag, what, ...)							\
	((tag) ? usual_ ## what(__VA_ARGS__) : plain_ ## what(__VA_ARGS__))

/*
 * There is room for it, with the contexts of @tag; @tag and @clock, whether there is one
 * that has to be called, are constants.
 */
#define CALL_BY_CLOCK(clock, tag, what, ...)					\
	((clock) ? CALL(tag, clock_ ## what, __VA_ARGS__) : CALL(tag, what, __VA_ARGS__))

static __always_inline void dispatch_quick(const struct marker_event *event, const u64 *args,
					   u32 state, u32 more, struct ring_cpu *rc,
					   const struct ring_spot *spot, bool clock, u32 tag)
{
	unsigned long pos = spot->pos;
	struct ring_slot *slot = spot->slot;

	if (unlikely(!recursion_is_free()))
		marker_dispatch_all(event, args, state);
	else if (likely(state == (more | MARKER_RECORD_STRING)))
		CALL_BY_CLOCK(clock, tag, string, event, args, state, pos, slot, rc);
	else if (likely(state == (more | MARKER_RECORD_INTS)))
		CALL_BY_CLOCK(clock, tag, ints, event, args, state, pos, slot, rc);
	/* One comparison for the other three.  For MARKER_RECORD there is never room. */
	else if (state < (more | MARKER_RECORD_FIXED))
		CALL_BY_CLOCK(clock, tag, none, event, args, state, pos, slot, rc);
	else if (clock)
		dispatch_rare(event, args, state, pos, slot, rc);
	else if (state == (more | MARKER_RECORD_FIXED))
		CALL(tag, fixed, event, args, state, pos, slot, rc);
	else
		CALL(tag, mixed, event, args, state, pos, slot, rc);
}

/*
 * Nothing fits.  A full buffer is found out first, before the look at the recursion:
 * nothing is called for it.
 */
static __always_inline void dispatch_full(const struct marker_event *event, const u64 *args,
					  u32 state, struct ring_cpu *rc,
					  const struct ring_spot *spot)
{
	if (likely(hit_is_full(rc, spot, event))) {
		ring_lose_full(rc);
		enable_preemption();
	} else if (unlikely(!recursion_is_free())) {
		marker_dispatch_all(event, args, state);
	} else {
		marker_dispatch_slow(event, args, rc);
	}
}

/* Of any recording but the top.  A function of its own: the quick way needs as few registers. */
static noinline void dispatch_other_full(const struct marker_event *event,
					 const u64 *args, u32 state, unsigned long pos,
					 struct ring_slot *slot, struct ring_cpu *rc)
{
	const struct ring_spot spot = { pos, slot };

	dispatch_full(event, args, state, rc, &spot);
}
NOKPROBE_SYMBOL(dispatch_other_full);

/*
 * Whether there is room is the first question: it is the same for all.  Any set of
 * contexts that is not one of the two has none, and goes the general way.  @more, a constant:
 * what is in @state besides the way.
 */
static __always_inline void dispatch_in(const struct marker_event *event, const u64 *args,
					u32 state, u32 more, struct ring_cpu *rc)
{
	struct ring_spot spot __marker_uninitialized;
	u64 end;

	end = hit_look(rc, &spot, event->most);
	if (hit_fits(rc, end, MARKER_WRITER_USUAL))
		dispatch_quick(event, args, state, more, rc, &spot, false, MARKER_CONTEXT_USUAL);
	else if (hit_fits(rc, end, MARKER_WRITER_PLAIN))
		dispatch_quick(event, args, state, more, rc, &spot, false, 0);
	else if (hit_fits_clock(rc, end) && READ_ONCE(rc->tag))
		dispatch_quick(event, args, state, more, rc, &spot, true, MARKER_CONTEXT_USUAL);
	else if (hit_fits_clock(rc, end))
		dispatch_quick(event, args, state, more, rc, &spot, true, 0);
	else if (more)
		dispatch_other_full(event, args, state, spot.pos, spot.slot, rc);
	else
		dispatch_full(event, args, state, rc, &spot);
}

asmlinkage void marker_dispatch_recorded(const struct marker_event *event,
					 const u64 *args, u32 state)
{
	preempt_disable_notrace();
	dispatch_in(event, args, state, 0, raw_cpu_read(marker_ring_cpu));
}
NOKPROBE_SYMBOL(marker_dispatch_recorded);

/* One instruction, on whatever CPU; the counts of the top stay as long as the event. */
static __always_inline void count_only(const struct marker_event *event)
{
	/* the state before the counts: set_states() */
	smp_rmb();
	this_cpu_inc(event->counts->nr[MARKER_HIT_OFF]);
}

/*
 * The frequent kinds, counted as well.  Each count is that of one outcome, so a hit that does
 * not fit here is counted where it ends.
 */
#define DISPATCH_COUNTED(name, state, tag, fetch_and_write)			\
static noinline void name(const struct marker_event *event,		\
			  const u64 *args, u32 whole_state,		\
			  unsigned long pos, struct ring_slot *slot,	\
			  struct ring_cpu *rc)				\
{										\
	const struct ring_spot spot = { pos, slot };				\
	struct ring_record rec __marker_uninitialized;				\
	bool done;								\
										\
	if (reads_memory(state))						\
		recursion_enter();						\
	done = fetch_and_write(rc, &spot, &rec, event, args, tag);		\
	if (reads_memory(state))						\
		recursion_leave();						\
	if (unlikely(!done)) {							\
		marker_dispatch_all(event, args, whole_state);			\
		return;								\
	}									\
	/* the state before the counts: set_states() */				\
	smp_rmb();								\
	this_cpu_inc(event->counts->nr[MARKER_HIT_RECORDED]);			\
	commit_record(rc, &rec);						\
}										\
NOKPROBE_SYMBOL(name)

static __always_inline bool put_ints(struct ring_cpu *rc, const struct ring_spot *spot,
				     struct ring_record *rec, const struct marker_event *event,
				     const u64 *args, u32 tag)
{
	return hit_ints(rc, spot, rec, event, args, NULL, tag);
}

/* Not a long one. */
static __always_inline bool put_string(struct ring_cpu *rc, const struct ring_spot *spot,
				       struct ring_record *rec, const struct marker_event *event,
				       const u64 *args, u32 tag)
{
	struct quick_string string __marker_uninitialized;
	enum quick_where where;

	where = hit_string(rc, spot, rec, event, args, &string, NULL, tag);
	return where != QUICK_NOWHERE && where != QUICK_LONGER;
}

DISPATCH_COUNTED(plain_counted_string, MARKER_RECORD_STRING, 0, put_string);
DISPATCH_COUNTED(usual_counted_string, MARKER_RECORD_STRING, MARKER_CONTEXT_USUAL, put_string);
DISPATCH_COUNTED(plain_counted_ints, MARKER_RECORD_INTS, 0, put_ints);
DISPATCH_COUNTED(usual_counted_ints, MARKER_RECORD_INTS, MARKER_CONTEXT_USUAL, put_ints);

static __always_inline void dispatch_counted_in(const struct marker_event *event,
						const u64 *args, u32 state, struct ring_cpu *rc,
						const struct ring_spot *spot, u32 tag)
{
	unsigned long pos = spot->pos;
	struct ring_slot *slot = spot->slot;

	if (unlikely(!recursion_is_free()))
		marker_dispatch_all(event, args, state);
	else if (likely(state == (MARKER_COUNTED | MARKER_RECORD_STRING)))
		CALL(tag, counted_string, event, args, state, pos, slot, rc);
	else if (likely(state == (MARKER_COUNTED | MARKER_RECORD_INTS)))
		CALL(tag, counted_ints, event, args, state, pos, slot, rc);
	else
		marker_dispatch_all(event, args, state);
}

/* Recorded by the top, and counted. */
static __always_inline void dispatch_counted(const struct marker_event *event, const u64 *args,
					     u32 state)
{
	struct ring_spot spot __marker_uninitialized;
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);
	const u64 end = hit_look(rc, &spot, event->most);

	if (hit_fits(rc, end, MARKER_WRITER_USUAL))
		dispatch_counted_in(event, args, state, rc, &spot, MARKER_CONTEXT_USUAL);
	else if (hit_fits(rc, end, MARKER_WRITER_PLAIN))
		dispatch_counted_in(event, args, state, rc, &spot, 0);
	else
		marker_dispatch_all(event, args, state);
}

/* One of the six ways to record. */
#define RECORDED	(MARKER_RECORD_NONE | MARKER_RECORD_INTS | MARKER_RECORD_STRING |	\
			 MARKER_RECORD_FIXED | MARKER_RECORD_MIXED | MARKER_RECORD)

/* Recorded by the top, and probed: two hits that can do no more. */
static noinline void dispatch_recorded_and_probed(const struct marker_event *event,
						  const u64 *args, u32 state)
{
	/* a hit in a hit counts once */
	if (unlikely(!recursion_is_free())) {
		marker_dispatch_all(event, args, state);
		return;
	}
	/* Both disable it first: each sees the preemption of the hit, and records that. */
	enable_preemption_again();
	marker_dispatch_recorded(event, args, state & RECORDED);
	dispatch_probed(event, args);
}
NOKPROBE_SYMBOL(dispatch_recorded_and_probed);

/* With the sign; preemption is off. */
static noinline void dispatch_others(const struct marker_event *event, const u64 *args,
				     u32 state)
{
	/* the next lowest after MARKER_COUNTED */
	if (state < MARKER_PROBED)
		dispatch_counted(event, args, state);
	else if (state == MARKER_SHARED)
		marker_dispatch_shared(event, args);
	else if (state == (MARKER_SHARED | MARKER_FILTERED))
		dispatch_gated(event, args);
	else if (state & RECORDED && (state & ~RECORDED) == MARKER_PROBED)
		dispatch_recorded_and_probed(event, args, state);
	else
		marker_dispatch_all(event, args, state);
}
NOKPROBE_SYMBOL(dispatch_others);

asmlinkage void marker_dispatch_any(const struct marker_event *event, const u64 *args,
				    u32 state)
{
	/* One comparison for the lowest two with that sign: one other recording, only counted. */
	if (likely(state <= MARKER_COUNTED)) {
		if (unlikely(state == MARKER_COUNTED)) {
			count_only(event);
			return;
		}
		preempt_disable_notrace();
		/* if another program has come, its ring, or one that is stopped */
		dispatch_in(event, args, state, MARKER_MORE,
			    raw_cpu_read(*marker_program_of(event)->ring));
		return;
	}
	preempt_disable_notrace();
	if (state & ACTED)
		dispatch_acted(event, args, state);
	else
		dispatch_others(event, args, state);
}
NOKPROBE_SYMBOL(marker_dispatch_any);

asmlinkage void marker_dispatch_filtered(const struct marker_event *event, const u64 *args)
{
	preempt_disable_notrace();
	dispatch_gate(event, args);
}
NOKPROBE_SYMBOL(marker_dispatch_filtered);

asmlinkage void marker_dispatch(struct marker *marker, const u64 *args)
{
	/* the state before the event, and what it leads to: set_states() */
	const u32 state = smp_load_acquire(&marker->state);

	dispatch_state(marker->event, args, state);
}
NOKPROBE_SYMBOL(marker_dispatch);
