/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters: a text such as "sector > 100 && name ~ sd*" becomes a small program, which a
 * hit runs on its arguments before anything is reserved.
 *
 *	filter	= and { "||" and }
 *	and	= not { "&&" not }
 *	not	= "!" not | "(" filter ")" | test
 *	test	= name operator value
 *
 * A test compares a field of the event, or a context: tid, pid, cpu, flags, procname,
 * cgroup_id.  A field of the same name comes first; "$ctx.pid" is always the context.
 *
 *	integers	== != < <= > >= and & ("has one of these bits").  A value is what
 *			its field records: as wide, and with its sign.  A number that the
 *			field cannot have is an error, so no value is ever converted.
 *			The name of an error, as -EIO, is a number.
 *	strings		== != and ~ ("looks like": * ? [a-z] [^a-z]).  A value is what
 *			would be recorded: cut to its precision, "(null)", "(efault)".
 *
 * Each test of an integer becomes one comparison: after a shift that drops the bits that
 * are not recorded, is it in a range, modulo 2^64?  The sign does not matter then.  The tests
 * stand in the order of the text, and each says which one is next; that is always a
 * later one, so a program ends.
 *
 * Pure: no allocation, no lock, user space too.
 */
#ifndef _MARKERS_FILTER_H
#define _MARKERS_FILTER_H

#include "operand.h"

#define MARKER_MAX_FILTER	1024	/* bytes of a filter's text with the NUL */
#define MARKER_MAX_FILTER_TESTS	32
#define MARKER_MAX_FILTER_DEPTH	16	/* of parentheses and "!" */
#define MARKER_MAX_FILTER_TEXT	127	/* bytes of a string in a filter */

enum marker_filter_kind {
	MARKER_FILTER_INT,	/* an argument is in a range */
	MARKER_FILTER_CONTEXT,	/* a context is */
	MARKER_FILTER_NUMBER,	/* the integer that an argument points to is */
	MARKER_FILTER_WORD,	/* a string is this one, in one word with its NUL */
	MARKER_FILTER_EQUAL,	/* a string is this one */
	MARKER_FILTER_GLOB,	/* a string looks like this */
};

/* In place of the next test. */
#define MARKER_FILTER_PASS	0xff
#define MARKER_FILTER_DROP	0xfe

/**
 * struct marker_filter_test - one comparison
 * @kind:	enum marker_filter_kind
 * @is_context:	it is of a context
 * @arg:	which argument, or which enum marker_filter_context
 * @shift:	of an integer: bits that are not recorded; of MARKER_FILTER_WORD: bits after
 *		the NUL
 * @yes:	the next test if this one holds: how many u64 after this one; or
 *		MARKER_FILTER_PASS, MARKER_FILTER_DROP
 * @no:		the same if it does not
 * @contexts:	what this test and the later ones need, enum marker_contexts_needed
 * @bytes:	MARKER_FILTER_NUMBER: how many
 * @len_arg:	of a string: the argument with its length, or MARKER_NO_ARG
 * @mask:	bits of the argument that count
 * @low:	the begin of the range, shifted
 * @span:	its end, from @low on
 * @at:		the text is this many cells after this one
 * @len:	bytes of it
 * @max:	characters of the string that are recorded at most
 * @word:	the text, with the NUL in the highest byte
 */
struct marker_filter_test {
	u8 kind;
	bool is_context;
	u8 arg;
	u8 shift;
	u8 yes;
	u8 no;
	u8 contexts;
	union {
		u8 bytes;
		u8 len_arg;
	};
	union {
		struct {
			u64 mask;
			u64 low;
			u64 span;
		};
		struct {
			u16 at;
			u16 len;
			u16 max;
			u64 word;
		};
	};
};

/* A test, or 32 bytes of text, padded with NULs. */
union marker_filter_cell {
	struct marker_filter_test test;
	char text[32];
};

#define MARKER_MAX_FILTER_CELLS	(2 * MARKER_MAX_FILTER_TESTS)

/**
 * struct marker_filter - a program
 * @nr_tests:	the first cells
 * @nr_cells:	all of them
 * @latency:	a test is of the latency, which only triggers know
 * @cell:	@nr_cells of them; a hit reads no more than these
 */
