// SPDX-License-Identifier: GPL-2.0
/*
 * markers snapshot: keep the contents of the buffers, and go on recording.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "../base/message.h"
#include "../control/control.h"
#include "../record/recording.h"
#include "commands.h"

static const struct option_def options[] = {
	{ 'o', "output", "DIR", "Copy the snapshot to DIR, as a CTF trace." },
	{ 'k', "keep", NULL, "Take none: copy the one that is there." },
	{ 'f', "free", NULL, "Free the snapshot's memory." },
	CONTROL_OPTION_INSTANCE,
	{ }
};

/* Without one, the file says so in its first line. */
static bool is_there(void)
{
	static const char none[] = "# no snapshot";
	int fd = openat(control_fd(), "snapshot", O_RDONLY | O_CLOEXEC);
	char text[sizeof(none)] = "";
	ssize_t n;

	if (fd < 0)
		return true;	/* copy what can be copied */
	n = read(fd, text, strlen(none));
	close(fd);
	return n < 0 || strcmp(text, none);
}

static int run(struct arguments *args)
{
	bool keep = false, is_free = false;
	const char *value, *output = NULL;
	int option, status = STATUS_OK;

	while ((option = option_next(args, &value))) {
		if (option == 'o')
			output = value;
		else if (option == 'k')
			keep = true;
		else
			is_free = true;
	}
	if (keep && !output)
		return usage_error("snapshot", "--keep needs --output");
	if (control_open() || control_lock())
		return STATUS_FAILED;
	if (keep && !is_there())
		return say("there is no snapshot to copy");
	if (keep)
		status = recording_copy(output, "snapshot_ctf");
	else if (output)
		status = recording_snapshot(output);
	else if (!is_free)
		status = control_write("snapshot", 0, "1");
	if (!status && is_free)
		status = control_write("snapshot", 0, "0");
	return status;
}

const struct command command_snapshot = {
	.name = "snapshot",
	.summary = "Keep what is in the buffers, and go on recording",
	.text = "Loses no event. The snapshot stays in memory until the next one. --free alone\n"
		"takes none; --output and --free take one, copy it and free it.",
	.examples = "Keep what the buffers have, and copy it now or later:\n"
		"\tmarkers snapshot -o trace\n"
		"\tmarkers snapshot; markers snapshot --keep -o trace\n"
		"Free its memory:\n"
		"\tmarkers snapshot --free\n",
	.see = "record extract report",
	.options = options,
	.run = run,
	.completes = "trace",
};
