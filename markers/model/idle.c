// SPDX-License-Identifier: GPL-2.0
/* See idle.h. */
#include <linux/cpumask.h>
#include <linux/kprobes.h>

#include <markers/ring/ring_types.h>
#include "idle.h"

static struct ring_slot no_slot = { .next = &no_slot };
static struct ring_cpu stopped = { .recent = &no_slot, .full_room = S64_MAX };

/* For programs in user space.  In a module, see marker_idle_init(). */
DEFINE_PER_CPU(struct ring_cpu *, marker_no_ring) = &stopped;

void marker_call_nobody(void *probe_private, void *call_private, const char *fmt,
			va_list *args)
{
}
NOKPROBE_SYMBOL(marker_call_nobody);

struct marker_program marker_idle = {
	.ring = &marker_no_ring,
	.call = { marker_call_nobody },
	.gate = { MARKER_GATE_OPEN },
};

/* The loader of modules does not relocate the section of per-CPU variables: the pointer is NULL. */
void marker_idle_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(*per_cpu_ptr(&marker_no_ring, cpu), &stopped);
}
