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

/**
 * struct word - a pattern of a text for set_marker
 * @text: where it begins
 * @name: its size without options
 * @size: with options
 * @whole: with a mark, too
 * @filter: "if" and the rest of the line
 * @filter_size: 0: it has no filter
 */
struct word {
	const char *text;
	int name, size, whole;
	const char *filter;
	int filter_size;
};

/* Take the next pattern from *@text. Return: whether there is one. */
static bool next_word(const char **text, struct word *word)
{
	const char *at = *text + strspn(*text, BLANKS);

	while (*at == '#') {
		at += strcspn(at, "\n");
		at += strspn(at, BLANKS);
	}
	word->text = at;
	word->name = strcspn(at, BLANKS "#=+");
	word->size = strcspn(at, BLANKS "#");
	word->whole = strcspn(at, BLANKS);
	at += word->whole;
	word->filter = at + strspn(at, " \t");
	word->filter_size = 0;
	if (!strncmp(word->filter, "if", 2) && strchr(" \t\r\n", word->filter[2])) {
		word->filter_size = strcspn(word->filter, "\n");
		at = word->filter + word->filter_size;
	}
	*text = at;
	return word->whole;
}

/* Each pattern of a text in a line, with @before in front. @filter is for those without one. */
static void print_words(FILE *out, const char *text, const char *before, const char *filter)
{
	struct word word;

	while (next_word(&text, &word)) {
		fprintf(out, "%s%.*s", before, word.size, word.text);
		if (word.filter_size)
			fprintf(out, " %.*s", word.filter_size, word.filter);
		else if (filter && *word.text != '!')
			fprintf(out, " if %s", filter);
		fputc('\n', out);
	}
}

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
		if (*patterns[i] && (filter || *before))
			print_words(out, patterns[i], before, filter);
		else
			fprintf(out, "%s%s\n", before, patterns[i]);
	}
	fclose(out);
	status = control_write("set_marker", flags, text);
	free(text);
	return status;
}

/* Tell the user if the pattern enables nothing now. */
static void say_if_vain(const char *pattern, const struct names *available)
{
	char *name = need_memory(strndup(pattern, strcspn(pattern, "=+")));
	bool refused = false;
	size_t i;

	for (i = 0; i < available->nr; i++) {
		if (!pattern_matches(name, available->name[i]))
			continue;
		refused = !strcmp(available->mark[i], "refused");
		if (!refused)
			break;
	}
	free(name);
	if (i < available->nr)
		return;
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

static bool is_counted(const struct word *word)
{
	const char *options = word->text + word->name;
	int size = word->size - word->name;

	return *word->text == '!' || memmem(options, size, "+count", 6) ||
	       memmem(options, size, "=count", 6);
}

static bool is_glob(const struct word *word)
{
	return memchr(word->text, '*', word->name) || memchr(word->text, '?', word->name) ||
	       memchr(word->text, '[', word->name);
}

/*
 * Print the words of set_marker, with "+count" after each. Return: did one lack it? Not the
 * globs, which wait for a module: a second time, they would overrule the exceptions after them,
 * which set_marker does not show.
 */
static bool print_counts(FILE *out, const char *text)
{
	bool lacks = false, counted;
	struct word word;

	while (next_word(&text, &word)) {
		if (is_glob(&word))
			continue;
		counted = is_counted(&word);
		lacks |= !counted;
		/* the mark lets the kernel accept a filter that does not fit */
		fprintf(out, "%.*s%s%.*s%s%.*s\n", word.size, word.text, counted ? "" : "+count",
			word.whole - word.size, word.text + word.size,
			word.filter_size ? " " : "", word.filter_size, word.filter);
	}
	return lacks;
}

void count_enabled(void)
{
	char *enabled = control_text("set_marker", NULL), *text = NULL;
	size_t size;
	bool lacks;
	FILE *out;

	if (!enabled)
		return;
	out = need_memory(open_memstream(&text, &size));
	lacks = print_counts(out, enabled);
	fclose(out);
	if (lacks)
		control_try("set_marker", O_APPEND, text);
	free(text);
	free(enabled);
}

int trigger_patterns(int nr, char *const *patterns, const char *trigger)
{
	char *text = NULL;
	const char *at;
	struct word word;
	int i, status;
	size_t size;
	FILE *out;

	out = need_memory(open_memstream(&text, &size));
	for (i = 0; i < nr; i++)
		for (at = patterns[i]; next_word(&at, &word); )
			fprintf(out, "%.*s %s\n", word.name, word.text, trigger);
	fclose(out);
	status = control_write("triggers", O_APPEND, text);
	free(text);
	return status;
}

int disable_patterns(int nr, char *const *patterns)
{
	return write_patterns(nr, patterns, "!", NULL, O_APPEND);
}
