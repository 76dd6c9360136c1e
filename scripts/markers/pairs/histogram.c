// SPDX-License-Identifier: GPL-2.0
/*
 * Each number below 2^SPREAD_BITS has its own bucket. From each power of two to the next there
 * are 2^SPREAD_BITS buckets of equal width.
 */
#include "histogram.h"

#define LINEAR	(1u << SPREAD_BITS)

static unsigned int log2_of(uint64_t number)
{
	return 63 - __builtin_clzll(number);
}

static unsigned int bucket_of(uint64_t ns)
{
	unsigned int shift;

	if (ns < LINEAR)
		return ns;
	shift = log2_of(ns) - SPREAD_BITS;
	return ((shift + 1) << SPREAD_BITS) + ((ns >> shift) & (LINEAR - 1));
}

/* The largest number in a bucket. */
static uint64_t last_of(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < LINEAR)
		return bucket;
	shift = (bucket >> SPREAD_BITS) - 1;
	return (((uint64_t)LINEAR + (bucket & (LINEAR - 1))) << shift) + ((1ull << shift) - 1);
}

void spread_add(struct spread *spread, uint64_t ns)
{
	if (!spread->count || ns < spread->min)
		spread->min = ns;
	if (ns > spread->max)
		spread->max = ns;
	spread->count++;
	spread->sum += ns;
	spread->bucket[bucket_of(ns)]++;
}

uint64_t spread_percentile(const struct spread *spread, double percent)
{
	uint64_t wanted = spread->count * percent / 100, seen = 0, last;
	unsigned int i;

	if (wanted < spread->count * percent / 100 || !wanted)
		wanted++;
	for (i = 0; i < SPREAD_BUCKETS; i++) {
		seen += spread->bucket[i];
		if (seen >= wanted) {
			last = last_of(i);
			return last < spread->max ? last : spread->max;
		}
	}
	return spread->max;
}

uint64_t spread_power(const struct spread *spread, unsigned int power)
{
	unsigned int i, first = power ? bucket_of(1ull << power) : 0;
	unsigned int end = power == 63 ? SPREAD_BUCKETS : bucket_of(1ull << (power + 1));
	uint64_t count = 0;

	for (i = first; i < end; i++)
		count += spread->bucket[i];
	return count;
}