struct marker_filter {
	u8 nr_tests;
	u8 nr_cells;
	bool latency;
	union marker_filter_cell cell[];
};

/* For the parser: "&&" or "||", and what it connects: tests, or other nodes. */
struct marker_filter_node {
	bool is_or;
	s16 left;
	s16 right;
};

/* For the parser: the string of a test. */
struct marker_filter_string {
	const char *text;
	unsigned int len;
};

/**
 * struct marker_filter_work - room for marker_filter_parse()
 * @test:	private, as the following
 * @string:	of each test
 * @node:	of the text
 * @nr_tests:	so far
 * @nr_nodes:	so far
 * @filter:	the result
 * @room:	for all of its cells
 */
struct marker_filter_work {
	struct marker_filter_test test[MARKER_MAX_FILTER_TESTS];
	struct marker_filter_string string[MARKER_MAX_FILTER_TESTS];
	struct marker_filter_node node[MARKER_MAX_FILTER_TESTS];
	unsigned int nr_tests;
	unsigned int nr_nodes;
	union {
		struct marker_filter filter;
		u8 room[offsetof(struct marker_filter, cell) +
			MARKER_MAX_FILTER_CELLS * sizeof(union marker_filter_cell)];
	};
};

/**
 * marker_filter_parse() - compile a filter
 * @work:	room; work->filter is the result, marker_filter_size() bytes that may be
 *		copied; undefined after a failure
 * @text:	the filter
 * @format:	of the event, or NULL: only look if it is a filter at all
 * @error:	filled in on failure
 *
 * Context: Any; takes no lock and allocates nothing.
 * Return: 0, or -EINVAL with @error set.
 */
int marker_filter_parse(struct marker_filter_work *work, const char *text,
			const struct marker_format *format,
			struct marker_format_error *error);

struct marker_filter_compiler;

/**
 * marker_filter_parse_by() - compile a filter for recorded events
 * @work:	as for marker_filter_parse()
 * @text:	the filter
 * @format:	of the event
 * @compiler:	makes comparisons of the tests, see filter_tests.h
 * @error:	filled in on failure
 *
 * Context: Any; takes no lock and allocates nothing.
 * Return: 0, or -EINVAL with @error set.
 */
int marker_filter_parse_by(struct marker_filter_work *work, const char *text,
			   const struct marker_format *format,
			   struct marker_filter_compiler *compiler,
			   struct marker_format_error *error);

/**
 * marker_filter_size() - the bytes of a program
 * @filter:	the program
 *
 * Context: Any.
 * Return: how many.
 */
static inline size_t marker_filter_size(const struct marker_filter *filter)
{
	return offsetof(struct marker_filter, cell) +
	       filter->nr_cells * sizeof(filter->cell[0]);
}

/**
 * marker_filter_cost() - how long can a program take?
 * @filter:	the program
 *
 * Context: Any.
 * Return: the most steps, each of about one character.
 */
u32 marker_filter_cost(const struct marker_filter *filter);

/**
 * marker_filter_only_test() - is a program one test that marker_filter_in_range() runs?
 * @filter:	the program
 *
 * Context: Any.
 * Return: the test, which passes what it holds for; NULL: the program is more than that.
 */
static inline const struct marker_filter_test *
marker_filter_only_test(const struct marker_filter *filter)
{
	const struct marker_filter_test *test = &filter->cell[0].test;

	return filter->nr_tests == 1 && test->kind == MARKER_FILTER_INT &&
	       test->yes == MARKER_FILTER_PASS ? test : NULL;
}

/**
 * marker_filter_passes() - run a program
 * @test:	the first of its tests that is left
 * @args:	the arguments of the event
 * @contexts:	by enum marker_filter_context; not looked at without @test->contexts
 *
 * Reads memory behind pointers, fault-safe.
 *
 * Context: Any, NMI too; preemption off.
 * Return: whether the event passes.
 */
bool marker_filter_passes(const struct marker_filter_test *test, const u64 *args,
			  const u64 *contexts);

#endif /* _MARKERS_FILTER_H */
