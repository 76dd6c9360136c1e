// SPDX-License-Identifier: GPL-2.0
/*
 * See pairs.h.
 */
#include "map.h"
#include "pairs.h"

/* The lowest two bits of a state; its other bits are the number. */
#define FREE		0ul
#define BUSY		1ul
#define READY		2ul
#define STATE		3ul
#define NEXT		4ul

struct bucket {
	atomic_long_t state;
	u64 time;
	u64 key[];
};

static u32 bucket_size(u32 key_words)
{
	return sizeof(struct bucket) + key_words * sizeof(u64);
}

size_t marker_pairs_bytes(u32 size, u32 key_words)
{
	return array_size(size, bucket_size(key_words));
}

struct marker_pairs *marker_pairs_create(u32 size, u32 key_words)
{
	struct marker_pairs *pairs = kzalloc(sizeof(*pairs), GFP_KERNEL_ACCOUNT);

	if (!pairs)
		return NULL;
	pairs->mask = size / MARKER_PAIRS_GROUP - 1;
	pairs->key_words = key_words;
	pairs->bucket_size = bucket_size(key_words);
	pairs->counts = alloc_percpu_gfp(struct marker_pairs_counts, GFP_KERNEL_ACCOUNT);
	pairs->buckets = kvzalloc(marker_pairs_bytes(size, key_words), GFP_KERNEL_ACCOUNT);
	if (pairs->counts && pairs->buckets)
		return pairs;
	marker_pairs_destroy(pairs);
	return NULL;
}

void marker_pairs_destroy(struct marker_pairs *pairs)
{
	if (!pairs)
		return;
	free_percpu(pairs->counts);
	kvfree(pairs->buckets);
	kfree(pairs);
}

static __always_inline struct bucket *bucket_at(const struct marker_pairs *pairs, u32 at)
{
	return pairs->buckets + (size_t)at * pairs->bucket_size;
}

static __always_inline u32 first_bucket(const struct marker_pairs *pairs, const u64 *key)
{
	const u32 hash = marker_map_hash(key, pairs->key_words) >> 32;

	return (hash & pairs->mask) * MARKER_PAIRS_GROUP;
}

static __always_inline bool has_key(const struct marker_pairs *pairs,
				    const struct bucket *bucket, const u64 *key)
{
	u32 i;

	/*
	 * READ_ONCE(): a data race; the compare-and-exchange that takes the bucket finds a
	 * change
	 */
	for (i = 0; i < pairs->key_words; i++)
		if (READ_ONCE(bucket->key[i]) != key[i])
			return false;
	return true;
}

/* 0 if the clock of another CPU is ahead. */
static __always_inline u64 age_of(const struct bucket *bucket, u64 now)
{
	const u64 time = READ_ONCE(bucket->time);

	return now > time ? min_t(u64, now - time, S64_MAX) : 0;
}

/* From @state to @next, with the next number. */
static __always_inline bool take_bucket(struct bucket *bucket, unsigned long state,
					unsigned long next)
{
	next |= (state & ~STATE) + NEXT;
	return (unsigned long)atomic_long_cmpxchg(&bucket->state, state, next) == state;
}

/* The bucket is ours, and BUSY. */
static __always_inline void fill_bucket(const struct marker_pairs *pairs, struct bucket *bucket,
					const u64 *key, u64 now)
{
	u32 i;

	for (i = 0; i < pairs->key_words; i++)
		WRITE_ONCE(bucket->key[i], key[i]);
	WRITE_ONCE(bucket->time, now);
	/* Pairs with the read of a state by other hits. */
	atomic_long_set_release(&bucket->state,
				atomic_long_read(&bucket->state) - BUSY + READY);
}

void marker_pairs_begin(const struct marker_pairs *pairs, const u64 *key, u64 now)
{
	const u32 first = first_bucket(pairs, key);
	struct marker_pairs_counts *counts = this_cpu_ptr(pairs->counts);
	struct bucket *bucket, *best = NULL;
	unsigned long state, best_state = 0;
	u64 age, best_age = 0;
	u32 i;

	local_inc(&counts->begun);
	for (i = 0; i < MARKER_PAIRS_GROUP; i++) {
		bucket = bucket_at(pairs, first + i);
		/* Pairs with fill_bucket(). */
		state = atomic_long_read_acquire(&bucket->state);
		if ((state & STATE) == BUSY)
			continue;
		/* Choose the bucket of this key, else a free one, else the oldest. */
		if ((state & STATE) == FREE)
			age = U64_MAX - 1;
		else if (has_key(pairs, bucket, key))
			age = U64_MAX;
		else
			age = age_of(bucket, now);
		if (best && age <= best_age)
			continue;
		best = bucket;
		best_age = age;
		best_state = state;
		if (age == U64_MAX)
			break;
	}
	if (!best || !take_bucket(best, best_state, BUSY)) {
		/* another hit was faster: too rare to look again */
		local_inc(&counts->lost);
		return;
	}
	if (best_age == U64_MAX)
		local_inc(&counts->again);
	else if ((best_state & STATE) == READY)
		local_inc(&counts->lost);
	fill_bucket(pairs, best, key, now);
}

s64 marker_pairs_end(const struct marker_pairs *pairs, const u64 *key, u64 now)
{
	const u32 first = first_bucket(pairs, key);
	struct marker_pairs_counts *counts = this_cpu_ptr(pairs->counts);
	struct bucket *bucket;
	unsigned long state;
	bool found = false;
	u64 age, least = 0;
	u32 i;

	for (i = 0; i < MARKER_PAIRS_GROUP; i++) {
		bucket = bucket_at(pairs, first + i);
		/* Pairs with fill_bucket(). */
		state = atomic_long_read_acquire(&bucket->state);
		if ((state & STATE) != READY || !has_key(pairs, bucket, key))
			continue;
		age = age_of(bucket, now);
		if (!take_bucket(bucket, state, FREE))
			continue;
		if (found)
			local_inc(&counts->again);
		if (!found || age < least)
			least = age;
		found = true;
	}
	local_inc(found ? &counts->matched : &counts->unmatched);
	return found ? (s64)least : -1;
}

void marker_pairs_stats(const struct marker_pairs *pairs, struct marker_pairs_stats *stats)
{
	const u32 nr = (pairs->mask + 1) * MARKER_PAIRS_GROUP;
	const struct marker_pairs_counts *counts;
	struct bucket *bucket;
	int cpu;
	u32 i;

	memset(stats, 0, sizeof(*stats));
	for_each_possible_cpu(cpu) {
		counts = per_cpu_ptr(pairs->counts, cpu);
		stats->begun += local_read(&counts->begun);
		stats->again += local_read(&counts->again);
		stats->lost += local_read(&counts->lost);
		stats->matched += local_read(&counts->matched);
		stats->unmatched += local_read(&counts->unmatched);
	}
	for (i = 0; i < nr; i++) {
		bucket = bucket_at(pairs, i);
		stats->open += (atomic_long_read(&bucket->state) & STATE) == READY;
		if (!(i % 1024))
			cond_resched();
	}
}
