// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for events.  They are never freed one by one, so they stand side by side in pages:
 * kmalloc() would round the 540 bytes of a usual event up to 1024.  Process context.
 */
#include <linux/cache.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "arena.h"

/* A page, or more for what is larger.  Registry mutex. */
struct arena {
	struct list_head list;
	char data[] __aligned(SMP_CACHE_BYTES);
};

static LIST_HEAD(arenas);
static char *next;		/* in the newest one */
static size_t left;		/* bytes from there on */

void *marker_arena_alloc(size_t size)
{
	struct arena *arena;
	size_t room;
	void *got;

	size = ALIGN(size, SMP_CACHE_BYTES);
	if (size > left) {
		room = max_t(size_t, size, PAGE_SIZE - sizeof(*arena));
		arena = kzalloc(sizeof(*arena) + room, GFP_KERNEL);
		if (!arena)
			return NULL;
		list_add(&arena->list, &arenas);
		next = arena->data;
		left = room;
	}
	got = next;
	next += size;
	left -= size;
	return got;
}

void marker_arena_exit(void)
{
	struct arena *arena, *after;

	list_for_each_entry_safe(arena, after, &arenas, list)
		kfree(arena);
	INIT_LIST_HEAD(&arenas);
	left = 0;
}
