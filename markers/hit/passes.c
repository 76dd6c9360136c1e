// SPDX-License-Identifier: GPL-2.0
/*
 * A filter that tests contexts.
 *
 * Context of all: any, NMI too; preemption off.
 */
#include <linux/kprobes.h>

#include "passes.h"

bool marker_passes_with_contexts(const struct marker_filter_test *test,
				 const u64 *args, s64 latency)
{
	u64 contexts[MARKER_NR_FILTER_CONTEXTS] __marker_uninitialized;

	fill_contexts(contexts, test->contexts, latency);
	return marker_filter_passes(test, args, contexts);
}
NOKPROBE_SYMBOL(marker_passes_with_contexts);
