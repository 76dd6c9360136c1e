// SPDX-License-Identifier: GPL-2.0
/*
 * Globs: the comparison of names, which looks first at what stands for itself, agrees with the
 * one of strings for all short globs and texts.
 */
#include "../../markers/format/glob.h"
#include "tap.h"

#define LENGTH	4

/* The next string of @letters after @text in order of length, up to LENGTH; false: none. */
static bool next(char *text, const char *letters)
{
	const size_t len = strlen(text);
	size_t i;

	for (i = 0; i < len; i++) {
		const char *at = strchr(letters, text[i]) + 1;

		text[i] = *at ? *at : *letters;
		if (*at)
			return true;
	}
	if (len == LENGTH)
		return false;
	text[len] = *letters;
	text[len + 1] = '\0';
	return true;
}

static void test_agreement(void)
{
	char glob[LENGTH + 1] = "", text[LENGTH + 1], worst[2 * LENGTH + 4] = "";
	unsigned int matches = 0, differ = 0;
	bool is;

	do {
		*text = '\0';
		do {
			is = marker_glob_matches(glob, text);
			matches += is;
			if (is == (marker_glob_look(text, U32_MAX, glob, strlen(glob)) == 1))
				continue;
			if (!differ++)
				snprintf(worst, sizeof(worst), "%s, %s", glob, text);
		} while (next(text, "ab["));
	} while (next(glob, "ab*?[]-!"));
	is_int(differ, 0, "names are compared as strings are (first: %s)", worst);
	ok(matches, "some match");
}

static void test_names(void)
{
	ok(marker_glob_matches("bench_man?:x", "bench_man7:x"), "a ? is any character");
	ok(marker_glob_matches("abc", "abc"), "the same name");
	ok(!marker_glob_matches("abc", "ab"), "a name that ends too early");
	ok(!marker_glob_matches("ab", "abc"), "a name that is longer");
	ok(marker_glob_matches("ab*", "ab"), "a * is nothing, too");
	ok(!marker_glob_matches("ab?", "ab"), "a ? is not nothing");
	ok(marker_glob_matches("a[", "a["), "a [ without an end");
	ok(marker_glob_matches("*", ""), "a * is nothing at all");
}

int main(void)
{
	test_agreement();
	test_names();
	return tap_done();
}
