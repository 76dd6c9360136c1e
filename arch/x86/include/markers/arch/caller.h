/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a hit came from: the registers of the function that the marker stands in, as far as an
 * unwinder needs them.
 *
 * marker_thunk() is called with the marker and the arguments above its return address,
 * marker_thunk_many() with the arguments alone.  So the return address, which is in the cold block
 * of the marker, is found from the arguments.
 */
#ifndef _MARKERS_ARCH_CALLER_H
#define _MARKERS_ARCH_CALLER_H

#include <linux/string.h>
#include <linux/types.h>
#include <asm/ptrace.h>
#include <asm/segment.h>

#include <markers/compat/nofault.h>
#include <markers/marker_types.h>

/**
 * marker_caller() - fill in the registers of the function with the marker
 * @regs:	ip, sp, cs and flags are set; and bp, unless @walks
 * @event:	the event of the marker
 * @args:	the arguments of the hit, as the thunk has passed them on
 * @walks:	for an unwinder that begins here and now, and shows what is above sp: perf's.  Else
 *		it begins at the registers, whose frame pointer is not known: 0 ends the walk at
 *		a function that has one of its own.
 *
 * Context: Any, NMI too; preemption off.
 * Return: true; other architectures cannot tell.
 */
static __always_inline bool marker_caller(struct pt_regs *regs, const struct marker_event *event,
					  const u64 *args, bool walks)
{
	const u64 *at = args - 1;
	u64 found;

	/* a return address, or the marker: so look where the event of a marker is */
	if (marker_nofault_read_word(&found, (const void *)(uintptr_t)*at +
				     offsetof(struct marker, event)) &&
	    found == (uintptr_t)event)
		at--;
	regs->ip = *at;
	regs->sp = (uintptr_t)(walks ? at : at + 1);
	if (!walks)
		regs->bp = 0;
	regs->cs = __KERNEL_CS;
	regs->flags = 0;
	return true;
}

#endif /* _MARKERS_ARCH_CALLER_H */
