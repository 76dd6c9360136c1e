/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the quick way (quick.h) for a tail whose size is known only when its memory
 * has been read: strings, and bytes of a variable number.
 *
 * A word is only read if it ends in the page of its first byte, or if the string is
 * known to go on to its last byte: the next page may be missing, or worse, a device.
 *
 * Pure.  Context of all: any, NMI too; preemption off.
 */
#ifndef _MARKERS_QUICK_TAIL_H
#define _MARKERS_QUICK_TAIL_H

#include <markers/arch/words.h>
#include <markers/compat/nofault.h>
#include <markers/compat/uninitialized.h>
#include "format.h"
#include "quick.h"

/*
 * Constants of find_zeroes() in memory or in registers: the compiler would load them
 * again for each word.
 */
struct quick_bits {
	u64 low;
	u64 high;
};

extern const struct quick_bits quick_bits;

/**
 * quick_load_bits() - have the constants in registers, for a loop
 *
 * Context: Any, NMI too.
 * Return: the constants.
 */
static __always_inline struct quick_bits quick_load_bits(void)
{
	struct quick_bits bits = quick_bits;

	__asm__("" : "+r" (bits.low), "+r" (bits.high));
	return bits;
}

/*
 * The tail, put together on the stack
 */

#define QUICK_SHORT	16u		/* bytes of a string that needs no search for its room */
#define QUICK_ENOUGH	0xffu		/* bytes of a tail: not less than any overhang */
#define QUICK_LONG	128u		/* longer ones end here */
#define QUICK_TAIL	(QUICK_LONG + MARKER_MAX_ARGS * QUICK_SHORT + MARKER_MAX_FIXED_TAIL)

/**
 * quick_most() - how large can a tail be?
 * @plan:	of the event
 *
 * Return: bytes that quick_get_tail() finds at most.
 */
static inline u32 quick_most(const struct marker_plan *plan)
{
	const struct marker_step *step;
	u32 most = QUICK_LONG;

	for (step = plan->tail; step->kind != MARKER_STEP_END; step++)
		most += step->kind == MARKER_STEP_TEXT ? QUICK_SHORT : step->size;
	return most;
}

/**
 * struct quick_tail - bytes that were read before there was room for them
 * @bytes:	as they will be written
 *
 * A string without a limit ends in the first QUICK_LONG bytes. Then there is room for a short
 * string for each argument, for all fields of a fixed size, and for the rest of a word.
 *
 * Little of it is used: declare it __marker_uninitialized, or a kernel that zeroes
 * the stack (CONFIG_INIT_STACK_ALL_ZERO) will clear all of it for each event.
 */
struct quick_tail {
	u8 bytes[QUICK_TAIL + sizeof(u64)] __aligned(8);
};

/* Return: the string ends in a word; *@chars are before its NUL. */
static __always_inline bool quick_ends(u64 *chars, u64 word, struct quick_bits bits)
{
	u64 zeroes = word + bits.low;

	if (!(zeroes & bits.high))
		return false;
	zeroes &= ~word & bits.high;
	if (unlikely(!zeroes))
		return false;
	*chars = first_zero(zeroes);
	return true;
}

/*
 * The functions below add to a tail at byte *@at, and move that: an offset takes one register
 * less than a pointer.  Return: false: leave it to serialize.c.
 */

/* Read the string after its first QUICK_SHORT bytes. */
static __always_inline bool quick_get_rest(struct quick_tail *tail, u64 *at,
					   const char *from, struct quick_bits bits)
{
	u64 n = *at + QUICK_SHORT, word, chars;

	for (from -= *at; n <= QUICK_LONG - sizeof(u64); n += sizeof(u64)) {
		if (unlikely(!in_one_page(from + n, sizeof(u64))) ||
		    unlikely(!marker_nofault_read_word(&word, from + n)))
			return false;
		put64(tail->bytes + n, word);
		if (quick_ends(&chars, word, bits)) {
			*at = n + chars + 1;
			return true;
		}
	}
	return false;
}

/**
 * quick_get_text() - a string and its NUL: readable, short, and not near the end of a page
 * @tail:	the tail
 * @at:		where in it; moved behind what is added
 * @from:	an argument, any address
 * @bits:	quick_load_bits()
 *
 * Context: Any, NMI too; preemption off.
 * Return: false: leave it to serialize.c.
 */
