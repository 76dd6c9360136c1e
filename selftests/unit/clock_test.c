// SPDX-License-Identifier: GPL-2.0
/* Tests of ring/clock.c: which clocks are offered, and which one is chosen. */
#include "tap.h"
#include <markers/ring/clock.h>

unsigned int tsc_khz = 2000000;
bool tsc_unstable;

/* What trace_clock says. */
static const char *list(void)
{
	static char text[128];
	const char *name;
	unsigned int i;

	text[0] = '\0';
	for (i = 0; (name = clock_offered(&marker_clock, i)); i++) {
		if (!*name)
			continue;
		sprintf(text + strlen(text), strcmp(name, marker_clock.name) ? "%s " : "[%s] ",
			name);
	}
	return text;
}

static void test_unstable(void)
{
	is_int(clock_init(NULL), 0, "the default clock");
	is_str(list(), "[tsc] mono boot counter ", "is the TSC that the kernel vouches for");

	tsc_unstable = true;
	is_str(list(), "[tsc] mono boot counter ", "in use, it is seen when it is unstable");
	ok(clock_is_offered(&marker_clock, "tsc"), "and writing its name is no error");

	is_int(clock_set(&marker_clock, "mono"), 0, "another clock");
	is_str(list(), "[mono] boot counter ", "then the TSC is not offered");
	is_int(clock_set(&marker_clock, "tsc"), -EINVAL, "and cannot be chosen");
	is_str(list(), "[mono] boot counter ", "which changes nothing");

	tsc_unstable = false;
	is_int(clock_set(&marker_clock, "tsc"), 0, "a TSC that is stable is chosen by name");
}

static void test_no_tsc(void)
{
	tsc_unstable = true;
	is_int(clock_init("tsc"), -EINVAL, "no unstable TSC by name");
	is_int(clock_init(NULL), 0, "the default clock with an unstable TSC");
	is_str(list(), "[mono] boot counter ", "is mono");
	tsc_unstable = false;
}

int main(void)
{
	test_no_tsc();
	test_unstable();
	return tap_done();
}
