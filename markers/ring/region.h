/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A region: memory besides the kernel's own, in pages, that a ring may live in.  With memory
 * that survives a reboot, the ring does.
 *
 * It knows bytes only.  after/persist.c finds the memory.
 */
#ifndef _MARKERS_REGION_H
#define _MARKERS_REGION_H

#include <markers/base.h>

struct ring_region;

/**
 * ring_region_create() - hand out memory from now on
 * @memory:	page aligned; stays until ring_region_destroy(), and is not written by this
 * @size:	bytes, whole pages
 * @phys:	physical address of @memory
 *
 * Context: Process context; sleeps.
 * Return: the region, or NULL: no memory for its table.
 */
struct ring_region *ring_region_create(void *memory, size_t size, u64 phys);

/**
 * ring_region_destroy() - undo ring_region_create()
 * @region:	all of its memory was given back; or NULL
 *
 * Context: Process context.
 */
void ring_region_destroy(struct ring_region *region);

/**
 * ring_region_alloc() - get memory
 * @region:	from this region
 * @size:	bytes, more than 0
 *
 * Context: Process context; sleeps.
 * Return: zeroes, page aligned; NULL if there is no room.
 */
void *ring_region_alloc(struct ring_region *region, size_t size);

/**
 * ring_region_free() - give it back
 * @region:	the same region
 * @data:	from ring_region_alloc(), or NULL
 * @size:	the same
 *
 * Context: Process context; sleeps.
 */
void ring_region_free(struct ring_region *region, void *data, size_t size);

/**
 * ring_region_room() - how much is free?
 * @region:	the region
 *
 * Context: Process context; sleeps.
 * Return: bytes, which may be in several pieces.
 */
size_t ring_region_room(struct ring_region *region);

/**
 * ring_region_wipe() - write zeroes to all that is free
 * @region:	the region
 *
 * Context: Process context; sleeps.
 */
void ring_region_wipe(struct ring_region *region);

/**
 * ring_region_phys() - where is this?
 * @region:	the region
 * @address:	any
 * @phys:	the result: its physical address
 *
 * Context: Any.
 * Return: false: not in the region.
 */
bool ring_region_phys(const struct ring_region *region, const void *address, u64 *phys);

#endif /* _MARKERS_REGION_H */
