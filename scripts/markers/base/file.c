// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "message.h"

#define BULK	(64 << 10)
#define SMALL	(256 << 20)	/* a file of that size may stay in the page cache */
#define WINDOW	(32 << 20)

static struct rlimit found_limit;

void file_allow_many(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	found_limit = limit;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

void file_allow_as_found(void)
{
	if (found_limit.rlim_max)
		setrlimit(RLIMIT_NOFILE, &found_limit);
}

static void close_keep_errno(int fd)
{
	int err = errno;

	close(fd);
	errno = err;
}

static char *read_to_end(int fd, size_t *size)
{
	size_t room = 4096, at = 0;
	char *text;
	ssize_t n;

	if (fd < 0)
		return NULL;
	text = need_memory(malloc(room));
	while ((n = read(fd, text + at, room - at - 1)) > 0) {
		at += n;
		if (at + 1 == room) {
			room *= 2;
			text = need_memory(realloc(text, room));
		}
	}
	close_keep_errno(fd);
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[at] = '\0';
	if (size)
		*size = at;
	return text;
}

char *file_read(int dir, const char *name, size_t *size)
{
	return read_to_end(openat(dir, name, O_RDONLY | O_CLOEXEC), size);
}

int file_open_regular(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat file;

	if (fd >= 0 && (fstat(fd, &file) || !S_ISREG(file.st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

char *file_read_regular(int dir, const char *name, size_t *size)
{
	return read_to_end(file_open_regular(dir, name), size);
}

static int write_all(int fd, const char *text, size_t size)
{
	ssize_t n;

	for (; size; text += n, size -= n) {
		n = write(fd, text, size);
		if (n > 0)
			continue;
		if (!n)
			errno = ENOSPC;
		return -1;
	}
	return 0;
}

/* Some files refuse written text only in close(). */
static int close_written(int fd, int err)
{
	if (err)
		close_keep_errno(fd);
	else
		err = close(fd);
	return err;
}

int file_write(int dir, const char *name, int flags, const char *text)
{
	int fd;

	fd = openat(dir, name, O_WRONLY | O_CLOEXEC | flags, 0600);
	if (fd < 0)
		return -1;
	return close_written(fd, write_all(fd, text, strlen(text)));
}

/* Rename @new to @to, or remove it after an error. */
static int rename_new(int dir, const char *new, const char *to, int err)
{
	int why;

	if (!err)
		err = renameat(dir, new, dir, to);
	if (err) {
		why = errno;
		unlinkat(dir, new, 0);
		errno = why;
	}
	return err;
}

int file_replace(int dir, const char *name, const char *text)
{
	char *new = format_text(".%s.new", name);
	int fd, err;

	fd = openat(dir, new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	err = fd < 0 ? -1 : write_all(fd, text, strlen(text)) || fsync(fd);
	if (fd >= 0)
		err = rename_new(dir, new, name, close_written(fd, err));
	free(new);
	return err ? -1 : 0;
}

bool file_disk_is_full(int err)
{
	return err == ENOSPC || err == EDQUOT;
}

/* Start to write, or write and wait. Other errors say that the file system cannot do that. */
static int sync_window(int fd, off_t at, unsigned int flags)
{
	return sync_file_range(fd, at, WINDOW, flags) &&
	       (errno == EIO || file_disk_is_full(errno)) ? -1 : 0;
}

int file_write_behind(int fd, off_t begin, off_t end)
{
	off_t at = (end / WINDOW - 1) * WINDOW, before = at - WINDOW;

	if (before < SMALL || begin / WINDOW == end / WINDOW)
		return 0;
	if (sync_window(fd, at, SYNC_FILE_RANGE_WRITE) ||
	    sync_window(fd, before, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
			SYNC_FILE_RANGE_WAIT_AFTER))
		return -1;
	posix_fadvise(fd, before, WINDOW, POSIX_FADV_DONTNEED);
	return 0;
}

void file_write_more(void)
{
	static char bulk[BULK];

	if (!isatty(STDOUT_FILENO))
		setvbuf(stdout, bulk, _IOFBF, sizeof(bulk));
}

static int copy_all(int from, int to)
{
	static _Thread_local char data[65536];
	off_t size = 0;
	ssize_t n;

	while ((n = read(from, data, sizeof(data))) > 0) {
		if (write_all(to, data, n) || file_write_behind(to, size, size + n))
			return -1;
		size += n;
	}
	return n < 0 ? -1 : 0;
}

int file_copy(int from_dir, const char *from, int to_dir, const char *to)
{
	char *new = format_text(".%s.new", to);
	int in, out, err = -1;

	in = openat(from_dir, from, O_RDONLY | O_CLOEXEC);
	if (in < 0)
		goto out_free;
	out = openat(to_dir, new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (out < 0)
		goto out_close;
	err = rename_new(to_dir, new, to, close_written(out, copy_all(in, out)));
out_close:
	close_keep_errno(in);
out_free:
	free(new);
	return err;
}

FILE *file_temporary(const char *beside)
{
	const char *slash = strrchr(beside, '/');
	char *dir = slash ? format_text("%.*s/", (int)(slash - beside), beside) : format_text(".");
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");

	free(dir);
	return file || fd >= 0 ? file : tmpfile();
}

int file_append(int to, int from, off_t size)
{
	char data[65536];
	ssize_t n = 0;

	for (; size; size -= n) {
		n = copy_file_range(from, NULL, to, NULL, size, 0);
		if (n > 0)
			continue;
		n = read(from, data, size < (off_t)sizeof(data) ? size : (off_t)sizeof(data));
		if (!n)
			errno = 0;
		if (n <= 0 || write_all(to, data, n))
			return -1;
	}
	return 0;
}

/* From the end on, because the pieces may overlap what they become. */
static int move_up(int fd, off_t size, off_t room)
{
	static char data[1 << 20];
	off_t at, piece;

	for (at = size; at; at -= piece) {
		piece = at < (off_t)sizeof(data) ? at : (off_t)sizeof(data);
		errno = EIO;
		if (pread(fd, data, piece, at - piece) != piece ||
		    lseek(fd, at - piece + room, SEEK_SET) < 0 || write_all(fd, data, piece))
			return -1;
	}
	return 0;
}

int file_insert(int fd, off_t room)
{
	struct stat file;

	if (fstat(fd, &file))
		return -1;
	/* the kernel writes the file to the disk before it inserts: copy a small one instead */
	if (file.st_size > SMALL) {
		if (!fallocate(fd, FALLOC_FL_INSERT_RANGE, 0, room))
			return 0;
		/* what the file system cannot do; other errors may leave half of the file moved */
		if (errno != EOPNOTSUPP && errno != EINVAL)
			return -1;
	}
	return move_up(fd, file.st_size, room);
}
