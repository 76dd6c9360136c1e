// SPDX-License-Identifier: GPL-2.0
/*
 * The counts of events: making, reading and resetting them.  Process context, under the
 * registry mutex.  An event keeps its counts when counting ends and when its module goes,
 * so that operators can still read them; the registry frees them with the event.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/percpu.h>

#include "counts.h"
#include "registry.h"

int marker_counts_create(struct marker_event *event)
{
	struct marker_counts __percpu *counts;

	marker_registry_assert_locked();
	if (event->counts)
		return 0;
	counts = alloc_percpu_gfp(struct marker_counts, GFP_KERNEL_ACCOUNT);
	if (!counts)
		return -ENOMEM;
	/* They are zero before a hit sees them. */
	smp_store_release(&event->counts, counts);
	return 0;
}

void marker_counts_read(const struct marker_event *event, int cpu, struct marker_sum *sum)
{
	const struct marker_counts *counts = per_cpu_ptr(event->counts, cpu);
	unsigned int i;
	u64 nr;

	marker_registry_assert_locked();
	for (i = 0; i < NR_MARKER_OUTCOMES; i++) {
		nr = READ_ONCE(counts->nr[i]) - counts->base[i];
		sum->nr[i] += nr;
		sum->hits += nr;
	}
}

void marker_counts_reset(struct marker_event *event)
{
	struct marker_counts *counts;
	unsigned int i;
	int cpu;

	marker_registry_assert_locked();
	if (!event->counts)
		return;
	for_each_possible_cpu(cpu) {
		counts = per_cpu_ptr(event->counts, cpu);
		for (i = 0; i < NR_MARKER_OUTCOMES; i++)
			counts->base[i] = READ_ONCE(counts->nr[i]);
	}
}
