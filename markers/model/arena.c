// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for events.  They are never freed one by one, so they stand side by side in pages:
 * kmalloc() would round an event of a little more than 512 bytes up to 1024.  Process context.
 */
#include <linux/cache.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/kmemleak.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "arena.h"

/* A page, or more for what is larger.  Registry mutex. */
struct arena {
	struct list_head list;
	size_t size;
	char *data;
};

static LIST_HEAD(arenas);
static char *next;		/* in the newest one */
static size_t left;		/* bytes from there on */

/* kmemleak must scan the pages, since they point to memory that it tracks. */
static struct arena *create_arena(size_t size)
{
	struct arena *arena = kmalloc(sizeof(*arena), GFP_KERNEL);

	if (!arena)
		return NULL;
	arena->size = size;
	arena->data = alloc_pages_exact(size, GFP_KERNEL | __GFP_ZERO);
	if (!arena->data) {
		kfree(arena);
		return NULL;
	}
	kmemleak_alloc(arena->data, size, 1, GFP_KERNEL);
	list_add(&arena->list, &arenas);
	return arena;
}

void *marker_arena_alloc(size_t size)
{
	struct arena *arena;
	void *got;

	size = ALIGN(size, SMP_CACHE_BYTES);
	if (size > left) {
		arena = create_arena(PAGE_ALIGN(size));
		if (!arena)
			return NULL;
		next = arena->data;
		left = arena->size;
	}
	got = next;
	next += size;
	left -= size;
	return got;
}

void marker_arena_exit(void)
{
	struct arena *arena, *after;

	list_for_each_entry_safe(arena, after, &arenas, list) {
		kmemleak_free(arena->data);
		free_pages_exact(arena->data, arena->size);
		kfree(arena);
	}
	INIT_LIST_HEAD(&arenas);
	left = 0;
}
