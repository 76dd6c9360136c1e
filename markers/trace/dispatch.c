// SPDX-License-Identifier: GPL-2.0
/*
 * What an enabled marker runs, in the context of the code that it stands in, NMI
 * too: the recorder (hit.h), by a direct call, and the probes of other modules, if any.
 * No lock, no allocation; preemption is off, which is what RCU readers here rely
 * on, and what lets the ring buffer work on the data of one CPU.
 *
 * A marker that is hit while this CPU is in here already, in the same context
 * (task, softirq, interrupt, NMI), comes from a probe or from what the recorder
 * stumbled over.  It is counted and skipped, so that it cannot recurse.
 */
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include <markers/switch/counts.h>
#include <markers/switch/event.h>
#include <markers/arch/valist.h>
#include "channel.h"
#include "dispatch.h"
#include "hit.h"

enum context {
	CONTEXT_TASK,
	CONTEXT_SOFTIRQ,
	CONTEXT_HARDIRQ,
	CONTEXT_NMI,
	NR_CONTEXTS
};

/**
 * struct recursion - which contexts are inside the recorder
 * @base:	0: nobody.  Else the preempt_count() of the first one, and RECURSION_BUSY
 * @active:	the contexts that interrupted it
 * @skipped:	hits that would have recursed
 *
 * Each is set and cleared by one context in pairs, so an interrupt leaves it as it
 * found it.
 */
struct recursion {
	u32 base;
	bool active[NR_CONTEXTS];
	unsigned long skipped;
};

#define RECURSION_BUSY	BIT(31)	/* no bit of preempt_count() */

static DEFINE_PER_CPU(struct recursion, recursion);

static __always_inline bool recursion_is_free(void)
{
	return likely(!raw_cpu_read(recursion.base));
}

static __always_inline void recursion_enter(void)
{
	raw_cpu_write(recursion.base, preempt_count() | RECURSION_BUSY);
	barrier();
}

static __always_inline void recursion_leave(void)
{
	barrier();
	raw_cpu_write(recursion.base, 0);
}

static notrace enum context context_of(u32 count)
{
	if (count & NMI_MASK)
		return CONTEXT_NMI;
	if (count & HARDIRQ_MASK)
		return CONTEXT_HARDIRQ;
	return count & SOFTIRQ_OFFSET ? CONTEXT_SOFTIRQ : CONTEXT_TASK;
}
NOKPROBE_SYMBOL(context_of);

/* Here is what was put off while preemption was off. */
static noinline notrace void reschedule(void)
{
	preempt_disable_notrace();
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(reschedule);

/* preempt_enable_notrace() with nothing but a jump in it, so that it needs no frame. */
static __always_inline void leave(void)
{
#ifdef CONFIG_PREEMPTION
	barrier();
	if (unlikely(__preempt_count_dec_and_test()))
		reschedule();
#else
	preempt_enable_notrace();
#endif
}

static __always_inline void call_probe(const struct marker_probe *probe,
				       const struct marker_event *event,
				       const u64 *args)
{
	va_list list __marker_uninitialized;

	marker_va_list(&list, args);
	READ_ONCE(probe->func)(probe->private, NULL, event->format.text, &list);
}

static noinline notrace void call_many(const struct marker_probes *probes,
				       const struct marker_event *event,
				       const u64 *args)
{
	unsigned int i;

	for (i = 0; i < probes->nr; i++)
		call_probe(&probes->probe[i], event, args);
}
NOKPROBE_SYMBOL(call_many);

static __always_inline void call_probes(const struct marker_event *event,
					const u64 *args)
{
	const struct marker_probes *probes = rcu_dereference_raw(event->probes);

	if (unlikely(!probes))
		return;
	if (likely(probes->nr == 1))
		call_probe(&probes->probe[0], event, args);
	else
		call_many(probes, event, args);
}

/* With all that a filter may ask for. */
static noinline notrace bool passes_with_contexts(const struct marker_event_filter *filter,
						  const u64 *args)
{
	u64 contexts[MARKER_NR_FILTER_CONTEXTS];

	contexts[MARKER_FILTER_TID] = current->pid;
	contexts[MARKER_FILTER_PID] = current->tgid;
	contexts[MARKER_FILTER_CPU] = raw_smp_processor_id();
	contexts[MARKER_FILTER_FLAGS] = marker_context_flags();
	contexts[MARKER_FILTER_PROCNAME] = (uintptr_t)current->comm;
	return marker_filter_passes(&filter->program, args, contexts);
}
NOKPROBE_SYMBOL(passes_with_contexts);

/* Reads memory behind pointers.  NULL: the filter has just been taken away. */
static __always_inline bool passes(const struct marker_event_filter *filter, const u64 *args)
{
	if (unlikely(!filter))
		return true;
	if (unlikely(filter->program.contexts))
		return passes_with_contexts(filter, args);
	return marker_filter_passes(&filter->program, args, NULL);
}

static __always_inline enum marker_outcome record(const struct marker_event *event,
						  const u64 *args)
{
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);

	if (unlikely(!ring_is_on(rc)))
		return MARKER_HIT_OFF;
	if (likely(hit_any(rc, event, args)))
		return MARKER_HIT_RECORDED;
	return ring_is_on(rc) ? MARKER_HIT_LOST : MARKER_HIT_OFF;
}

