/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The quick way from arguments to bytes: inline, without a call, by words, along
 * the plan that format.c made of the format.  serialize.c does the same for all
 * formats; this leaves to it what it does not know, before anything was written.
 *
 * An event's bytes have two parts.
 *
 *	front	the integers that the format begins with.  Their places are known, so
 *		they are written straight from the arguments: quick_put_front().
 *	tail	what follows, from the first string or pointer on.  If its size is known,
 *		it is read and written at once.  If not, quick_tail.h reads its memory
 *		once, to the stack or into registers, which is how its size becomes
 *		known, and writes it from there.  So it does not matter if the memory
 *		changes in between.
 *
 * A store of 8 bytes is one instruction where one of 3 bytes is two, so as much as
 * possible is stored as whole words.  What follows overwrites the rest.
 *
 * Pure.  Context of all: any, NMI too; preemption off.
 */
#ifndef _MARKERS_QUICK_H
#define _MARKERS_QUICK_H

#include <markers/arch/words.h>
#include <markers/compat/nofault.h>
#include "format.h"
#include "word.h"

/*
 * The front
 */

/**
 * quick_put_int() - write an integer, and not a byte more
 * @to:		where
 * @value:	the integer
 * @size:	1, 2, 4 or 8 bytes
 */
static __always_inline void quick_put_int(u8 *to, u64 value, u32 size)
{
	if (size & 4)
		put32(to, value);
	else if (size & 8)
		put64(to, value);
	else if (size & 2)
		put16(to, value);
	else
		*to = value;
}

/**
 * quick_put_narrow() - write the integers of a front exactly
 * @to:		where the record begins
 * @plan:	of the event
 * @args:	its arguments
 * @i:		the first one to write
 */
static __always_inline void quick_put_narrow(u8 *to, const struct marker_plan *plan,
					     const u64 *args, unsigned long i)
{
	for (; i < plan->nr_front; i++)
		quick_put_int(to + plan->at[i], args[i], plan->size[i]);
}

/**
 * quick_put_ints() - write a front that no tail follows
 * @to:		where the record begins
 * @plan:	of the event: MARKER_WAY_INTS
 * @args:	its arguments
 */
static __always_inline void quick_put_ints(u8 *to, const struct marker_plan *plan,
					   const u64 *args)
{
	unsigned long i, nr;

	BUILD_BUG_ON(offsetof(struct marker_plan, has_narrow) !=
		     offsetof(struct marker_plan, nr_wide) + 1);
	/* Two wide ones, and no others: without a loop.  One comparison of both bytes. */
	if (likely(get16(&plan->nr_wide) == 2)) {
		put64(to + plan->at[0], args[0]);
		put64(to + plan->at[1], args[1]);
		return;
	}
	nr = plan->nr_wide;
	for (i = 0; i + 2 <= nr; i += 2) {
		put64(to + plan->at[i], args[i]);
		put64(to + plan->at[i + 1], args[i + 1]);
	}
	if (i < nr) {
		put64(to + plan->at[i], args[i]);
		i++;
	}
	if (plan->has_narrow)
		quick_put_narrow(to, plan, args, i);
}

/**
 * quick_put_front() - write a front that at least @plan->overhang bytes follow
 * @to:		where the record begins; what follows is yet to be written
 * @plan:	of the event
 * @args:	its arguments
 * @few:	it has MARKER_FEW_INTS at most: without a loop, this needs fewer registers
 */
static __always_inline void quick_put_front(u8 *to, const struct marker_plan *plan,
					    const u64 *args, bool few)
{
	unsigned long i;

	if (likely(plan->nr_front == 2)) {
		put64(to + plan->at[0], args[0]);
		put64(to + plan->at[1], args[1]);
		return;
	}
	/* To load nr_front again, and above to compare it where it is. */
	OPTIMIZER_HIDE_VAR(plan);
	if (plan->nr_front == 1) {
		put64(to + plan->at[0], args[0]);
		return;
	}
	if (!plan->nr_front)
		return;
	put64(to + plan->at[0], args[0]);
	put64(to + plan->at[1], args[1]);
	put64(to + plan->at[2], args[2]);
	if (few) {
		if (plan->nr_front == MARKER_FEW_INTS)
			put64(to + plan->at[3], args[3]);
		return;
	}
	for (i = 3; i < plan->nr_front; i++)
		put64(to + plan->at[i], args[i]);
}

