// SPDX-License-Identifier: GPL-2.0
/*
 * Choose the clock, once, and describe it for the metadata.
 *
 * The CPU's counter is chosen where the kernel vouches for it: it runs at one
 * rate, does not stop in idle states, is in step on all CPUs, and its rate is
 * known.  Should the kernel change its mind later ("clocksource: timekeeping
 * watchdog: Marking clocksource 'tsc' as unstable"), nothing happens here: each
 * CPU's time still does not go backwards, and what drifts apart are the CPUs.
 * Load the module again to have another clock.
 */
#include "clock.h"

#ifdef CONFIG_X86_TSC
#include <asm/cpufeature.h>
#include <asm/tsc.h>

static bool counter_is_trusted(void)
{
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) &&
	       boot_cpu_has(X86_FEATURE_NONSTOP_TSC);
}

/* 0: do not even think of it. */
static u64 counter_frequency(void)
{
	return check_tsc_unstable() ? 0 : (u64)tsc_khz * 1000;
}
#else
static bool counter_is_trusted(void)
{
	return false;
}

static u64 counter_frequency(void)
{
	return 0;
}
#endif

/* Read by the hot path: see marker_clock_now(). */
struct marker_clock marker_clock __ro_after_init = {
	.name = "mono",
	.description = "CLOCK_MONOTONIC, NMI-safe",
	.frequency = NSEC_PER_SEC,
};

static local_t __percpu *last_mono;

/**
 * marker_clock_mono() - nanoseconds
 *
 * ktime_get_mono_fast_ns() may step back a little, when an NMI reads it in the
 * middle of an update; here it stands still instead.
 *
 * Context: any, NMI included, with preemption off.
 * Return: not less than what it returned before on this CPU.
 */
notrace u64 marker_clock_mono(void)
{
	local_t *last = this_cpu_ptr(last_mono);
	long old = local_read(last), seen;
	long ns = ktime_get_mono_fast_ns();

	for (;;) {
		if (ns <= old)
			return old;
		seen = local_cmpxchg(last, old, ns);
		if (seen == old)
			return ns;
		/* Interrupted, and somebody has read a later time. */
		old = seen;
	}
}

/**
 * marker_clock_to_ns() - ticks to nanoseconds, for people
 * @ticks:	a time, or a difference of two
 *
 * Exact: the remainder is less than the frequency, so less than 2^34, and the
 * product fits.
 *
 * Context: any.
 * Return: nanoseconds.
 */
u64 marker_clock_to_ns(u64 ticks)
{
	u64 s, rem;

	if (marker_clock.frequency == NSEC_PER_SEC)
		return ticks;
	s = div64_u64_rem(ticks, marker_clock.frequency, &rem);
	return s * NSEC_PER_SEC + div64_u64(rem * NSEC_PER_SEC, marker_clock.frequency);
}

/*
 * Where is tick 0?  Read both clocks, a few times; the closest pair counts.
 */
static void find_epoch(struct marker_clock *clock)
{
	u64 best = U64_MAX, ticks = 0, real_ns = 0;
	u64 s, ns, rem, part;
	int i;

	for (i = 0; i < 10; i++) {
		u64 before, after, real;

		preempt_disable();
		before = marker_clock_now();
		real = ktime_get_real_ns();
		after = marker_clock_now();
		preempt_enable();
		if (after - before < best) {
			best = after - before;
			ticks = before + best / 2;
			real_ns = real;
		}
	}

	s = div64_u64_rem(real_ns, NSEC_PER_SEC, &ns);
	part = div64_u64(ns * clock->frequency, NSEC_PER_SEC);
	clock->offset_s = s - div64_u64_rem(ticks, clock->frequency, &rem);
	if (part < rem) {
		part += clock->frequency;
		clock->offset_s--;
	}
	clock->offset = part - rem;
}

/**
 * marker_clock_init() - choose a clock
 * @name:	"tsc" or "mono", or NULL: the best one that is right
 *
 * Asked for by name, the counter is taken even where the kernel does not vouch
 * for it, but not where it knows better.
 *
 * Context: may sleep; before anybody calls marker_clock_now().
 * Return: 0, -ENOMEM, or -EINVAL if there is no such clock.
 */
int __init marker_clock_init(const char *name)
{
	u64 frequency = counter_frequency();
	bool counter;

	if (!name)
		counter = frequency && counter_is_trusted();
	else if (!strcmp(name, "tsc"))
		counter = true;
	else if (!strcmp(name, "mono"))
		counter = false;
	else
		return -EINVAL;
	if (counter && !frequency)
		return -EINVAL;

	last_mono = alloc_percpu(local_t);
	if (!last_mono)
		return -ENOMEM;
	if (counter) {
		marker_clock.counter = true;
		marker_clock.name = "tsc";
		marker_clock.description = "time stamp counter of the CPU";
		marker_clock.frequency = frequency;
	}
	find_epoch(&marker_clock);
	return 0;
}

/**
 * marker_clock_exit() - when nobody reads it any more
 *
 * Context: may sleep.
 */
void marker_clock_exit(void)
{
	free_percpu(last_mono);
}
