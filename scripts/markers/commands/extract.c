// SPDX-License-Identifier: GPL-2.0
/*
 * markers extract: copy the contents of the buffers.
 */
#include <stdlib.h>

#include "../base/message.h"
#include "../control/control.h"
#include "../record/recording.h"
#include "commands.h"

static const struct option_def options[] = {
	{ 'o', "output", "DIR", "Directory of the trace; by default a new one in this directory." },
	CONTROL_OPTION_INSTANCE,
	{ }
};

static int run(struct arguments *args)
{
	const char *value, *output = NULL;
	char *name = NULL;
	int status;

	while (option_next(args, &value))
		output = value;
	if (control_open())
		return STATUS_FAILED;
	control_look_for_others();
	if (!output)
		output = name = recording_name();
	status = recording_copy(output, "ctf");
	if (!status)
		say("the trace is in %s", output);
	free(name);
	return status;
}

const struct command command_extract = {
	.name = "extract",
	.summary = "Copy what is in the buffers to a CTF trace",
	.text = "The events stay in the buffers.",
	.examples = "\tmarkers extract -o trace\n"
		"\tmarkers report trace\n",
	.see = "record snapshot report",
	.options = options,
	.run = run,
	.completes = "trace",
};
