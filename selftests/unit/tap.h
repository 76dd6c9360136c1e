/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test Anything Protocol, for the unit tests.
 *
 *	ok(x == 1, "x is %d", x);	one result
 *	is_int(x, 1, "x");		the same, and a failure prints the value
 *	is_str(s, "a", "s");
 *	skip("why", "what");		neither a pass nor a failure
 *	return tap_done();		prints the plan; the exit status
 *
 * A failure names its file and line; the sanitizers also print who called it.
 */
#ifndef _UNIT_TAP_H
#define _UNIT_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_tests, tap_failed;

/* In the runtime of the sanitizers, if the test has one. */
extern void __sanitizer_print_stack_trace(void) __attribute__((weak));

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

/* After the values: helpers assert, too, so one line may not be enough. */
__attribute__((unused))
static void tap_place(const char *file, int line)
{
	printf("#       at: %s:%d\n", file, line);
	fflush(stdout);
	if (__sanitizer_print_stack_trace)
		__sanitizer_print_stack_trace();
}

#define ok(...)		tap_ok(__FILE__, __LINE__, __VA_ARGS__)
#define is_int(...)	tap_is_int(__FILE__, __LINE__, __VA_ARGS__)
#define is_str(...)	tap_is_str(__FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 4, 5), unused))
static bool tap_ok(const char *file, int line, bool passed, const char *what, ...)
{
	va_list args;

	va_start(args, what);
	tap_line(passed, what, args);
	va_end(args);
	printf("\n");
	if (!passed)
		tap_place(file, line);
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

__attribute__((format(printf, 5, 6), unused))
static bool tap_is_int(const char *file, int line, long long got, long long wanted,
		       const char *what, ...)
{
	va_list args;

	va_start(args, what);
	tap_line(got == wanted, what, args);
	va_end(args);
	printf("\n");
	if (got != wanted) {
		printf("#      got: %lld\n#   wanted: %lld\n", got, wanted);
		tap_place(file, line);
	}
	fflush(stdout);
	return got == wanted;
}

__attribute__((format(printf, 5, 6), unused))
static bool tap_is_str(const char *file, int line, const char *got, const char *wanted,
		       const char *what, ...)
{
	bool same = !strcmp(got, wanted);
	va_list args;

	va_start(args, what);
	tap_line(same, what, args);
	va_end(args);
	printf("\n");
	if (!same) {
		printf("#      got: '%s'\n#   wanted: '%s'\n", got, wanted);
		tap_place(file, line);
	}
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
