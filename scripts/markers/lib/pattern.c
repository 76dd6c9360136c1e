// SPDX-License-Identifier: GPL-2.0
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "pattern.h"

/* "-" for "_", but not in a range. */
static void use_underscores(char *module)
{
	bool range = false;

	for (; *module; module++) {
		range = *module == '[' || (range && *module != ']');
		if (*module == '-' && !range)
			*module = '_';
	}
}

/* Does the glob match the first @size characters of the text, a module's name? */
static bool glob_matches(const char *glob, int glob_size, const char *text, int size)
{
	char g[256], t[256];

	snprintf(g, sizeof(g), "%.*s", glob_size, glob);
	use_underscores(g);
	snprintf(t, sizeof(t), "%.*s", size, text);
	return !fnmatch(g, t, 0);
}

bool pattern_matches(const char *pattern, const char *marker)
{
	int module_size = strcspn(marker, ":");
	const char *name = marker + module_size + 1;
	const char *colon;

	pattern += *pattern == '!';
	colon = strchr(pattern, ':');
	if (!colon)
		return !fnmatch(pattern, name, 0);
	return glob_matches(pattern, colon - pattern, marker, module_size) &&
	       !fnmatch(colon + 1, name, 0);
}

bool pattern_matches_any(int nr, char *const *patterns, const char *marker)
{
	int i;

	for (i = 0; i < nr; i++)
		if (pattern_matches(patterns[i], marker))
			return true;
	return !nr;
}
