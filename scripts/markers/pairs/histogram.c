// SPDX-License-Identifier: GPL-2.0
/*
 * Each number below 2^HISTOGRAM_BITS has its own bucket. From each power of two to the next there
 * are 2^HISTOGRAM_BITS buckets of equal width.
 */
#include "histogram.h"

#define LINEAR	(1u << HISTOGRAM_BITS)

static unsigned int log2_of(uint64_t number)
{
	return 63 - __builtin_clzll(number);
}

static unsigned int bucket_of(uint64_t ns)
{
	unsigned int shift;

	if (ns < LINEAR)
		return ns;
	shift = log2_of(ns) - HISTOGRAM_BITS;
	return ((shift + 1) << HISTOGRAM_BITS) + ((ns >> shift) & (LINEAR - 1));
}

/* The largest number in a bucket. */
static uint64_t last_of(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < LINEAR)
		return bucket;
	shift = (bucket >> HISTOGRAM_BITS) - 1;
	return (((uint64_t)LINEAR + (bucket & (LINEAR - 1))) << shift) + ((1ull << shift) - 1);
}

void histogram_add(struct histogram *histogram, uint64_t ns)
{
	if (!histogram->count || ns < histogram->min)
		histogram->min = ns;
	if (ns > histogram->max)
		histogram->max = ns;
	histogram->count++;
	histogram->sum += ns;
	histogram->bucket[bucket_of(ns)]++;
}

uint64_t histogram_percentile(const struct histogram *histogram, double percent)
{
	uint64_t wanted = histogram->count * percent / 100, seen = 0, last;
	unsigned int i;

	if (wanted < histogram->count * percent / 100 || !wanted)
		wanted++;
	for (i = 0; i < HISTOGRAM_BUCKETS; i++) {
		seen += histogram->bucket[i];
		if (seen >= wanted) {
			last = last_of(i);
			return last < histogram->max ? last : histogram->max;
		}
	}
	return histogram->max;
}

uint64_t histogram_power(const struct histogram *histogram, unsigned int power)
{
	unsigned int i, first = power ? bucket_of(1ull << power) : 0;
	unsigned int end = power == 63 ? HISTOGRAM_BUCKETS : bucket_of(1ull << (power + 1));
	uint64_t count = 0;

	for (i = first; i < end; i++)
		count += histogram->bucket[i];
	return count;
}
