/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs the program of a filter on the arguments of a hit: the frequent tests, inline and
 * without a call.  filter.c runs the others.
 */
#ifndef _MARKERS_FILTER_RUN_H
#define _MARKERS_FILTER_RUN_H

#include <markers/compat/nofault.h>
#include "filter.h"
#include "word.h"

/* Returned instead of MARKER_FILTER_PASS or _DROP: a test is left to filter.c. */
#define MARKER_FILTER_MORE	0

/**
 * marker_filter_in_range() - run a test of an integer
 * @test:	the test
 * @arg:	the integer, extended in whatever way
 *
 * Context: Any, NMI too.
 * Return: whether it holds.
 */
static __always_inline bool marker_filter_in_range(const struct marker_filter_test *test,
						   u64 arg)
{
	return ((arg & test->mask) << test->shift) - test->low <= test->span;
}

/**
 * marker_filter_next() - find the next test
 * @test:	a test
 * @next:	its @yes or @no, less than MARKER_FILTER_DROP
 *
 * Context: Any, NMI too.
 * Return: the next one.
 */
static __always_inline const struct marker_filter_test *
marker_filter_next(const struct marker_filter_test *test, u32 next)
{
	return (const struct marker_filter_test *)((const u64 *)test + next);
}

/**
 * marker_filter_load_word() - read the string of a test of one word
 * @word:	the result
 * @test:	the test
 * @args:	the arguments of the event
 *
 * Context: Any, NMI too; preemption off.
 * Return: false: leave the test to filter.c.
 */
static __always_inline bool marker_filter_load_word(u64 *word,
						    const struct marker_filter_test *test,
						    const u64 *args)
{
	const char *from = (const char *)(uintptr_t)args[test->arg];

	return likely(marker_nofault_may_read(from)) &&
	       likely(in_one_page(from, sizeof(*word))) &&
	       likely(marker_nofault_read_word(word, from));
}

/**
 * marker_filter_run() - run a program as far as this can
 * @test:	where to begin, and where this ended
 * @args:	the arguments of the event
 * @words:	a constant: read memory, too, for strings that are compared with one word
 *
 * Context: Any, NMI too; preemption off.
 * Return: MARKER_FILTER_PASS, _DROP, or _MORE: *@test is a test for filter.c.
 */
static __always_inline u32 marker_filter_run(const struct marker_filter_test **test,
					     const u64 *args, bool words)
{
	const struct marker_filter_test *at = *test;
	u32 next;
	u64 word;

	for (;;) {
		if (words && likely(at->kind == MARKER_FILTER_WORD)) {
			if (unlikely(!marker_filter_load_word(&word, at, args)))
				break;
			if (likely(word << at->shift != at->word))
				goto no;
		} else {
			if (unlikely(at->kind != MARKER_FILTER_INT))
				break;
			if (likely(!marker_filter_in_range(at, args[at->arg])))
				goto no;
		}
		next = at->yes;
		goto next;
no:
		/* Checked here, too: a single test that fails ends here. */
		next = at->no;
		if (likely(next == MARKER_FILTER_DROP))
			return MARKER_FILTER_DROP;
next:
		if (next >= MARKER_FILTER_DROP)
			return next;
		at = marker_filter_next(at, next);
	}
	*test = at;
	return MARKER_FILTER_MORE;
}

#endif /* _MARKERS_FILTER_RUN_H */
