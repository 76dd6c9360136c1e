/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From argument slots to bytes, for the events that most are: integers, and
 * perhaps a short string behind them.  serialize.c does all events; this does
 * the same for these, inline, without a call, and without memory between the
 * arguments and the buffer.
 *
 *	struct simple_string string;
 *
 *	if (!format->simple ||
 *	    !simple_size(format, args, format->variable, &string, &size))
 *		leave it to serialize.c;
 *	get room for size bytes at to;
 *	simple_put(to, format, args, format->variable, &string, to + size);
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
 * @high:	the second one, if @len > 8
 * @len:	bytes, with the NUL
 */
struct simple_string {
	u64 low;
	u64 high;
	u32 len;
};

#define SIMPLE_STRING_MAX	16

/* False if it is longer, near the end of a page, or not to be read. */
static __always_inline bool simple_get_string(const char *from,
					      struct simple_string *string)
{
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
			string->len = first_zero(zeroes) + 1;
			return true;
		}
	}
	if (unlikely(!marker_read_word(&high, from + sizeof(u64))))
		return false;
	string->high = high;
	zeroes = find_zeroes(high);
	if (unlikely(!zeroes))
		return false;
	string->len = sizeof(u64) + first_zero(zeroes) + 1;
	return true;
}

/* Exactly the string, up to @end. */
static __always_inline void simple_put_string(u8 *end,
					      const struct simple_string *string)
{
	const u32 len = string->len;
	u64 low = string->low;
	u32 bits;

	if (len > sizeof(u64)) {
		/*
		 * The second word begins before the first one ends: shift both
		 * by 8 to 64 bits, in two steps.
		 */
		bits = 8 * (len - sizeof(u64)) - 1;
		put64(end - len, low);
		low = low >> 1 >> bits | string->high << (~bits % 64);
		put64(end - sizeof(u64), low);
	} else if (len == sizeof(u64)) {
		put64(end - sizeof(u64), low);
	} else if (len >= sizeof(u32)) {
		put32(end - len, low);
		put32(end - sizeof(u32), low >> (8 * len - 32));
	} else {
		if (len & 2)
			put16(end - len, low);
		end[-1] = '\0';
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
 * simple_size() - bytes that an event's fields will take
 * @format:	its field table; @simple
 * @args:	its arguments
 * @variable:	@format->variable
 * @string:	for simple_put()
 * @size:	the result
 *
 * Return: false if it is not that simple after all: the string is long, or
 * cannot be read.
 */
static __always_inline bool simple_size(const struct marker_format *format,
					const u64 *args, bool variable,
					struct simple_string *string, u32 *size)
{
	const char *from;

	*size = format->fixed_size;
	if (!variable)
		return true;
	from = (const char *)(uintptr_t)args[format->string_arg];
	if (!simple_get_string(from, string))
		return false;
	*size += string->len;
	return true;
}

/**
 * simple_put() - write an event's fields
 * @to:		room for them
 * @format:	as for simple_size()
 * @args:	likewise
 * @variable:	likewise
 * @string:	from there
 * @end:	@to and the size from there
 */
static __always_inline void simple_put(u8 *to,
				       const struct marker_format *format,
				       const u64 *args, bool variable,
				       const struct simple_string *string,
				       u8 *end)
{
	const unsigned long nr = format->nr_wide;
	unsigned long i;

	if (variable)
		simple_put_string(end, string);
	/* The next integer, or the one after that, overwrites the rest. */
	for (i = 0; i < nr; i++)
		put64(to + format->at[i], args[i]);
	if (unlikely(format->nr_narrow))
		simple_put_narrow(to, format, args);
}

#endif /* _MARKERS_SIMPLE_H */