/* The counts are there before the state says so, but this CPU may see it earlier. */
static __always_inline void count(const struct marker_event *event,
				  enum marker_outcome outcome)
{
	struct marker_counts __percpu *counts = READ_ONCE(event->counts);

	if (likely(counts))
		this_cpu_inc(counts->nr[outcome]);
}

#define RECORDED	(MARKER_PROBED - 1)	/* bits of a state */

static noinline notrace enum marker_outcome run(const struct marker_event *event,
						const u64 *args, u32 state)
{
	enum marker_outcome outcome = MARKER_HIT_OFF;

	if (state & MARKER_FILTERED && !passes(rcu_dereference_raw(event->filter), args))
		outcome = MARKER_HIT_FILTERED;
	else if (state & (RECORDED | MARKER_FILTERED))
		outcome = record(event, args);
	if (state & MARKER_PROBED)
		call_probes(event, args);
	return outcome;
}
NOKPROBE_SYMBOL(run);

/* In all cases; preemption is off and will be on again. */
static noinline notrace void dispatch_any(const struct marker_event *event,
					  const u64 *args, u32 state)
{
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);
	enum marker_outcome outcome;
	enum context here;

	if (!state)
		goto out;
	/* as dispatch_tagged() */
	if (state & RECORDED && !(state & MARKER_PROBED) &&
	    ring_is_full(rc, READ_ONCE(rc->recent),
			 event->least + marker_context_size(rc->tag))) {
		ring_lose_full(rc);
		outcome = MARKER_HIT_LOST;
		goto count;
	}
	if (recursion_is_free()) {
		recursion_enter();
		outcome = run(event, args, state);
		recursion_leave();
		goto count;
	}
	here = context_of(preempt_count());
	if (here == context_of(raw_cpu_read(recursion.base)) ||
	    raw_cpu_read(recursion.active[here])) {
		this_cpu_inc(recursion.skipped);
		outcome = MARKER_HIT_SKIPPED;
		goto count;
	}
	raw_cpu_write(recursion.active[here], true);
	barrier();
	outcome = run(event, args, state);
	barrier();
	raw_cpu_write(recursion.active[here], false);
count:
	if (state & MARKER_COUNTED)
		count(event, outcome);
out:
	leave();
}
NOKPROBE_SYMBOL(dispatch_any);

/* It goes on as if there were no filter, and is counted as its event is. */
static __always_inline void dispatch_passed(struct marker_event *event, const u64 *args,
					    bool passed)
{
	if (likely(!passed)) {
		if (unlikely(READ_ONCE(event->passed.state) & MARKER_COUNTED))
			count(event, MARKER_HIT_FILTERED);
		leave();
	} else {
		leave();
		marker_dispatch(&event->passed, args);
	}
}

static noinline notrace void dispatch_program(struct marker_event *event, const u64 *args,
					      const struct marker_event_filter *filter,
					      u32 state)
{
	bool passed;

	if (unlikely(!recursion_is_free())) {
		dispatch_any(event, args, state);
		return;
	}
	recursion_enter();
	passed = passes(filter, args);
	recursion_leave();
	dispatch_passed(event, args, passed);
}
NOKPROBE_SYMBOL(dispatch_program);

