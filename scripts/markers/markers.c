// SPDX-License-Identifier: GPL-2.0
/*
 * markers: the commands for the machine that records. It needs only the C library, so a static
 * build runs in an initramfs. The program markers-convert has the other commands; we run it if
 * it is installed.
 */
#include <stddef.h>

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
	NULL
};

int main(int argc, char **argv)
{
	return program_run(commands, argc, argv, "markers-convert");
}
