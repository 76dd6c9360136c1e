// SPDX-License-Identifier: GPL-2.0
/*
 * markers boot: write to modprobe.d what markers.ko does when it is loaded.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/pattern.h"
#include "../record/session.h"
#include "commands.h"

enum { OPTION_OFF = 256, OPTION_DIR };

static const struct option_def options[] = {
	{ OPTION_OFF, "off", NULL, "Remove what was written." },
	SESSION_OPTION_BUFFER,
	SESSION_OPTION_CLOCK,
	SESSION_OPTION_OVERWRITE,
	{ 'p', "publish", "PATTERN", "Publish these markers, recorded or not. May be repeated." },
	{ OPTION_DIR, "dir", "DIR", "Another directory than " BOOT_DIR "." },
	{ }
};

#define MAGIC "# Written by \"markers boot\"; \"markers boot --off\" removes it.\n"

/* The longest text that the kernel accepts for a parameter. */
#define MAX_LIST	1024

/* The default of subbuf_size_kb, and the largest buffer that the kernel allocates. */
#define MIN_BUFFER_KB	32
#define MAX_BUFFER_KB	(1 << 20)

/* Patterns of a parameter. */
struct patterns {
	int nr;
	char **pattern;
};

static void add_pattern(struct patterns *to, const char *pattern)
{
	to->pattern = need_memory(realloc(to->pattern, (to->nr + 1) * sizeof(*to->pattern)));
	to->pattern[to->nr++] = need_memory(strdup(pattern));
}

static void free_patterns(struct patterns *patterns)
{
	while (patterns->nr)
		free(patterns->pattern[--patterns->nr]);
	free(patterns->pattern);
}

static int check_patterns(int nr, char *const *patterns)
{
	const char *vain;
	size_t size = 0;
	int i;

	for (i = 0; i < nr; i++) {
		if (!pattern_is_valid(patterns[i]))
			return usage_error("boot", "%s: not [!][module:]name", patterns[i]);
		size += strlen(patterns[i]) + !!i;
	}
	if (size > MAX_LIST)
		return usage_error("boot", "%zu characters of patterns, at most %d are possible",
				   size, MAX_LIST);
	vain = patterns_find_vain(nr, patterns);
	if (vain)
		return usage_error("boot", "%s: takes back nothing that stands before it", vain);
	return STATUS_OK;
}

/*
 * Refuse what markers.ko would refuse. Otherwise markers.ko would not load, and neither would
 * its clients.
 */
static int check(const struct session *session, const struct arguments *args,
		 const struct patterns *publish)
{
#ifdef __aarch64__
	static const char *const clocks[] = { "cntvct", "mono", "boot", "counter" };
#else
	static const char *const clocks[] = { "tsc", "mono", "boot", "counter" };
#endif
	const unsigned int nr = sizeof(clocks) / sizeof(*clocks);
	const char *clock = session->clock;
	unsigned int i;

	if (session->buffer_kb &&
	    (session->buffer_kb < MIN_BUFFER_KB || session->buffer_kb > MAX_BUFFER_KB))
		return usage_error("boot", "a buffer of %llu KiB: at least %d and at most %d are possible",
				   (unsigned long long)session->buffer_kb,
				   MIN_BUFFER_KB, MAX_BUFFER_KB);
	for (i = 0; clock && i < nr; i++)
		if (!strcmp(clock, clocks[i]))
			break;
	if (i == nr)
		return usage_error("boot", "%s: not a clock", clock);
	return check_patterns(args->argc, args->argv) ?:
	       check_patterns(publish->nr, publish->pattern);
}

static void print_patterns(FILE *out, const char *parameter, int nr, char *const *patterns)
{
	int i;

	for (i = 0; i < nr; i++)
		fprintf(out, "%s%s", i ? "," : parameter, patterns[i]);
}

static char *make_text(const struct session *session, const struct arguments *args,
		       const struct patterns *publish)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	out = need_memory(open_memstream(&text, &size));
	fprintf(out, MAGIC "options markers");
	print_patterns(out, " enable=", args->argc, args->argv);
	print_patterns(out, " publish=", publish->nr, publish->pattern);
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

/* Never touch the file of another program. */
static int check_owner(const char *path)
{
	char *text = file_read(AT_FDCWD, path, NULL);
	int status = STATUS_OK;

	if (!text && errno != ENOENT)
		status = say_errno("%s", path);
	else if (text && *text && strncmp(text, MAGIC, strlen(MAGIC)))
		status = say("%s: was not written by this command; it is left alone", path);
	free(text);
	return status;
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
	const char *line = text ? strstr(text, "options") : NULL;

	if (line)
		printf("%s", line);
	free(text);
	return STATUS_OK;
}

static int write_file(const char *dir, const char *path, const struct session *session,
		      const struct arguments *args, const struct patterns *publish)
{
	int status = STATUS_OK, fd;
	char *text;

	if (mkdir(dir, 0755) && errno != EEXIST)
		return say_errno("%s", dir);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return say_errno("%s", dir);
	text = make_text(session, args, publish);
	if (file_replace(fd, BOOT_FILE, text))
		status = say_errno("%s", path);
	free(text);
	close(fd);
	return status;
}

static int run(struct arguments *args)
{
	const char *value, *dir = BOOT_DIR;
	struct patterns publish = {};
	struct session session = {};
	bool off = false;
	int option, status;
	char *path;

	while ((option = option_next(args, &value))) {
		if (option == OPTION_OFF)
			off = true;
		else if (option == OPTION_DIR)
			dir = value;
		else if (option == 'p')
			add_pattern(&publish, value);
		else if (session_option(&session, "boot", option, value))
			return STATUS_USAGE;
	}
	status = check(&session, args, &publish);
	if (!status && off && (args->argc || publish.nr))
		status = usage_error("boot", "give patterns, or --off");
	if (!status && !off && !args->argc && !publish.nr &&
	    (session.buffer_kb || session.clock || session.overwrite))
		status = usage_error("boot", "-b, -C and --overwrite go with markers: name a PATTERN to enable, or one of --publish");
	if (status) {
		free_patterns(&publish);
		return status;
	}
	path = format_text("%s/" BOOT_FILE, dir);
	status = check_owner(path);
	if (!status && off)
		status = remove_file(path);
	else if (!status && (args->argc || publish.nr))
		status = write_file(dir, path, &session, args, &publish);
	else if (!status)
		status = show_file(path);
	free_patterns(&publish);
	free(path);
	return status;
}

const struct command command_boot = {
	.name = "boot",
	.args = "[PATTERN]...",
	.summary = "Enable or publish markers when markers.ko is loaded",
	.text = "Writes " BOOT_DIR "/" BOOT_FILE ", which modprobe reads. A module that has\n"
		"markers loads markers.ko first, so that markers of its init function are recorded,\n"
		"too. If the module is in the initramfs, make that again (update-initramfs -u).\n"
		"Without patterns and --off, shows the file.",
	.examples = "From now on, when markers.ko is loaded:\n"
		"\tmarkers boot -b 8M 'mydriver:*'\n"
		"For perf, trace-cmd and bpftrace, from the init function on:\n"
		"\tmarkers boot --publish 'mydriver:*'\n"
		"No longer:\n"
		"\tmarkers boot --off\n",
	.see = "enable publish doctor extract",
	.options = options,
	.run = run,
	.completes = "marker",
};
