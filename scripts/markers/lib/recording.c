// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "message.h"
#include "recording.h"
#include "settings.h"

/* A hidden file: readers of traces leave these alone. */
#define RESERVE		".reserve"
#define RESERVE_SIZE	(256 * 1024)

char *recording_name(void)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[64];

	localtime_r(&now, &tm);
	strftime(text, sizeof(text), "markers-%Y%m%d-%H%M%S", &tm);
	return need_memory(strdup(text));
}

/* Hidden files do not count. */
static bool is_empty(int dir)
{
	struct dirent *entry;
	bool empty = true;
	DIR *list;
	int fd;

	fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	list = fd < 0 ? NULL : fdopendir(fd);
	while (list && empty && (entry = readdir(list)))
		empty = entry->d_name[0] == '.';
	if (list)
		closedir(list);
	return empty;
}

int recording_create(const char *path)
{
	int dir;

	if (mkdir(path, 0777) && errno != EEXIST) {
		say_errno("%s", path);
		return -1;
	}
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0) {
		say_errno("%s", path);
		return -1;
	}
	if (!is_empty(dir)) {
		say("%s: is not empty; -o names another directory", path);
		close(dir);
		return -1;
	}
	return dir;
}

/* The clock of the trace, where a program can read it, or 0. */
static unsigned long long read_trace_clock(const char *name)
{
	struct timespec now;

	if (!name)
		return 0;
#ifdef __x86_64__
	if (!strcmp(name, "tsc"))
		return __builtin_ia32_rdtsc();
#endif
	if (!strcmp(name, "mono"))
		clock_gettime(CLOCK_MONOTONIC, &now);
	else if (!strcmp(name, "boot"))
		clock_gettime(CLOCK_BOOTTIME, &now);
	else
		return 0;
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/*
 * One line: the trace clock before and after the other clocks are read, which tells how
 * exact the pair is.
 */
static char *clock_line(const char *when)
{
	struct timespec real, mono, boot;
	unsigned long long before, after;
	char *name = setting_read("trace_clock");
	char *line;

	before = read_trace_clock(name);
	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	after = read_trace_clock(name);
	line = format_text("%s: clock=%s before=%llu after=%llu realtime=%lld.%09ld monotonic=%lld.%09ld boottime=%lld.%09ld\n",
			   when, name ? name : "?", before, after,
			   (long long)real.tv_sec, real.tv_nsec,
			   (long long)mono.tv_sec, mono.tv_nsec,
			   (long long)boot.tv_sec, boot.tv_nsec);
	free(name);
	return line;
}

static int write_clock(int info, const char *when)
{
	char *line = clock_line(when);
	int err;

	err = file_write(info, "clock", O_CREAT | O_APPEND, line);
	free(line);
	return err;
}

static int write_uname(int info)
{
	struct utsname name;
	char *text;
	int err;

	if (uname(&name))
		return -1;
	text = format_text("%s %s %s %s %s\n", name.sysname, name.nodename,
			   name.release, name.version, name.machine);
	err = file_write(info, "uname", O_CREAT | O_TRUNC, text);
	free(text);
	return err;
}

/* The functions of /proc/kallsyms, whose types are t and T. */
static int write_symbols(int info)
{
	char line[1024];
	FILE *in, *out;
	int fd, err;

	in = fopen("/proc/kallsyms", "re");
	if (!in)
		return -1;
	fd = openat(info, "symbols", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	err = !out;
	while (out && !err && fgets(line, sizeof(line), in)) {
		const char *type = strchr(line, ' ');

		if (type && tolower((unsigned char)type[1]) == 't')
			err = fputs(line, out) < 0;
	}
	fclose(in);
	if (out && fclose(out))
		err = -1;
	if (err)
		unlinkat(info, "symbols", 0);
	return err ? -1 : 0;
}

static int open_info(int dir)
{
	if (mkdirat(dir, "info", 0777) && errno != EEXIST)
		return -1;
	return openat(dir, "info", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int reserve_room(int dir)
{
	int fd, err;

	fd = openat(dir, RESERVE, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	err = posix_fallocate(fd, 0, RESERVE_SIZE);
	close(fd);
	errno = err;
	return err ? -1 : 0;
}

int recording_metadata(int dir, const char *from)
{
	if (file_copy(control_fd(), from, dir, "metadata"))
		return say_errno("metadata of the recording");
	return STATUS_OK;
}

int recording_begin(int dir, const struct settings *settings)
{
	int info = open_info(dir);
	int err;

	err = info < 0 || write_uname(info) || write_clock(info, "begin") ||
	      settings_write_file(settings, info, "settings") || reserve_room(dir);
	if (err)
		say_errno("the recording's directory");
	if (info >= 0)
		close(info);
	return err ? STATUS_FAILED : recording_metadata(dir, "ctf/metadata");
}

/* Each chunk of a recording that is rotated is a trace, too. */
static int write_metadata(int dir)
{
	int status = STATUS_OK, chunk, i;
	char name[32];

	for (i = 1; !status; i++) {
		snprintf(name, sizeof(name), "%06d", i);
		chunk = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (chunk < 0)
			break;
		status = recording_metadata(chunk, "ctf/metadata");
		close(chunk);
	}
	if (i == 1)
		return recording_metadata(dir, "ctf/metadata");
	unlinkat(dir, "metadata", 0);
	return status;
}

int recording_end(int dir)
{
	int status, info;

	unlinkat(dir, RESERVE, 0);
	status = write_metadata(dir);
	info = open_info(dir);
	if (info < 0)
		return say_errno("info of the recording");
	if (write_clock(info, "end"))
		say_errno("info/clock");
	if (file_copy(AT_FDCWD, "/proc/modules", info, "modules"))
		say_errno("info/modules");
	if (write_symbols(info))
		say_errno("info/symbols are left out");
	close(info);
	return status;
}

void recording_remove(int dir)
{
	static const char *const files[] = {
		"info/clock", "info/settings", "info/uname", "info/modules", "info/symbols",
		RESERVE, "metadata", "000001/metadata",
	};
	unsigned int i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		unlinkat(dir, files[i], 0);
	unlinkat(dir, "info", AT_REMOVEDIR);
	unlinkat(dir, "000001", AT_REMOVEDIR);
}

static int copy_streams(int dir, const char *from)
{
	int nr, i, *cpus, status = STATUS_OK;
	struct stat stat;

	nr = control_cpus(&cpus);
	for (i = 0; i < nr && !status; i++) {
		char *source = format_text("%s/stream_%d", from, cpus[i]);
		const char *name = strchr(source, '/') + 1;

		if (file_copy(control_fd(), source, dir, name))
			status = say_errno("%s", source);
		else if (!fstatat(dir, name, &stat, 0) && !stat.st_size)
			unlinkat(dir, name, 0);
		free(source);
	}
	free(cpus);
	return nr ? status : STATUS_FAILED;
}

int recording_copy(const char *path, const char *from)
{
	int dir = recording_create(path);
	struct settings settings;
	int status, info;
	char *metadata;

	if (dir < 0)
		return STATUS_FAILED;
	metadata = format_text("%s/metadata", from);
	status = settings_save(&settings);
	info = open_info(dir);
	if (!status && (info < 0 || write_uname(info) || write_clock(info, "end") ||
			settings_write_file(&settings, info, "settings")))
		status = say_errno("%s/info", path);
	if (!status)
		status = copy_streams(dir, from);
	/* last: it knows all events that are in the streams */
	if (!status)
		status = recording_metadata(dir, metadata);
	if (!status && (file_copy(AT_FDCWD, "/proc/modules", info, "modules") ||
			write_symbols(info)))
		say_errno("%s/info/symbols are left out", path);
	free(metadata);
	close(info);
	close(dir);
	return status;
}
