// SPDX-License-Identifier: GPL-2.0
/*
 * The pages of a region: a byte for each says whether it is in use.  Called when a ring is made
 * or freed, by tasks that may sleep.
 */
#include "region.h"

/**
 * struct ring_region - the memory, and what is in use
 * @memory:	its first byte
 * @phys:	the physical address of that
 * @nr:		pages
 * @lock:	protects the two below
 * @next:	where to look first
 * @used:	for each page
 */
struct ring_region {
	u8 *memory;
	u64 phys;
	size_t nr;
	struct mutex lock;	/* see above */
	size_t next;
	bool used[];
};

struct ring_region *ring_region_create(void *memory, size_t size, u64 phys)
{
	const size_t nr = size / PAGE_SIZE;
	struct ring_region *region;

	region = kvzalloc(sizeof(*region) + nr * sizeof(region->used[0]), GFP_KERNEL);
	if (!region)
		return NULL;
	region->memory = memory;
	region->phys = phys;
	region->nr = nr;
	mutex_init(&region->lock);
	return region;
}

void ring_region_destroy(struct ring_region *region)
{
	kvfree(region);
}

static size_t nr_pages(size_t size)
{
	return (size + PAGE_SIZE - 1) / PAGE_SIZE;
}

/* The first of @needed free pages in a row, from @from on and before @to; or @to. */
static size_t find_room(const struct ring_region *region, size_t from, size_t to, size_t needed)
{
	size_t i, nr = 0;

	for (i = from; i < to; i++) {
		nr = region->used[i] ? 0 : nr + 1;
		if (nr == needed)
			return i + 1 - needed;
	}
	return to;
}

void *ring_region_alloc(struct ring_region *region, size_t size)
{
	const size_t needed = nr_pages(size);
	void *data = NULL;
	size_t at;

	mutex_lock(&region->lock);
	at = find_room(region, region->next, region->nr, needed);
	if (at == region->nr)
		at = find_room(region, 0, region->nr, needed);
	if (at < region->nr) {
		memset(region->used + at, true, needed);
		region->next = at + needed;
		data = region->memory + at * PAGE_SIZE;
	}
	mutex_unlock(&region->lock);
	if (data)
		memset(data, 0, needed * PAGE_SIZE);
	return data;
}

void ring_region_free(struct ring_region *region, void *data, size_t size)
{
	if (!data)
		return;
	mutex_lock(&region->lock);
	memset(region->used + ((u8 *)data - region->memory) / PAGE_SIZE, false, nr_pages(size));
	mutex_unlock(&region->lock);
}

size_t ring_region_room(struct ring_region *region)
{
	size_t i, nr = 0;

	mutex_lock(&region->lock);
	for (i = 0; i < region->nr; i++)
		nr += !region->used[i];
	mutex_unlock(&region->lock);
	return nr * PAGE_SIZE;
}

void ring_region_wipe(struct ring_region *region)
{
	size_t i;

	mutex_lock(&region->lock);
	for (i = 0; i < region->nr; i++) {
		if (!region->used[i])
			memset(region->memory + i * PAGE_SIZE, 0, PAGE_SIZE);
		cond_resched();
	}
	mutex_unlock(&region->lock);
}

bool ring_region_phys(const struct ring_region *region, const void *address, u64 *phys)
{
	const u8 *at = address;

	if (at < region->memory || at >= region->memory + region->nr * PAGE_SIZE)
		return false;
	*phys = region->phys + (at - region->memory);
	return true;
}
