// SPDX-License-Identifier: GPL-2.0
/*
 * markers record: record a command, or some seconds, to a CTF trace.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../base/message.h"
#include "../base/number.h"
#include "../record/run.h"
#include "commands.h"

enum { OPTION_SNAPSHOT_ON = 256, OPTION_ROTATE, OPTION_KEEP, OPTION_LIMIT, OPTION_STRICT,
	OPTION_AFTER, OPTION_SNAPSHOTS, OPTION_BELOW };

static const struct option_def options[] = {
	SESSION_OPTIONS,
	SESSION_OPTION_KEEP,
	{ 'o', "output", "DIR", "Directory of the recording; by default a new one in this directory." },
	{ OPTION_BELOW, "below", "DIR", "A new one in DIR for each start; the limits are for all of them." },
	SESSION_OPTION_OVERWRITE,
	{ OPTION_SNAPSHOT_ON, "snapshot-on", "COND", "Save only what was just before COND; see above.",
	  "fail signal kmsg:" },
	{ OPTION_AFTER, "after", "TIME", "Of --snapshot-on, save so much after it, too, as 5s." },
	{ OPTION_SNAPSHOTS, "snapshots", "N", "Of --snapshot-on, take N snapshots at most, default 100." },
	{ OPTION_ROTATE, "rotate", "SIZE|TIME", "Begin another part after 100M, or 1h, or both." },
	{ OPTION_KEEP, "keep-parts", "N", "Of --rotate, keep the last N parts, and remove the oldest." },
	{ OPTION_LIMIT, "limit", "SIZE", "Remove the oldest parts when all parts together exceed SIZE." },
	{ OPTION_STRICT, "strict", NULL, "Exit status 3 if events were lost." },
	{ }
};

/* A limit of each kind may be given. */
static int parse_rotate(struct rotation_limits *limits, const char *value)
{
	uint64_t time = 0, size = 0;

	if (!duration_parse(value, &time) && !size_parse(value, 1, &size))
		return usage_error("record", "%s: neither a size as 100M nor a time as 30s, 10min, 1h or 1d",
				   value);
	if ((time && limits->time) || (size && limits->size))
		return usage_error("record", "--rotate %s: there is another %s: leave one out", value,
				   time ? "time" : "size");
	limits->time = time ?: limits->time;
	limits->size = size ?: limits->size;
	return STATUS_OK;
}

static int parse_value(struct record *record, int option, const char *value)
{
	uint64_t number;

	switch (option) {
	case 'o':
		record->output = need_memory(strdup(value));
		break;
	case OPTION_BELOW:
		record->below = value;
		break;
	case OPTION_SNAPSHOT_ON:
		if (!flight_add(&record->flight, value))
			return usage_error("record", "%s: neither fail nor signal nor kmsg:TEXT nor 'latency NAME > TIME' nor MODULE:MARKER nor 'MARKER if FILTER'",
					   value);
		record->session.overwrite = true;
		break;
	case OPTION_AFTER:
		if (!duration_parse(value, &record->flight.after))
			return usage_error("record", "%s: not a time as 500ms or 5s", value);
		break;
	case OPTION_SNAPSHOTS:
		if (!number_parse(value, 1, INT_MAX, &record->flight.max))
			return usage_error("record", "%s: not a number of snapshots", value);
		break;
	case OPTION_ROTATE:
		return parse_rotate(&record->limits, value);
	case OPTION_KEEP:
		if (!number_parse(value, 2, INT_MAX, &number))
			return usage_error("record", "%s: not a number of parts from 2 on", value);
		record->limits.keep = number;
		break;
	case OPTION_LIMIT:
		if (!size_parse(value, 1, &record->limits.limit))
			return usage_error("record", "%s: not a size", value);
		break;
	case OPTION_STRICT:
		record->strict = true;
		break;
	default:
		return session_option(&record->session, "record", option, value);
	}
	return STATUS_OK;
}

#define MIN_LIMIT	(1 << 20)
#define MAX_SNAPSHOTS	100

/* Do the limits fit together? Fill in what follows from others. */
static int check_limits(struct rotation_limits *limits)
{
	char size[32];

	if (limits->keep && !limits->size && !limits->time)
		return usage_error("record", "--keep-parts needs --rotate");
	if (limits->limit && limits->limit < MIN_LIMIT)
		return usage_error("record", "--limit: 1M is the least");
	if (limits->limit && limits->size > limits->limit / 2)
		return usage_error("record", "--limit is less than two parts: --rotate %llu is possible, or less",
				   (unsigned long long)limits->limit / 2);
	if (limits->limit && !limits->size) {
		limits->size = limits->limit / 16;
		say("a part has %s, a 16th of --limit, or less",
		    size_text(limits->size, size, sizeof(size)));
	}
	if (limits->time && !limits->size)
		limits->size = UINT64_MAX;
	return STATUS_OK;
}

