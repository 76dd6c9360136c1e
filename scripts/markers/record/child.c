// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "child.h"

int child_find(const char *name)
{
	const char *path = getenv("PATH");
	int err = ENOENT, size;
	bool found = false;
	char *file;

	if (strchr(name, '/'))
		return access(name, X_OK) ? say_errno("%s", name) : STATUS_OK;
	if (!path)
		return STATUS_OK;
	for (; !found; path += size + 1) {
		size = strcspn(path, ":");
		file = format_text("%.*s/%s", size ? size : 1, size ? path : ".", name);
		found = !access(file, X_OK);
		if (!found && errno == EACCES)
			err = errno;
		free(file);
		if (!path[size])
			break;
	}
	errno = err;
	return found ? STATUS_OK : say_errno("%s", name);
}

__attribute__((noreturn))
static void exec_child(char **argv, const struct child_signals *signals, int report)
{
	int err;

	sigaction(SIGPIPE, &signals->on_pipe, NULL);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
	file_allow_as_found();
	execvp(argv[0], argv);
	err = errno;
	if (write(report, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

pid_t child_start(char **argv, const struct child_signals *signals)
{
	int report[2], err = 0;
	pid_t pid;

	if (pipe2(report, O_CLOEXEC)) {
		say_errno("pipe");
		return -1;
	}
	pid = fork();
	if (!pid)
		exec_child(argv, signals, report[1]);
	close(report[1]);
	if (pid < 0) {
		say_errno("fork");
	} else if (read(report[0], &err, sizeof(err)) > 0) {
		errno = err;
		say_errno("%s", argv[0]);
		waitpid(pid, NULL, 0);
		pid = -1;
	}
	close(report[0]);
	return pid;
}

bool child_ended(pid_t pid, bool *failed)
{
	int status;

	if (waitpid(pid, &status, WNOHANG) != pid)
		return false;
	*failed = status != 0;
	if (WIFSIGNALED(status))
		say("the command was ended by signal %d (%s)", WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	else if (status)
		say("the command ended with status %d", WEXITSTATUS(status));
	return true;
}