static __always_inline bool quick_get_text(struct quick_tail *tail, u64 *at,
					   const char *from, struct quick_bits bits)
{
	u64 word, chars;

	if (unlikely(!marker_nofault_may_read(from)) ||
	    unlikely(!in_one_page(from, QUICK_SHORT)) ||
	    unlikely(!marker_nofault_read_word(&word, from)))
		return false;
	put64(tail->bytes + *at, word);
	if (quick_ends(&chars, word, bits)) {
		*at += chars + 1;
		return true;
	}
	if (unlikely(!marker_nofault_read_word(&word, from + sizeof(u64))))
		return false;
	put64(tail->bytes + *at + sizeof(u64), word);
	if (quick_ends(&chars, word, bits)) {
		*at += chars + 1 + sizeof(u64);
		return true;
	}
	return *at + QUICK_SHORT < QUICK_LONG && quick_get_rest(tail, at, from, bits);
}

/**
 * quick_get_limited() - a string of limited length, and a NUL
 * @tail:	the tail
 * @at:		where in it; moved behind what is added
 * @from:	an argument, any address
 * @limit:	characters; no page beyond the last of them is looked at
 * @bits:	quick_load_bits()
 *
 * Context: Any, NMI too; preemption off.
 * Return: false: leave it to serialize.c.
 */
static __always_inline bool quick_get_limited(struct quick_tail *tail, u64 *at,
					      const char *from, u64 limit,
					      struct quick_bits bits)
{
	const u64 most = *at + limit + 1;
	u64 n, word, chars, end = most;

	if (unlikely(limit >= QUICK_LONG) || unlikely(most > QUICK_LONG) ||
	    unlikely(!marker_nofault_may_read(from)))
		return false;
	for (n = 0; n < limit; n += sizeof(u64)) {
		if (unlikely(!in_one_page(from + n, sizeof(u64))) ||
		    unlikely(!marker_nofault_read_word(&word, from + n)))
			return false;
		put64(tail->bytes + *at + n, word);
		if (quick_ends(&chars, word, bits)) {
			end = *at + n + chars + 1;
			break;
		}
	}
	*at = min(end, most);
	tail->bytes[*at - 1] = '\0';
	return true;
}

/* Exactly @size bytes. */
static __always_inline bool quick_get_bytes(struct quick_tail *tail, u64 *at,
					    const char *from, u64 size)
{
	u64 word, end;
	s64 room;

	if (unlikely(!marker_nofault_may_read(from)))
		return false;
	/* The last load may reach past these bytes.  in_one_page() would need one more register. */
	room = (~(uintptr_t)from & (SMALLEST_PAGE - 1)) + 1 - (sizeof(u64) - 1);
	if (unlikely(room < (s64)size))
		return false;
	end = *at + size;
	do {
		if (unlikely(!marker_nofault_read_word(&word, from)))
			return false;
		put64(tail->bytes + *at, word);
		*at += sizeof(u64);
		from += sizeof(u64);
	} while (*at < end);
	*at = end;
	return true;
}

/**
 * quick_get_sequence() - "%*ph": bytes after their number
 * @tail:	the tail
 * @at:		where in it; moved behind what is added
 * @from:	an argument, any address
 * @len:	how many
 *
 * Context: Any, NMI too; preemption off.
 * Return: false: leave it to serialize.c.
 */
static __always_inline bool quick_get_sequence(struct quick_tail *tail, u64 *at,
					       const char *from, int len)
{
	if (unlikely(len <= 0) || unlikely(*at + sizeof(u16) + len >= QUICK_LONG))
		return false;
	put16(tail->bytes + *at, len);
	*at += sizeof(u16);
	return quick_get_bytes(tail, at, from, len);
}

/* The steps that need an argument more, or a limit. */
static __always_inline bool quick_get_rare(struct quick_tail *tail, u64 *at,
					   const struct marker_step *step, const u64 **args,
					   struct quick_bits bits)
{
	const char *from;
	int len;

	if (step->kind == MARKER_STEP_LIMITED) {
		from = (const char *)(uintptr_t)**args;
		return quick_get_limited(tail, at, from, step->limit, bits);
	}
	/* The length comes first.  A negative one is left to serialize.c. */
	len = (int)*(*args)++;
	from = (const char *)(uintptr_t)**args;
	if (step->kind == MARKER_STEP_LIMITED_BY_ARG)
		return quick_get_limited(tail, at, from, (u32)len, bits);
	return quick_get_sequence(tail, at, from, min_t(int, len, step->limit));
}

