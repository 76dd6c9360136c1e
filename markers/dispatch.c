// SPDX-License-Identifier: GPL-2.0
/*
 * What an enabled marker runs, in the context of the code that it stands in, NMI
 * too: the recorder, by a direct call, and the probes of other modules, if any.
 * No lock, no allocation; preemption is off, which is what RCU readers here rely
 * on, and what lets the ring buffer work on the data of one CPU.
 *
 * A marker that is hit while this CPU is in here already, in the same context
 * (task, softirq, interrupt, NMI), comes from a probe or from what the recorder
 * stumbled over.  It is counted and skipped, so that it cannot recurse.  The flag
 * of a context is set and cleared by that context alone and in pairs, so an
 * interrupt leaves it as it found it.
 */
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "dispatch.h"
#include "event.h"
#include "record.h"
#include "serialize.h"
#include "valist.h"

enum context {
	CONTEXT_TASK,
	CONTEXT_SOFTIRQ,
	CONTEXT_HARDIRQ,
	CONTEXT_NMI,
	NR_CONTEXTS
};

struct guard {
	bool active[NR_CONTEXTS];	/* each written in its context only */
	unsigned long skipped;
};

static DEFINE_PER_CPU(struct guard, guard);

static __always_inline bool in_task_context(void)
{
	return !(preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET));
}

static notrace enum context context(void)
{
	unsigned long count = preempt_count();

	if (count & NMI_MASK)
		return CONTEXT_NMI;
	if (count & HARDIRQ_MASK)
		return CONTEXT_HARDIRQ;
	return count & SOFTIRQ_OFFSET ? CONTEXT_SOFTIRQ : CONTEXT_TASK;
}
NOKPROBE_SYMBOL(context);

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

static noinline notrace void call_probes(const struct marker_event *event,
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
NOKPROBE_SYMBOL(call_probes);

/* In all cases; preemption is off and will be on again. */
static noinline notrace void dispatch_any(const struct marker *marker,
					  const u64 *args)
{
	const u32 state = READ_ONCE(marker->state);
	const enum context here = context();

	if (!state)
		goto out;
	if (raw_cpu_read(guard.active[here])) {
		this_cpu_inc(guard.skipped);
		goto out;
	}
	raw_cpu_write(guard.active[here], true);
	barrier();
	if (state & MARKER_RECORD)
		marker_record(marker->event, args);
	if (state & MARKER_PROBED)
		call_probes(marker->event, args);
	barrier();
	raw_cpu_write(guard.active[here], false);
out:
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(dispatch_any);

/* In a task, and not within the recorder or a probe. */
static __always_inline bool is_ordinary(void)
{
	return likely(in_task_context() &&
		      !raw_cpu_read(guard.active[CONTEXT_TASK]));
}

/*
 * The common cases by themselves: they keep nothing across the call, so no
 * register needs to be saved.
 */
asmlinkage notrace void marker_dispatch(struct marker *marker, const u64 *args)
{
	preempt_disable_notrace();
	/*
	 * Cleared before the site is patched out: a late hit ends here.  Read
	 * by a comparison; READ_ONCE() would take one more instruction.
	 */
	if (likely(data_race(marker->state) == MARKER_RECORD) && is_ordinary()) {
		raw_cpu_write(guard.active[CONTEXT_TASK], true);
		barrier();
		marker_record(marker->event, args);
	} else if (READ_ONCE(marker->state) == MARKER_PROBED && is_ordinary()) {
		raw_cpu_write(guard.active[CONTEXT_TASK], true);
		barrier();
		call_probes(marker->event, args);
	} else {
		dispatch_any(marker, args);
		return;
	}
	barrier();
	raw_cpu_write(guard.active[CONTEXT_TASK], false);
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(marker_dispatch);
EXPORT_SYMBOL_GPL(marker_dispatch);

u64 marker_dispatch_skipped(int cpu)
{
	return READ_ONCE(per_cpu(guard.skipped, cpu));
}
