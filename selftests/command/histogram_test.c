// SPDX-License-Identifier: GPL-2.0
/*
 * Percentiles and powers of two, compared with those of a sorted list.
 */
#include <stdlib.h>

#include "histogram.h"
#include "tap.h"

#define NR	20000

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void test_percentiles(void)
{
	static struct histogram histogram;
	static uint64_t ns[NR];
	uint64_t power_count = 0;
	unsigned int i, bad = 0;

	for (i = 0; i < NR; i++) {
		ns[i] = (uint64_t)rand() >> rand() % 31;
		histogram_add(&histogram, ns[i]);
	}
	qsort(ns, NR, sizeof(*ns), compare);
	for (i = 1; i <= 100; i++) {
		uint64_t exact = ns[NR / 100 * i - 1], got = histogram_percentile(&histogram, i);

		bad += got < exact || got > exact + exact / 128 + 1;
	}
	is_int(bad, 0, "percentiles are exact to 1/128");
	is_int(histogram_percentile(&histogram, 100), ns[NR - 1], "the last one is the longest");
	is_int(histogram.min, ns[0], "the shortest");
	for (i = 0; i < 64; i++)
		power_count += histogram_power(&histogram, i);
	is_int(power_count, NR, "each is in one power of two");
}

static void test_ends(void)
{
	static struct histogram histogram;

	is_int(histogram_percentile(&histogram, 50), 0, "nothing was counted");
	histogram_add(&histogram, UINT64_MAX);
	ok(histogram_percentile(&histogram, 1) == UINT64_MAX, "the largest number");
	is_int(histogram_power(&histogram, 63), 1, "in the last power");
	histogram_add(&histogram, 0);
	is_int(histogram_power(&histogram, 0), 1, "0 is in the first");
	is_int(histogram_percentile(&histogram, 50), 0, "the half of two");
	histogram_add(&histogram, 128);
	is_int(histogram_power(&histogram, 7), 1, "a power of two begins its own");
	is_int(histogram_power(&histogram, 6), 0, "and is not in the one before");
}

int main(void)
{
	test_percentiles();
	test_ends();
	return tap_done();
}
