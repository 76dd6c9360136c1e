// SPDX-License-Identifier: GPL-2.0
/*
 * markers snapshot: keep the contents of the buffers, and go on recording.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
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

/* The kernel would replace it by an empty one. */
static int keep_snapshot(void)
{
	if (control_has_events() || !is_there())
		return STATUS_OK;
	return say("there are no events, but a snapshot, which an empty one would replace: --keep copies it, --free drops it");
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
	if (!keep && (output || !is_free)) {
		control_look_for_others();
		if (keep_snapshot())
			return STATUS_FAILED;
	}
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
	.text = "Loses no event. The snapshot stays in memory until the next one, and without events\n"
		"there is no next one. --free alone takes none; --output and --free take one, copy it\n"
		"and free it.\n"
		"\n"
		"It is of the recording at the top, or of --instance: one that nobody reads, as a flight\n"
		"recorder's. In an instance of its own there would be nothing. \"markers record --snapshot-on\"\n"
		"makes one, and waits for a condition; with \"signal\" that is SIGUSR1, at any time.",
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
