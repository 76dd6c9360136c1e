// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control.h"
#include "enable.h"
#include "message.h"
#include "pattern.h"

#define BLANKS	" \t\r\n,"

/*
 * One write(): the kernel applies all of it or nothing. The text must end with a blank.
 * Without one the kernel waits for the rest of the last word and parses it only in close(),
 * where we would lose the error.
 */
static int write_patterns(int nr, char *const *patterns, const char *before,
			  const char *filter, int flags)
{
	char *text = NULL;
	int i, status;
	size_t size;
	FILE *out;

	out = need_memory(open_memstream(&text, &size));
	for (i = 0; i < nr; i++) {
		fprintf(out, "%s%s%s", !i ? "" : filter ? "\n" : " ", before, patterns[i]);
		if (filter && *patterns[i] != '!')
			fprintf(out, " if %s", filter);
	}
	fputc('\n', out);
	fclose(out);
	status = control_write("set_marker", flags, text);
	free(text);
	return status;
}

/* Tell the user if the pattern enables nothing now. */
static void say_if_vain(const char *pattern, const struct names *available)
{
	bool refused = false;
	size_t i;

	for (i = 0; i < available->nr; i++) {
		if (!pattern_matches(pattern, available->name[i]))
			continue;
		if (strcmp(available->mark[i], "refused"))
			return;
		refused = true;
	}
	if (refused)
		say("%s: cannot be recorded; the file \"refused\" in its directory says why", pattern);
	else
		say("%s: no loaded module has such a marker; it waits for one", pattern);
}

static void say_vain(int nr, char *const *patterns)
{
	struct names available;
	char *text;
	int i;

	text = control_names("available_markers", &available);
	if (!text)
		return;
	for (i = 0; i < nr; i++)
		if (*patterns[i] != '!' && !strpbrk(patterns[i], " \t\n,#"))
			say_if_vain(patterns[i], &available);
	names_free(&available);
	free(text);
}

int enable_patterns(int nr, char *const *patterns, const char *filter, int flags)
{
	int status = write_patterns(nr, patterns, "", filter, flags);

	if (!status)
		say_vain(nr, patterns);
	return status;
}

static bool is_counted(const char *pattern, size_t size)
{
	return memmem(pattern, size, "+count", 6) || memmem(pattern, size, "=count", 6);
}

/* Write the words of a text, with "+count" after each pattern. */
static void add_counts(FILE *out, const char *text)
{
	size_t size, name;

	for (; *text; text += size) {
		size = strcspn(text, BLANKS);
		name = strcspn(text, BLANKS "#");
		if (!size)
			size = strspn(text, BLANKS);
		else if (!name || (size == 2 && !memcmp(text, "if", size)))
			size = strcspn(text, "\n");	/* a comment or a filter */
		else if (*text != '!' && !is_counted(text, name) &&
			 fprintf(out, "%.*s+count", (int)name, text) > 0)
			continue;
		fwrite(text, 1, size, out);
	}
	fputc('\n', out);
}

int count_patterns(int nr, char *const *patterns)
{
	char *text = NULL;
	int i, status;
	size_t size;
	FILE *out;

	out = need_memory(open_memstream(&text, &size));
	for (i = 0; i < nr; i++)
		add_counts(out, patterns[i]);
	fclose(out);
	status = control_write("set_marker", O_APPEND, text);
	free(text);
	return status;
}

int trigger_patterns(int nr, char *const *patterns, const char *trigger)
{
	char *text = NULL;
	int i, status;
	size_t size;
	FILE *out;

	out = need_memory(open_memstream(&text, &size));
	for (i = 0; i < nr; i++)
		fprintf(out, "%s %s\n", patterns[i], trigger);
	fclose(out);
	status = control_write("triggers", O_APPEND, text);
	free(text);
	return status;
}

int disable_patterns(int nr, char *const *patterns)
{
	return write_patterns(nr, patterns, "!", NULL, O_APPEND);
}
