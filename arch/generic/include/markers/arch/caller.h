/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a hit came from: not known here, as the arguments lie in an array of the function with the
 * marker.
 */
#ifndef _MARKERS_ARCH_GENERIC_CALLER_H
#define _MARKERS_ARCH_GENERIC_CALLER_H

#include <linux/types.h>
#include <asm/ptrace.h>

struct marker_event;

/**
 * marker_caller() - fill in the registers of the function with the marker
 * @regs:	left as it is
 * @event:	the event of the marker
 * @args:	the arguments of the hit
 * @walks:	who asks
 *
 * Context: Any, NMI too; preemption off.
 * Return: false: they are not known.
 */
static __always_inline bool marker_caller(struct pt_regs *regs, const struct marker_event *event,
					  const u64 *args, bool walks)
{
	return false;
}

#endif /* _MARKERS_ARCH_GENERIC_CALLER_H */
