// SPDX-License-Identifier: GPL-2.0
/*
 * markers publish, markers unpublish.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>

#include "../base/message.h"
#include "../control/control.h"
#include "../control/published.h"
#include "commands.h"

static const struct option_def publish_options[] = {
	{ 'o', "only", NULL, "Take back all others." },
	{ }
};

static const struct option_def unpublish_options[] = {
	{ 'a', "all", NULL, "All markers, and forget patterns that wait for a module." },
	{ }
};

static int run_publish(struct arguments *args)
{
	int flags = O_APPEND;
	const char *value;

	while (option_next(args, &value))
		flags = O_TRUNC;
	if (!args->argc)
		return usage_error("publish", "give patterns; '*' is all markers");
	if (control_open())
		return STATUS_FAILED;
	return publish_patterns(args->argc, args->argv, flags);
}

static int run_unpublish(struct arguments *args)
{
	bool is_all = false;
	const char *value;

	while (option_next(args, &value))
		is_all = true;
	if (is_all == !!args->argc)
		return usage_error("unpublish", "give patterns, or --all");
	if (control_open())
		return STATUS_FAILED;
	return unpublish_patterns(args->argc, args->argv);
}

const struct command command_publish = {
	.name = "publish",
	.args = "PATTERN...",
	.summary = "Let perf, trace-cmd and bpftrace see markers",
	.text = "A published marker is an event MODULE:MARKER of the kernel's own tracing, with typed\n"
		"fields, for ftrace, perf and BPF. That costs nothing until one of them enables it, and\n"
		"is independent of \"markers enable\" and \"markers record\".\n"
		"\n"
		"A PATTERN is [!][module:]name, both may be globs; \"!\" excludes. The last pattern\n"
		"that matches a marker decides. A pattern that matches none waits for a module with\n"
		"such a marker. \"markers list --published\" says who uses the events, and \"markers\n"
		"doctor\" why a tool does not see one.",
	.examples = "\tmarkers publish 'mydriver:*'\n"
		"\ttrace-cmd record -e mydriver -e sched sleep 10\n"
		"\tperf record -g -e 'mydriver:*' -a sleep 10\n"
		"\tbpftrace -e 'tracepoint:mydriver:request { @[args->write] = sum(args->bytes); }'\n",
	.see = "unpublish list doctor",
	.options = publish_options,
	.run = run_publish,
	.completes = "marker",
};

const struct command command_unpublish = {
	.name = "unpublish",
	.args = "[PATTERN]...",
	.summary = "Take markers back from the kernel's own tracing",
	.text = "A PATTERN is [module:]name, both may be globs. One that matches nothing is an\n"
		"error.",
	.examples = "\tmarkers unpublish 'mydriver:*'\n"
		"\tmarkers unpublish --all\n",
	.see = "publish list",
	.options = unpublish_options,
	.run = run_unpublish,
	.completes = "marker",
};
