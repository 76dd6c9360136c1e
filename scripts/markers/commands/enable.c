// SPDX-License-Identifier: GPL-2.0
/*
 * markers enable, markers disable.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../control/control.h"
#include "../control/enable.h"
#include "commands.h"

static const struct option_def enable_options[] = {
	{ 'a', "all", NULL, "All markers, also those of modules that are loaded later." },
	{ 'f', "filter", "FILTER", "Of PATTERNs without a filter, record only hits that pass: 'sector > 100'." },
	{ 'o', "only", NULL, "Disable all others." },
	CONTROL_OPTION_INSTANCE,
	{ 't', "trigger", "TRIGGER", "Do this when they are hit: 'traceoff:1 if err < 0'." },
	{ }
};

static const struct option_def disable_options[] = {
	{ 'a', "all", NULL, "All markers, and forget patterns that wait for a module." },
	CONTROL_OPTION_INSTANCE,
	{ }
};

/* The settings of a recording go when it ends, and those of others with them. */
static void say_if_recording(void)
{
	if (control_is_locked())
		say("another \"markers\" is recording: this changes its recording, and is undone when that ends");
}

static int enable(int nr, char **patterns, const char *filter, int flags)
{
	struct wish *wishes = need_memory(calloc(nr + 1, sizeof(*wishes)));
	int i, status;

	for (i = 0; i < nr; i++)
		wishes[i] = (struct wish){ .pattern = patterns[i], .filter = filter };
	status = enable_patterns(nr, wishes, NULL, flags);
	free(wishes);
	return status;
}

static int run_enable(struct arguments *args)
{
	char star[] = "*";
	char *all[1] = { star };
	bool is_all = false;
	const char *value, *filter = NULL, *trigger = NULL;
	int option, status, flags = O_APPEND;

	while ((option = option_next(args, &value))) {
		if (option == 'a')
			is_all = true;
		else if (option == 'f' && filter)
			return usage_error("enable", "-f \"%s\": a second filter; write PATTERN if FILTER, for each",
					   value);
		else if (option == 'f')
			filter = value;
		else if (option == 't')
			trigger = value;
		else
			flags = O_TRUNC;
	}
	if (is_all == !!args->argc)
		return usage_error("enable", "give patterns, or --all");
	if (control_open())
		return STATUS_FAILED;
	if (is_all) {
		args->argv = all;
		args->argc = 1;
	}
	say_if_recording();
	status = trigger ? trigger_patterns(args->argc, args->argv, trigger) : STATUS_OK;
	return status ?: enable(args->argc, args->argv, filter, flags);
}

static int run_disable(struct arguments *args)
{
	bool is_all = false;
	const char *value;

	while (option_next(args, &value))
		is_all = true;
	if (is_all == !!args->argc)
		return usage_error("disable", "give patterns, or --all");
	if (control_open())
		return STATUS_FAILED;
	say_if_recording();
	if (is_all)
		return control_write("set_marker", O_TRUNC, "");
	return disable_patterns(args->argc, args->argv);
}

const struct command command_enable = {
	.name = "enable",
	.args = "[PATTERN]...",
	.summary = "Enable markers",
	.text = "A PATTERN is [!][module:]name, both may be globs; \"!\" excludes. The last pattern\n"
		"that matches a marker decides. A pattern that matches none waits for a module\n"
		"with such a marker; \"markers\" says so, because it may be a typing error.\n"
		"\n"
		WISH_TEXT,
	.examples = "Enable all markers of a driver, now and when it is loaded again, but for one:\n"
		"\tmarkers enable 'mydriver:*' '!mydriver:poll'\n"
		"Record only long requests, and stop at the first error:\n"
		"\tmarkers enable -f 'bytes > 65536' mydriver:request\n"
		"\tmarkers enable -t 'traceoff:1 if error < 0' mydriver:done\n",
	.see = "disable list status",
	.options = enable_options,
	.run = run_enable,
	.completes = "marker",
};

const struct command command_disable = {
	.name = "disable",
	.args = "[PATTERN]...",
	.summary = "Disable markers",
	.text = "A PATTERN is [module:]name, both may be globs. One that matches nothing is an\n"
		"error.",
	.examples = "\tmarkers disable 'mydriver:*'\n"
		"\tmarkers disable --all\n",
	.see = "enable list reset",
	.options = disable_options,
	.run = run_disable,
	.completes = "marker",
};
