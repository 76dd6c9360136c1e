// SPDX-License-Identifier: GPL-2.0
/*
 * markers boot: what markers.ko is to do when it is loaded, in modprobe.d.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/file.h"
#include "../lib/message.h"
#include "../lib/session.h"
#include "commands.h"

enum { OPTION_OFF = 256, OPTION_OVERWRITE, OPTION_DIR };

static const struct option_def options[] = {
	{ OPTION_OFF, "off", NULL, "Remove what was written." },
	{ 'b', "buffer-size", "SIZE", "Buffer of each CPU, as 512K or 8M; in KiB without a letter." },
	{ 'C', "clock", "CLOCK", "Trace clock: tsc, mono, boot or counter." },
	{ OPTION_OVERWRITE, "overwrite", NULL, "When a buffer is full, lose the oldest events." },
	{ OPTION_DIR, "dir", "DIR", "Another directory than /etc/modprobe.d." },
	{ }
};

#define MAGIC "# Written by \"markers boot\"; \"markers boot --off\" removes it.\n"

/* modprobe ends a word at a blank, and the kernel at one outside of quotation marks. */
static bool is_pattern(const char *text)
{
	static const char other[] = "!:*?[]_-^.";
	const char *c;

	for (c = text; *c; c++)
		if (!strchr(other, *c) && !(*c >= '0' && *c <= '9') &&
		    !(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z'))
			return false;
	return *text;
}

static char *make_text(const struct session *session)
{
	char *text = NULL;
	size_t size;
	FILE *out;
	int i;

	out = need_memory(open_memstream(&text, &size));
	fprintf(out, MAGIC "options markers enable=");
	for (i = 0; i < session->nr_patterns; i++)
		fprintf(out, "%s%s", i ? "," : "", session->patterns[i]);
	if (session->buffer_kb)
		fprintf(out, " buffer_size_kb=%llu", (unsigned long long)session->buffer_kb);
	if (session->clock)
		fprintf(out, " trace_clock=%s", session->clock);
	if (session->overwrite)
		fprintf(out, " overwrite=1");
	fputc('\n', out);
	fclose(out);
	return text;
}

/* A file that somebody else has written is left alone. */
static bool is_ours(const char *path)
{
	char *text = file_read(AT_FDCWD, path, NULL);
	bool ours = text ? !strncmp(text, MAGIC, strlen(MAGIC)) : errno == ENOENT;

	free(text);
	return ours;
}

static int remove_file(const char *path)
{
	if (unlink(path) && errno != ENOENT)
		return say_errno("%s", path);
	return STATUS_OK;
}

static int show_file(const char *path)
{
	char *text = file_read(AT_FDCWD, path, NULL);

	if (text)
		printf("%s", strstr(text, "options"));
	free(text);
	return STATUS_OK;
}

static int write_file(const char *dir, const char *path, const struct session *session)
{
	char *text = make_text(session);
	int status = STATUS_OK;

	if (mkdir(dir, 0755) && errno != EEXIST)
		status = say_errno("%s", dir);
	else if (file_write(AT_FDCWD, path, O_CREAT | O_TRUNC, text))
		status = say_errno("%s", path);
	free(text);
	return status;
}

static int run(struct arguments *args)
{
	const char *value, *dir = "/etc/modprobe.d";
	struct session session = {};
	bool off = false;
	int option, i, status;
	char *path;

	while ((option = option_next(args, &value))) {
		if (option == OPTION_OFF)
			off = true;
		else if (option == OPTION_OVERWRITE)
			session.overwrite = true;
		else if (option == OPTION_DIR)
			dir = value;
		else if (option == 'C')
			session.clock = value;
		else if (!session_buffer(&session, value))
			return usage_error("boot", "%s: not a size", value);
	}
	for (i = 0; i < args->argc; i++) {
		if (!is_pattern(args->argv[i]))
			return usage_error("boot", "%s: not [!][module:]name", args->argv[i]);
		session_add(&session, args->argv[i]);
	}
	if (session.clock && !is_pattern(session.clock))
		return usage_error("boot", "%s: not a clock", session.clock);
	if (off && args->argc)
		return usage_error("boot", "either patterns or --off");
	path = format_text("%s/markers.conf", dir);
	if (!is_ours(path))
		status = say("%s: was not written by this command; it is left alone", path);
	else if (off)
		status = remove_file(path);
	else if (args->argc)
		status = write_file(dir, path, &session);
	else
		status = show_file(path);
	free(path);
	return status;
}

const struct command command_boot = {
	.name = "boot",
	.args = "[PATTERN]...",
	.summary = "Enable markers when markers.ko is loaded",
	.text = "Writes /etc/modprobe.d/markers.conf, which modprobe reads. A module that has\n"
		"markers loads markers.ko first, so that markers of its init function are recorded,\n"
		"too. If the module is in the initramfs, that has to be made again\n"
		"(update-initramfs -u). Without patterns and --off, shows what is written.",
	.options = options,
	.run = run,
	.completes = "marker",
};
