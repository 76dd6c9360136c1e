// SPDX-License-Identifier: GPL-2.0
/*
 * markers list: list the markers of the loaded modules.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/file.h"
#include "../base/json.h"
#include "../base/message.h"
#include "../base/pattern.h"
#include "../control/control.h"
#include "../control/filters.h"
#include "../control/published.h"
#include "commands.h"

enum style { STYLE_NAMES, STYLE_LONG, STYLE_JSON };

static const struct option_def options[] = {
	{ 'e', "enabled", NULL, "Only those that are enabled or counted, and patterns that wait for a module." },
	{ 'l', "long", NULL, "With state, format string, filter, and who uses it if it is published." },
	{ 'j', "json", NULL, "A JSON object in a line for each marker." },
	CONTROL_OPTION_INSTANCE,
	{ 'p', "published", NULL, "Only those that perf and other tools see, and those that could not be published." },
	{ 't', "triggers", NULL, "The triggers in place of the markers, and how often they were hit." },
	{ }
};

/* Read the text between the quotation marks of "print fmt:". It keeps its escapes. */
static char *read_format(const char *marker)
{
	char *path, *text, *format, *end;

	path = control_marker_path(marker, "format");
	text = file_read(control_fd(), path, NULL);
	free(path);
	format = text ? strstr(text, "print fmt: \"") : NULL;
	if (format) {
		format += strlen("print fmt: \"");
		end = strrchr(format, '"');
		if (end)
			*end = '\0';
		memmove(text, format, strlen(format) + 1);
	}
	return text;
}

static bool is_refused(const struct names *names, size_t i)
{
	return !strcmp(names->mark[i], "refused");
}

/* The users as a list of strings, or as words with commas. */
static void print_users(const char *users, bool json)
{
	const char *comma = "", *mark = json ? "\"" : "";
	int len;

	for (; *users; users += len + strspn(users + len, " "), comma = json ? "," : ", ") {
		len = strcspn(users, " ");
		printf("%s%s%.*s%s", comma, mark, len, users, mark);
	}
}

static void print_published(const struct published *published, enum style style)
{
	if (style == STYLE_LONG && published->reason) {
		printf("  not published: %s", published->reason);
	} else if (style == STYLE_LONG) {
		printf("  published%s", *published->users ? ", used by " : "");
		print_users(published->users, false);
	} else if (published->reason) {
		printf(",\"not_published\":");
		json_string(stdout, published->reason, strlen(published->reason));
	} else {
		printf(",\"published\":");
		json_string(stdout, published->event ?: "", strlen(published->event ?: ""));
		printf(",\"used_by\":[");
		print_users(published->users, true);
		putchar(']');
	}
}

/**
 * struct facts - what the files say about all markers
 * @filters: their filters
 * @published: those that are events of the kernel's tracing
 */
struct facts {
	struct filters filters;
	struct published_list published;
};

static void print_marker(const char *marker, const char *mark, const char *word, bool loaded,
			 enum style style, const struct facts *facts)
{
	const struct published *published = published_find(&facts->published, marker);
	const struct filters *filters = &facts->filters;
	char *filter = filters_find(filters, marker);
	char *format = loaded && style != STYLE_NAMES ? read_format(marker) : NULL;
	bool enabled = word && !names_only_count(word);

	switch (style) {
	case STYLE_NAMES:
		puts(marker);
		break;
	case STYLE_LONG:
		printf("%-8s %s", names_state(mark, word, loaded), marker);
		if (*mark && strcmp(mark, "refused"))
			printf("#%s", mark);
		if (format)
			printf("  \"%s\"", format);
		if (filter)
			printf("  if %s", filter);
		if (published)
			print_published(published, style);
		putchar('\n');
		break;
	case STYLE_JSON:
		printf("{\"name\":");
		json_string(stdout, marker, strlen(marker));
		printf(",\"enabled\":%s,\"loaded\":%s,\"state\":\"%s\"",
		       enabled ? "true" : "false", loaded ? "true" : "false",
		       names_state(mark, word, loaded));
		if (format) {
			printf(",\"format\":");
			json_string(stdout, format, strlen(format));
		}
		if (filter) {
			printf(",\"filter\":");
			json_string(stdout, filter, strlen(filter));
		}
		if (published)
			print_published(published, style);
		puts("}");
		break;
	}
	free(filter);
	free(format);
}

static int print_triggers(void)
{
	char *text = control_read("triggers");

	if (!text)
		return STATUS_FAILED;
	fputs(text, stdout);
	free(text);
	return STATUS_OK;
}

static int run(struct arguments *args)
{
	struct names available, enabled;
	enum style style = STYLE_NAMES;
	bool only_enabled = false, only_published = false, triggers = false;
	struct facts facts;
	const char *value;
	int option;
	size_t i;

	while ((option = option_next(args, &value))) {
		if (option == 'e')
			only_enabled = true;
		else if (option == 'p')
			only_published = true;
		else if (option == 't')
			triggers = true;
		else
			style = option == 'l' ? STYLE_LONG : STYLE_JSON;
	}
	if (triggers && args->argc)
		return usage_error("list", "--triggers shows all of them: leave out the PATTERN");
	if (control_open())
		return STATUS_FAILED;
	if (triggers)
		return print_triggers();
	if (control_names("available_markers", &available) || control_names("set_marker", &enabled))
		return STATUS_FAILED;
	filters_read(&facts.filters);
	published_read(&facts.published);
	for (i = 0; i < available.nr; i++) {
		const char *name = available.name[i];
		const char *word = is_refused(&available, i) ? NULL : names_find(&enabled, name);

		if (patterns_select(args->argc, args->argv, name) && (word || !only_enabled) &&
		    (!only_published || published_find(&facts.published, name)))
			print_marker(name, available.mark[i], word, true, style, &facts);
	}
	for (i = 0; i < enabled.nr && (only_enabled || style != STYLE_NAMES); i++)
		if (!names_find(&available, enabled.name[i]) && !args->argc && !only_published)
			print_marker(enabled.name[i], "", enabled.name[i], false, style, &facts);
	/* their modules are gone, the events stay */
	for (i = 0; i < facts.published.nr && only_published; i++) {
		const char *name = facts.published.line[i].marker;

		if (patterns_select(args->argc, args->argv, name) && !names_find(&available, name))
			print_marker(name, "", NULL, false, style, &facts);
	}
	filters_free(&facts.filters);
	published_free(&facts.published);
	names_free(&available);
	names_free(&enabled);
	return STATUS_OK;
}

const struct command command_list = {
	.name = "list",
	.args = "[PATTERN]...",
	.summary = "List the markers of loaded modules",
	.text = "A PATTERN is [!][module:]name, both may be globs. The last one that matches a marker\n"
		"decides; ! in front leaves it out. Without a PATTERN, all markers are listed. With\n"
		"--long or --json, patterns that wait for a module come last, and a marker that cannot be\n"
		"recorded is \"refused\". One that its filter does not fit is \"misfit\": none of its hits is\n"
		"recorded. A filter follows the format, after \"if\"; after that, a published marker says who\n"
		"uses it: ftrace, perf, bpf.",
	.examples = "All markers of a driver, with their formats:\n"
		"\tmarkers list --long 'mydriver:*'\n"
		"What is enabled, or waits for a module:\n"
		"\tmarkers list --enabled --long\n",
	.see = "enable publish status",
	.options = options,
	.run = run,
	.completes = "marker",
};
