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
#include "info.h"
#include "parts.h"

#define GONE	".gone"	/* of a part that is being removed, behind a hidden name */

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

/* Call a function for each regular file below a directory. @dir is closed. */
static void walk_files(int dir, void (*call)(int fd, const struct stat *file, uint64_t *sum),
		       uint64_t *sum)
{
	DIR *list = fdopendir(dir);
	struct dirent *entry;
	struct stat file;
	int fd;

	while (list && (entry = readdir(list))) {
		fd = *entry->d_name == '.' ? -1 :
		     openat(dir, entry->d_name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (!fstat(fd, &file) && S_ISDIR(file.st_mode)) {
			walk_files(fd, call, sum);
			continue;
		}
		call(fd, &file, sum);
		close(fd);
	}
	if (list)
		closedir(list);
}

/* @err gets the first errno. If the file system cannot do that, the part is as good as can be. */
static void sync_file(int fd, const struct stat *file, uint64_t *err)
{
	if (S_ISREG(file->st_mode) && fdatasync(fd) && !*err &&
	    errno != EINVAL && errno != EOPNOTSUPP)
		*err = errno;
}

/* Those of the recording have links. */
static void add_size(int fd, const struct stat *file, uint64_t *sum)
{
	(void)fd;
	if (S_ISREG(file->st_mode) && file->st_nlink == 1)
		*sum += file->st_size;
}

static int open_part(int dir, const char *name)
{
	return openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int give_info(int dir, const char *name)
{
	int part = open_part(dir, name), status, err;

	if (part < 0)
		return -1;
	status = info_give(dir, part);
	err = errno;
	close(part);
	errno = err;
	return status;
}

void part_keep_open(int dir, unsigned int nr)
{
	char *path = format_text("%s/" TRACE_DIR_UNWRITTEN, name_of(nr, true).text);
	int fd;

	say_errno("part %06u stays open, as not all of it is on the disk", nr);
	fd = openat(dir, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	free(path);
}

/* The kernel tells an error once, and the guard completes parts, too. */
static bool is_kept_open(int dir, const char *name)
{
	char *path = format_text("%s/" TRACE_DIR_UNWRITTEN, name);
	bool is = !faccessat(dir, path, F_OK, 0);

	free(path);
	return is;
}

/* Room on the disk does not bring back what was not written, so errno is EIO. */
static int sync_part(int dir, unsigned int nr, const char *name)
{
	int part = open_part(dir, name);
	uint64_t err = 0;

	if (part < 0)
		return -1;
	walk_files(part, sync_file, &err);
	if (!err)
		return 0;
	errno = err;
	part_keep_open(dir, nr);
	errno = EIO;
	return -1;
}

void part_sync(int dir, unsigned int nr)
{
	int part = open_part(dir, name_of(nr, true).text), metadata;

	if (part < 0)
		return;
	metadata = openat(part, "metadata", O_RDONLY | O_CLOEXEC);
	if (metadata >= 0) {
		fsync(metadata);
		close(metadata);
	}
	fsync(part);
	fsync(dir);
	close(part);
}

void part_describe(int dir, unsigned int nr)
{
	struct name open = name_of(nr, true);
	int part = open_part(dir, open.text);

	if (part < 0)
		return;
	file_copy(control_fd(), "ctf/metadata", part, "metadata");
	close(part);
}

int part_complete(int dir, unsigned int nr)
{
	struct name open = name_of(nr, true), name = name_of(nr, false);

	if (is_kept_open(dir, open.text)) {
		errno = EIO;
		return -1;
	}
	if (write_metadata(dir, open.text) || give_info(dir, open.text) ||
	    sync_part(dir, nr, open.text) || renameat(dir, open.text, dir, name.text))
		return -1;
	fsync(dir);
	return 0;
}

static uint64_t size_of(int dir, const char *name, void (*add)(int fd, const struct stat *file, uint64_t *sum))
{
	int fd = open_part(dir, name);
	uint64_t size = 0;

	if (fd >= 0)
		walk_files(fd, add, &size);
	return size;
}

uint64_t part_size(int dir, unsigned int nr)
{
	return size_of(dir, name_of(nr, false).text, add_size);
}

bool part_is_there(int dir, unsigned int nr)
{
	return !faccessat(dir, name_of(nr, false).text, F_OK, 0) || errno != ENOENT;
}

/* Remove the files of a trace, and its directory if nothing else is in it. */
static int remove_trace(int dir, const char *name)
{
	int fd = open_part(dir, name);

	if (fd < 0)
		return -1;
	info_remove(fd);
	return trace_dir_clear(fd) ? -1 : unlinkat(dir, name, AT_REMOVEDIR);
}

/* It has no name for readers while files of it are missing. */
static int remove_part(int dir, const char *name)
{
	char *gone = format_text("." "%s" GONE, name);
	int err = 0;

	remove_trace(dir, gone);	/* what a removal that was killed has left */
	if (renameat(dir, name, dir, gone)) {
		err = errno;
	} else if (remove_trace(dir, gone)) {
		err = errno;
		renameat(dir, gone, dir, name);
	}
	free(gone);
	errno = err;
	return err ? -1 : 0;
}

int part_remove(int dir, unsigned int nr)
{
	return remove_part(dir, name_of(nr, false).text);
}

/* Return: whether it is what a removal that was killed has left. */
static bool is_gone(const char *name)
{
	size_t size = strlen(name), end = strlen(GONE);

	return *name == '.' && size > end && !strcmp(name + size - end, GONE);
}

/* Call a function for each part, by its name. Return: the sum of what it returns; -1 with errno. */
static int for_each(int dir, bool (*is_asked)(const char *name), int (*call)(int dir, const char *name))
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), sum = 0;
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!list)
		return -1;
	while ((entry = readdir(list)))
		if (is_asked(entry->d_name))
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
	parts_tidy(dir);
	return for_each(dir, trace_dir_is_part, complete) ? STATUS_FAILED : STATUS_OK;
}

void parts_remove(int dir)
{
	parts_tidy(dir);
	for_each(dir, trace_dir_is_part, remove_part);
}

void parts_tidy(int dir)
{
	for_each(dir, is_gone, remove_trace);
}

static int is_part(const struct dirent *entry)
{
	return trace_dir_is_part(entry->d_name);
}

static void add_any(int fd, const struct stat *file, uint64_t *sum)
{
	(void)fd;
	*sum += S_ISREG(file->st_mode) ? file->st_size : 0;
}

int parts_list(int dir, struct dirent ***list)
{
	int nr = scandirat(dir, ".", list, is_part, versionsort);

	if (nr < 0)
		*list = NULL;
	return nr;
}

uint64_t parts_size(int dir, const char *name)
{
	return size_of(dir, name, add_size);
}

uint64_t parts_info_size(int dir)
{
	return size_of(dir, "info", add_any);
}

int parts_remove_one(int dir, const char *name)
{
	return remove_part(dir, name);
}