/**
 * quick_get_tail() - read all that follows the front
 * @tail:	the result
 * @size:	its bytes
 * @plan:	of the event
 * @args:	its arguments
 * @rare:	also what is rare; without it, this needs fewer registers
 *
 * Return: false: leave it to serialize.c.
 */
static __always_inline bool quick_get_tail(struct quick_tail *tail, u64 *size,
					   const struct marker_plan *plan, const u64 *args,
					   bool rare)
{
	const struct quick_bits bits = quick_load_bits();
	const struct marker_step *step;
	u64 at = 0;

	args += plan->nr_front;
	/* In the order of how many there are. */
	for (step = plan->tail;; step++, args++) {
		if (step->kind == MARKER_STEP_TEXT) {
			if (!quick_get_text(tail, &at, (const char *)(uintptr_t)*args, bits))
				return false;
		} else if (step->kind == MARKER_STEP_END) {
			*size = at;
			return true;
		} else if (step->kind == MARKER_STEP_INT) {
			put64(tail->bytes + at, *args);
			at += step->size;
		} else if (step->kind == MARKER_STEP_BYTES) {
			if (!quick_get_bytes(tail, &at, (const char *)(uintptr_t)*args,
					     step->size))
				return false;
		} else if (!rare || !quick_get_rare(tail, &at, step, &args, bits)) {
			return false;
		}
	}
}

/* All but the first 16 of @size bytes, more than 16; the last word may overlap others. */
static __always_inline void quick_put_rest(u8 *to, const u8 *from, u64 size)
{
	u64 n;

	if (size > 24) {
		put64(to + 16, get64(from + 16));
		if (size > 32) {
			put64(to + 24, get64(from + 24));
			for (n = 32; unlikely(n + 8 < size); n += 8)
				put64(to + n, get64(from + n));
		}
	}
	put64(to + size - 8, get64(from + size - 8));
}

/**
 * quick_put_long() - quick_put_tail() for 16 bytes or more
 * @to:		where to
 * @tail:	from quick_get_tail()
 * @size:	how many
 */
static __always_inline void quick_put_long(u8 *to, const struct quick_tail *tail, u64 size)
{
	const u8 *from = tail->bytes;

	put64(to, get64(from));
	put64(to + 8, get64(from + 8));
	quick_put_rest(to, from, size);
}

/**
 * quick_put_tail() - write exactly @size bytes
 * @to:		where to
 * @tail:	from quick_get_tail()
 * @size:	how many: at least one
 */
static __always_inline void quick_put_tail(u8 *to, const struct quick_tail *tail, u64 size)
{
	const u8 *from = tail->bytes;

	if (likely(size >= 16)) {
		quick_put_long(to, tail, size);
	} else if (size >= 8) {
		put64(to, get64(from));
		put64(to + size - 8, get64(from + size - 8));
	} else if (size >= 4) {
		put32(to, get32(from));
		put32(to + size - 4, get32(from + size - 4));
	} else {
		if (size >= 2)
			put16(to, get16(from));
		to[size - 1] = from[size - 1];
	}
}

/*
 * A tail that is one string of up to 15 characters: in registers
 */

/**
 * struct quick_string - a string and its NUL
 * @low:	its first eight bytes, with any bytes after the NUL
 * @last:	its last eight bytes, if it is longer; of QUICK_LONGER, the next eight
 * @size:	bytes with the NUL
 * @bits:	in @low, before the last one of the NUL, if it is not longer
 */
struct quick_string {
	u64 low;
	u64 last;
	u64 size;
	u32 bits;
};

/* Where a string was read to. */
enum quick_where {
	QUICK_NOWHERE,		/* leave it to serialize.c */
	QUICK_LONGER,		/* for quick_get_long() */
	QUICK_ONE_WORD,		/* @low */
	QUICK_TWO_WORDS,	/* @low and @last */
};

/**
 * quick_get_string() - read the only string of an event
 * @arg:	its argument
 * @string:	the result
 *
 * Return: where it is.
 */
