// SPDX-License-Identifier: GPL-2.0
/*
 * markers join: make one trace of the pieces that a collector wrote.
 */
#include <inttypes.h>
#include <stddef.h>

#include "../base/message.h"
#include "../formats/join.h"
#include "commands.h"

static const struct option_def options[] = {
	{ 'o', "output", "DIR", "The new directory." },
	{ }
};

static int join_to(const char *path, const char *output)
{
	const struct join_work work = {};
	struct joined joined;
	int status = join(path, output, &work, &joined);

	if (status)
		return status;
	say("%" PRIu64 " packets in %s; %" PRIu64 " were there again", joined.packets, output, joined.doubles);
	if (joined.gaps)
		say("packets are missing in %" PRIu64 " places: they were overwritten in the buffer, or not sent",
		    joined.gaps);
	return joined.damaged ? STATUS_FAILED : STATUS_OK;
}

static int run(struct arguments *args)
{
	const char *value, *output = NULL;

	while (option_next(args, &value))
		output = value;
	return output ? join_to(args->argv[0], output) : usage_error("join", "-o names the new directory");
}

const struct command command_join = {
	.name = "join",
	.args = "DIR",
	.summary = "Join the pieces of a recording that a collector has",
	.text = "DIR is a directory of lttng-relayd: that of a session, of a host, or one with several of\n"
		"these. When \"markers send\" was cut, a recording is in several sessions, some packets are in\n"
		"two of them, and the last packet of one may be a half, which other readers do not bear.\n"
		"The new directory has each packet once. It is one trace; or if a change of the contexts or\n"
		"of the machine began another one, it has parts, as after record --rotate.",
	.examples = "\tmarkers join lttng-traces/myhost -o trace\n"
		"\tbabeltrace2 trace\n",
	.see = "send report check",
	.options = options,
	.run = run,
	.completes = "trace",
};
