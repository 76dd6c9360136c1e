// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <markers/uapi/ctf.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/pattern.h"
#include "control.h"
#include "enable.h"
#include "marker_names.h"

/* Is the pattern for counting only, without a record? */
static bool only_counts(const struct word *word)
{
	return word->text[word->name] == '=';
}

/* The filters of the scope. Return: whether there is one. */
static bool print_scope(FILE *out, const struct word *word, const struct scope *scope)
{
	bool without = scope->without && !only_counts(word);

	if (without)
		/* an interrupt has the pid of the process that it interrupts, but is not its own */
		fprintf(out, " if ($ctx.pid != %d || $ctx.flags & %#x)", scope->without,
			CTF_FLAG_SOFTIRQ | CTF_FLAG_HARDIRQ | CTF_FLAG_NMI);
	if (scope->only)
		fprintf(out, " %s (%s)", without ? "&&" : "if", scope->only);
	return without || scope->only;
}

/* The filter of a word; else the one that the user gives for all of a text. */
static void print_filter(FILE *out, const struct word *word, const char *filter,
			 const struct scope *scope)
{
	int skip = strlen("if"), size = 0;

	if (word->filter_size) {
		skip += strspn(word->filter + skip, " \t");
		filter = word->filter + skip;
		size = word->filter_size - skip;
	} else if (filter) {
		size = strlen(filter);
	}
	if (*word->text == '!' && !word->filter_size)
		return;
	if (!print_scope(out, word, scope)) {
		if (filter)
			fprintf(out, " if %.*s", size, filter);
	} else if (filter) {
		fprintf(out, " && (%.*s)", size, filter);
	}
}

static const struct scope all_hits;

/* Each pattern of a text in a line. */
static void print_words(FILE *out, const struct wish *wish, const struct scope *scope)
{
	const char *text = wish->pattern;
	struct word word;

	while (word_next(&text, &word)) {
		/* with a mark, the kernel accepts a filter that does not fit */
		fprintf(out, "%.*s", word.filter_size ? word.whole : word.size, word.text);
		print_filter(out, &word, wish->filter, scope);
		fputc('\n', out);
	}
}

/*
 * One write(): the kernel applies all of it or nothing. It waits for the rest of a line that
 * does not end in a newline.
 */
static int write_wishes(int nr, const struct wish *wishes, const struct scope *scope, int flags)
{
	char *text = NULL;
	int i, status;
	size_t size;
	FILE *out;

	out = need_memory(open_memstream(&text, &size));
	for (i = 0; i < nr; i++) {
		if (*wishes[i].pattern && (wishes[i].filter || scope->without || scope->only))
			print_words(out, &wishes[i], scope);
		else
			fprintf(out, "%s\n", wishes[i].pattern);
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

static void say_vain(int nr, const struct wish *wishes)
{
	struct names available;
	int i;

	if (control_names("available_markers", &available))
		return;
	for (i = 0; i < nr; i++)
		if (*wishes[i].pattern != '!' && !strpbrk(wishes[i].pattern, " \t\n,#"))
			say_if_vain(wishes[i].pattern, &available);
	names_free(&available);
}

/* Does a wish mean this marker? */
static bool is_wished(int nr, const struct wish *wishes, const char *marker)
{
	bool wished = false;
	struct word word;
	const char *text;
	char *name;
	int i;

	for (i = 0; i < nr; i++)
		for (text = wishes[i].pattern; word_next(&text, &word); ) {
			name = need_memory(strndup(word.text, word.name));
			if (pattern_matches(name, marker))
				wished = *name != '!';
			free(name);
		}
	return wished;
}

#define MAX_MISFITS	5	/* that we name */

/* The kernel drops the hits of a marker that its filter does not fit. Tell the user which. */
static void say_misfits(int nr, const struct wish *wishes)
{
	char *enabled = file_read(control_fd(), "set_marker", NULL);
	struct names names;
	unsigned int found = 0;
	size_t i;

	if (!enabled)
		return;
	names_parse(&names, enabled);
	for (i = 0; i < names.nr; i++) {
		if (strcmp(names.mark[i], MARK_MISFIT) || !is_wished(nr, wishes, names.name[i]))
			continue;
		if (found++ < MAX_MISFITS)
			say("%s: the filter does not fit it: none of its hits is recorded",
			    names.name[i]);
	}
	if (found > MAX_MISFITS)
		say("the filter does not fit %u markers in all", found);
	names_free(&names);
}

int enable_patterns(int nr, const struct wish *wishes, const struct scope *scope, int flags)
{
	int status = write_wishes(nr, wishes, scope ?: &all_hits, flags);

	if (status)
		return status;
	say_vain(nr, wishes);
	say_misfits(nr, wishes);
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

	while (word_next(&text, &word)) {
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
	char *enabled = file_read(control_fd(), "set_marker", NULL), *text = NULL;
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
		for (at = patterns[i]; word_next(&at, &word); )
			fprintf(out, "%.*s %s\n", word.name, word.text, trigger);
	fclose(out);
	status = control_write("triggers", O_APPEND, text);
	free(text);
	return status;
}

int disable_patterns(int nr, char *const *patterns)
{
	char *text = NULL;
	struct word word;
	int i, status;
	size_t size;
	FILE *out;

	out = need_memory(open_memstream(&text, &size));
	for (i = 0; i < nr; i++) {
		const char *at = patterns[i];

		if (!*at)
			fputs("!\n", out);	/* the kernel says what is wrong with it */
		while (word_next(&at, &word)) {
			fprintf(out, "!%.*s", word.size, word.text);
			print_filter(out, &word, NULL, &all_hits);
			fputc('\n', out);
		}
	}
	fclose(out);
	status = control_write("set_marker", O_APPEND, text);
	free(text);
	return status;
}