static __always_inline enum quick_where quick_get_string(u64 arg,
							 struct quick_string *string)
{
	const char *from = (const char *)(uintptr_t)arg;
	u64 low, high, zeroes;
	u32 bits;

	/* Not read into *string: gcc 12 crashes on it. */
	if (unlikely(!marker_nofault_may_read(from)) ||
	    unlikely(!in_one_page(from, QUICK_SHORT)) ||
	    unlikely(!marker_nofault_read_word(&low, from)))
		return QUICK_NOWHERE;
	string->low = low;
	zeroes = low + quick_bits.low;
	if (zeroes & quick_bits.high) {
		zeroes &= ~low & quick_bits.high;
		if (zeroes) {
			string->bits = __builtin_ctzll(zeroes);
			/* Forget @zeroes, which the compiler would keep in a register. */
			__asm__("" : "+r" (string->bits));
			string->size = (u64)(string->bits / 8) + 1;
			return QUICK_ONE_WORD;
		}
	}
	if (unlikely(!marker_nofault_read_word(&high, from + sizeof(u64))))
		return QUICK_NOWHERE;
	/* As find_zeroes(), but with a register less. */
	zeroes = high + quick_bits.low;
	zeroes |= high;
	__asm__("" : "+r" (zeroes));
	zeroes = (zeroes ^ high) & quick_bits.high;
	if (unlikely(!zeroes)) {
		string->last = high;
		return QUICK_LONGER;
	}
	bits = __builtin_ctzll(zeroes);
	__asm__("" : "+r" (bits));
	string->size = (u64)(bits / 8) + 9;
	string->last = words_shift_left(high, low, ~bits);
	return QUICK_TWO_WORDS;
}

/**
 * quick_put_string() - write exactly the string
 * @to:		where it begins
 * @end:	the first byte after its NUL
 * @string:	from quick_get_string()
 * @where:	what it returned, a constant
 */
static __always_inline void quick_put_string(u8 *to, u8 *end,
					     const struct quick_string *string,
					     enum quick_where where)
{
	const u32 bits = string->bits;
	const u64 low = string->low;

	if (where == QUICK_TWO_WORDS) {
		put64(to, low);
		put64(end - sizeof(u64), string->last);
	} else if (bits == 63) {
		put64(to, low);
	} else if (bits >= 31) {
		put32(to, low);
		put32(end - sizeof(u32), low >> (bits - 31));
	} else {
		if (bits >= 15)
			put16(to, low);
		end[-1] = '\0';
	}
}

/*
 * A tail that is one longer string: it has been begun in registers
 */

/* The word at byte @n.  Return: this was the last one; *@size, or 0: a fault. */
static __always_inline bool quick_get_more(struct quick_tail *tail, u64 *size,
					   const char *from, u64 n, struct quick_bits bits)
{
	u64 word, chars;

	if (unlikely(!marker_nofault_read_word(&word, from + n))) {
		*size = 0;
		return true;
	}
	put64(tail->bytes + n, word);
	if (!quick_ends(&chars, word, bits))
		return false;
	*size = n + chars + 1;
	return true;
}

/**
 * quick_get_long() - read the rest of the only string of an event
 * @tail:	the result, for quick_put_long()
 * @size:	its bytes, more than QUICK_SHORT
 * @arg:	its argument
 * @string:	from quick_get_string(), which returned QUICK_LONGER
 *
 * Return: false: leave it to serialize.c.
 */
static __always_inline bool quick_get_long(struct quick_tail *tail, u64 *size, u64 arg,
					   const struct quick_string *string)
{
	const char *from = (const char *)(uintptr_t)arg;
	const struct quick_bits bits = quick_load_bits();
	u64 n;

	put64(tail->bytes, string->low);
	put64(tail->bytes + 8, string->last);
	if (unlikely(!in_one_page(from, 48)))
		return false;
	if (quick_get_more(tail, size, from, 16, bits) ||
	    quick_get_more(tail, size, from, 24, bits) ||
	    quick_get_more(tail, size, from, 32, bits) ||
	    quick_get_more(tail, size, from, 40, bits))
		return *size;
	for (n = 48; n <= QUICK_TAIL - 8; n += 8) {
		if (unlikely(!in_one_page(from + n, 8)))
			return false;
		if (quick_get_more(tail, size, from, n, bits))
			return *size;
	}
	return false;
}

#endif /* _MARKERS_QUICK_TAIL_H */
