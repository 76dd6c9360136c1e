/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The distribution of durations: percentiles and powers of two, in memory of fixed size.
 */
#ifndef _MARKERS_HISTOGRAM_H
#define _MARKERS_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_BITS	7	/* a percentile is too large by at most 1/128 */
#define HISTOGRAM_BUCKETS	((64 - HISTOGRAM_BITS + 1) << HISTOGRAM_BITS)

/**
 * struct histogram - the distribution of durations in nanoseconds; all zero in the beginning
 * @count: number of durations
 * @sum: their sum
 * @min: the shortest
 * @max: the longest
 * @bucket: number of durations in each bucket
 */
struct histogram {
	uint64_t count;
	uint64_t sum;
	uint64_t min;
	uint64_t max;
	uint64_t bucket[HISTOGRAM_BUCKETS];
};

/**
 * histogram_add() - add a duration
 * @histogram: the distribution
 * @ns: the duration in nanoseconds
 */
void histogram_add(struct histogram *histogram, uint64_t ns);

/**
 * histogram_percentile() - the duration that a share of all durations does not exceed
 * @histogram: the distribution
 * @percent: the share, 0 to 100
 *
 * Return: nanoseconds, at most 1/128 too large; 0 if there are no durations.
 */
uint64_t histogram_percentile(const struct histogram *histogram, double percent);

/**
 * histogram_power() - count the durations from 2^power to 2^(power+1) - 1 nanoseconds
 * @histogram: the distribution
 * @power: 0 to 63; power 0 includes durations of 0
 *
 * Return: their number.
 */
uint64_t histogram_power(const struct histogram *histogram, unsigned int power);

#endif /* _MARKERS_HISTOGRAM_H */
