// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded into the programs: a write to instances/make of the directory that stands for that
 * of markers.ko makes a copy of the directory "template" beside it, and one to instances/remove
 * removes the copy. A file instances/errno has the number of an error for "make".
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool ends_in(const char *path, const char *end)
{
	size_t size = strlen(path), wanted = strlen(end);

	return size >= wanted && !strcmp(path + size - wanted, end);
}

static int error_of(const char *dir)
{
	char path[PATH_MAX + 16];
	int err = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/errno", dir);
	file = fopen(path, "re");
	if (file && fscanf(file, "%d", &err) != 1)
		err = 0;
	if (file)
		fclose(file);
	return err;
}

/* Return: 0, or what the kernel would say. */
static int act(const char *dir, bool make, const char *name)
{
	char command[4 * PATH_MAX], path[PATH_MAX + 64];
	bool is_there;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	is_there = !access(path, F_OK);
	if (make && error_of(dir))
		return -error_of(dir);
	if (make && is_there)
		return -EEXIST;
	if (!make && !is_there)
		return -ENOENT;
	if (make)
		snprintf(command, sizeof(command), "cp -R '%s/../../template' '%s'", dir, path);
	else
		snprintf(command, sizeof(command), "rm -r '%s'", path);
	return system(command) ? -EIO : 0;
}

/* Replaces the function of the C library. */
ssize_t write(int fd, const void *data, size_t size)
{
	char link[64], path[PATH_MAX], name[64];
	bool make, drop;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	path[n < 0 ? 0 : n] = '\0';
	make = ends_in(path, "/instances/make");
	drop = ends_in(path, "/instances/remove");
	if (!make && !drop)
		return syscall(SYS_write, fd, data, size);
	*strrchr(path, '/') = '\0';
	snprintf(name, sizeof(name), "%.*s", (int)size, (const char *)data);
	name[strcspn(name, "\n")] = '\0';
	errno = -act(path, make, name);
	return errno ? -1 : (ssize_t)size;
}
