// SPDX-License-Identifier: GPL-2.0
/*
 * markers reset: return to the state of a freshly loaded markers.ko, except for sizes and
 * clock.
 */
#include <errno.h>
#include <fcntl.h>
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

static int run(struct arguments *args)
{
	const char *value;
	int status;

	option_next(args, &value);
	if (args->argc)
		return usage_error("reset", "unexpected argument \"%s\"", args->argv[0]);
	if (control_open() || control_lock())
		return STATUS_FAILED;
	status = control_write("triggers", O_TRUNC, "");
	status |= control_write("set_marker", O_TRUNC, "");
	status |= forget_all_sites();
	if (control_has("hits"))
		status |= control_write("hits", 0, "0");
	status |= control_write("tracing_on", 0, "0");
	status |= control_write("snapshot", 0, "0");
	status |= control_write("overwrite", 0, "0");
	status |= control_write("buffer_percent", 0, "0");
	if (control_has("dump_on_oops"))
		status |= control_write("dump_on_oops", 0, "0");
	status |= control_write("contexts", 0, "tid flags procname");
	if (control_has("mode"))
		status |= control_write("mode", 0, "jump");
	status |= control_write("trace", 0, "0");
	if (control_has("error_log"))
		status |= control_write("error_log", 0, "0");
	status |= control_write("tracing_on", 0, "1");
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
	.options = NULL,
	.run = run,
};
