/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test Anything Protocol, for the unit tests.
 *
 *	ok(x == 1, "x is %d", x);	one result
 *	is_int(x, 1, "x");		the same, and a failure prints the value
 *	is_str(s, "a", "s");
 *	skip("why", "what");		neither a pass nor a failure
 *	return tap_done();		prints the plan; the exit status
 */
#ifndef _UNIT_TAP_H
#define _UNIT_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_tests, tap_failed;

__attribute__((format(printf, 2, 0), unused))
static void tap_line(bool passed, const char *what, va_list args)
{
	char text[1024], *c;

	vsnprintf(text, sizeof(text), what, args);
	for (c = text; *c; c++)		/* a result is one line */
		if (*c == '\n' || *c == '#')
			*c = *c == '#' ? '.' : ' ';
	printf("%s %d - %s", passed ? "ok" : "not ok", ++tap_tests, text);
	tap_failed += !passed;
}

__attribute__((format(printf, 2, 3), unused))
static bool ok(bool passed, const char *what, ...)
{
	va_list args;

	va_start(args, what);
	tap_line(passed, what, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	return passed;
}

__attribute__((format(printf, 2, 3), unused))
static void skip(const char *why, const char *what, ...)
{
	va_list args;

	va_start(args, what);
	tap_line(true, what, args);
	va_end(args);
	printf(" # SKIP %s\n", why);
}

__attribute__((format(printf, 3, 4), unused))
static bool is_int(long long got, long long wanted, const char *what, ...)
{
	va_list args;

	va_start(args, what);
	tap_line(got == wanted, what, args);
	va_end(args);
	printf("\n");
	if (got != wanted)
		printf("#      got: %lld\n#   wanted: %lld\n", got, wanted);
	fflush(stdout);
	return got == wanted;
}

__attribute__((format(printf, 3, 4), unused))
static bool is_str(const char *got, const char *wanted, const char *what, ...)
{
	bool same = !strcmp(got, wanted);
	va_list args;

	va_start(args, what);
	tap_line(same, what, args);
	va_end(args);
	printf("\n");
	if (!same)
		printf("#      got: '%s'\n#   wanted: '%s'\n", got, wanted);
	fflush(stdout);
	return same;
}

__attribute__((unused))
static int tap_done(void)
{
	printf("1..%d\n", tap_tests);
	if (tap_failed)
		printf("# %d of %d failed\n", tap_failed, tap_tests);
	return tap_failed ? 1 : 0;
}

#endif /* _UNIT_TAP_H */
