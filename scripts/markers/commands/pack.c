// SPDX-License-Identifier: GPL-2.0
/*
 * markers pack: make one file of a recording.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/message.h"
#include "../base/packed.h"
#include "../base/temporary.h"
#include "../ctf/trace_files.h"
#include "commands.h"

static const struct option_def options[] = {
	{ 'o', "output", "FILE", "The file; by default NAME" PACKED_END " here, and an existing one stays." },
	{ }
};

/* Return: the last part of the path of a directory, with the suffix; to be freed. */
static char *default_name(const char *path)
{
	char *whole = realpath(path, NULL);
	char *name = format_text("%s" PACKED_END, whole ? strrchr(whole, '/') + 1 : "trace");

	free(whole);
	return name;
}

/* Is there something to pack? */
static int check(const char *path)
{
	struct trace_files files;
	int status = trace_files_find(&files, path);

	trace_files_close(&files);
	return status;
}

static int pack(const char *path, const char *output)
{
	int fd = temporary_open(output, O_WRONLY | O_CLOEXEC), status;

	if (fd < 0)
		return errno == EEXIST ? say("%s exists: remove it, or say with -o which file to make", output) :
		       say_errno("%s", output);
	status = packed_write(path, fd);
	if (close(fd) && !status)
		status = say_errno("%s", output);
	if (!status)
		temporary_keep(output);
	return status;
}

static int run(struct arguments *args)
{
	const char *value, *output = NULL;
	char *name = NULL;
	int status;

	while (option_next(args, &value))
		output = value;
	status = check(args->argv[0]);
	if (status)
		return status;
	if (!output)
		output = name = default_name(args->argv[0]);
	else if (unlink(output) && errno != ENOENT)
		return say_errno("%s", output);
	status = pack(args->argv[0], output);
	if (!status)
		say("it is in %s", output);
	free(name);
	return status;
}

const struct command command_pack = {
	.name = "pack",
	.args = "DIR",
	.summary = "Make one file of a recording, to give it away",
	.text = "The file is an archive of tar, compressed by zstd, seven times smaller than the recording or\n"
		"so. All commands that read a recording take it in place of DIR, and unpack it to $TMPDIR or\n"
		"/var/tmp while they run. For other readers, tar -xf FILE unpacks it.",
	.examples = "\tmarkers pack trace\n"
		"\tmarkers report trace.tar.zst\n",
	.see = "record report send",
	.options = options,
	.run = run,
	.completes = "trace",
};
