/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From argument slots to bytes, for the events that most are: integers, and
 * perhaps a short string behind them.  serialize.c does all events; this does
 * the same for these, inline, without a call, and without memory between the
 * arguments and the buffer.
 *
 *	if (format->simple) {
 *		size = format->fixed_size;
 *		if (format->variable) {
 *			if (!simple_get_string(format, args, &string))
 *				leave it to serialize.c
 *			size += simple_string_len(&string) + 1;
 *		}
 *		get room for size bytes at to
 *		if (format->variable)
 *			simple_put_string(to, format, &string);
 *		simple_put_ints(to, format, args);
 *	}
 *
 * A string is read once, into registers.  So it does not matter if its memory
 * changes in between.
 *
 * Pure.  Context: Any, NMI too; preemption disabled.
 */
#ifndef _MARKERS_SIMPLE_H
#define _MARKERS_SIMPLE_H

#include "format.h"
#include "compat/nofault.h"
#include "words.h"

/**
 * struct simple_string - up to 16 bytes with the NUL
 * @low:	the first word, with whatever is behind the NUL
 * @high:	the second one, if it is that long
 * @bits:	before the last one of the NUL
 */
struct simple_string {
	u64 low;
	u64 high;
	u64 bits;
};

#define SIMPLE_STRING_MAX	16

/* Bytes without the NUL. */
static __always_inline u64 simple_string_len(const struct simple_string *string)
{
	return string->bits / 8;
}

/**
 * simple_get_string() - read the string of an event
 * @format:	its field table; @simple and @variable
 * @args:	its arguments
 * @string:	the result
 *
 * Return: false if it is not that simple after all: the string is longer, near the
 * end of a page, or cannot be read.
 */
static __always_inline bool simple_get_string(const struct marker_format *format,
					      const u64 *args,
					      struct simple_string *string)
{
	const char *from = (const char *)(uintptr_t)args[format->string_arg];
	u64 low, high, zeroes;

	/* Not read into *string: gcc 12 crashes on it. */
	if (!IS_LITTLE_ENDIAN || unlikely(!marker_may_read(from)) ||
	    unlikely(!in_one_page(from, SIMPLE_STRING_MAX)) ||
	    unlikely(!marker_read_word(&low, from)))
		return false;
	string->low = low;
	if (maybe_zero(low)) {
		zeroes = find_zeroes(low);
		if (zeroes) {
			string->bits = __builtin_ctzll(zeroes);
			return true;
		}
	}
	if (unlikely(!marker_read_word(&high, from + sizeof(u64))))
		return false;
	string->high = high;
	zeroes = find_zeroes(high);
	if (unlikely(!zeroes))
		return false;
	string->bits = 64 + (u32)__builtin_ctzll(zeroes);
	return true;
}

/**
 * simple_put_string() - write exactly the string
 * @to:		where the event's fields begin
 * @format:	as for simple_get_string()
 * @string:	from there
 *
 * To be called before simple_put_ints().
 */
static __always_inline void simple_put_string(u8 *to,
					      const struct marker_format *format,
					      const struct simple_string *string)
{
	const u64 bits = string->bits, last = bits / 8;
	u64 low = string->low;

	to += format->fixed_size;
	if (bits >= 64) {
		/*
		 * The second word begins before the first one ends: shift both
		 * by 8 to 64 bits, in two steps.
		 */
		put64(to, low);
		low = low >> 1 >> (bits % 64) | string->high << (~bits % 64);
		put64(to + last - 7, low);
	} else if (last == 7) {
		put64(to, low);
	} else if (last >= 3) {
		put32(to, low);
		put32(to + last - 3, low >> (8 * last - 24));
	} else {
		if (last)
			put16(to, low);
		to[last] = '\0';
	}
}

/* The last integers, which have no eight bytes. */
static __always_inline void simple_put_narrow(u8 *to,
					      const struct marker_format *format,
					      const u64 *args)
{
	unsigned long i = format->nr_wide;
	u32 left;

	for (left = format->nr_narrow; left; left--, i++) {
		u8 *p = to + format->at[i];

		if (format->step[i] & 4)
			put32(p, args[i]);
		else if (format->step[i] & 2)
			put16(p, args[i]);
		else
			*p = args[i];
	}
}

/**
 * simple_put_ints() - write an event's integers
 * @to:		where its fields begin
 * @format:	its field table; @simple
 * @args:	its arguments
 */
static __always_inline void simple_put_ints(u8 *to,
					    const struct marker_format *format,
					    const u64 *args)
{
	const unsigned long nr = format->nr_wide;
	unsigned long i;

	/* The next integer, or the one after that, overwrites the rest. */
	for (i = 0; i < nr; i++)
		put64(to + format->at[i], args[i]);
	if (unlikely(format->nr_narrow))
		simple_put_narrow(to, format, args);
}

#endif /* _MARKERS_SIMPLE_H */
