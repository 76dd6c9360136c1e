// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/message.h"
#include "metadata.h"
#include "trace_dir.h"
#include "trace_part.h"

/* The others are for what a command writes. */
static bool is_too_many(int fd)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_NOFILE, &limit) && (rlim_t)fd > limit.rlim_cur / 2;
}

int trace_stream_open(const struct trace_stream *stream)
{
	return stream->fd >= 0 ? stream->fd : open(stream->path, O_RDONLY | O_CLOEXEC);
}

void trace_stream_close(const struct trace_stream *stream, int fd)
{
	int saved = errno;

	if (fd >= 0 && fd != stream->fd)
		close(fd);
	errno = saved;
}

static void add_unread(struct trace_part *part, const char *name, const char *why)
{
	part->unread = need_memory(realloc(part->unread, (part->nr_unread + 1) * sizeof(*part->unread)));
	part->unread[part->nr_unread++] = format_text("%s/%s: is left out: %s", part->path, name, why);
}

/*
 * A stream cannot be opened. If it is gone, its part is gone or has another name; if it is there,
 * the others can be read. Return: 0, or -1 with errno.
 */
static int pass_over(struct trace_part *part, int dir, const char *name)
{
	const int error = errno;
	struct stat file;

	if (error == ENOENT && fstatat(dir, name, &file, AT_SYMLINK_NOFOLLOW))
		return -1;
	add_unread(part, name, strerror(error));
	return 0;
}

/* Open a stream, which stays open, unless there are too many. Return: 0, or -1 with errno. */
static int open_stream(struct trace_part *part, int dir, const char *name, long cpu)
{
	int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);	/* it may be a pipe */
	struct stat file;

	if (fd < 0)
		return pass_over(part, dir, name);
	if (fstat(fd, &file)) {
		add_unread(part, name, strerror(errno));
		close(fd);
		return 0;
	}
	if (!S_ISREG(file.st_mode)) {
		close(fd);
		add_unread(part, name, S_ISDIR(file.st_mode) ? "it is a directory" : "it is not a file");
		return 0;
	}
	if (is_too_many(fd)) {
		close(fd);
		fd = -1;
	}
	part->stream = need_memory(realloc(part->stream,
					   (part->nr_streams + 1) * sizeof(*part->stream)));
	part->stream[part->nr_streams++] = (struct trace_stream){
		.path = format_text("%s/%s", part->path, name), .cpu = cpu, .fd = fd,
		.size = file.st_size,
	};
	return 0;
}

static int open_file(struct trace_part *part, int dir, const char *name)
{
	const long cpu = trace_dir_stream(name);
	struct stat file;

	if (cpu >= 0)
		return open_stream(part, dir, name, cpu);
	if (*name == '.' || !strcmp(name, "metadata") || fstatat(dir, name, &file, 0) ||
	    !S_ISREG(file.st_mode))
		return 0;
	part->stray = need_memory(realloc(part->stray, (part->nr_strays + 1) * sizeof(*part->stray)));
	part->stray[part->nr_strays++] = format_text("%s/%s", part->path, name);
	return 0;
}

static int open_files(struct trace_part *part, int dir)
{
	struct dirent **entry;
	int i, nr, err = 0, saved;

	nr = scandirat(dir, ".", &entry, NULL, alphasort);
	if (nr < 0)
		return -1;
	for (i = 0; i < nr; i++) {
		err = err ?: open_file(part, dir, entry[i]->d_name);
		saved = errno;
		free(entry[i]);
		errno = saved;
	}
	free(entry);
	return err;
}

int trace_part_open(struct trace_part *part)
{
	int dir = open(part->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), err, saved;

	if (dir < 0)
		return -1;
	part->metadata = metadata_read(dir, "metadata", &part->metadata_size, &part->in_packets);
	err = part->metadata ? open_files(part, dir) : -1;
	saved = errno;
	close(dir);
	errno = saved;
	return err;
}

void trace_part_close(struct trace_part *part)
{
	while (part->nr_streams) {
		if (part->stream[--part->nr_streams].fd >= 0)
			close(part->stream[part->nr_streams].fd);
		free(part->stream[part->nr_streams].path);
	}
	while (part->nr_strays)
		free(part->stray[--part->nr_strays]);
	while (part->nr_unread)
		free(part->unread[--part->nr_unread]);
	free(part->unread);
	free(part->stream);
	free(part->stray);
	free(part->metadata);
	free(part->path);
}
