// SPDX-License-Identifier: GPL-2.0
/*
 * What an enabled marker runs, in the context of the code that it stands in, NMI
 * too: the recorder, by a direct call, and the probes of other modules, if any.
 * No lock, no allocation; preemption is off, which is what RCU readers here rely
 * on, and what lets the ring buffer work on the data of one CPU.
 *
 * A marker that is hit while this CPU is in here already, in the same context
 * (task, softirq, interrupt, NMI), comes from a probe or from what the recorder
 * stumbled over.  It is counted and skipped, so that it cannot recurse.  The bits
 * of a context are set and cleared by that context alone and in pairs, so an
 * interrupt leaves them as it found them.
 */
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "dispatch.h"
#include "event.h"
#include "record.h"
#include "valist.h"

struct guard {
	unsigned int active;	/* a bit for each context */
	unsigned long skipped;
};

static DEFINE_PER_CPU(struct guard, guard);

static __always_inline unsigned int context_bit(void)
{
	unsigned long count = preempt_count();

	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return BIT(0);
	if (count & NMI_MASK)
		return BIT(3);
	return count & HARDIRQ_MASK ? BIT(2) : BIT(1);
}

static noinline notrace void call_probes(const struct marker_event *event,
					 const u64 *args)
{
	const struct marker_probes *probes;
	unsigned int i;
	va_list list;

	probes = rcu_dereference_raw(event->probes);
	if (!probes)
		return;
	for (i = 0; i < probes->nr; i++) {
		marker_va_list(&list, args);
		READ_ONCE(probes->probe[i].func)(probes->probe[i].private,
						 NULL, event->format.text,
						 &list);
	}
}
NOKPROBE_SYMBOL(call_probes);

asmlinkage notrace void marker_dispatch(struct marker *marker, const u64 *args)
{
	unsigned int bit;
	u32 state;

	preempt_disable_notrace();
	/* cleared before the site is patched out: a late hit ends here */
	state = READ_ONCE(marker->state);
	bit = context_bit();
	if (unlikely(!state))
		goto out;
	if (unlikely(__this_cpu_read(guard.active) & bit)) {
		this_cpu_inc(guard.skipped);
		goto out;
	}
	this_cpu_or(guard.active, bit);
	barrier();
	if (likely(state & MARKER_RECORD))
		marker_record(marker->event, args);
	if (unlikely(state & MARKER_PROBED))
		call_probes(marker->event, args);
	barrier();
	this_cpu_and(guard.active, ~bit);
out:
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(marker_dispatch);
EXPORT_SYMBOL_GPL(marker_dispatch);

u64 marker_dispatch_skipped(int cpu)
{
	return READ_ONCE(per_cpu(guard.skipped, cpu));
}
