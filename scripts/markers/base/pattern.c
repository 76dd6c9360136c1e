// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

#include <markers/format/glob.h>

#include "message.h"
#include "pattern.h"

/* isalnum() would depend on the locale. */
static const char pattern_chars[] =
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_*?[]-!^";

bool pattern_is_valid(const char *pattern)
{
	size_t size;

	pattern += *pattern == '!';
	size = strspn(pattern, pattern_chars);
	if (size && pattern[size] == ':') {
		pattern += size + 1;
		size = strspn(pattern, pattern_chars);
	}
	return size && !pattern[size];
}

/* Replace "-" with "_", but not inside brackets. */
static void use_underscores(char *module)
{
	bool range = false;

	for (; *module; module++) {
		range = *module == '[' || (range && *module != ']');
		if (*module == '-' && !range)
			*module = '_';
	}
}

/* Does the glob match the first @size characters of @text, a module's name? */
static bool module_matches(const char *glob, int glob_size, const char *text, int size)
{
	char g[256], t[256];

	snprintf(g, sizeof(g), "%.*s", glob_size, glob);
	use_underscores(g);
	snprintf(t, sizeof(t), "%.*s", size, text);
	return marker_glob_matches(g, t);
}

static bool in_common(const char *a, const char *b)
{
	return marker_glob_matches(a, b) || marker_glob_matches(b, a);
}

/* Split a pattern. Return: the module's part, to be freed; @name: the marker's part. */
static char *split(const char *pattern, const char **name)
{
	const char *colon;
	char *module;

	pattern += *pattern == '!';
	colon = strchr(pattern, ':');
	*name = colon ? colon + 1 : pattern;
	module = need_memory(colon ? strndup(pattern, colon - pattern) : strdup("*"));
	use_underscores(module);
	return module;
}

static bool have_common(const char *a, const char *b)
{
	const char *a_name, *b_name;
	char *a_module = split(a, &a_name);
	char *b_module = split(b, &b_name);
	bool common = in_common(a_module, b_module) && in_common(a_name, b_name);

	free(a_module);
	free(b_module);
	return common;
}

const char *patterns_find_vain(int nr, char *const *patterns)
{
	int i, before;

	for (i = 0; i < nr; i++) {
		if (*patterns[i] != '!')
			continue;
		for (before = 0; before < i; before++)
			if (*patterns[before] != '!' &&
			    have_common(patterns[before], patterns[i]))
				break;
		if (before == i)
			return patterns[i];
	}
	return NULL;
}

bool pattern_matches(const char *pattern, const char *marker)
{
	int module_size = strcspn(marker, ":");
	const char *name = marker + module_size + 1;
	const char *colon;

	pattern += *pattern == '!';
	colon = strchr(pattern, ':');
	if (!colon)
		return marker_glob_matches(pattern, name);
	return module_matches(pattern, colon - pattern, marker, module_size) &&
	       marker_glob_matches(colon + 1, name);
}

bool patterns_select(int nr, char *const *patterns, const char *marker)
{
	int i;

	for (i = nr - 1; i >= 0; i--)
		if (pattern_matches(patterns[i], marker))
			return *patterns[i] != '!';
	return !nr || **patterns == '!';
}
