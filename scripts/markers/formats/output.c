// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/temporary.h"
#include "output.h"

void output_name(struct output *output, const char *recording, const char *suffix)
{
	size_t size = strlen(recording), at;
	char *real = NULL;

	if (output->path)
		return;
	while (size > 1 && recording[size - 1] == '/')
		size--;
	for (at = size; at && recording[at - 1] != '/'; )
		at--;
	/* beside ".", "..", and a path that ends so: by the real name */
	if (recording[at] == '.' && strspn(recording + at, "./") == strlen(recording + at))
		real = realpath(recording, NULL);
	output->path = real ? format_text("%s%s", real, suffix) :
		       format_text("%.*s%s", (int)size, recording, suffix);
	output->is_default = true;
	free(real);
}

/* A default name must be new. Until the file is complete, the end of the program removes it. */
static int open_file(const struct output *output, int flags)
{
	flags |= O_CLOEXEC;
	return output->is_default ? temporary_open(output->path, flags) :
	       open(output->path, flags | O_CREAT | O_TRUNC, 0666);
}

static bool is_stdout(const struct output *output)
{
	return !strcmp(output->path, "-");
}

static const char *shown_name(const struct output *output)
{
	return is_stdout(output) ? "stdout" : output->path;
}

/* Return: the path without links, of a file to be made that of its directory; to be freed; NULL: there is none. */
static char *real_place(const char *path)
{
	char *real = realpath(path, NULL), *copy = need_memory(strdup(path));

	if (!real)
		real = realpath(dirname(copy), NULL);
	free(copy);
	return real;
}

/* The file to write, for is_target(). */
static struct stat target;

static int is_target(const char *path, const struct stat *file, int type, struct FTW *place)
{
	(void)path;
	(void)place;
	return type == FTW_F && file->st_dev == target.st_dev && file->st_ino == target.st_ino;
}

/* Is it a file of the recording by another name, such as a hard link? */
static bool is_linked(const char *path, const char *recording)
{
	return !stat(path, &target) && S_ISREG(target.st_mode) && nftw(recording, is_target, 16, 0) > 0;
}

bool output_is_apart(const char *path, const char *recording)
{
	char *whole = realpath(recording, NULL), *place = real_place(path);
	const size_t size = whole ? strlen(whole) : 0;
	const bool is_in = whole && place && ((!strncmp(place, whole, size) && (place[size] == '/' || !place[size])) ||
					      is_linked(place, whole));

	free(whole);
	free(place);
	return !is_in || !strcmp(path, "-") ||
	       say("%s: is in the recording: write it elsewhere with -o", path) == STATUS_OK;
}

bool output_open(struct output *output, const char *recording, unsigned int use)
{
	bool seek = use & OUTPUT_SEEK;
	struct stat file;
	int fd;

	if (!output->is_default && !output_is_apart(output->path, recording))
		return false;
	/* a default name is a new file's, whatever has this name now */
	if (seek && !output->is_default &&
	    (is_stdout(output) || (!stat(output->path, &file) && !S_ISREG(file.st_mode))))
		return say("%s: this format needs a file: its head is written last",
			   output->path) == STATUS_OK;
	fd = is_stdout(output) ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) :
	     open_file(output, seek ? O_RDWR : O_WRONLY);
	if (fd < 0 && errno == EEXIST)
		return say("%s exists: remove it, or say with -o which file to write",
			   output->path) == STATUS_OK;
	output->file = fd < 0 ? NULL : fdopen(fd, seek ? "w+" : "w");
	if (!output->file) {
		if (fd >= 0 && errno == EINVAL)
			errno = EBADF;		/* stdout is open for reading only */
		return say_errno("%s", shown_name(output)) == STATUS_OK;
	}
	if (!(use & OUTPUT_BINARY) || !isatty(fd))
		return true;
	fclose(output->file);
	output->file = NULL;
	return say("this format is not for a terminal: write a file with -o FILE, or a pipe")
	       == STATUS_OK;
}

bool output_check(struct output *output, FILE *file)
{
	if (ferror_unlocked(file) && !output->error)
		output->error = errno ? errno : EIO;
	return !output->error;
}

FILE *output_temporary(struct output *output)
{
	FILE *file = file_temporary(output->path);

	if (!file)
		output->error = errno;
	return file;
}

bool output_append(struct output *output, FILE *from)
{
	FILE *to = output->file;
	off_t size = ftello(from);

	return size >= 0 && !fflush(from) && !fflush(to) && !lseek(fileno(from), 0, SEEK_SET) &&
	       !file_append(fileno(to), fileno(from), size) && !fseeko(to, 0, SEEK_END);
}

/* Remove an incomplete file; never remove a device, or a file that has the name "-". */
static void remove_file(const struct output *output)
{
	struct stat file;

	if (!is_stdout(output) && !lstat(output->path, &file) && S_ISREG(file.st_mode))
		unlink(output->path);
}

int output_close(struct output *output)
{
	fflush(output->file);
	output_check(output, output->file);
	if (fclose(output->file) && !output->error)
		output->error = errno;
	output->file = NULL;
	if (output->error) {
		errno = output->error;
		say_errno("%s", shown_name(output));
		remove_file(output);
	}
	if (output->is_default)
		temporary_keep(output->path);
	return output->error ? STATUS_FAILED : STATUS_OK;
}
