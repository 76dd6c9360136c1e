// SPDX-License-Identifier: GPL-2.0
/*
 * markers check: does a trace keep the promises of Documentation/ctf.rst? Two readers check
 * it: rules.c and libbabeltrace2. They must find the same.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../babeltrace/trace.h"
#include "../base/message.h"
#include "../ctf/rules.h"
#include "../ctf/trace_files.h"
#include "commands.h"

#define MAX_COMPLAINTS	10	/* shown for each rule */

enum { OPTION_TAP = 256, OPTION_STRICT };

static const struct option_def options[] = {
	{ OPTION_TAP, "tap", NULL, "A line for each rule, as the Test Anything Protocol has it." },
	{ OPTION_STRICT, "strict", NULL, "Exit status 3 if events were lost." },
	{ }
};

struct found {
	uint64_t events;
	uint64_t lost;
};

static unsigned int shown[NR_RULES];
static const struct trace_files *checked;

static void complain(enum rule rule, const char *text)
{
	char *known = trace_files_text(checked, text);

	if (shown[rule]++ < MAX_COMPLAINTS)
		printf("# %s\n", known);
	free(known);
}

static bool count_event(void *ctx, const struct event *event)
{
	(void)event;
	((struct found *)ctx)->events++;
	return true;
}

static bool count_loss(void *ctx, const struct loss *loss)
{
	((struct found *)ctx)->lost += loss->count;
	return true;
}

static const struct trace_sink sink = { .event = count_event, .lost = count_loss };

static void print_tap(const struct rules *rules, const char *path, const struct found *found,
		      bool same)
{
	enum rule rule;

	if (!same)
		printf("# libbabeltrace2: %" PRIu64 " events, lost %" PRIu64 "\n", found->events,
		       found->lost);
	for (rule = 0; rule < NR_RULES; rule++)
		printf("%sok %d - %s: %s\n", rules->broken[rule] ? "not " : "", rule + 1, path,
		       rules_name(rule));
	printf("%sok %d - %s: libbabeltrace2 reads the same\n1..%d\n", same ? "" : "not ",
	       NR_RULES + 1, path, NR_RULES + 1);
}

static void print_text(const struct rules *rules, const char *path, const struct found *found,
		       bool same)
{
	enum rule rule;

	for (rule = 0; rule < NR_RULES; rule++)
		if (rules->broken[rule])
			printf("broken in %u place%s: %s\n", rules->broken[rule],
			       rules->broken[rule] == 1 ? "" : "s", rules_name(rule));
	printf("%s: %" PRIu64 " events in %" PRIu64 " packets, lost %" PRIu64, path, rules->events,
	       rules->packets, rules->lost);
	if (!same && found->events == rules->events && found->lost == rules->lost)
		printf("; libbabeltrace2 cannot read all of it");
	else if (!same)
		printf("; libbabeltrace2 reads %" PRIu64 " events, lost %" PRIu64, found->events,
		       found->lost);
	putchar('\n');
}

static int check_files(struct trace_files *files, bool tap, uint64_t *lost)
{
	struct rules rules = { .complain = complain };
	struct found found = {};
	unsigned int broken = 0;
	int status = STATUS_OK, rule;
	bool same;
	size_t i;

	checked = files;
	for (i = 0; !status && i < files->nr; i++)
		status = rules_check(&rules, trace_files_path(files, i));
	if (!status) {
		files->quiet = true;
		same = !trace_files_check(files) && !trace_read_files(files, &sink, &found) &&
		       found.events == rules.events && found.lost == rules.lost;
		(tap ? print_tap : print_text)(&rules, files->root, &found, same);
		for (rule = 0; rule < NR_RULES; rule++)
			broken += rules.broken[rule];
		*lost = rules.lost;
		status = broken || !same ? STATUS_FAILED : STATUS_OK;
	}
	rules_free(&rules);
	return status;
}

static int check(const char *path, bool tap, uint64_t *lost)
{
	struct trace_files files;
	int status = trace_files_find(&files, path);

	if (!status)
		status = check_files(&files, tap, lost);
	trace_files_close(&files);
	return status;
}

static int run(struct arguments *args)
{
	bool tap = false, strict = false;
	uint64_t lost = 0;
	const char *value;
	int option, status;

	while ((option = option_next(args, &value))) {
		if (option == OPTION_TAP)
			tap = true;
		else
			strict = true;
	}
	if (one_recording(args))
		return STATUS_USAGE;
	status = check(args->argv[0], tap, &lost);
	return !status && strict && lost ? STATUS_LOST : status;
}

const struct command command_check = {
	.name = "check",
	.args = "DIR",
	.summary = "Check that a recording is whole and in order",
	.text = "Checks each guarantee of Documentation/ctf.rst: whole packets, their order, their\n"
		"counts, each event, each time. Then libbabeltrace2 reads it, and has to find the same.\n"
		"Says what is wrong, in which file, at which byte. Lost events are no fault.",
	.examples = "\tmarkers check trace && rsync -a trace elsewhere:\n",
	.see = "record report",
	.options = options,
	.run = run,
	.completes = "trace",
};
