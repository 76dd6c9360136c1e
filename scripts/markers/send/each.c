// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/message.h"
#include "each.h"

#define LOOK_MS		200
#define RETRY_S		5
#define RETRY_MAX_S	60	/* what fails for ever is not to fill a log */

/**
 * struct each - a run
 * @path: the directory
 * @stop: set when a signal came
 * @send: sends one
 * @ctx: for @send
 * @nr: number of recordings
 * @name: their names, sorted
 * @nr_sent: number of those that we have done with
 * @sent: their names
 * @tried: when those before the last one were tried, in seconds
 * @wait_s: until they are tried again while the last one is followed
 */
struct each {
	const char *path;
	volatile sig_atomic_t *stop;
	int (*send)(void *ctx, const char *path, bool is_whole);
	void *ctx;
	int nr;
	struct dirent **name;
	size_t nr_sent;
	char **sent;
	time_t tried;
	int wait_s;
};

static bool send_before(struct each *each, const char *last);

static void pause_ms(unsigned int ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static int is_shown(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

static void forget(struct each *each)
{
	while (each->nr > 0)
		free(each->name[--each->nr]);
	free(each->name);
	each->name = NULL;
}

/* Return: STATUS_OK; or STATUS_FAILED, and says why. */
static int look(struct each *each)
{
	int i, nr = 0;

	forget(each);
	each->nr = scandir(each->path, &each->name, is_shown, versionsort);
	if (each->nr < 0) {
		each->nr = 0;
		return say_errno("%s", each->path);
	}
	for (i = 0; i < each->nr; i++) {
		char *path = format_text("%s/%s", each->path, each->name[i]->d_name);
		struct stat file;

		if (!stat(path, &file) && S_ISDIR(file.st_mode))
			each->name[nr++] = each->name[i];
		else
			free(each->name[i]);
		free(path);
	}
	each->nr = nr;
	return STATUS_OK;
}

static bool is_sent(const struct each *each, const char *name)
{
	size_t i = 0;

	while (i < each->nr_sent && strcmp(each->sent[i], name))
		i++;
	return i < each->nr_sent;
}

/* Is there a recording after this one? */
static bool has_later(struct each *each, const char *name)
{
	return !look(each) && each->nr && strverscmp(each->name[each->nr - 1]->d_name, name) > 0;
}

/* Wait for a process that sends. Return: whether it says that there is no more to be sent. */
static bool wait_for(struct each *each, pid_t pid, const char *name, bool is_last)
{
	bool asked = false;
	int status;

	while (!waitpid(pid, &status, WNOHANG)) {
		if (!asked && (*each->stop || (is_last && has_later(each, name)))) {
			asked = true;
			kill(pid, SIGTERM);
		}
		/* the last one may grow for days */
		if (!asked && is_last && time(NULL) - each->tried >= each->wait_s)
			send_before(each, name);
		pause_ms(LOOK_MS);
	}
	if (asked || !WIFEXITED(status))
		return false;
	return WEXITSTATUS(status) == STATUS_OK || (!is_last && WEXITSTATUS(status) == STATUS_LOST);
}

/* Return: whether there is no more to be sent of it. What an older one lacks, it will lack later. */
static bool send_one(struct each *each, const char *name, bool is_last)
{
	char *path = format_text("%s/%s", each->path, name);
	bool sent = false;
	pid_t pid;

	if (access(path, F_OK) && errno == ENOENT) {
		say("%s: was removed before it was sent: keep more parts", path);
		free(path);
		return true;
	}
	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(each->send(each->ctx, path, !is_last));
	if (pid < 0)
		say_errno("fork");
	else
		sent = wait_for(each, pid, name, is_last);
	free(path);
	return sent;
}

/* Send a recording, unless it is sent. Return: whether it is. */
static bool send_unsent(struct each *each, const char *name, bool is_last)
{
	if (is_sent(each, name))
		return true;
	if (!send_one(each, name, is_last))
		return false;
	each->sent = need_memory(realloc(each->sent, (each->nr_sent + 1) * sizeof(*each->sent)));
	each->sent[each->nr_sent++] = need_memory(strdup(name));
	return true;
}

/* Send what is not sent yet of the recordings before @last. Return: whether all of it is sent. */
static bool send_before(struct each *each, const char *last)
{
	const char *name;
	bool all = true;
	int i;

	for (i = 0; i < each->nr && !*each->stop; i++) {
		name = each->name[i]->d_name;
		if (strverscmp(name, last) < 0)
			all &= send_unsent(each, name, false);
	}
	each->tried = time(NULL);
	each->wait_s = all ? RETRY_S : 2 * each->wait_s;
	if (each->wait_s > RETRY_MAX_S)
		each->wait_s = RETRY_MAX_S;
	return all;
}

/* How long to wait after a try? Who has sent the last one waits for those that fail. */
static int retry_s(const struct each *each)
{
	return each->nr && is_sent(each, each->name[each->nr - 1]->d_name) ? each->wait_s : RETRY_S;
}

/* Send what is not sent yet. Return: whether all of it is sent. */
static bool send_all(struct each *each)
{
	char *last;
	bool all;

	if (!each->nr)
		return true;
	/* the list may be another one later */
	last = need_memory(strdup(each->name[each->nr - 1]->d_name));
	all = send_before(each, last);
	if (!*each->stop)
		all &= send_unsent(each, last, true);
	free(last);
	return all;
}

int each_run(const char *path, volatile sig_atomic_t *stop,
	     int (*send)(void *ctx, const char *path, bool is_whole), void *ctx)
{
	struct each each = {
		.path = path, .stop = stop, .send = send, .ctx = ctx, .wait_s = RETRY_S,
	};
	bool all = true;
	int status = STATUS_OK;

	while (!*stop && !(status = look(&each))) {
		if (all || time(NULL) - each.tried >= retry_s(&each))
			all = send_all(&each);
		pause_ms(LOOK_MS);
	}
	forget(&each);
	while (each.nr_sent)
		free(each.sent[--each.nr_sent]);
	free(each.sent);
	return status;
}
