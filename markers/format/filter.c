// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the program of a filter on the arguments of a hit, in any context: no lock, no
 * allocation.  Strings are read as serialize.c reads them, but not beyond the
 * first difference.
 */
#include "filter_run.h"
#include "glob.h"

/* As serialize.c records what is not there. */
static const char null_text[8] = "(null)\0";
static const char fault_text[16] = "(efault)";

/* The next @left bytes of a string, or 8, up to its NUL; the first byte is the lowest. */
static __always_inline bool load_text(u64 *word, const char *from, u32 left)
{
	u32 i;
	u8 byte;

	if (IS_LITTLE_ENDIAN && likely(in_one_page(from, sizeof(*word))))
		return marker_nofault_read_word(word, from);
	*word = 0;
	for (i = 0; i < left && i < sizeof(*word); i++) {
		if (!marker_nofault_read_byte(&byte, from + i))
			return false;
		if (!byte)
			break;
		*word |= (u64)byte << 8 * i;
	}
	return true;
}

/* 1: yes, 0: no, -EFAULT. */
static __always_inline int is_equal(const char *from, u32 limit, const char *text, u32 len)
{
	u64 word, own;
	u32 left;

	if (len > limit)
		return 0;
	/* With its NUL, but for what is cut off. */
	left = len + (len < limit);
	for (; left; left -= min_t(u32, left, sizeof(word))) {
		if (!load_text(&word, from, left))
			return -EFAULT;
		own = get64(text);
		if (!IS_LITTLE_ENDIAN)
			own = __builtin_bswap64(own);
		word ^= own;
		if (left < sizeof(word))
			word <<= 64 - 8 * left;
		if (word)
			return 0;
		from += sizeof(word);
		text += sizeof(word);
	}
	return 1;
}

static __always_inline int compare_text(const struct marker_filter_test *test,
					const char *from, u32 limit, const char *text)
{
	if (test->kind == MARKER_FILTER_GLOB)
		return marker_glob_look(from, limit, text, test->len);
	return is_equal(from, limit, text, test->len);
}

static bool test_text(const struct marker_filter_test *test, const u64 *args,
		      u64 arg)
{
	const char *from = (const char *)(uintptr_t)arg;
	const char *text = ((const union marker_filter_cell *)test)[test->at].text;
	u32 limit = test->max;
	int result;

	/* As in printk(), a length less than 0 is 0. */
	if (unlikely(test->len_arg != MARKER_NO_ARG))
		limit = min_t(u32, limit, max((int)args[test->len_arg], 0));
	if (unlikely(!from))
		from = null_text;
	/* An empty string is not read. */
	else if (unlikely(limit && !marker_nofault_may_read(from)))
		from = fault_text;
	result = compare_text(test, from, limit, text);
	if (unlikely(result < 0))
		result = compare_text(test, fault_text, limit, text);
	return result;
}

/* As put_bytes() of serialize.c: zero if it cannot be read. */
static noinline u64 load_number(u64 arg, u32 bytes)
{
	const u8 *from = (const u8 *)(uintptr_t)arg;
	u64 number = 0;
	u32 i;

	if (!marker_nofault_may_read(from))
		return 0;
	for (i = 0; i < bytes; i++)
		if (!marker_nofault_read_byte((u8 *)&number + i, from + i))
			return 0;
	return number;
}

/* Run a test that marker_filter_run() leaves.  Return: what comes next. */
static noinline u32 run_test(const struct marker_filter_test *test, const u64 *args,
			     const u64 *contexts)
{
	const u64 arg = (test->is_context ? contexts : args)[test->arg];
	bool holds;

	if (test->kind == MARKER_FILTER_CONTEXT)
		holds = marker_filter_in_range(test, arg);
	else if (test->kind == MARKER_FILTER_NUMBER)
		holds = marker_filter_in_range(test, load_number(arg, test->bytes));
	else
		holds = test_text(test, args, arg);
	return holds ? test->yes : test->no;
}

bool marker_filter_passes(const struct marker_filter_test *test, const u64 *args,
			  const u64 *contexts)
{
	u32 next;

	for (;;) {
		next = marker_filter_run(&test, args, true);
		if (next == MARKER_FILTER_MORE)
			next = run_test(test, args, contexts);
		if (next >= MARKER_FILTER_DROP)
			return next == MARKER_FILTER_PASS;
		test = marker_filter_next(test, next);
	}
}
