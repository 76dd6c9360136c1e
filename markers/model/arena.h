/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory for events, which are freed all together.
 */
#ifndef _MARKERS_ARENA_H
#define _MARKERS_ARENA_H

#include <linux/types.h>

/**
 * marker_arena_alloc() - get memory until marker_arena_exit()
 * @size:	bytes
 *
 * Context: Process context; sleeps.  Registry mutex held.
 * Return: zeroes, that begin a cache line; or NULL: there is no memory.
 */
void *marker_arena_alloc(size_t size);

/**
 * marker_arena_exit() - free it all
 *
 * Context: Process context; nobody uses it.
 */
void marker_arena_exit(void);

#endif /* _MARKERS_ARENA_H */
