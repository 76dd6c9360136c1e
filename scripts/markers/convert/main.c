// SPDX-License-Identifier: GPL-2.0
/*
 * markers-convert: the commands that read a recording. They need libbabeltrace2. The program
 * "markers" runs this one.
 */
#include <stddef.h>

#include "commands.h"

static const struct command *const commands[] = {
	&command_report,
	&command_check,
	&command_latency,
	&command_export,
	NULL
};

int main(int argc, char **argv)
{
	return program_run(commands, argc, argv, NULL);
}
