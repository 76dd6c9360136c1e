/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time of an event: a 64-bit count of ticks that never goes backwards on
 * one CPU, readable from any context including NMI.
 *
 * The tick is the CPU's own counter where the kernel itself keeps time by it
 * (the TSC on nearly all x86 machines: one instruction, no memory), and the
 * nanoseconds of ktime_get_mono_fast_ns() elsewhere.  Which one is decided once,
 * when the module is loaded.
 */
#ifndef _MARKERS_CLOCK_H
#define _MARKERS_CLOCK_H

#include "base.h"

/**
 * struct marker_clock - what the trace's metadata says about its clock
 * @counter:	the tick is get_cycles(), not a nanosecond; read on the hot path
 * @name:	"tsc" or "mono"
 * @description: one line for a human being
 * @frequency:	ticks per second, below 2^34
 * @offset_s:	seconds from the UNIX epoch to tick 0, as of when the module was
 * @offset:	loaded, and ticks (less than one second of them) to be added
 *
 * Constant after marker_clock_init().
 */
struct marker_clock {
	bool counter;
	const char *name;
	const char *description;
	u64 frequency;
	s64 offset_s;
	u64 offset;
};

extern struct marker_clock marker_clock;

u64 marker_clock_mono(void);

/**
 * marker_clock_now() - ticks
 *
 * Context: any, NMI included, with preemption off.
 * Return: not less than what it returned before on this CPU, unless @counter
 * was read out of order by the CPU; whoever needs the order (the ring) looks.
 */
static __always_inline notrace u64 marker_clock_now(void)
{
	if (likely(marker_clock.counter))
		return get_cycles();
	return marker_clock_mono();
}

u64 marker_clock_to_ns(u64 ticks);

int marker_clock_init(const char *name);
void marker_clock_exit(void);

#endif /* _MARKERS_CLOCK_H */