/* To the recorder, if the filter says so.  One comparison of an integer calls nothing. */
static noinline notrace void dispatch_filtered(struct marker_event *event, const u64 *args,
					       u32 state)
{
	const struct marker_event_filter *filter = rcu_dereference_raw(event->filter);
	const struct marker_filter_test *test;

	if (likely(filter) && likely(filter->program.is_single)) {
		test = &filter->program.cell[0].test;
		dispatch_passed(event, args, marker_filter_in_range(test, args[test->arg]));
	} else {
		dispatch_program(event, args, filter, state);
	}
}
NOKPROBE_SYMBOL(dispatch_filtered);

/* To probes only. */
static noinline notrace void dispatch_probes(const struct marker_event *event,
					     const u64 *args)
{
	recursion_enter();
	call_probes(event, args);
	recursion_leave();
	leave();
}
NOKPROBE_SYMBOL(dispatch_probes);

/* To the recorder only. */
static noinline notrace void dispatch_record(const struct marker_event *event,
					     const u64 *args)
{
	recursion_enter();
	record(event, args);
	recursion_leave();
	leave();
}
NOKPROBE_SYMBOL(dispatch_record);

/* The last record of a sub-buffer. */
static noinline notrace void deliver(struct ring_cpu *rc, struct ring_slot *slot,
				     long commit)
{
	ring_deliver(rc, slot, commit);
	leave();
}
NOKPROBE_SYMBOL(deliver);

static __always_inline void commit(struct ring_cpu *rc,
				   const struct ring_record *rec)
{
	long commit = ring_add(rc, rec);

	if (unlikely(commit))
		deliver(rc, rec->slot, commit);
	else
		leave();
}

/* Only hit_none() and hit_ints() call nothing and read no memory behind a pointer. */
static __always_inline bool reads_memory(u32 state)
{
	return state != MARKER_RECORD_NONE && state != MARKER_RECORD_INTS;
}

/* Take and write, by the quick way of @state.  @ts: the time, or NULL: the CPU's counter. */
static __always_inline bool take(const struct marker_event *event, const u64 *args,
				 struct ring_cpu *rc, const struct ring_spot *spot,
				 struct ring_record *rec, u64 most, u32 state, bool rare,
				 const u64 *ts, u32 tag)
{
	if (state == MARKER_RECORD_NONE)
		return hit_none(rc, spot, rec, event, most, ts, tag);
	if (state == MARKER_RECORD_INTS)
		return hit_ints(rc, spot, rec, event, args, most, ts, tag);
	if (state == MARKER_RECORD_STRING)
		return hit_string(rc, spot, rec, event, args, most, ts, tag);
	if (state == MARKER_RECORD_FIXED)
		return hit_fixed(rc, spot, rec, event, args, most, ts, tag);
	return hit_mixed(rc, spot, rec, event, args, rare, ts, tag);
}

/*
 * To the recorder, by the quick way of @state for the contexts of @tag, which are
 * constants.
 */
static __always_inline bool try(const struct marker_event *event, const u64 *args,
				struct ring_cpu *rc, const struct ring_spot *spot,
				u64 most, u32 state, bool rare, const u64 *ts, u32 tag)
{
	struct ring_record rec __marker_uninitialized;
	bool done;

	/* A pointer may be bad: a fault may lead to markers. */
	if (!ts && reads_memory(state))
		recursion_enter();
	done = take(event, args, rc, spot, &rec, most, state, rare, ts, tag);
	if (ts || reads_memory(state))
		recursion_leave();
	if (likely(done))
		commit(rc, &rec);
	return done;
}

/* Functions of their own: each needs as few registers as it can. */
#define DISPATCH(name, state, tag, rare, otherwise)				\
static noinline notrace void name(const struct marker_event *event,		\
				  const u64 *args, u64 most, unsigned long pos,	\
				  struct ring_slot *slot, struct ring_cpu *rc)	\
{										\
	const struct ring_spot spot = { pos, slot };				\
										\
	if (!try(event, args, rc, &spot, most, state, rare, NULL, tag))		\
		otherwise;							\
}										\
NOKPROBE_SYMBOL(name)

/*
 * The same with a clock that has to be called: first of all, as little has to be kept in
 * registers then.
 */
