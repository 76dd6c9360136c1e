/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tests of a filter: which comparison each becomes.  For filter_parse.c, and for a reader of
 * recorded events, which may lack what a filter names.
 *
 * Pure.  Context of all: Any; takes no lock and allocates nothing.
 */
#ifndef _MARKERS_FILTER_TESTS_H
#define _MARKERS_FILTER_TESTS_H

#include "filter.h"

enum marker_filter_op {
	MARKER_FILTER_EQ,
	MARKER_FILTER_NE,
	MARKER_FILTER_LT,
	MARKER_FILTER_LE,
	MARKER_FILTER_GT,
	MARKER_FILTER_GE,
	MARKER_FILTER_BITS,
	MARKER_FILTER_LIKE,
};

/**
 * struct marker_filter_words - a test as it is written
 * @name:	the name of a field or context; not the end of a string, as @value
 * @value:	what the field is compared with, without its quotes
 * @name_at:	offset of the name in the filter
 * @op_at:	that of the operator
 * @value_at:	that of the value, or of the quote before it
 * @name_len:	bytes of @name
 * @value_len:	bytes of @value
 * @op:		the operator
 * @is_quoted:	the value is in quotes
 */
struct marker_filter_words {
	const char *name;
	const char *value;
	unsigned int name_at;
	unsigned int op_at;
	unsigned int value_at;
	unsigned int name_len;
	unsigned int value_len;
	enum marker_filter_op op;
	bool is_quoted;
};

/**
 * struct marker_filter_compiler - makes comparisons of tests in place of
 *	marker_filter_tests_compile()
 * @compile:	does so, with the same arguments and itself
 */
struct marker_filter_compiler {
	int (*compile)(struct marker_filter_compiler *compiler, struct marker_filter_test *test,
		       struct marker_filter_string *string, bool *inverted,
		       const struct marker_format *format,
		       const struct marker_filter_words *words,
		       struct marker_format_error *error);
};

/**
 * marker_filter_tests_compile() - make a comparison of a test
 * @test:	the comparison, but for the tests that follow; zeroes before
 * @string:	filled in with the value of a test of a string
 * @inverted:	the opposite of @test is what is meant
 * @format:	of the event
 * @words:	the test
 * @error:	filled in on failure
 *
 * Return: 0, or -EINVAL with @error set.
 */
int marker_filter_tests_compile(struct marker_filter_test *test,
				struct marker_filter_string *string, bool *inverted,
				const struct marker_format *format,
				const struct marker_filter_words *words,
				struct marker_format_error *error);

/**
 * marker_filter_tests_compare() - the same, if it is known what the name means
 * @test:	as above
 * @string:	as above
 * @inverted:	as above
 * @operand:	what the name means
 * @words:	the test
 * @error:	filled in on failure
 *
 * Return: 0, or -EINVAL with @error set.
 */
int marker_filter_tests_compare(struct marker_filter_test *test,
				struct marker_filter_string *string, bool *inverted,
				const struct marker_operand *operand,
				const struct marker_filter_words *words,
				struct marker_format_error *error);

/**
 * marker_filter_tests_never() - make a comparison that never holds
 * @test:	the comparison, but for the tests that follow
 */
void marker_filter_tests_never(struct marker_filter_test *test);

/**
 * marker_filter_tests_check() - could it be a test, whatever the fields are?
 * @words:	the test
 * @error:	filled in on failure
 *
 * Return: 0, or -EINVAL with @error set.
 */
int marker_filter_tests_check(const struct marker_filter_words *words,
			      struct marker_format_error *error);

#endif /* _MARKERS_FILTER_TESTS_H */
