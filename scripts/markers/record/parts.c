// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../control/control.h"
#include "../ctf/trace_dir.h"
#include "parts.h"

struct name {
	char text[32];
};

static struct name name_of(unsigned int nr, bool open)
{
	struct name name;

	snprintf(name.text, sizeof(name.text), "%06u%s", nr, open ? TRACE_DIR_OPEN : "");
	return name;
}

void part_stream(unsigned int nr, int cpu, char *name, size_t room)
{
	snprintf(name, room, "%s/stream_%d", name_of(nr, true).text, cpu);
}

int parts_metadata(int dir, const char *from)
{
	if (file_copy(control_fd(), from, dir, "metadata"))
		return say_errno("metadata of the recording");
	return STATUS_OK;
}

static int write_metadata(int dir, const char *name)
{
	int part = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status, err;

	if (part < 0)
		return -1;
	status = parts_metadata(part, "ctf/metadata");
	err = errno;
	close(part);
	errno = err;
	return status ? -1 : 0;
}

int part_begin(int dir, unsigned int nr)
{
	struct name name = name_of(nr, true);
	int err;

	if (mkdirat(dir, name.text, 0700))
		return -1;
	if (!write_metadata(dir, name.text))
		return 0;
	err = errno;
	unlinkat(dir, name.text, AT_REMOVEDIR);
	errno = err;
	return -1;
}

int part_complete(int dir, unsigned int nr)
{
	struct name open = name_of(nr, true), name = name_of(nr, false);

	if (write_metadata(dir, open.text))
		return -1;
	return renameat(dir, open.text, dir, name.text);
}

/* Remove the files of a trace, and its directory if nothing else is in it. */
static int remove_trace(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 || trace_dir_clear(fd) ? -1 : unlinkat(dir, name, AT_REMOVEDIR);
}

int part_remove(int dir, unsigned int nr)
{
	return remove_trace(dir, name_of(nr, false).text);
}

/* Call a function for each part. Return: the sum of what it returns; -1 with errno. */
static int for_each(int dir, int (*call)(int dir, const char *name))
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), sum = 0;
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!list)
		return -1;
	while ((entry = readdir(list)))
		if (trace_dir_is_part(entry->d_name))
			sum += call(dir, entry->d_name);
	closedir(list);
	return sum;
}

static int complete(int dir, const char *name)
{
	if (!strchr(name, '.') || !part_complete(dir, strtoul(name, NULL, 10)))
		return 0;
	say_errno("%s cannot be completed", name);
	return 1;
}

int parts_complete(int dir)
{
	return for_each(dir, complete) ? STATUS_FAILED : STATUS_OK;
}

void parts_remove(int dir)
{
	for_each(dir, remove_trace);
}
