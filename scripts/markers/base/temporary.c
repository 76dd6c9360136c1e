// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "temporary.h"

/* A file or a directory. */
struct temporary {
	struct temporary *next;
	char *path;
};

/* Those that do not end a program, and faults of ours, after which the list may be wrong. */
static const int others[] = {
	SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH,
	SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP,
};

#define NR_OTHERS	(sizeof(others) / sizeof(*others))

/* The newest first, so files come before their directory. Changes while signals are blocked. */
static struct temporary *list;

static sigset_t block(void)
{
	sigset_t all, old;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	return old;
}

static void unblock(sigset_t old)
{
	sigprocmask(SIG_SETMASK, &old, NULL);
}

/* Runs in a handler of signals, too. */
static void remove_all(void)
{
	const struct temporary *this;

	for (this = list; this; this = this->next)
		if (unlink(this->path))
			rmdir(this->path);
}

/*
 * The signal comes again when this returns. It gets its default action after the files are gone:
 * with SA_RESETHAND, a second signal could end the program before this runs.
 */
static void end(int number)
{
	remove_all();
	signal(number, SIG_DFL);
	raise(number);
}

static bool ends_us(int number)
{
	size_t i;

	for (i = 0; i < NR_OTHERS; i++)
		if (number == others[i])
			return false;
	return true;
}

static void prepare(void)
{
	struct sigaction action = { .sa_handler = end }, old;
	static bool prepared;
	int i;

	if (prepared)
		return;
	prepared = true;
	atexit(remove_all);
	sigfillset(&action.sa_mask);
	for (i = 1; i <= SIGRTMAX; i++)
		if (ends_us(i) && !sigaction(i, NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(i, &action, NULL);
}

static void add(char *path)
{
	struct temporary *new = need_memory(malloc(sizeof(*new)));

	new->next = list;
	new->path = path;
	list = new;
}

char *temporary_file(const char *dir, const char *name)
{
	sigset_t old = block();
	char *path = format_text("%s/%s", dir, name);

	add(need_memory(strdup(path)));
	unblock(old);
	return path;
}

static bool is_in(const char *path, const char *dir)
{
	size_t size = strlen(dir);

	return !strncmp(path, dir, size) && (path[size] == '/' || !path[size]);
}

int temporary_open(const char *path, int flags)
{
	sigset_t old;
	int fd;

	prepare();
	old = block();
	fd = open(path, flags | O_CREAT | O_EXCL, 0666);
	if (fd >= 0)
		add(need_memory(strdup(path)));
	unblock(old);
	return fd;
}

int temporary_mkdir(const char *path)
{
	sigset_t old;
	int err;

	prepare();
	old = block();
	err = mkdir(path, 0755);
	if (!err)
		add(need_memory(strdup(path)));
	unblock(old);
	return err;
}

/* Take what is in a directory, and itself, from the list. */
static void forget(const char *dir, bool is_kept)
{
	struct temporary **at = &list, *this;
	sigset_t old = block();

	while (dir && (this = *at)) {
		if (!is_in(this->path, dir)) {
			at = &this->next;
			continue;
		}
		*at = this->next;
		if (!is_kept && unlink(this->path))
			rmdir(this->path);
		free(this->path);
		free(this);
	}
	unblock(old);
}

void temporary_remove(char *dir)
{
	forget(dir, false);
	free(dir);
}

void temporary_keep(const char *path)
{
	forget(path, true);
}
