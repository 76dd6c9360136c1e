// SPDX-License-Identifier: GPL-2.0
/*
 * markers check: does a trace keep the promises of Documentation/ctf.rst?
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../ctf/trace_files.h"
#include "../reader/opened.h"
#include "../reader/pieces.h"
#include "../reader/rules.h"
#include "commands.h"

#define MAX_COMPLAINTS	10	/* shown for each rule */

enum { OPTION_TAP = 256, OPTION_STRICT };

static const struct option_def options[] = {
	{ OPTION_TAP, "tap", NULL, "A line for each rule, as the Test Anything Protocol has it." },
	{ OPTION_STRICT, "strict", NULL, "Exit status 3 if events were lost, or packets are missing." },
	{ }
};

static unsigned int shown[NR_RULES];

static void complain(enum rule rule, const char *text)
{
	if (shown[rule]++ < MAX_COMPLAINTS)
		printf("# %s\n", text);
}

static void print_gaps(const struct rules *rules, const char *before)
{
	if (rules->gaps)
		printf("%spackets are missing in %" PRIu64 " place%s, and the next count does not have their events\n", before,
		       rules->gaps, rules->gaps == 1 ? "" : "s");
}

static void print_tap(const struct rules *rules, const char *path)
{
	enum rule rule;

	for (rule = 0; rule < NR_RULES; rule++)
		printf("%sok %d - %s: %s\n", rules->broken[rule] ? "not " : "", rule + 1, path,
		       rules_name(rule));
	print_gaps(rules, "# ");
	printf("1..%d\n", NR_RULES);
}

static void print_text(const struct rules *rules, const char *path)
{
	enum rule rule;

	for (rule = 0; rule < NR_RULES; rule++)
		if (rules->broken[rule])
			printf("broken in %u place%s: %s\n", rules->broken[rule],
			       rules->broken[rule] == 1 ? "" : "s", rules_name(rule));
	print_gaps(rules, "");
	printf("%s: %" PRIu64 " events in %" PRIu64 " packets, lost %" PRIu64 "\n", path,
	       rules->events, rules->packets, rules->lost);
}

/* Of the pieces of a collector, check what they are together. */
static int check_pieces(struct rules *rules, struct trace_files *files)
{
	struct opened opened = {};
	int status = trace_files_check(files);

	if (status)
		return status;
	status = opened_begin(&opened, files) ?: rules_check_pieces(rules, &opened);
	files->damaged |= opened.damaged;
	opened_end(&opened);
	return status;
}

static int check_parts(struct rules *rules, const struct trace_files *files)
{
	int status = STATUS_OK;
	size_t i;

	for (i = 0; !status && i < files->nr; i++)
		status = rules_check(rules, &files->part[i]);
	return status;
}

static int check_files(struct trace_files *files, bool tap, uint64_t *lost)
{
	struct rules rules = { .complain = complain };
	int status, rule;

	status = pieces_are_in(files) ? check_pieces(&rules, files) : check_parts(&rules, files);
	status = status ?: trace_files_check_stream(files, files->root);
	if (!status)
		(tap ? print_tap : print_text)(&rules, files->root);
	for (rule = 0; rule < NR_RULES && !status; rule++)
		status = rules.broken[rule] ? STATUS_FAILED : STATUS_OK;
	if (files->damaged)
		status = STATUS_FAILED;
	*lost = rules.lost + rules.gaps;
	rules_free(&rules);
	return status;
}

static int check(const char *path, bool tap, uint64_t *lost)
{
	struct trace_files files;
	int status = trace_files_find(&files, path);

	status = status ?: check_files(&files, tap, lost);
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
	status = check(args->argv[0], tap, &lost);
	return !status && strict && lost ? STATUS_LOST : status;
}

const struct command command_check = {
	.name = "check",
	.args = "DIR",
	.summary = "Check that a recording is whole and in order",
	.text = "Checks each guarantee of Documentation/ctf.rst: whole packets, their order, their\n"
		"counts, each event, each time. "
		"Says what is wrong, in which file, at which byte. Lost events are no fault, nor are packets that\n"
		"are missing: it counts both. Of the pieces that a collector has, it checks what\n"
		"\"markers join\" makes of them.",
	.examples = "\tmarkers check trace && rsync -a trace elsewhere:\n",
	.see = "record report",
	.options = options,
	.run = run,
	.completes = "trace",
};
