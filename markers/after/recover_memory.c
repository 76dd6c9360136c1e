// SPDX-License-Identifier: GPL-2.0
/*
 * Finds an address among the pieces of memory.
 */
#include "recover_memory.h"

/* The last piece that begins at @at or before, or the first one. */
static const struct marker_memory *piece_at(const struct marker_memory *memory, u32 nr, u64 at)
{
	u32 low = 0, high = nr, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (memory[middle].phys <= at)
			low = middle;
		else
			high = middle;
	}
	return &memory[low];
}

size_t marker_memory_copy(const struct marker_memory *memory, u32 nr, u64 at, void *to,
			  size_t size)
{
	const struct marker_memory *piece = piece_at(memory, nr, at);
	size_t done = 0, part;

	for (; piece < memory + nr && done < size; piece++) {
		if (at < piece->phys || at - piece->phys >= piece->size)
			break;
		part = min_t(u64, size - done, piece->size - (at - piece->phys));
		memcpy((u8 *)to + done, piece->data + (at - piece->phys), part);
		done += part;
		at += part;
	}
	return done;
}
