// SPDX-License-Identifier: GPL-2.0
/*
 * markers pack: make one file of a recording.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/message.h"
#include "../base/packed.h"
#include "../base/temporary.h"
#include "../ctf/trace_files.h"
#include "../formats/output.h"
#include "commands.h"

static const struct option_def options[] = {
	{ 'o', "output", "FILE", "What to write, or replace when it is complete; \"-\": stdout; default: DIR"
	  PACKED_END ", if it is new." },
	{ }
};

/* Is there something to pack? */
static int check(const char *path)
{
	struct trace_files files;
	int status = trace_files_find(&files, path);

	trace_files_close(&files);
	return status;
}

/* Does a complete archive take the place of what is there? It does not for a device, a pipe or a link. */
static bool is_replaced(const char *target)
{
	struct stat file;

	return strcmp(target, "-") && (lstat(target, &file) ? errno == ENOENT : S_ISREG(file.st_mode));
}

/* Write to @target, or to a new file beside it, which gets its name when it is complete. */
static void choose_output(struct output *output, const char *target)
{
	const char *slash = strrchr(target, '/');
	const int before = slash ? slash + 1 - target : 0;

	output->is_default = is_replaced(target);
	if (!output->is_default) {
		output->path = need_memory(strdup(target));
		return;
	}
	output->path = format_text("%.*s.%s.new", before, target, target + before);
	/* of a program that was killed */
	unlink(output->path);
}

/* The end of the program removes a file that is not complete. */
static int pack(const char *path, struct output *output, const char *target)
{
	int status;

	if (!output_open(output, path, OUTPUT_BINARY))
		return STATUS_FAILED;
	status = packed_write(path, fileno(output->file));
	if (fclose(output->file) && !status)
		status = say_errno("%s", target);
	if (!status && output->is_default && strcmp(output->path, target) && rename(output->path, target))
		status = say_errno("%s", target);
	if (!status && output->is_default)
		temporary_keep(output->path);
	return status;
}

static int run(struct arguments *args)
{
	const char *value, *target = NULL;
	struct output output = {};
	int status;

	while (option_next(args, &value))
		target = value;
	if (packed_is(args->argv[0]))
		return say("%s: it is packed already", args->argv[0]);
	status = check(args->argv[0]);
	if (status)
		return status;
	if (target) {
		if (!output_is_apart(target, args->argv[0]))
			return STATUS_FAILED;
		choose_output(&output, target);
	} else {
		output_name(&output, args->argv[0], PACKED_END);
		target = output.path;
	}
	status = pack(args->argv[0], &output, target);
	if (!status && strcmp(target, "-"))
		say("it is in %s", target);
	free(output.path);
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
