/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How durations are spread: percentiles and powers of two, in a fixed room.
 */
#ifndef _MARKERS_SPREAD_H
#define _MARKERS_SPREAD_H

#include <stdint.h>

#define SPREAD_BITS	7	/* a percentile is at most 1/128 too large */
#define SPREAD_BUCKETS	((64 - SPREAD_BITS + 1) << SPREAD_BITS)

/**
 * struct spread - of durations in nanoseconds; all zero in the beginning
 * @count: how many
 * @sum: of them
 * @min: the shortest
 * @max: the longest
 * @bucket: how many are about as long
 */
struct spread {
	uint64_t count;
	uint64_t sum;
	uint64_t min;
	uint64_t max;
	uint64_t bucket[SPREAD_BUCKETS];
};

/**
 * spread_add() - count one
 * @spread: is changed
 * @ns: how long it was
 */
void spread_add(struct spread *spread, uint64_t ns);

/**
 * spread_percentile() - a time that a share of all did not exceed
 * @spread: what was counted
 * @percent: the share, 0 to 100
 *
 * Return: nanoseconds: between what it is and 1/128 more; 0 if nothing was counted.
 */
uint64_t spread_percentile(const struct spread *spread, double percent);

/**
 * spread_power() - how many were from 2^power to 2^(power+1) - 1 nanoseconds long
 * @spread: what was counted
 * @power: 0, which has those of 0 too, to 63
 *
 * Return: how many.
 */
uint64_t spread_power(const struct spread *spread, unsigned int power);

#endif /* _MARKERS_SPREAD_H */