/*
 * A tail of fixed size, read and written at once: the room is there
 */

/**
 * quick_put_bytes() - copy bytes behind a pointer: all of them, or all zero
 * @to:		where to
 * @from:	an argument, any address
 * @size:	bytes
 *
 * Context: Any, NMI too.
 */
static __always_inline void quick_put_bytes(u8 *to, const char *from, u64 size)
{
	u64 n, word;
	u8 byte;

	if (unlikely(!marker_nofault_may_read(from)))
		goto fault;
	/* Hardware addresses, IPv4. */
	if (likely(size <= 6 && in_one_page(from, sizeof(u64)))) {
		if (unlikely(!marker_nofault_read_word(&word, from)))
			goto fault;
		if (likely(size == 6)) {
			put32(to, word);
			put16(to + 4, word >> 32);
			return;
		}
		if (likely(size == 4)) {
			put32(to, word);
			return;
		}
		for (n = 0; n < size; n++, word >>= 8)
			to[n] = word;
		return;
	}
	for (n = 0; n + sizeof(u64) <= size; n += sizeof(u64)) {
		if (!marker_nofault_read_word(&word, from + n))
			goto fault;
		put64(to + n, word);
	}
	for (; n < size; n++) {
		if (!marker_nofault_read_byte(&byte, from + n))
			goto fault;
		to[n] = byte;
	}
	return;
fault:
	for (n = 0; n < size; n++)
		to[n] = 0;
}

/**
 * quick_put_fixed() - write a tail of integers and bytes behind pointers
 * @to:		where it begins
 * @plan:	of the event: MARKER_WAY_FIXED
 * @args:	its arguments
 */
static __always_inline void quick_put_fixed(u8 *to, const struct marker_plan *plan,
					    const u64 *args)
{
	const struct marker_step *step = plan->tail;

	args += plan->nr_front;
	do {
		const u64 size = step->size;

		if (likely(step->kind == MARKER_STEP_BYTES))
			quick_put_bytes(to, (const char *)(uintptr_t)*args, size);
		else
			quick_put_int(to, *args, size);
		to += size;
		args++;
	} while ((++step)->kind != MARKER_STEP_END);
}

/*
 * A tail that is one address of six or four bytes: one word, read before room is reserved
 */

/**
 * quick_is_address() - is the tail "%pM" or "%pI4", and no more?
 * @plan:	of the event: MARKER_WAY_FIXED
 *
 * Return: true if it is.
 */
static __always_inline bool quick_is_address(const struct marker_plan *plan)
{
	BUILD_BUG_ON(sizeof(struct marker_step) != 4 || MARKER_STEP_END ||
		     offsetof(struct marker_step, kind) ||
		     offsetof(struct marker_step, size) != 1);
	/* The step and the end after it at once; 6 and 4 differ in one bit. */
	return IS_LITTLE_ENDIAN &&
	       (get64(plan->tail) & ~(2ull << 8)) == (MARKER_STEP_BYTES | 4ull << 8);
}

/**
 * quick_get_address() - read the bytes at the address
 * @word:	the result
 * @arg:	its argument
 *
 * Return: false: leave it to quick_put_fixed().
 */
static __always_inline bool quick_get_address(u64 *word, u64 arg)
{
	const char *from = (const char *)(uintptr_t)arg;

	return likely(marker_nofault_may_read(from)) &&
	       likely(in_one_page(from, sizeof(*word))) &&
	       likely(marker_nofault_read_word(word, from));
}

/**
 * quick_put_address() - write it, and not a byte more
 * @to:		where
 * @plan:	of the event
 * @word:	from quick_get_address()
 */
static __always_inline void quick_put_address(u8 *to, const struct marker_plan *plan,
					      u64 word)
{
	put32(to, word);
	if (likely(plan->tail[0].size & 2))
		put16(to + 4, word >> 32);
}

#endif /* _MARKERS_QUICK_H */
