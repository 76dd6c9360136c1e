// SPDX-License-Identifier: GPL-2.0
/*
 * Choose the clock, and describe it for the metadata.
 *
 * The CPU's counter is chosen where the kernel vouches for it: it runs at one
 * rate, does not stop in idle states, is in step on all CPUs, and its rate is
 * known.  Should the kernel change its mind later ("clocksource: timekeeping
 * watchdog: Marking clocksource 'tsc' as unstable"), nothing happens here: each
 * CPU's time still does not go backwards, and what drifts apart are the CPUs.
 * Then another clock may be chosen.
 */
#include <markers/arch/counter.h>

#include "clock.h"

struct marker_clock marker_clock __read_mostly = {
	.name = "mono",
	.description = "CLOCK_MONOTONIC, NMI-safe",
	.frequency = NSEC_PER_SEC,
};

static atomic_long_t count;

u64 clock_other(const struct marker_clock *clock)
{
	if (likely(clock->kind == MARKER_CLOCK_MONO))
		return ktime_get_mono_fast_ns();
	if (clock->kind == MARKER_CLOCK_BOOT)
		return ktime_get_boot_fast_ns();
	return atomic_long_inc_return(&count);
}

u64 clock_ns(const struct marker_clock *clock, u64 ticks)
{
	u64 s, rem;

	if (clock->frequency == NSEC_PER_SEC)
		return ticks;
	s = div64_u64_rem(ticks, clock->frequency, &rem);
	return s * NSEC_PER_SEC + div64_u64(rem * NSEC_PER_SEC, clock->frequency);
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
		before = clock_read(clock);
		real = ktime_get_real_ns();
		after = clock_read(clock);
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

static const struct marker_clock clocks[] = {
	{
		.counter = true,
		.name = COUNTER_NAME,
		.description = COUNTER_DESCRIPTION,
	}, {
		.kind = MARKER_CLOCK_MONO,
		.name = "mono",
		.description = "CLOCK_MONOTONIC, NMI-safe",
		.frequency = NSEC_PER_SEC,
	}, {
		.kind = MARKER_CLOCK_BOOT,
		.name = "boot",
		.description = "CLOCK_BOOTTIME, NMI-safe",
		.frequency = NSEC_PER_SEC,
	}, {
		.kind = MARKER_CLOCK_COUNT,
		.name = "counter",
		.description = "no time: counts from event to event over all CPUs",
		.frequency = NSEC_PER_SEC,
	},
};

/*
 * The one in use stays in the list, though the kernel may have found since then that it
 * is unstable: which one it is must be seen.
 */
static bool is_offered(const struct marker_clock *clock, const struct marker_clock *in_use)
{
	return !clock->counter || in_use->counter || counter_frequency();
}

/* Return: the clock that is offered under this name, or NULL. */
static const struct marker_clock *find_clock(const struct marker_clock *in_use, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (!strcmp(name, clocks[i].name))
			return is_offered(&clocks[i], in_use) ? &clocks[i] : NULL;
	}
	return NULL;
}

const char *clock_offered(const struct marker_clock *clock, unsigned int nr)
{
	if (nr >= ARRAY_SIZE(clocks))
		return NULL;
	return find_clock(clock, clocks[nr].name) ? clocks[nr].name : "";
}

const char *clock_list(const struct marker_clock *clock, char *text, size_t size)
{
	const char *name;
	size_t len = 0;
	unsigned int i;

	*text = '\0';
	for (i = 0; (name = clock_offered(clock, i)) && len < size; i++) {
		if (*name)
			len += snprintf(text + len, size - len, len ? ", %s" : "%s",
					name);
	}
	return text;
}

bool clock_is_offered(const struct marker_clock *clock, const char *name)
{
	return find_clock(clock, name);
}

int clock_set(struct marker_clock *clock, const char *name)
{
	const struct marker_clock *next = find_clock(clock, name);
	u64 frequency;

	if (!next)
		return -EINVAL;
	frequency = next->frequency;
	/* it may have been found unstable since then */
	if (next->counter) {
		frequency = counter_frequency();
		if (!frequency)
			return -EINVAL;
	}
	*clock = *next;
	clock->frequency = frequency;
	if (clock->counter || clock->kind != MARKER_CLOCK_COUNT)
		find_epoch(clock);
	return 0;
}

int __init clock_init(const char *name)
{
	if (!name)
		name = counter_frequency() && counter_is_trusted() ? COUNTER_NAME : "mono";
	if (!clock_is_offered(&marker_clock, name))
		return -EINVAL;
	return clock_set(&marker_clock, name);
}
