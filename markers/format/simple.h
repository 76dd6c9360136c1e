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
 *			simple_put_string(to, to + size, format, &string);
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

#include <markers/compat/nofault.h>
#include "format.h"
#include "words.h"

/**
 * struct simple_string - up to 16 bytes with the NUL
 * @low:	the first word, with whatever is behind the NUL
 * @high:	the second one, if it is that long
 * @is_long:	is it that long?
 * @bits:	in its last word, before the last one of the NUL
 */
struct simple_string {
	u64 low;
	u64 high;
	bool is_long;
	u64 bits;
};

#define SIMPLE_STRING_MAX	16

/* Bytes without the NUL. */
static __always_inline u64 simple_string_len(const struct simple_string *string)
{
	return (string->is_long ? sizeof(u64) : 0) + string->bits / 8;
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
	if (!IS_LITTLE_ENDIAN || unlikely(!marker_nofault_may_read(from)) ||
	    unlikely(!in_one_page(from, SIMPLE_STRING_MAX)) ||
	    unlikely(!marker_nofault_read_word(&low, from)))
		return false;
	string->low = low;
	if (maybe_zero(low)) {
		zeroes = find_zeroes(low);
		if (zeroes) {
			string->is_long = false;
			string->bits = __builtin_ctzll(zeroes);
			return true;
		}
	}
	if (unlikely(!marker_nofault_read_word(&high, from + sizeof(u64))))
		return false;
	string->high = high;
	zeroes = find_zeroes(high);
	if (unlikely(!zeroes))
		return false;
	string->is_long = true;
	string->bits = __builtin_ctzll(zeroes);
	return true;
}

/**
 * simple_put_string() - write exactly the string
 * @to:		where the event's fields begin
 * @end:	where the event ends, the NUL included
 * @format:	as for simple_get_string()
 * @string:	from there
 *
 * To be called before simple_put_ints().
 */
static __always_inline void simple_put_string(u8 *to, u8 *end,
					      const struct marker_format *format,
					      const struct simple_string *string)
{
	const u64 bits = string->bits;
	u64 low = string->low;

	to += format->fixed_size;
	if (string->is_long) {
		/*
		 * The second word begins before the first one ends: shift both
		 * by 8 to 64 bits, in two steps.
		 */
		put64(to, low);
		low = low >> 1 >> bits | string->high << (~bits % 64);
		put64(end - sizeof(u64), low);
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

/* The last integers, which have no eight bytes; there is one. */
static __always_inline void simple_put_narrow(u8 *to,
					      const struct marker_format *format,
					      const u64 *args)
{
	unsigned long i = format->nr_wide;

	do {
		u8 *p = to + format->at[i];

		if (format->step[i] & 4)
			put32(p, args[i]);
		else if (format->step[i] & 2)
			put16(p, args[i]);
		else
			*p = args[i];
	} while (format->step[++i] <= MARKER_STEP_INT);
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

	/*
	 * The next integer, or the one after that, overwrites the rest.  The first one
	 * is where the fields begin, and few events have more than two of these.
	 */
	if (likely(nr >= 2)) {
		put64(to, args[0]);
		put64(to + format->at[1], args[1]);
		for (i = 2; i < nr; i++)
			put64(to + format->at[i], args[i]);
	} else if (nr) {
		put64(to, args[0]);
	}
	if (unlikely(format->narrow))
		simple_put_narrow(to, format, args);
}

#endif /* _MARKERS_SIMPLE_H */
