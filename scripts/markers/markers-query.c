// SPDX-License-Identifier: GPL-2.0
/*
 * markers-query: what "markers query" runs.
 */
#include <stdlib.h>

#include "base/message.h"
#include "commands/commands.h"
#include "query/run.h"

int main(int argc, char **argv)
{
	struct command query = command_query;
	const struct command *const commands[] = { &query, NULL };
	char **words = need_memory(calloc(argc + 3, sizeof(*words)));
	int i, status;

	query.run = query_run;
	words[0] = argv[0];
	words[1] = (char *)query.name;
	for (i = 1; i < argc; i++)
		words[i + 1] = argv[i];
	status = program_run(commands, argc + 1, words);
	free(words);
	return status;
}
