// SPDX-License-Identifier: GPL-2.0
/*
 * The counts of events: making, reading and resetting them.  Process context, under the
 * registry mutex.  A recording keeps its counts when counting ends and when the module goes,
 * so that operators can still read them; they go with the recording.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "counts.h"
#include "recording.h"
#include "registry.h"

/* Have room for the counts of an event. */
static int make_room(struct marker_recording *recording, u32 id)
{
	const u32 nr = max(id + 1, 2 * recording->nr_counts);
	struct marker_counts __percpu **counts;

	if (id < recording->nr_counts)
		return 0;
	counts = kvcalloc(nr, sizeof(*counts), GFP_KERNEL_ACCOUNT);
	if (!counts)
		return -ENOMEM;
	if (recording->nr_counts)
		memcpy(counts, recording->counts, recording->nr_counts * sizeof(*counts));
	kvfree(recording->counts);
	recording->counts = counts;
	recording->nr_counts = nr;
	return 0;
}

struct marker_counts __percpu *marker_counts_create(struct marker_recording *recording,
						    struct marker_event *event)
{
	struct marker_counts __percpu *counts = marker_counts_of(recording, event);

	if (counts || make_room(recording, event->id))
		return counts;
	counts = alloc_percpu_gfp(struct marker_counts, GFP_KERNEL_ACCOUNT);
	recording->counts[event->id] = counts;
	if (counts && recording == &marker_top) {
		/* They are zero before a hit sees them. */
		smp_store_release(&event->counts, counts);
	}
	return counts;
}

struct marker_counts __percpu *marker_counts_of(const struct marker_recording *recording,
						const struct marker_event *event)
{
	marker_registry_assert_locked();
	return event->id < recording->nr_counts ? recording->counts[event->id] : NULL;
}

void marker_counts_read(const struct marker_recording *recording,
			const struct marker_event *event, int cpu, struct marker_sum *sum)
{
	const struct marker_counts *counts = per_cpu_ptr(marker_counts_of(recording, event), cpu);
	unsigned int i;
	u64 nr;

	for (i = 0; i < NR_MARKER_OUTCOMES; i++) {
		nr = READ_ONCE(counts->nr[i]) - counts->base[i];
		sum->nr[i] += nr;
		sum->hits += nr;
	}
}

void marker_counts_reset(const struct marker_recording *recording,
			 const struct marker_event *event)
{
	struct marker_counts __percpu *all = marker_counts_of(recording, event);
	struct marker_counts *counts;
	unsigned int i;
	int cpu;

	if (!all)
		return;
	for_each_possible_cpu(cpu) {
		counts = per_cpu_ptr(all, cpu);
		for (i = 0; i < NR_MARKER_OUTCOMES; i++)
			counts->base[i] = READ_ONCE(counts->nr[i]);
	}
}

void marker_counts_free(struct marker_recording *recording)
{
	u32 i;

	for (i = 0; i < recording->nr_counts; i++) {
		free_percpu(recording->counts[i]);
		cond_resched();
	}
	kvfree(recording->counts);
	recording->counts = NULL;
	recording->nr_counts = 0;
}
