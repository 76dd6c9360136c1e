// SPDX-License-Identifier: GPL-2.0
/*
 * markers: the commands.
 */
#include <stddef.h>

#include "commands/commands.h"

static const struct command *const commands[] = {
	&command_list,
	&command_enable,
	&command_disable,
	&command_publish,
	&command_unpublish,
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
	&command_query,
	&command_send,
	&command_join,
	&command_pack,
	NULL
};

int main(int argc, char **argv)
{
	return program_run(commands, argc, argv);
}