static int parse(struct record *record, struct arguments *args)
{
	const char *value;
	int option, status;

	while ((option = option_next(args, &value))) {
		status = parse_value(record, option, value);
		if (status)
			return status;
	}
	record->command = args->argc ? args->argv : NULL;
	if (session_check(&record->session, "record"))
		return STATUS_USAGE;
	if (record->flight.nr && record->session.keep)
		return usage_error("record", "--snapshot-on saves what is in the buffers without --keep");
	status = check_limits(&record->limits);
	if (status)
		return status;
	if (record->flight.nr && record->limits.size)
		return usage_error("record", "--snapshot-on has nothing to rotate");
	if (record->flight.nr && record->strict)
		return usage_error("record", "--snapshot-on overwrites what it does not save: \"markers check --strict\" looks at a snapshot");
	if (flight_has(&record->flight, CONDITION_FAIL) && !record->command)
		return usage_error("record", "--snapshot-on fail needs a COMMAND");
	if (!record->flight.nr && (record->flight.after || record->flight.max != MAX_SNAPSHOTS))
		return usage_error("record", "--after and --snapshots are for --snapshot-on");
	if (record->output && record->below)
		return usage_error("record", "-o and --below: it is one or the other");
	record->recording.parts = record->flight.nr || record->limits.size;
	record->flight.kallsyms = &record->kallsyms;
	return STATUS_OK;
}

static int run(struct arguments *args)
{
	struct record record = {
		.flight.max = MAX_SNAPSHOTS,
		.kallsyms.fd = -1,
		.session.buffer_percent = "25",
		.session.without_own = true,
		.streams.wake = -1,
	};
	int status = parse(&record, args);

	return status ?: record_run(&record);
}

const struct command command_record = {
	.name = "record",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Record into a CTF trace",
	.text = "Records until COMMAND ends; without one, until SIGINT (Ctrl-C) or SIGTERM. With\n"
		"one, the first of these signals is for COMMAND, a second one ends the recording.\n"
		"The recording is a directory that babeltrace2 and \"markers report\" read.\n"
		"\n"
		SESSION_TEXT " With\n"
		"--keep the recording begins with them, and what is enabled there stays enabled.\n"
		"\n"
		WISH_TEXT "\n"
		"\n"
		"With --rotate it is a directory of such recordings, 000001 and so on. The one that\n"
		"is being written has .open after its number: those without it are complete, and on\n"
		"the disk. --keep-parts and --limit remove the oldest complete one when there are more,\n"
		"and also when the disk is full.\n"
		"\n"
		"With --below DIR a program that is started again and again, as a service, finds its place:\n"
		"each start is a recording of its own, since its clock may be another one. --keep-parts and\n"
		"--limit count the parts of earlier starts, which go first. One at a time may have DIR.\n"
		"\n"
		"With --snapshot-on it saves nothing until COND comes, and then the buffers:\n"
		"\tfail                 COMMAND ends with another status than 0\n"
		"\tsignal               SIGUSR1 comes\n"
		"\tkmsg:TEXT            the kernel's log gets a line with TEXT\n"
		"\tMARKER if FILTER     a hit of the marker passes the filter\n"
		"\tMODULE:MARKER        it is hit\n"
		"\tlatency NAME > 5ms   a pair of markers that is known at the top takes longer\n"
		"The option may be repeated. Each snapshot is a trace of its own, DIR/snapshot-1 and so on;\n"
		"what came in the time of --after is DIR/snapshot-1-after. info/fired there says which COND\n"
		"it was. The exit status is 4 if there is one.\n"
		"\n"
		"The last line has the number of events and bytes, and events that were lost,\n"
		"by CPU.",
	.examples = "Record a command:\n"
		"\tmarkers record -e 'mydriver:*' -o trace -- dd if=/dev/mydriver of=/dev/null\n"
		"Two markers, each with its filter:\n"
		"\tmarkers record -e m:request -f 'bytes > 4096' -e m:done -f 'error < 0' -o trace\n"
		"Weeks, in a part for each hour, or 100 MiB, and 10 GiB of them on the disk:\n"
		"\tmarkers record -e 'mydriver:*' --rotate 1h --rotate 100M --limit 10G -o weeks\n"
		"The same, as a service that may be started again at any time:\n"
		"\tmarkers record -e 'mydriver:*' --rotate 100M --limit 10G --below /var/lib/mydriver\n"
		"What was just before the kernel complains:\n"
		"\tmarkers record -e 'mydriver:*' --snapshot-on 'kmsg:I/O error' -o flight\n"
		"What was before the first slow request, and a second after it:\n"
		"\tmarkers record -e 'mydriver:*' --snapshot-on 'mydriver:done if ms > 50' --snapshots 1 --after 1s -o slow\n",
	.see = "report check export snapshot live",
	.options = options,
	.run = run,
	.completes = "command",
};
