/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A map counts keys: for each key how many hits it had, and sums.  A key is some words; the
 * map does not know what they mean.
 *
 * Each CPU has a table of buckets, which only that CPU writes: a task, and what interrupts
 * it, down to NMI.  There is no lock.  A hit looks for its key, starting at the bucket that
 * the hash of the key selects.
 *
 *	FREE	No key has it.
 *	BUSY	A hit claimed it, by one instruction that compares and exchanges, and
 *		writes the key.  Only a hit that interrupts this one can see it.
 *	READY	The key is there, and stays.  Hits are added by one instruction each.
 *
 * An interrupt that finds BUSY cannot wait for the hit that it has interrupted, and cannot
 * know which key that hit writes.  It goes on to the next bucket.  If both have the same key,
 * the key has two buckets from then on, and all later hits find the first one.  So nothing is
 * lost: the reader adds up equal keys, as it does across CPUs.  The price is one bucket, at
 * most once for each interrupted insertion of a key.
 *
 * If a hit finds FREE and then fails to claim the bucket, another hit has interrupted it in
 * between and claimed it.  The first hit looks at the same bucket again, which is READY by
 * then.
 *
 * Hits and readers read the state before the key: a key that is READY never changes.  In
 * the other order, a hit could find an all-zero key in a bucket that another hit claims
 * between the two reads.
 *
 * There are twice as many buckets as keys, and a hit looks at MARKER_MAP_PROBES at most, so a
 * full map costs no more than that.  A hit that finds no bucket is counted as dropped.
 *
 * Readers run on any CPU at the same time.  They see READY keys, and counts that still
 * grow.  To empty a map, its owner makes a new one.
 *
 * Pure.
 */
#ifndef _MARKERS_MAP_H
#define _MARKERS_MAP_H

#include <markers/base.h>

#define MARKER_MAP_PROBES	128

enum marker_map_state {
	MARKER_MAP_FREE,
	MARKER_MAP_BUSY,
	MARKER_MAP_READY,
};

/**
 * struct marker_map_bucket - a key of a CPU
 * @state:	enum marker_map_state
 * @hits:	how many
 * @word:	the key, then the sums
 */
struct marker_map_bucket {
	local_t state;
	local64_t hits;
	u64 word[];
};

/**
 * struct marker_map_cpu - the table of a CPU
 * @buckets:	the buckets
 * @used:	how many are not FREE
 * @dropped:	hits that found no bucket
 */
struct marker_map_cpu {
	void *buckets;
	local_t used;
	local_t dropped;
};

/**
 * struct marker_map - a map
 * @cpu:	of each CPU
 * @size:	keys of each CPU, a power of two
 * @mask:	buckets of each CPU, less one
 * @shift:	64 less the bits of @mask
 * @bucket_size:	bytes of a bucket
 * @key_words:	words of a key
 * @nr_sums:	how many sums
 * @next:	for its owner: the next one that waits to be destroyed
 */
struct marker_map {
	struct marker_map_cpu __percpu *cpu;
	u32 size;
	u32 mask;
	u8 shift;
	u8 key_words;
	u8 nr_sums;
	u16 bucket_size;
	struct marker_map *next;
};

/**
 * marker_map_bytes() - the memory that a map takes
 * @size:	keys of each CPU, a power of two, at least 2
 * @key_words:	words of a key
 * @nr_sums:	how many sums
 *
 * Context: Any.
 * Return: bytes for all CPUs.
 */
u64 marker_map_bytes(u32 size, u32 key_words, u32 nr_sums);

/**
 * marker_map_create() - make an empty map
 * @size:	as for marker_map_bytes()
 * @key_words:	words of a key, at least one
 * @nr_sums:	how many sums
 *
 * Context: Process context; sleeps.
 * Return: the map, or NULL: there is no memory.
 */
struct marker_map *marker_map_create(u32 size, u32 key_words, u32 nr_sums);

/**
 * marker_map_destroy() - free a map
 * @map:	the map, no longer in use; may be NULL
 *
 * Context: Process context; sleeps.
 */
void marker_map_destroy(struct marker_map *map);

