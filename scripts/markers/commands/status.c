// SPDX-License-Identifier: GPL-2.0
/*
 * markers status: show settings, enabled markers, and what happened to events.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/message.h"
#include "../control/control.h"
#include "../control/filters.h"
#include "../control/published.h"
#include "../control/settings.h"
#include "commands.h"

static const struct option_def options[] = {
	{ 'j', "json", NULL, "As one JSON object." },
	CONTROL_OPTION_INSTANCE,
	{ }
};

static const char *const files[] = {
	"tracing_on", "trace_clock", "buffer_size_kb", "subbuf_size_kb", "buffer_percent",
	"overwrite", "dump_on_oops", "mode",
};

#define NR_FILES (sizeof(files) / sizeof(*files))

static void print_settings(bool json)
{
	unsigned int i;
	char *value;

	for (i = 0; i < NR_FILES; i++) {
		value = setting_read(files[i]);
		if (!value)
			continue;
		if (json) {
			printf("\"%s\":", files[i]);
			json_string(stdout, value, strlen(value));
			putchar(',');
		} else {
			printf("%-16s %s\n", files[i], value);
		}
		free(value);
	}
}

/* Those of @names that are in a state. */
static void print_names(const char *state, const struct names *names,
			const struct names *available, const struct filters *filters, bool json)
{
	const char *comma = "";
	char *filter;
	size_t i;

	if (json)
		printf("\"%s\":[", state);
	for (i = 0; i < names->nr; i++) {
		const char *name = names->name[i];

		if (strcmp(names_state(names->mark[i], name, names_find(available, name)), state))
			continue;
		if (json) {
			fputs(comma, stdout);
			json_string(stdout, name, strlen(name));
			comma = ",";
		} else {
			filter = filters_find(filters, name);
			printf("%-16s %s%s%s\n", state, name, filter ? " if " : "",
			       filter ? filter : "");
			free(filter);
		}
	}
	if (json)
		printf("],");
}

static void print_filters(const struct filters *filters)
{
	const char *comma = "";
	char *filter;
	size_t i;

	printf("\"filters\":{");
	for (i = 0; i < filters->names.nr; i++) {
		const char *name = filters->names.name[i];

		filter = filters_find(filters, name);
		if (!filter)
			continue;
		fputs(comma, stdout);
		json_string(stdout, name, strlen(name));
		putchar(':');
		json_string(stdout, filter, strlen(filter));
		free(filter);
		comma = ",";
	}
	printf("},");
}

static void print_published_json(const struct published_list *list)
{
	const char *comma = "";
	size_t i;

	printf("\"published\":{");
	for (i = 0; i < list->nr; i++) {
		if (list->line[i].reason)
			continue;
		fputs(comma, stdout);
		json_string(stdout, list->line[i].marker, strlen(list->line[i].marker));
		putchar(':');
		json_string(stdout, list->line[i].users, strlen(list->line[i].users));
		comma = ",";
	}
	printf("},");
}

/* The markers that perf and others see, those that could not be published, patterns that wait. */
static void print_published(void)
{
	char *text = control_has("publish") ? control_read("publish") : NULL, *rest = text;
	const struct published *at;
	struct published_list list;
	const char *rule;
	bool pending;

	published_read(&list);
	for (at = list.line; at < list.line + list.nr; at++)
		if (at->reason)
			printf("%-16s %s: %s\n", "not published", at->marker, at->reason);
		else
			printf("%-16s %s%s%s\n", "published", at->marker,
			       *at->users ? ", used by " : "", at->users);
	while (rest && (rule = publish_next_rule(&rest, &pending)))
		if (pending)
			printf("%-16s %s, pending\n", "published", rule);
	free(text);
	published_free(&list);
}

static int print_stats(bool json)
{
	struct cpu_stats stats;
	const char *comma = "";
	int i, nr, *cpus;

	nr = control_cpus(&cpus);
	if (json)
		printf("\"cpus\":[");
	for (i = 0; i < nr; i++) {
		if (control_stats(cpus[i], &stats))
			return STATUS_FAILED;
		if (json)
			printf("%s{\"cpu\":%d,\"written\":%llu,\"read\":%llu,\"unread\":%llu,\"open\":%llu,\"lost\":%llu}",
			       comma, cpus[i], (unsigned long long)stats.written,
			       (unsigned long long)stats.read, (unsigned long long)stats.unread,
			       (unsigned long long)stats.open, (unsigned long long)stats.lost);
		else if (stats.written)
			printf("cpu%-13d %llu events: %llu read, %llu in the buffer, %llu lost\n",
			       cpus[i], (unsigned long long)stats.written,
			       (unsigned long long)stats.read,
			       (unsigned long long)(stats.unread + stats.open),
			       (unsigned long long)stats.lost);
		comma = ",";
	}
	if (json)
		puts("]}");
	free(cpus);
	return nr ? STATUS_OK : STATUS_FAILED;
}

static const char *const states[] = { "enabled", "counted", "pending", "refused", "misfit" };

static int run(struct arguments *args)
{
	struct names available, enabled;
	struct published_list published;
	struct filters filters;
	bool json = false;
	size_t i;
	const char *value;
	int status;

	while (option_next(args, &value))
		json = true;
	if (control_open())
		return STATUS_FAILED;
	if (control_names("available_markers", &available) || control_names("set_marker", &enabled))
		return STATUS_FAILED;
	filters_read(&filters);
	if (json)
		putchar('{');
	print_settings(json);
	for (i = 0; i < sizeof(states) / sizeof(*states); i++)
		print_names(states[i], &enabled, &available, &filters, json);
	if (json) {
		print_filters(&filters);
		published_read(&published);
		print_published_json(&published);
		published_free(&published);
	} else {
		print_published();
	}
	status = print_stats(json);
	filters_free(&filters);
	names_free(&available);
	names_free(&enabled);
	return status;
}

const struct command command_status = {
	.name = "status",
	.summary = "Show settings, enabled markers and counts of events",
	.text = "\"counted\" is a marker whose hits are counted and not recorded, \"pending\" a pattern\n"
		"that waits for a module, \"refused\" a marker that a pattern matches and that cannot be\n"
		"recorded, \"misfit\" one that its filter does not fit, so that none of its hits is\n"
		"recorded. \"published\" is one that perf, trace-cmd and bpftrace see, with who uses it, or a\n"
		"pattern that waits for a module. Only --json has CPUs without an event.",
	.examples = "\tmarkers status\n"
		"Losses of all CPUs together:\n"
		"\tmarkers status --json | jq '[.cpus[].lost] | add'\n",
	.see = "list publish reset top",
	.options = options,
	.run = run,
};
