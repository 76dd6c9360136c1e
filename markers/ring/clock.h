/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time of an event: a 64-bit count of ticks, readable from any context including
 * NMI.  If it goes back on a CPU, the ring lets it stand still.
 *
 * By default the tick is the CPU's own counter where the kernel vouches for it (the
 * TSC on nearly all x86 machines: one instruction, no memory), and the
 * nanoseconds of ktime_get_mono_fast_ns() elsewhere.  The caller of clock_set() makes sure
 * that no record is written meanwhile, and that no trace has old and new times.
 */
#ifndef _MARKERS_CLOCK_H
#define _MARKERS_CLOCK_H

#include <markers/base.h>

/* Clocks that are not the CPU's counter. */
enum marker_clock_kind {
	MARKER_CLOCK_MONO,	/* CLOCK_MONOTONIC */
	MARKER_CLOCK_BOOT,	/* CLOCK_BOOTTIME */
	MARKER_CLOCK_COUNT,	/* no time: how often it was read */
};

/**
 * struct marker_clock - a clock, as the metadata of a trace describe it
 * @counter:	the tick is get_cycles(), not a nanosecond; read on the hot path
 * @kind:	if it is not
 * @name:	see clock_offered()
 * @description: one line for people
 * @frequency:	ticks per second, below 2^34
 * @offset_s:	whole seconds from the UNIX epoch to tick 0, when the clock was chosen
 * @offset:	ticks to add, less than one second of them
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

/* The one to begin with: recordings have a copy, and so have their buffers. */
extern struct marker_clock marker_clock;

/**
 * clock_other() - ticks of a clock that is not the CPU's counter
 * @clock:	the clock
 *
 * The kernel's NMI-safe clocks may step back a little, when an NMI reads them in the
 * middle of an update.
 *
 * Context: Any, NMI included, with preemption off.
 * Return: ticks.
 */
u64 clock_other(const struct marker_clock *clock);

/**
 * clock_read() - ticks of any clock
 * @clock:	the clock
 *
 * Context: Any, NMI included, with preemption off.
 * Return: ticks; very rarely less than before on this CPU.  The ring needs the order and
 * checks it.
 */
static __always_inline u64 clock_read(const struct marker_clock *clock)
{
	if (likely(clock->counter))
		return get_cycles();
	return clock_other(clock);
}

/**
 * clock_ns() - ticks to nanoseconds, for people
 * @clock:	whose ticks
 * @ticks:	a time, or a difference of two
 *
 * Exact: the remainder is less than the frequency, so less than 2^34, and the
 * product fits.
 *
 * Context: Any.
 * Return: nanoseconds.
 */
u64 clock_ns(const struct marker_clock *clock, u64 ticks);

/**
 * clock_offered() - the names of the clocks that may be chosen
 * @clock:	in place of this one
 * @nr:		from 0
 *
 * The CPU's counter is one of them unless the kernel knows that it is wrong; it stays in
 * the list while @clock is the counter.
 *
 * Context: Any.
 * Return: a name, "" for one that is not offered here, or NULL after the last one.
 */
const char *clock_offered(const struct marker_clock *clock, unsigned int nr);

/**
 * clock_is_offered() - may a clock be chosen?
 * @clock:	in place of this one
 * @name:	of a clock, or any other text
 *
 * Context: Any.
 * Return: whether clock_set() would have done it a moment ago, or need not.
 */
bool clock_is_offered(const struct marker_clock *clock, const char *name);

/**
 * clock_list() - the names of the clocks that may be chosen, in one line, for a message
 * @clock:	in place of this one
 * @text:	room for it
 * @size:	bytes of it; 64 are enough for all
 *
 * Context: Any.
 * Return: @text.
 */
const char *clock_list(const struct marker_clock *clock, char *text, size_t size);

/**
 * clock_set() - change a clock
 * @clock:	the one to be changed
 * @name:	see clock_offered()
 *
 * Context: Process context; may sleep; no record reads @clock meanwhile.
 * Return: 0, or -EINVAL if there is no such clock.
 */
int clock_set(struct marker_clock *clock, const char *name);

/**
 * clock_init() - choose the first clock
 * @name:	see clock_offered(), or NULL: the best one
 *
 * By name, the CPU's counter can be chosen even where the kernel does not vouch for it,
 * but not where the kernel knows that it is wrong.
 *
 * Context: Process context; may sleep; before there are recordings.
 * Return: 0, or -EINVAL if there is no such clock.
 */
int clock_init(const char *name);

#endif /* _MARKERS_CLOCK_H */
