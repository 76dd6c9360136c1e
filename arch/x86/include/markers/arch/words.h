/* SPDX-License-Identifier: GPL-2.0 */
/* Two words as one of 128 bits. */
#ifndef _MARKERS_ARCH_WORDS_H
#define _MARKERS_ARCH_WORDS_H

#include <linux/types.h>

/**
 * words_shift_left() - the high word of two that are shifted to the left
 * @high:	the high one
 * @low:	the low one
 * @bits:	by how many; only the low six bits count
 *
 * Context: Any.
 * Return: the word.
 */
static __always_inline u64 words_shift_left(u64 high, u64 low, u32 bits)
{
	__asm__("shldq %%cl, %1, %0" : "+r" (high) : "r" (low), "c" (bits));
	return high;
}

#endif /* _MARKERS_ARCH_WORDS_H */
