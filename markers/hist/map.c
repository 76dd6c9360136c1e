// SPDX-License-Identifier: GPL-2.0
/*
 * See map.h.
 */
#include "map.h"

static u32 bucket_size(u32 key_words, u32 nr_sums)
{
	/* with a key of one word and no more than one sum, two buckets fill a cache line */
	return max_t(u32, sizeof(struct marker_map_bucket) + (key_words + nr_sums) * sizeof(u64),
		     4 * sizeof(u64));
}

u64 marker_map_bytes(u32 size, u32 key_words, u32 nr_sums)
{
	u64 bytes = 2ull * size * bucket_size(key_words, nr_sums);
	u32 nr_cpus = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		nr_cpus++;
	return bytes * nr_cpus;
}

struct marker_map *marker_map_create(u32 size, u32 key_words, u32 nr_sums)
{
	struct marker_map *map = kzalloc(sizeof(*map), GFP_KERNEL_ACCOUNT);
	struct marker_map_cpu *mc;
	int cpu;

	if (!map)
		return NULL;
	map->size = size;
	map->mask = 2 * size - 1;
	map->shift = 64 - ilog2(2 * size);
	map->key_words = key_words;
	map->nr_sums = nr_sums;
	map->bucket_size = bucket_size(key_words, nr_sums);
	map->cpu = alloc_percpu_gfp(struct marker_map_cpu, GFP_KERNEL_ACCOUNT);
	if (!map->cpu)
		goto err;
	for_each_possible_cpu(cpu) {
		mc = per_cpu_ptr(map->cpu, cpu);
		mc->buckets = kvzalloc_node(array_size(2 * size, map->bucket_size),
					    GFP_KERNEL_ACCOUNT | __GFP_NORETRY, cpu_to_node(cpu));
		if (!mc->buckets)
			goto err;
	}
	return map;
err:
	marker_map_destroy(map);
	return NULL;
}

void marker_map_destroy(struct marker_map *map)
{
	int cpu;

	if (!map)
		return;
	if (map->cpu) {
		for_each_possible_cpu(cpu)
			kvfree(per_cpu_ptr(map->cpu, cpu)->buckets);
		free_percpu(map->cpu);
	}
	kfree(map);
}

static __always_inline bool is_equal(const u64 *a, const u64 *b, u32 words)
{
	u32 i;

	for (i = 0; i < words; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static __always_inline void copy_words(u64 *to, const u64 *from, u32 words)
{
	u32 i;

	for (i = 0; i < words; i++)
		to[i] = from[i];
}

static __always_inline struct marker_map_bucket *find_bucket(const struct marker_map *map,
							     struct marker_map_cpu *mc, u32 at,
							     const u64 *key, u32 words)
{
	struct marker_map_bucket *bucket;
	unsigned int i;
	long state;

	for (i = 0; i < MARKER_MAP_PROBES; i++, at = (at + 1) & map->mask) {
		bucket = marker_map_at(map, mc, at);
		state = local_read(&bucket->state);
		while (state == MARKER_MAP_FREE) {
			if (unlikely((unsigned long)local_read(&mc->used) >= map->size))
				goto none;
			if (!local_try_cmpxchg(&bucket->state, &state, MARKER_MAP_BUSY))
				continue;
			local_inc(&mc->used);
			copy_words(bucket->word, key, words);
			/* Pairs with smp_rmb() of marker_map_read(). */
			smp_wmb();
			local_set(&bucket->state, MARKER_MAP_READY);
			return bucket;
		}
		barrier();
		if (state == MARKER_MAP_READY && is_equal(bucket->word, key, words))
			return bucket;
	}
none:
	local_inc(&mc->dropped);
	return NULL;
}

noinline struct marker_map_bucket *marker_map_find(const struct marker_map *map,
						   struct marker_map_cpu *mc, u32 at,
						   const u64 *key)
{
	return find_bucket(map, mc, at, key, map->key_words);
}

static __always_inline u32 first_bucket(const struct marker_map *map, const u64 *key)
{
	return marker_map_hash(key, map->key_words) >> map->shift;
}

struct marker_map_bucket *marker_map_hit(const struct marker_map *map, const u64 *key)
{
	struct marker_map_bucket *bucket;

	bucket = find_bucket(map, this_cpu_ptr(map->cpu), first_bucket(map, key), key,
			     map->key_words);
	if (likely(bucket))
		local64_inc(&bucket->hits);
	return bucket;
}

bool marker_map_read(const struct marker_map *map, int cpu, u32 *at, u64 *row)
{
	const struct marker_map_cpu *mc = per_cpu_ptr(map->cpu, cpu);
	const struct marker_map_bucket *bucket;
	u32 i;

	for (; *at <= map->mask; ++*at) {
		bucket = marker_map_at(map, mc, *at);
		if (local_read(&bucket->state) != MARKER_MAP_READY)
			continue;
		/* Pairs with smp_wmb() of find_bucket(). */
		smp_rmb();
		row[0] = local64_read(&bucket->hits);
		for (i = 0; i < map->key_words + map->nr_sums; i++)
			row[1 + i] = READ_ONCE(bucket->word[i]);
		++*at;
		return true;
	}
	return false;
}

u64 marker_map_dropped(const struct marker_map *map)
{
	u64 dropped = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		dropped += (unsigned long)local_read(&per_cpu_ptr(map->cpu, cpu)->dropped);
	return dropped;
}
