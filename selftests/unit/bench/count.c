// SPDX-License-Identifier: GPL-2.0
/*
 * Both passes of serialize.c, over and over, for count.sh to count their
 * instructions: count CASE ITERATIONS; without arguments, the cases.
 */
#include <stdlib.h>

#include <markers/format/quick_tail.h>
#include <markers/format/serialize.h>

static const struct {
	const char *name;
	const char *text;
	u64 args[4];
} cases[] = {
	{ "none", " ", { 0 } },
	{ "int", "a %d", { 1 } },
	{ "int+u64", "a %d b %llu", { 1, 2 } },
	{ "int+u64+str11", "a %d b %llu s %s",
	  { 1, 2, (uintptr_t)"hello-world" } },
	{ "str3", "s %s", { (uintptr_t)"abc" } },
	{ "str11", "s %s", { (uintptr_t)"hello-world" } },
	{ "str15", "s %s", { (uintptr_t)"hello-world-123" } },
	{ "str16", "s %s", { (uintptr_t)"hello-world-1234" } },
	{ "str64", "s %s", { (uintptr_t)"0123456789abcdef0123456789abcdef"
			     "0123456789abcdef0123456789abcdef" } },
	{ "str11+str11", "s %s t %s", { (uintptr_t)"hello-world",
					(uintptr_t)"hello-world" } },
	{ "mac", "mac %pM", { (uintptr_t)"hello-world" } },
};

static char buffer[1024];

static noinline void record(const struct marker_format *format, const u64 *args)
{
	struct marker_lengths lengths __marker_uninitialized;

	marker_serialize_size(format, args, &lengths);
	marker_serialize(buffer, format, args, &lengths);
	barrier();
}

int main(int argc, char **argv)
{
	struct marker_format format;
	struct marker_format_error error;
	unsigned int i;
	long n;

	for (i = 0; argc != 3 && i < ARRAY_SIZE(cases); i++)
		printf("%s\n", cases[i].name);
	for (i = 0; argc == 3 && i < ARRAY_SIZE(cases); i++) {
		if (strcmp(cases[i].name, argv[1]))
			continue;
		if (marker_format_parse(&format, cases[i].text, &error))
			return 1;
		for (n = atol(argv[2]); n; n--)
			record(&format, cases[i].args);
	}
	return 0;
}
