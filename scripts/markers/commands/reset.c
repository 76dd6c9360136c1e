// SPDX-License-Identifier: GPL-2.0
/*
 * markers reset: return to the state of a freshly loaded markers.ko, except for sizes and
 * clock.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../control/control.h"
#include "commands.h"

/*
 * Reset single sites and modes of markers. They are no rules, so set_marker keeps them. Lines
 * are "MARKER mode: ..." and "MARKER INDEX STATE ...".
 */
static int forget_sites(const char *module)
{
	char *path = format_text("events/%s/sites", module);
	char *text, *line, *rest, *command;
	int status = STATUS_OK, index, len;

	text = file_read(control_fd(), path, NULL);
	rest = text;
	while (rest && (line = strsep(&rest, "\n"))) {
		len = strcspn(line, " ");
		command = NULL;
		if (!strncmp(line + len, " mode: ", 7) && !strstr(line, "[default]"))
			command = format_text("%.*s default", len, line);
		else if (strstr(line, " alone") && sscanf(line + len, "%d", &index) == 1)
			command = format_text("%.*s %d 0", len, line, index);
		if (command)
			status |= control_write(path, 0, command);
		free(command);
	}
	free(text);
	free(path);
	return status;
}

/* The markers of a module are side by side. */
static int forget_all_sites(void)
{
	int status = STATUS_OK;
	struct names names;
	size_t i, len = 0;

	if (control_names("available_markers", &names))
		return STATUS_FAILED;
	for (i = 0; i < names.nr; i++) {
		if (i && !strncmp(names.name[i], names.name[i - 1], len + 1))
			continue;
		len = strcspn(names.name[i], ":");
		names.name[i][len] = '\0';
		status |= forget_sites(names.name[i]);
		names.name[i][len] = ':';
	}
	names_free(&names);
	return status;
}

/* In this order. An instance does not have the files of the top only. */
static const struct {
	const char *file;
	const char *value;
	bool top_only;
} defaults[] = {
	{ "hits", "0", true },
	{ "tracing_on", "0" },
	{ "snapshot", "0" },
	{ "overwrite", "0" },
	{ "buffer_percent", "0" },
	{ "dump_on_oops", "0", true },
	{ "contexts", "tid flags procname" },
	{ "mode", "jump", true },
	{ "trace", "0" },
	{ "error_log", "0", true },
	{ "tracing_on", "1" },
};

static const struct option_def options[] = {
	CONTROL_OPTION_INSTANCE,
	{ }
};

static int run(struct arguments *args)
{
	const char *value;
	int status;
	size_t i;

	option_next(args, &value);
	if (control_open() || control_lock())
		return STATUS_FAILED;
	status = control_write("triggers", O_TRUNC, "");
	status |= control_write("set_marker", O_TRUNC, "");
	status |= forget_all_sites();
	for (i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
		if (!defaults[i].top_only || control_has(defaults[i].file))
			status |= control_write(defaults[i].file, 0, defaults[i].value);
	return status;
}

const struct command command_reset = {
	.name = "reset",
	.summary = "Disable all markers, and empty the buffers",
	.text = "Also drops the snapshot, the messages of error_log and the triggers, sets the counts of\n"
		"hits to 0, disables sites that were enabled alone, sets overwrite, buffer_percent and\n"
		"dump_on_oops to 0, and all modes and the contexts to their defaults. The sizes of buffers\n"
		"and the clock stay. Afterwards recording is on.",
	.examples = "\tmarkers reset\n",
	.see = "disable status",
	.options = options,
	.run = run,
};