#define DISPATCH_OTHER_CLOCK(name, state, constant_tag)				\
static noinline notrace void name(const struct marker_event *event,		\
				  const u64 *args)				\
{										\
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);			\
	struct ring_spot spot __marker_uninitialized;				\
	u64 ts;									\
										\
	recursion_enter();							\
	spot.pos = local_read(&rc->offset);					\
	ts = clock_other();							\
	rc = raw_cpu_read(marker_ring_cpu);					\
	if (unlikely(rc->tag != (constant_tag)) ||				\
	    !ring_look_at(rc, &spot,						\
			  event->most + marker_context_size(constant_tag),	\
			  READ_ONCE(rc->room))) {				\
		recursion_leave();						\
		dispatch_record(event, args);					\
	} else if (!try(event, args, rc, &spot, event->most, state, true, &ts,	\
			constant_tag)) {					\
		dispatch_record(event, args);					\
	}									\
}										\
NOKPROBE_SYMBOL(name)

/* Without contexts and with the default ones. */
#define DISPATCH_BOTH(what, state)						\
DISPATCH(plain_ ## what, state, 0, false, dispatch_record(event, args));	\
DISPATCH(usual_ ## what, state, MARKER_CONTEXT_USUAL, false,			\
	 dispatch_record(event, args));						\
DISPATCH_OTHER_CLOCK(plain_clock_ ## what, state, 0);				\
DISPATCH_OTHER_CLOCK(usual_clock_ ## what, state, MARKER_CONTEXT_USUAL)

DISPATCH_BOTH(none, MARKER_RECORD_NONE);
DISPATCH_BOTH(ints, MARKER_RECORD_INTS);
DISPATCH_BOTH(string, MARKER_RECORD_STRING);
DISPATCH_BOTH(fixed, MARKER_RECORD_FIXED);

DISPATCH(plain_rare, MARKER_RECORD_MIXED, 0, true, dispatch_record(event, args));
DISPATCH(plain_mixed, MARKER_RECORD_MIXED, 0, false,
	 plain_rare(event, args, event->most, pos, slot, rc));
DISPATCH(usual_rare, MARKER_RECORD_MIXED, MARKER_CONTEXT_USUAL, true,
	 dispatch_record(event, args));
DISPATCH(usual_mixed, MARKER_RECORD_MIXED, MARKER_CONTEXT_USUAL, false,
	 usual_rare(event, args, event->most, pos, slot, rc));
DISPATCH_OTHER_CLOCK(plain_clock_mixed, MARKER_RECORD_MIXED, 0);
DISPATCH_OTHER_CLOCK(usual_clock_mixed, MARKER_RECORD_MIXED, MARKER_CONTEXT_USUAL);

/* @tag, a constant, chooses one of the two. */
#define CALL(tag, what, ...)							\
	((tag) ? usual_ ## what(__VA_ARGS__) : plain_ ## what(__VA_ARGS__))

static __always_inline void dispatch_other_clock(const struct marker_event *event,
						 const u64 *args, u32 state, u32 tag)
{
	if (state == MARKER_RECORD_STRING)
		CALL(tag, clock_string, event, args);
	else if (state == MARKER_RECORD_INTS)
		CALL(tag, clock_ints, event, args);
	else if (state == MARKER_RECORD_NONE)
		CALL(tag, clock_none, event, args);
	else if (state == MARKER_RECORD_FIXED)
		CALL(tag, clock_fixed, event, args);
	else
		CALL(tag, clock_mixed, event, args);
}

/*
 * A full buffer is found out first, before the look at the recursion: nothing is called
 * for it.
 */
static __always_inline void dispatch_tagged(const struct marker_event *event,
					    const u64 *args, u32 state,
					    struct ring_cpu *rc, u32 tag)
{
	struct ring_spot spot __marker_uninitialized;
	const u64 most = event->most;
	const bool fits = hit_look(rc, &spot, most, tag);

	if (unlikely(!fits) && hit_lose(rc, &spot, event, tag))
		leave();
	else if (unlikely(!recursion_is_free()))
		dispatch_any(event, args, state);
	else if (unlikely(!fits) && marker_clock.counter)
		dispatch_record(event, args);
	else if (unlikely(!fits))
		dispatch_other_clock(event, args, state, tag);
	else if (state == MARKER_RECORD_STRING)
		CALL(tag, string, event, args, most, spot.pos, spot.slot, rc);
	else if (state == MARKER_RECORD_INTS)
		CALL(tag, ints, event, args, most, spot.pos, spot.slot, rc);
	else if (state == MARKER_RECORD_NONE)
		CALL(tag, none, event, args, most, spot.pos, spot.slot, rc);
	else if (state == MARKER_RECORD_FIXED)
		CALL(tag, fixed, event, args, most, spot.pos, spot.slot, rc);
	else
		CALL(tag, mixed, event, args, most, spot.pos, spot.slot, rc);
}

/* Any other set of contexts goes the general way. */
static __always_inline void dispatch_quick(const struct marker_event *event,
					   const u64 *args, u32 state)
{
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);

	if (likely(rc->tag == MARKER_CONTEXT_USUAL))
		dispatch_tagged(event, args, state, rc, MARKER_CONTEXT_USUAL);
	else if (likely(!rc->tag))
		dispatch_tagged(event, args, state, rc, 0);
	else
		dispatch_any(event, args, MARKER_RECORD);
}

/*
 * To the recorder, and counted.  The quick way serves here, too, in one function for all
 * states: an event that is counted pays for that, and for all others nothing changes.
 */
static noinline notrace void dispatch_counted(const struct marker_event *event,
					      const u64 *args, u32 state)
{
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);
	struct ring_record rec __marker_uninitialized;
	struct ring_spot spot __marker_uninitialized;
	const u32 way = state & ~MARKER_COUNTED;
	const u64 most = event->most;
	const u32 tag = rc->tag;
	long commit;
	bool done;

	if (unlikely(way > MARKER_RECORD_MIXED) ||
	    unlikely(tag && tag != MARKER_CONTEXT_USUAL) ||
	    unlikely(!hit_look(rc, &spot, most, tag)) || unlikely(!recursion_is_free())) {
		dispatch_any(event, args, state);
		return;
	}
	recursion_enter();
	done = take(event, args, rc, &spot, &rec, most, way, true, NULL, tag);
	recursion_leave();
	if (unlikely(!done)) {
		dispatch_any(event, args, state);
		return;
	}
	commit = ring_add(rc, &rec);
	if (unlikely(commit))
		ring_deliver(rc, rec.slot, commit);
	count(event, MARKER_HIT_RECORDED);
	leave();
}
NOKPROBE_SYMBOL(dispatch_counted);

/*
 * All calls are the last thing that this does, so it saves no register for them.
 *
 * The state is cleared before the site is patched out: a late hit ends here.
 */
asmlinkage notrace void marker_dispatch(struct marker *marker, const u64 *args)
{
	struct marker_event *event;
	u32 state;

	preempt_disable_notrace();
	state = READ_ONCE(marker->state);
	event = marker->event;
	if (likely(state == MARKER_RECORD_STRING)) {
		dispatch_quick(event, args, MARKER_RECORD_STRING);
	} else if (state < MARKER_RECORD_STRING) {
		if (likely(state == MARKER_RECORD_INTS))
			dispatch_quick(event, args, MARKER_RECORD_INTS);
		else if (state == MARKER_RECORD_NONE)
			dispatch_quick(event, args, MARKER_RECORD_NONE);
		else
			dispatch_any(event, args, state);
	} else if (state == MARKER_RECORD_MIXED) {
		dispatch_quick(event, args, MARKER_RECORD_MIXED);
	} else if (state < MARKER_RECORD_MIXED) {
		if (likely(state == MARKER_RECORD_FIXED))
			dispatch_quick(event, args, MARKER_RECORD_FIXED);
		else
			dispatch_any(event, args, state);
	} else if (state == MARKER_PROBED && recursion_is_free()) {
		dispatch_probes(event, args);
	} else if (state == MARKER_COUNTED) {
		count(event, MARKER_HIT_OFF);
		leave();
	} else if ((state & ~MARKER_COUNTED) == MARKER_FILTERED) {
		dispatch_filtered(event, args, state);
	} else if (state > MARKER_COUNTED) {
		dispatch_counted(event, args, state);
	} else {
		dispatch_any(event, args, state);
	}
}
NOKPROBE_SYMBOL(marker_dispatch);

u64 marker_dispatch_skipped(int cpu)
{
	return READ_ONCE(per_cpu(recursion.skipped, cpu));
}
