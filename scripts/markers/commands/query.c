// SPDX-License-Identifier: GPL-2.0
/*
 * markers query: SQL over recordings. What it needs is in a program of its own, so that no other
 * command needs libsqlite3.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/message.h"
#include "commands.h"
#include "query.h"

#define PROGRAM	"markers-query"

static const struct option_def options[] = {
	{ 'f', "format", "FORMAT", "table, csv or json (an object in a line).", "table csv json" },
	{ QUERY_TABLES, "tables", NULL, "Show the tables and their columns, without a query." },
	{ QUERY_STRICT, "strict", NULL, "Exit status 3 if a recording lost events, at whatever time." },
	{ }
};

/* Return: PROGRAM in the directory of this program, to be freed; or NULL. */
static char *beside(void)
{
	char own[4096];
	ssize_t n = readlink("/proc/self/exe", own, sizeof(own) - 1);
	char *slash;

	if (n <= 0)
		return NULL;
	own[n] = '\0';
	slash = strrchr(own, '/');
	return slash ? format_text("%.*s/" PROGRAM, (int)(slash - own), own) : NULL;
}

/* Run the other program. Return: why it cannot be run. */
static int hand_over(char **words)
{
	char *path = beside();

	if (path)
		execv(path, words);
	if (!path || errno == ENOENT)
		execvp(PROGRAM, words);
	free(path);
	return errno == ENOENT ?
		say("query needs the program " PROGRAM ": install the package " PROGRAM ", or build it with libsqlite3-dev") :
		say_errno(PROGRAM);
}

/* Options are understood here, so that --help is there without the program. */
static int run(struct arguments *args)
{
	char **words = need_memory(calloc(args->argc + 1, sizeof(*words)));
	const char *value;
	int status;

	memcpy(words, args->argv, args->argc * sizeof(*words));
	words[0] = PROGRAM;
	while (option_next(args, &value))
		;
	status = hand_over(words);
	free(words);
	return status;
}

const struct command command_query = {
	.name = "query",
	.args = "[NAME=]DIR... SQL",
	.summary = "Ask recordings questions in SQL",
	.text = "Each marker is a table of its name, such as io_begin; [disk:io_begin] if several\n"
		"modules have one. Its columns are ts (nanoseconds of the trace clock), cpu, the contexts\n"
		"of the recording, the marker's fields, and wall (nanoseconds since 1970), which is not\n"
		"in \"*\", and NULL with the clock counter. A field with the name of another column is\n"
		"[fields.NAME]. Nothing is imported: SQLite reads the recording, and of it only the packets\n"
		"of the times and CPUs that the query compares with ts and cpu.\n\n"
		"Other tables: event (all markers; fields as text), stack (a row for each function of a\n"
		"stack), loss (events that were lost), marker (markers, with the number of their events),\n"
		"clock (a row for each recording: its host, its first and last ts, wall_offset, which is\n"
		"wall - ts at the first, events lost, and 1 if it is damaged). --tables shows all.\n\n"
		"Of several hosts in one DIR, as a collector has them, ts is nanoseconds since 1970, and the\n"
		"column host tells them apart; addresses of functions stay numbers, and clock has a row for\n"
		"each start of a recorder, with the events that it lost, but first, last and damaged of all.\n\n"
		"Of several recordings the tables have the rows of all, with the column recording: NAME,\n"
		"or the last part of DIR. SQL is statements of SQLite; - reads them from stdin.\n\n"
		"Of damage, file and byte are told, and what is around it is read: the exit status is 1. Of\n"
		"lost events, the number is told, unless the query asks for the table loss.\n\n"
		"Functions: percentile(X, P) and median(X) of a group; errname(NUMBER), as -EIO of -5;\n"
		"symbol(ADDRESS, TS [, RECORDING]), the name of a function.\n\n"
		"Numbers have 64 bits. One of 2^63 and more is shown as it is, but SQLite computes with\n"
		"it as a negative one. Bytes are blobs: x'02005e'.",
	.examples = "How often each error came:\n"
		"\tmarkers query trace 'SELECT errname(error), count(*) FROM io_end GROUP BY error'\n"
		"Two recordings, for a program:\n"
		"\tmarkers query -f csv before=trace1 after=trace2 'SELECT recording, count(*) FROM io_end GROUP BY recording'\n",
	.see = "record report latency",
	.options = options,
	.run = run,
	.completes = "trace",
};
