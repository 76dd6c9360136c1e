// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "message.h"
#include "packed.h"

#define COMPRESS	"--use-compress-program=zstd"
#define NO_PROGRAM	127

/* A recording that was unpacked. */
struct unpacked {
	struct unpacked *next;
	char *path;
	char *dir;
};

static struct unpacked *list;

/* Run tar; stdout goes to @out, if that is not negative. Return: STATUS_OK; or STATUS_FAILED, and says why. */
static int run_tar(char *const *words, int out)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return say_errno("fork");
	if (!pid) {
		if (out >= 0)
			dup2(out, STDOUT_FILENO);
		file_allow_as_found();
		execvp(words[0], words);
		_exit(NO_PROGRAM);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_PROGRAM)
		return say("needs the program tar, and zstd: install the packages tar and zstd");
	return WIFEXITED(status) && !WEXITSTATUS(status) ? STATUS_OK : STATUS_FAILED;
}

/* What recorders and senders keep there for themselves is left out, by names that readers pass over. */
static int create(char *parent, char *name, int fd)
{
	char *const words[] = {
		"tar", "--create", "--file=-", "--force-local", COMPRESS, "--no-wildcards-match-slash",
		"--exclude=*/.reserve", "--exclude=*/.*.new", "--exclude=*/.*.gone", "--exclude=*/.sent-to-*",
		"--directory", parent, "--", name, NULL,
	};

	return run_tar(words, fd);
}

int packed_write(const char *dir, int fd)
{
	char *whole = realpath(dir, NULL), *name, *parent;
	int status;

	if (!whole)
		return say_errno("%s", dir);
	name = strrchr(whole, '/') + 1;
	parent = format_text("%.*s", (int)(name - whole), whole);
	status = create(parent, name, fd);
	if (status)
		say("%s: tar could not pack it; if it goes on, pack it when it has ended", dir);
	free(parent);
	free(whole);
	return status;
}

bool packed_is(const char *path)
{
	static const unsigned char magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
	unsigned char begin[sizeof(magic)];
	struct stat file;
	bool is = false;
	int fd;

	if (stat(path, &file) || !S_ISREG(file.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		is = read(fd, begin, sizeof(begin)) == sizeof(begin) && !memcmp(begin, magic, sizeof(magic));
		close(fd);
	}
	return is;
}

static int remove_one(const char *path, const struct stat *file, int type, struct FTW *place)
{
	(void)file;
	(void)type;
	(void)place;
	remove(path);
	return 0;
}

/* Nothing can be removed from a directory without the right to write, which an archive may have. */
static int make_writable(const char *path, const struct stat *file, int type, struct FTW *place)
{
	(void)place;
	if ((type == FTW_D || type == FTW_DNR) && !chmod(path, 0700) &&
	    type == FTW_DNR && !(file->st_mode & 0400))
		nftw(path, make_writable, 16, FTW_PHYS);	/* what it could not list before */
	return 0;
}

/* Remove a directory when the program that holds the other end of the pipe has ended. */
static void clean_up_later(const char *dir, int end)
{
	char nothing;
	int i;

	for (i = 1; i <= SIGRTMAX; i++)
		signal(i, SIG_IGN);
	for (i = 0; i < 3; i++)
		close(i);
	while (read(end, &nothing, 1) < 0 && errno == EINTR)
		;
	nftw(dir, make_writable, 16, FTW_PHYS);
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	_exit(0);
}

/* Return: whether there is a process that removes the directory. */
static bool start_cleaner(const char *dir)
{
	int ends[2];
	pid_t pid;

	fflush(NULL);
	if (pipe2(ends, O_CLOEXEC))
		return false;
	pid = fork();
	if (!pid) {
		close(ends[1]);
		clean_up_later(dir, ends[0]);
	}
	close(ends[0]);
	/* the other end is closed by the end of this program */
	return pid > 0;
}

/* Return: the only directory in it, or itself; to be freed. */
static char *find_inner(const char *dir)
{
	char *inner = NULL;
	struct dirent *entry;
	unsigned int nr = 0;
	DIR *entries = opendir(dir);

	while (entries && (entry = readdir(entries))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		free(inner);
		inner = format_text("%s/%s", dir, entry->d_name);
		nr++;
	}
	if (entries)
		closedir(entries);
	if (nr == 1)
		return inner;
	free(inner);
	return need_memory(strdup(dir));
}

/* Return: a new directory, to be freed; NULL with errno. */
static char *make_directory(void)
{
	const char *where = getenv("TMPDIR");
	char *dir = format_text("%s/markers-XXXXXX", where && *where ? where : "/var/tmp");

	if (mkdtemp(dir) && start_cleaner(dir))
		return dir;
	free(dir);
	return NULL;
}

static char *make_unpacked(const char *path)
{
	char *dir = make_directory(), *inner;
	char *file = format_text("--file=%s", path);
	char *const words[] = {
		"tar", "--extract", file, "--force-local", COMPRESS, "--no-same-owner",
		"--no-same-permissions", "--directory", dir, NULL,
	};
	int status = STATUS_FAILED;

	if (!dir)
		say_errno("%s: TMPDIR names a directory to unpack it in", path);
	else
		status = run_tar(words, -1);
	if (status)
		say("%s: cannot be unpacked", path);
	inner = status ? NULL : find_inner(dir);
	free(file);
	free(dir);
	return inner;
}

const char *packed_path(const char *path)
{
	struct unpacked *new;
	char *dir;

	for (new = list; new; new = new->next)
		if (!strcmp(new->path, path))
			return new->dir;
	if (!packed_is(path))
		return path;
	dir = make_unpacked(path);
	if (!dir)
		return NULL;
	new = need_memory(malloc(sizeof(*new)));
	*new = (struct unpacked){ list, need_memory(strdup(path)), dir };
	list = new;
	return dir;
}
