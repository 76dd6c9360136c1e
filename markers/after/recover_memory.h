/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory of a dead kernel: a region, or the pieces in a dump.
 *
 * Pure: user space too (scripts/vmcore).
 */
#ifndef _MARKERS_RECOVER_MEMORY_H
#define _MARKERS_RECOVER_MEMORY_H

#include <markers/base.h>

/**
 * struct marker_memory - a piece of the memory of a dead kernel
 * @phys:	its physical address
 * @data:	its bytes, which nobody changes
 * @size:	how many
 */
struct marker_memory {
	u64 phys;
	const u8 *data;
	size_t size;
};

/**
 * marker_memory_copy() - copy some of it
 * @memory:	the pieces, by address
 * @nr:		how many, at least one
 * @at:		the physical address
 * @to:		where to
 * @size:	bytes
 *
 * Context: Any.
 * Return: bytes that are there.
 */
size_t marker_memory_copy(const struct marker_memory *memory, u32 nr, u64 at, void *to,
			  size_t size);

#endif /* _MARKERS_RECOVER_MEMORY_H */
