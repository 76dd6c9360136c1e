// SPDX-License-Identifier: GPL-2.0
/*
 * markers: the commands.
 */
#include <stddef.h>
#include <sys/resource.h>

#include "commands/commands.h"

static const struct command *const commands[] = {
	&command_list,
	&command_enable,
	&command_disable,
	&command_status,
	&command_reset,
	&command_record,
	&command_snapshot,
	&command_extract,
	&command_live,
	&command_top,
	&command_doctor,
	&command_boot,
	&command_report,
	&command_check,
	&command_latency,
	&command_export,
	NULL
};

/* A recording of many parts or CPUs needs more open files than a program usually may have. */
static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
	allow_files();
	return program_run(commands, argc, argv);
}
