/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a hit came from: the registers of the function that the marker stands in, as far as an
 * unwinder needs them.
 *
 * marker_thunk() passes the arguments where the cold block has put them.  So its frame record,
 * which has the frame pointer and the return address, is found from them.
 */
#ifndef _MARKERS_ARCH_CALLER_H
#define _MARKERS_ARCH_CALLER_H

#include <linux/types.h>
#include <asm/ptrace.h>

#include <markers/arch/frame.h>

struct marker_event;

/**
 * marker_caller() - fill in the registers of the function with the marker
 * @regs:	pc, sp, pstate and the frame pointer are set, as where the cold block has called the
 *		thunk
 * @event:	the event of the marker
 * @args:	the arguments of the hit, as the thunk has passed them on
 * @walks:	who asks; here all unwinders begin at the registers
 *
 * In a function without a frame record the frame pointer is its caller's: that one is missing then.
 *
 * Context: Any, NMI too; preemption off.
 * Return: true; other architectures cannot tell.
 */
static __always_inline bool marker_caller(struct pt_regs *regs, const struct marker_event *event,
					  const u64 *args, bool walks)
{
	const u64 *block = args - MARKER_BLOCK_ARGS / sizeof(u64);
	const u64 *record = block - MARKER_THUNK_FRAME / sizeof(u64);

	regs->regs[29] = record[0];
	regs->pc = record[1];
	regs->sp = (uintptr_t)block;
	regs->pstate = PSR_MODE_EL1h;
	return true;
}

#endif /* _MARKERS_ARCH_CALLER_H */
