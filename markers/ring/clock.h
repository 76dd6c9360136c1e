/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time of an event: a 64-bit count of ticks that never goes backwards on
 * one CPU, readable from any context including NMI.
 *
 * By default the tick is the CPU's own counter where the kernel vouches for it (the
 * TSC on nearly all x86 machines: one instruction, no memory), and the
 * nanoseconds of ktime_get_mono_fast_ns() elsewhere.  Whoever changes it makes sure
 * that nobody reads it meanwhile, and that old and new times do not meet.
 */
#ifndef _MARKERS_CLOCK_H
#define _MARKERS_CLOCK_H

#include <markers/base.h>

/* Those that are not the CPU's counter. */
enum marker_clock_kind {
	MARKER_CLOCK_MONO,	/* CLOCK_MONOTONIC */
	MARKER_CLOCK_BOOT,	/* CLOCK_BOOTTIME */
	MARKER_CLOCK_COUNT,	/* no time: how often it was read */
};

/**
 * struct marker_clock - what the trace's metadata says about its clock
 * @counter:	the tick is get_cycles(), not a nanosecond; read on the hot path
 * @kind:	if it is not
 * @name:	see clock_offered()
 * @description: one line for a human being
 * @frequency:	ticks per second, below 2^34
 * @offset_s:	seconds from the UNIX epoch to tick 0, as of when the clock was
 * @offset:	chosen, and ticks (less than one second of them) to be added
 *
 * Constant after clock_init(), but for clock_set().
 */
struct marker_clock {
	bool counter;
	enum marker_clock_kind kind;
	const char *name;
	const char *description;
	u64 frequency;
	s64 offset_s;
	u64 offset;
};

extern struct marker_clock marker_clock;

u64 clock_other(void);

/**
 * clock_now() - ticks
 *
 * Context: any, NMI included, with preemption off.
 * Return: not less than what it returned before on this CPU, unless @counter
 * was read out of order by the CPU; whoever needs the order (the ring) looks.
 */
static __always_inline notrace u64 clock_now(void)
{
	if (likely(marker_clock.counter))
		return get_cycles();
	return clock_other();
}

u64 clock_ns(const struct marker_clock *clock, u64 ticks);

const char *clock_offered(unsigned int nr);
bool clock_is_offered(const char *name);
const char *clock_list(char *text, size_t size);
int clock_set(const char *name);
int clock_init(const char *name);
void clock_exit(void);

#endif /* _MARKERS_CLOCK_H */
