// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel stack of a hit, as the kernel's unwinder finds it.  The recorder calls it, in
 * any context.  It takes no lock and does not allocate.
 *
 * The compiler chooses how many functions of ours are on the stack, so this recognises them
 * by their addresses.  It leaves out only those before the marker: an interrupted function
 * of ours stays.
 *
 * No stack of user space: stack_trace_save_user() is not exported.
 */
#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/stacktrace.h>

#include "callstack.h"

#ifdef CONFIG_STACKTRACE

void marker_callstack_take(struct marker_callstack *stack, unsigned int depth)
{
	const unsigned int most = CALLSTACK_OWN + depth;
	unsigned int nr, skip = 0;

	do {
		nr = stack_trace_save(stack->address, most, skip);
		stack->first = 0;
		while (stack->first < nr &&
		       within_module(stack->address[stack->first], THIS_MODULE))
			stack->first++;
		skip += stack->first;
		/* more of ours than expected: KCSAN keeps functions from being inlined */
	} while (nr == most && stack->first > CALLSTACK_OWN);
	stack->nr = min(nr - stack->first, depth);
}

#else

void marker_callstack_take(struct marker_callstack *stack, unsigned int depth)
{
	stack->first = 0;
	stack->nr = 0;
}

#endif
NOKPROBE_SYMBOL(marker_callstack_take);
