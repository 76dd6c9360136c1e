// SPDX-License-Identifier: GPL-2.0
/*
 * What an enabled marker runs, in the context of the code that it stands in, NMI
 * too: the recorder, by a direct call, and the probes of other modules, if any.
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

#include <markers/switch/event.h>
#include <markers/arch/valist.h>
#include "channel.h"
#include "dispatch.h"
#include "record.h"

enum context {
	CONTEXT_TASK,
	CONTEXT_SOFTIRQ,
	CONTEXT_HARDIRQ,
	CONTEXT_NMI,
	NR_CONTEXTS
};

/**
 * struct guard - who is in here
 * @base:	0: nobody.  Else the preempt_count() of the first one, and GUARD_BUSY
 * @active:	those who interrupted him, by context
 * @skipped:	hits that would have recursed
 *
 * Each is set and cleared by one context in pairs, so an interrupt leaves it as it
 * found it.
 */
struct guard {
	u32 base;
	bool active[NR_CONTEXTS];
	unsigned long skipped;
};

#define GUARD_BUSY	BIT(31)		/* no bit of preempt_count() */

static DEFINE_PER_CPU(struct guard, guard);

static __always_inline bool guard_is_free(void)
{
	return likely(!raw_cpu_read(guard.base));
}

static __always_inline void guard_enter(void)
{
	raw_cpu_write(guard.base, preempt_count() | GUARD_BUSY);
	barrier();
}

static __always_inline void guard_leave(void)
{
	barrier();
	raw_cpu_write(guard.base, 0);
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

static noinline notrace void run(const struct marker_event *event,
				 const u64 *args, u32 state)
{
	if (state & ~MARKER_PROBED)
		marker_record(event, args);
	if (state & MARKER_PROBED)
		call_probes(event, args);
}
NOKPROBE_SYMBOL(run);

/* In all cases; preemption is off and will be on again. */
static noinline notrace void dispatch_any(const struct marker_event *event,
					  const u64 *args, u32 state)
{
	enum context here;

	if (!state)
		goto out;
	if (guard_is_free()) {
		guard_enter();
		run(event, args, state);
		guard_leave();
		goto out;
	}
	here = context_of(preempt_count());
	if (here == context_of(raw_cpu_read(guard.base)) ||
	    raw_cpu_read(guard.active[here])) {
		this_cpu_inc(guard.skipped);
		goto out;
	}
	raw_cpu_write(guard.active[here], true);
	barrier();
	run(event, args, state);
	barrier();
	raw_cpu_write(guard.active[here], false);
out:
	leave();
}
NOKPROBE_SYMBOL(dispatch_any);

/* To probes only. */
static noinline notrace void dispatch_probes(const struct marker_event *event,
					     const u64 *args)
{
	guard_enter();
	call_probes(event, args);
	guard_leave();
	leave();
}
NOKPROBE_SYMBOL(dispatch_probes);

/* To the recorder only. */
static noinline notrace void dispatch_record(const struct marker_event *event,
					     const u64 *args)
{
	guard_enter();
	marker_record(event, args);
	guard_leave();
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

/* To the recorder, by its short ways. */
static noinline notrace void dispatch_string(const struct marker_event *event,
					     const u64 *args, struct ring_cpu *rc,
					     unsigned long pos,
					     struct ring_slot *slot, u64 least)
{
	const struct ring_spot spot = { pos, slot };
	struct ring_record rec __marker_uninitialized;
	bool done;

	/* The string may be behind a bad pointer: a fault may lead to markers. */
	guard_enter();
	done = marker_quick_record(rc, &spot, &rec, event, args, least,
				   true, true);
	guard_leave();
	if (likely(done))
		commit(rc, &rec);
	else
		dispatch_record(event, args);
}
NOKPROBE_SYMBOL(dispatch_string);

static noinline notrace void dispatch_ints(const struct marker_event *event,
					   const u64 *args, struct ring_cpu *rc,
					   unsigned long pos,
					   struct ring_slot *slot, u64 least)
{
	const struct ring_spot spot = { pos, slot };
	struct ring_record rec __marker_uninitialized;

	if (likely(marker_quick_record(rc, &spot, &rec, event, args, least,
				       false, true)))
		commit(rc, &rec);
	else
		dispatch_record(event, args);
}
NOKPROBE_SYMBOL(dispatch_ints);

/*
 * A full buffer is found out first, before the guard: nothing is called for it.
 */
static __always_inline void dispatch_quick(const struct marker_event *event,
					   const u64 *args, u32 state)
{
	const bool variable = state == MARKER_RECORD_STRING;
	struct ring_cpu *rc = raw_cpu_read(marker_ring_cpu);
	struct ring_spot spot __marker_uninitialized;
	const bool fits = marker_quick_look(rc, &spot, event, variable);

	if (unlikely(!fits) && marker_quick_lose(rc, &spot, event))
		leave();
	else if (unlikely(!guard_is_free()))
		dispatch_any(event, args, state);
	else if (unlikely(!fits))
		dispatch_record(event, args);
	else if (variable)
		dispatch_string(event, args, rc, spot.pos, spot.slot,
				event->least);
	else
		dispatch_ints(event, args, rc, spot.pos, spot.slot,
			      event->least);
}

/*
 * All calls are the last thing that this does, so it saves no register for them.
 *
 * The state is cleared before the site is patched out: a late hit ends here.
 */
asmlinkage notrace void marker_dispatch(struct marker *marker, const u64 *args)
{
	u32 state;

	preempt_disable_notrace();
	state = READ_ONCE(marker->state);
	if (likely(state == MARKER_RECORD_STRING))
		dispatch_quick(marker->event, args, MARKER_RECORD_STRING);
	else if (likely(state == MARKER_RECORD_INTS))
		dispatch_quick(marker->event, args, MARKER_RECORD_INTS);
	else if (state == MARKER_PROBED && guard_is_free())
		dispatch_probes(marker->event, args);
	else
		dispatch_any(marker->event, args, state);
}
NOKPROBE_SYMBOL(marker_dispatch);

u64 marker_dispatch_skipped(int cpu)
{
	return READ_ONCE(per_cpu(guard.skipped, cpu));
}
