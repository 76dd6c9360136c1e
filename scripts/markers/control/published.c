// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/pattern.h"
#include "control.h"
#include "marker_names.h"
#include "published.h"

#define ID	"id "
#define USERS	"used by: "

static bool begins(const char *text, const char *word)
{
	return !strncmp(text, word, strlen(word));
}

/* MODULE:MARKER, SYSTEM/EVENT, "id N" and "used by: ..." with tabs between them; "# REASON" ends it. */
static void parse_line(struct published *to, char *line)
{
	char *reason = strstr(line, "# "), *column;
	bool first = true;

	*to = (struct published){ .marker = line, .users = "" };
	if (reason) {
		to->reason = reason + strlen("# ");
		*reason = '\0';
	}
	while ((column = strsep(&line, "\t"))) {
		column[strcspn(column, "\r")] = '\0';
		if (first)
			column[strcspn(column, " ")] = '\0';
		else if (begins(column, ID))
			to->id = strtoul(column + strlen(ID), NULL, 10);
		else if (begins(column, USERS))
			to->users = column[strlen(USERS)] == '-' ? "" : column + strlen(USERS);
		else if (strchr(column, '/'))
			to->event = column;
		first = false;
	}
	if (to->event) {
		to->leaves = to->reason;
		to->reason = NULL;
	}
}

static int compare_markers(const void *a, const void *b)
{
	return strcmp(((const struct published *)a)->marker, ((const struct published *)b)->marker);
}

/* @text is from malloc(); it is freed with @list. */
static void split_lines(struct published_list *list, char *text)
{
	char *line, *rest = text;

	*list = (struct published_list){ .text = text };
	while ((line = strsep(&rest, "\n"))) {
		if (!*line || *line == '#')
			continue;
		list->line = need_memory(realloc(list->line, (list->nr + 1) * sizeof(*list->line)));
		parse_line(&list->line[list->nr++], line);
	}
	if (list->nr)
		qsort(list->line, list->nr, sizeof(*list->line), compare_markers);
}

void published_read(struct published_list *list)
{
	char *text = file_read(control_fd(), "published", NULL);

	*list = (struct published_list){};
	if (text)
		split_lines(list, text);
}

const struct published *published_find(const struct published_list *list, const char *marker)
{
	const struct published wanted = { .marker = marker };

	return list->nr ? bsearch(&wanted, list->line, list->nr, sizeof(wanted), compare_markers) :
			  NULL;
}

void published_free(struct published_list *list)
{
	free(list->line);
	free(list->text);
	*list = (struct published_list){};
}

const char *publish_next_rule(char **rest, bool *pending)
{
	char *line, *comment;

	while ((line = strsep(rest, "\n"))) {
		comment = strchr(line, '#');
		*pending = comment && strstr(comment, "pending");
		line[strcspn(line, " \t#")] = '\0';
		if (*line)
			return line;
	}
	return NULL;
}

/* Each pattern of the words in a line, behind @sign. One write(): all of it, or nothing. */
static int write_patterns(int nr, char *const *patterns, const char *sign, int flags)
{
	char *text = NULL;
	struct word word;
	const char *at;
	int i, status;
	size_t size;
	FILE *out;

	/* only the directory at the top has this file */
	if (!control_has("error_log"))
		return say("%s is an instance: markers are published without MARKERS_DIR",
			   control_path());
	if (!control_has("publish"))
		return say("%s/publish is not there: this markers.ko cannot publish markers",
			   control_path());
	out = need_memory(open_memstream(&text, &size));
	for (i = 0; i < nr; i++) {
		at = patterns[i];
		if (!*at)
			fprintf(out, "%s\n", sign);	/* the kernel says what is wrong with it */
		while (word_next(&at, &word)) {
			fprintf(out, "%s%.*s", sign, word.whole, word.text);
			/* as well with a filter */
			if (word.filter_size)
				fprintf(out, " %.*s", word.filter_size, word.filter);
			fputc('\n', out);
		}
	}
	fclose(out);
	status = control_write("publish", flags, text);
	free(text);
	return status;
}

/* Tell the user if a pattern publishes nothing now. */
static void say_vain(const char *pattern, const struct names *available)
{
	size_t i;

	for (i = 0; i < available->nr; i++)
		if (strcmp(available->mark[i], "refused") &&
		    pattern_matches(pattern, available->name[i]))
			return;
	say("%s: no loaded module has such a marker; it waits for one", pattern);
}

#define MAX_REASONS	5	/* that we print */

static void say_reasons(int nr, char *const *patterns)
{
	struct published_list list;
	unsigned int found = 0;
	size_t i;

	published_read(&list);
	for (i = 0; i < list.nr; i++) {
		if (!list.line[i].reason || !patterns_select(nr, patterns, list.line[i].marker))
			continue;
		if (found++ < MAX_REASONS)
			say("%s: not published: %s", list.line[i].marker, list.line[i].reason);
	}
	if (found > MAX_REASONS)
		say("%u markers in all are not published; the file published says why", found);
	published_free(&list);
}

int publish_patterns(int nr, char *const *patterns, int flags)
{
	int i, status = write_patterns(nr, patterns, "", flags);
	struct names available;

	if (status || control_names("available_markers", &available))
		return status;
	for (i = 0; i < nr; i++)
		if (*patterns[i] != '!' && !strpbrk(patterns[i], " \t\n,#"))
			say_vain(patterns[i], &available);
	names_free(&available);
	say_reasons(nr, patterns);
	return status;
}

/* Before Linux 6.1, an event goes when a module does. */
static void say_leaving(void)
{
	const struct published *last = NULL;
	struct published_list list;
	unsigned int found = 0;
	size_t i;

	published_read(&list);
	for (i = 0; i < list.nr; i++) {
		if (!list.line[i].leaves)
			continue;
		last = &list.line[i];
		found++;
	}
	if (found > 1)
		say("%s and %u more are still there: each %s", last->marker, found - 1,
		    last->leaves);
	else if (found)
		say("%s is still there: it %s", last->marker, last->leaves);
	published_free(&list);
}

int unpublish_patterns(int nr, char *const *patterns)
{
	int status = nr ? write_patterns(nr, patterns, "!", O_APPEND) :
			  control_write("publish", O_TRUNC, "");

	if (!status)
		say_leaving();
	return status;
}
