// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the terms of a hist on the arguments of a hit, in any context: no lock, no
 * allocation.
 */
#include <markers/compat/nofault.h>
#include <markers/format/word.h>
#include "hist.h"

/* What serialize.c records for NULL and for a fault. */
static const char null_text[8] = "(null)\0";
static const char fault_text[16] = "(efault)";

/* As put_bytes() of serialize.c: zero if it cannot be read. */
static u64 load_term_number(const struct marker_hist_term *term, u64 arg)
{
	const u8 *from = (const u8 *)(uintptr_t)arg;
	u64 number = 0;
	u32 i;

	if (!marker_nofault_may_read(from))
		return 0;
	for (i = 0; i < term->bytes; i++)
		if (!marker_nofault_read_byte((u8 *)&number + i, from + i))
			return 0;
	return IS_LITTLE_ENDIAN ? number : number >> term->shift;
}

static __always_inline u64 load_int(const struct marker_hist_term *term, u64 arg)
{
	if (unlikely(term->kind == MARKER_HIST_KIND_NUMBER))
		arg = load_term_number(term, arg);
	return marker_hist_int(term, arg);
}

/* The group of an integer. */
static __always_inline u64 group_int(const struct marker_hist_term *term, u64 value)
{
	const bool negative = term->is_signed && (s64)value < 0;
	u64 first;

	if (term->form == MARKER_HIST_LOG2) {
		if (negative)
			return -1ull;
		return value <= 1 ? 0 : (u64)ilog2(value - 1) + 1;
	}
	if (term->form != MARKER_HIST_BUCKETS)
		return value;
	if (!negative)
		return value - marker_hist_rest(term, value, false);
	/* round down, below zero, too; the lowest group begins with the lowest integer */
	first = value - (term->width - 1 - marker_hist_rest(term, value, true));
	return (s64)first < 0 ? first : (u64)S64_MIN;
}

/* Up to @limit characters and NULs; false: they cannot be read. */
static __always_inline bool load_chars(u64 *key, u32 words, const char *from, u32 limit)
{
	u8 *to = (u8 *)key;
	u64 word, zeroes;
	u32 n = 0;

	memset(key, 0, words * sizeof(u64));
	while (n < limit) {
		/* @n is a multiple of 8, unless a page ended */
		if (IS_LITTLE_ENDIAN && likely(n + sizeof(word) <= words * sizeof(word)) &&
		    likely(in_one_page(from + n, sizeof(word)))) {
			if (!marker_nofault_read_word(&word, from + n))
				return false;
			if (limit - n < sizeof(word))
				word &= ~0ull >> (64 - 8 * (limit - n));
			zeroes = find_zeroes(word);
			if (zeroes)
				word &= (1ull << 8 * first_zero(zeroes)) - 1;
			put64(to + n, word);
			if (zeroes)
				break;
			n += sizeof(word);
		} else {
			if (!marker_nofault_read_byte(to + n, from + n))
				return false;
			if (!to[n])
				break;
			n++;
		}
	}
	return true;
}

static void load_string(const struct marker_hist_term *term, u64 *key, u64 arg,
			const u64 *args)
{
	const char *from = (const char *)(uintptr_t)arg;
	u32 limit = term->max;

	/* As in printk(), a length less than 0 is 0. */
	if (unlikely(term->len_arg != MARKER_NO_ARG))
		limit = min_t(u32, limit, max((int)args[term->len_arg], 0));
	if (unlikely(!from))
		from = null_text;
	/* Reads nothing of a string without characters. */
	else if (unlikely(limit && !marker_nofault_may_read(from)))
		from = fault_text;
	if (unlikely(!load_chars(key, term->words, from, limit)))
		load_chars(key, term->words, fault_text, limit);
}

void marker_hist_key(const struct marker_hist *hist, u64 *key, const u64 *args,
		     const u64 *contexts)
{
	const struct marker_hist_term *term = hist->key;
	const struct marker_hist_term *end = term + hist->nr_keys;
	u64 arg;

	for (; term < end; term++) {
		arg = (term->is_context ? contexts : args)[term->arg];
		if (likely(term->kind <= MARKER_HIST_KIND_NUMBER))
			key[term->at] = group_int(term, load_int(term, arg));
		else if (term->kind == MARKER_HIST_KIND_STRING)
			load_string(term, key + term->at, arg, args);
		else
			memcpy(key + term->at, (const void *)(uintptr_t)arg,
			       MARKER_HIST_FRAMES * sizeof(u64));
	}
}

u64 marker_hist_val(const struct marker_hist *hist, unsigned int nr, const u64 *args,
		    const u64 *contexts)
{
	const struct marker_hist_term *term = &hist->val[nr];

	return load_int(term, (term->is_context ? contexts : args)[term->arg]);
}
