// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/file.h"
#include "../lib/message.h"
#include "../lib/packets.h"
#include "files.h"

static bool is_trace(const char *path)
{
	char *metadata = format_text("%s/metadata", path);
	bool is = !access(metadata, F_OK);

	free(metadata);
	return is;
}

static void add(struct trace_files *files, char *path)
{
	files->path = need_memory(realloc(files->path, (files->nr + 1) * sizeof(*files->path)));
	files->temporary = need_memory(realloc(files->temporary,
					       (files->nr + 1) * sizeof(*files->temporary)));
	files->temporary[files->nr] = NULL;
	files->path[files->nr++] = path;
}

/* Add the chunks of a recording made with --rotate. */
static void add_parts(struct trace_files *files, const char *path)
{
	struct dirent **entry;
	int i, nr;

	nr = scandir(path, &entry, NULL, alphasort);
	for (i = 0; i < nr; i++) {
		char *part = format_text("%s/%s", path, entry[i]->d_name);

		if (entry[i]->d_name[0] != '.' && is_trace(part))
			add(files, part);
		else
			free(part);
		free(entry[i]);
	}
	if (nr >= 0)
		free(entry);
}

/*
 * Measure the complete packets at the beginning of a stream, and tell the user what is wrong
 * with the rest. Return: their bytes; -1 if the stream cannot be opened.
 */
static off_t good_size(const char *path, off_t size)
{
	struct packets packets = {};
	const char *wrong;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		say_errno("%s", path);
		return -1;
	}
	wrong = packets_walk(&packets, fd, size);
	close(fd);
	if (wrong)
		say("%s: at byte %lld: %s", path, (long long)packets.whole, wrong);
	else if (packets.whole != size)
		say("%s: at byte %lld: a packet is cut off", path, (long long)packets.whole);
	return packets.whole;
}

static int copy_part(const char *from, const char *to, off_t size)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	int status = STATUS_OK;

	if (in < 0 || out < 0 || file_append(out, in, size))
		status = say_errno("%s: what is good of it cannot be copied to %s", from, to);
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return status;
}

/* Make a directory of links to the files of a trace, so that we can replace some of them. */
static char *make_links(const char *path, struct dirent **entry, int nr)
{
	const char *where = getenv("TMPDIR");
	char *whole = realpath(path, NULL), *dir;
	int i;

	dir = format_text("%s/markers-XXXXXX", where ? where : "/tmp");
	if (!whole || !mkdtemp(dir)) {
		say_errno("%s", dir);
		free(whole);
		free(dir);
		return NULL;
	}
	for (i = 0; i < nr; i++) {
		char *from = format_text("%s/%s", whole, entry[i]->d_name);
		char *to = format_text("%s/%s", dir, entry[i]->d_name);

		if (entry[i]->d_name[0] != '.' && symlink(from, to))
			say_errno("%s", to);
		free(from);
		free(to);
	}
	free(whole);
	return dir;
}

static int replace(const char *dir, const char *name, const char *from, off_t size)
{
	char *to = format_text("%s/%s", dir, name);
	int status = STATUS_OK;

	unlink(to);
	if (size > 0)
		status = copy_part(from, to, size);
	free(to);
	return status;
}

static int check_streams(struct trace_files *files, size_t i)
{
	struct dirent **entry;
	int n, nr, status = STATUS_OK;

	nr = scandir(files->path[i], &entry, NULL, alphasort);
	if (nr < 0)
		return say_errno("%s", files->path[i]);
	for (n = 0; n < nr && !status; n++) {
		char *path = format_text("%s/%s", files->path[i], entry[n]->d_name);
		struct stat stat_of;
		off_t size;

		if (!strncmp(entry[n]->d_name, "stream_", 7) && !stat(path, &stat_of)) {
			size = good_size(path, stat_of.st_size);
			if (size != stat_of.st_size) {
				files->damaged = true;
				if (!files->temporary[i])
					files->temporary[i] = make_links(files->path[i], entry, nr);
				status = files->temporary[i] ?
					 replace(files->temporary[i], entry[n]->d_name, path, size) :
					 STATUS_FAILED;
			}
		}
		free(path);
	}
	while (nr)
		free(entry[--nr]);
	free(entry);
	return status;
}

int trace_files_find(struct trace_files *files, const char *path)
{
	memset(files, 0, sizeof(*files));
	if (is_trace(path))
		add(files, need_memory(strdup(path)));
	else
		add_parts(files, path);
	if (!files->nr) {
		errno = ENOENT;
		return access(path, F_OK) ? say_errno("%s", path) :
		       say("%s: is no trace: it has no file \"metadata\"", path);
	}
	return STATUS_OK;
}

int trace_files_open(struct trace_files *files, const char *path)
{
	int status = trace_files_find(files, path);
	size_t i;

	for (i = 0; i < files->nr && !status; i++)
		status = check_streams(files, i);
	if (status)
		trace_files_close(files);
	return status;
}

static void remove_links(const char *path)
{
	struct dirent **entry;
	int nr;

	nr = scandir(path, &entry, NULL, NULL);
	if (nr < 0)
		return;
	while (nr) {
		char *file = format_text("%s/%s", path, entry[--nr]->d_name);

		unlink(file);
		free(file);
		free(entry[nr]);
	}
	free(entry);
	rmdir(path);
}

void trace_files_close(struct trace_files *files)
{
	size_t i;

	for (i = 0; i < files->nr; i++) {
		if (files->temporary[i])
			remove_links(files->temporary[i]);
		free(files->temporary[i]);
		free(files->path[i]);
	}
	free(files->temporary);
	free(files->path);
	files->nr = 0;
}

const char *trace_files_path(const struct trace_files *files, size_t i)
{
	return files->temporary[i] ? files->temporary[i] : files->path[i];
}