/**
 * marker_map_find() - find the bucket of a key, or make it
 * @map:	the map
 * @mc:		of this CPU
 * @at:		the bucket to begin at
 * @key:	map->key_words of them
 *
 * Only for the inline functions below.
 *
 * Context: Any, NMI too; preemption off.
 * Return: the bucket, or NULL: there is no room, and the hit is counted as dropped.
 */
struct marker_map_bucket *marker_map_find(const struct marker_map *map,
					  struct marker_map_cpu *mc, u32 at, const u64 *key);

/**
 * marker_map_at() - a bucket of a CPU's table
 * @map:	the map
 * @mc:		the table
 * @at:		which bucket
 *
 * Context: Any, NMI too.
 * Return: the bucket.
 */
static __always_inline struct marker_map_bucket *marker_map_at(const struct marker_map *map,
							       const struct marker_map_cpu *mc,
							       u32 at)
{
	return mc->buckets + (size_t)at * map->bucket_size;
}

/* The high bits of a product depend on all bits of a factor. */
#define MAP_FACTOR	0x61c8864680b583ebull

/**
 * marker_map_hash() - the hash of a key
 * @key:	the words of the key
 * @words:	how many
 *
 * Context: Any, NMI too.
 * Return: 64 bits, of which the high ones depend on all bits of the key.
 */
static __always_inline u64 marker_map_hash(const u64 *key, u32 words)
{
	u64 hash = 0;
	u32 i;

	for (i = 0; i < words; i++) {
		hash = (hash ^ key[i]) * MAP_FACTOR;
		hash ^= hash >> 32;
	}
	return hash * MAP_FACTOR;
}

/**
 * marker_map_hit_int() - count a hit of a key of one word
 * @map:	a map of keys of one word
 * @key:	the key
 *
 * Context: Any, NMI too; preemption off.
 * Return: the bucket, for marker_map_add(); NULL: it was dropped.
 */
static __always_inline struct marker_map_bucket *
marker_map_hit_int(const struct marker_map *map, u64 key)
{
	struct marker_map_cpu *mc = this_cpu_ptr(map->cpu);
	const u32 at = key * MAP_FACTOR >> map->shift;
	struct marker_map_bucket *bucket = marker_map_at(map, mc, at);

	/* in this order: see above */
	if (unlikely(local_read(&bucket->state) != MARKER_MAP_READY) ||
	    unlikely(READ_ONCE(bucket->word[0]) != key)) {
		bucket = marker_map_find(map, mc, at, &key);
		if (unlikely(!bucket))
			return NULL;
	}
	local64_inc(&bucket->hits);
	return bucket;
}

/**
 * marker_map_hit() - count a hit
 * @map:	the map
 * @key:	map->key_words of them
 *
 * Context: Any, NMI too; preemption off.
 * Return: the bucket, for marker_map_add(); NULL: it was dropped.
 */
struct marker_map_bucket *marker_map_hit(const struct marker_map *map, const u64 *key);

/**
 * marker_map_add() - add to a sum
 * @map:	the map
 * @bucket:	of the key
 * @nr:		which sum
 * @value:	what to add, modulo 2^64
 *
 * Context: Any, NMI too; preemption off since the bucket was found.
 */
static __always_inline void marker_map_add(const struct marker_map *map,
					   struct marker_map_bucket *bucket, u32 nr, u64 value)
{
	local64_add(value, (local64_t *)&bucket->word[map->key_words + nr]);
}

/**
 * marker_map_read() - read the next key of a CPU
 * @map:	the map
 * @cpu:	which CPU
 * @at:		the bucket to look at first; becomes the one after the key that was found
 * @row:	the result: the hits, the key, the sums
 *
 * Context: Any.
 * Return: false: there is none.
 */
bool marker_map_read(const struct marker_map *map, int cpu, u32 *at, u64 *row);

/**
 * marker_map_dropped() - hits that found no bucket
 * @map:	the map
 *
 * Context: Any.
 * Return: how many, of all CPUs.
 */
u64 marker_map_dropped(const struct marker_map *map);

#endif /* _MARKERS_MAP_H */
