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
#include "../control/settings.h"
#include "commands.h"

static const struct option_def options[] = {
	{ 'j', "json", NULL, "As one JSON object." },
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

enum found { FOUND_NOT, FOUND, FOUND_COUNTED, FOUND_REFUSED, FOUND_MISFIT };

static enum found find(const struct names *available, const struct names *names, size_t i)
{
	if (!strcmp(names->mark[i], "refused"))
		return FOUND_REFUSED;
	if (!names_find(available, names->name[i]))
		return FOUND_NOT;
	if (!strcmp(names->mark[i], MARK_MISFIT))
		return FOUND_MISFIT;
	return names_only_count(names->name[i]) ? FOUND_COUNTED : FOUND;
}

static void print_names(const char *what, const struct names *names,
			const struct names *available, const struct filters *filters,
			enum found found, bool json)
{
	const char *comma = "";
	char *filter;
	size_t i;

	if (json)
		printf("\"%s\":[", what);
	for (i = 0; i < names->nr; i++) {
		if (find(available, names, i) != found)
			continue;
		if (json) {
			fputs(comma, stdout);
			json_string(stdout, names->name[i], strlen(names->name[i]));
			comma = ",";
		} else {
			filter = filters_find(filters, names->name[i]);
			printf("%-16s %s%s%s\n", what, names->name[i], filter ? " if " : "",
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

static int run(struct arguments *args)
{
	struct names available, enabled;
	struct filters filters;
	bool json = false;
	const char *value;
	int status;

	while (option_next(args, &value))
		json = true;
	if (args->argc)
		return usage_error("status", "unexpected argument \"%s\"", args->argv[0]);
	if (control_open())
		return STATUS_FAILED;
	if (control_names("available_markers", &available) || control_names("set_marker", &enabled))
		return STATUS_FAILED;
	filters_read(&filters);
	if (json)
		putchar('{');
	print_settings(json);
	print_names("enabled", &enabled, &available, &filters, FOUND, json);
	print_names("counted", &enabled, &available, &filters, FOUND_COUNTED, json);
	print_names("pending", &enabled, &available, &filters, FOUND_NOT, json);
	print_names("refused", &enabled, &available, &filters, FOUND_REFUSED, json);
	print_names("misfit", &enabled, &available, &filters, FOUND_MISFIT, json);
	if (json)
		print_filters(&filters);
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
		"recorded. Only --json has CPUs without an event.",
	.examples = "\tmarkers status\n"
		"Losses of all CPUs together:\n"
		"\tmarkers status --json | jq '[.cpus[].lost] | add'\n",
	.see = "list reset top",
	.options = options,
	.run = run,
};
