// SPDX-License-Identifier: GPL-2.0
/* template_core: its queue. */
#include <linux/atomic.h>
#include <linux/printk.h>

#include <markers/marker.h>
#include <template.h>

static atomic_t queued;

int template_queue_add(unsigned int bytes)
{
	int depth = atomic_inc_return(&queued);

	trace_mark(template_queue, "depth %d bytes %u", depth, bytes);
	if (depth > 2)
		pr_debug("the queue is %d deep\n", depth);
	return depth;
}
