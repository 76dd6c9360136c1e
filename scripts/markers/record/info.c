// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../control/settings.h"
#include "clock.h"
#include "info.h"

/*
 * One line of readings. It has the trace clock twice, before and after the other clocks: the
 * difference bounds the error.
 */
static char *clock_line(const char *when)
{
	struct timespec real, mono, boot;
	unsigned long long before, after;
	char *name = setting_read("trace_clock");
	char *line;

	before = clock_read(name);
	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	after = clock_read(name);
	line = format_text("%s: clock=%s before=%llu after=%llu realtime=%lld.%09ld monotonic=%lld.%09ld boottime=%lld.%09ld\n",
			   when, name ? name : "?", before, after,
			   (long long)real.tv_sec, real.tv_nsec,
			   (long long)mono.tv_sec, mono.tv_nsec,
			   (long long)boot.tv_sec, boot.tv_nsec);
	free(name);
	return line;
}

/* Add a reading of the trace clock and the system's clocks. */
static int add_clock(int info, const char *when)
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

int info_open(int dir)
{
	if (mkdirat(dir, "info", 0700) && errno != EEXIST)
		return -1;
	return openat(dir, "info", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int info_begin(int info, const struct settings *settings, const char *when)
{
	return write_uname(info) || add_clock(info, when) ||
	       settings_write_file(settings, info, "settings") ? -1 : 0;
}

void info_end(int info)
{
	if (add_clock(info, "end"))
		say_errno("info/clock");
	if (file_copy(AT_FDCWD, "/proc/modules", info, "modules"))
		say_errno("info/modules");
}

/* Only one file on the disk, if possible. One that is not there is left out. */
static int give_file(int from, int to, const char *name)
{
	if (!linkat(from, name, to, name, 0) || errno == EEXIST || errno == ENOENT)
		return 0;
	return file_copy(from, name, to, name);
}

int info_give(int dir, int part)
{
	int from = openat(dir, "info", O_RDONLY | O_DIRECTORY | O_CLOEXEC), to, err;

	if (from < 0)
		return errno == ENOENT ? 0 : -1;
	to = info_open(part);
	err = to < 0 || give_file(from, to, "uname") || give_file(from, to, "settings") ||
	      give_file(from, to, "symbols") || file_copy(from, "clock", to, "clock") ||
	      add_clock(to, "end");
	if (!err && file_copy(AT_FDCWD, "/proc/modules", to, "modules"))
		err = errno != ENOENT;
	if (err) {
		err = errno;
		if (to >= 0)
			close(to);
		close(from);
		errno = err;
		return -1;
	}
	close(to);
	close(from);
	return 0;
}

void info_remove(int dir)
{
	static const char *const files[] = {
		"info/clock", "info/.clock.new", "info/settings", "info/.settings.new",
		"info/uname", "info/.uname.new", "info/modules", "info/.modules.new",
		"info/symbols", "info/.symbols.new", "info/fired",
	};
	unsigned int i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		unlinkat(dir, files[i], 0);
	unlinkat(dir, "info", AT_REMOVEDIR);
}
