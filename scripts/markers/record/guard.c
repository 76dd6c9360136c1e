// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/message.h"
#include "../control/instances.h"
#include "../control/settings.h"
#include "guard.h"
#include "recording.h"

static void wait_for_end(int pipe)
{
	char byte;

	while (read(pipe, &byte, 1) < 0 && errno == EINTR)
		;
}

static int restore(const struct guard *guard)
{
	int status = guard->recording ? recording_end(guard->recording) : STATUS_OK;

	return status | (guard->settings ? settings_restore(guard->settings) : instance_remove());
}

__attribute__((noreturn))
static void guard_main(int pipe, const struct guard *guard)
{
	sigset_t all;

	/* The terminal's signals are for the command. This process exits after it. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setsid();
	wait_for_end(pipe);
	_exit(restore(guard));
}

int guard_start(struct guard *guard, const struct settings *settings,
		const struct recording *recording)
{
	int ends[2];

	guard->settings = settings;
	guard->recording = recording;
	if (pipe2(ends, O_CLOEXEC))
		return say_errno("pipe");
	guard->pid = fork();
	if (guard->pid < 0)
		return say_errno("fork");
	if (!guard->pid) {
		close(ends[1]);
		guard_main(ends[0], guard);
	}
	close(ends[0]);
	guard->pipe = ends[1];
	return STATUS_OK;
}

int guard_end(const struct guard *guard)
{
	int status;

	close(guard->pipe);
	while (waitpid(guard->pid, &status, 0) < 0)
		if (errno != EINTR)
			return say_errno("waitpid");
	if (WIFSIGNALED(status)) {
		say("the process that restores the settings was ended by signal %d (%s): this one does it",
		    WTERMSIG(status), strsignal(WTERMSIG(status)));
		return restore(guard);
	}
	return WIFEXITED(status) && !WEXITSTATUS(status) ? STATUS_OK : STATUS_FAILED;
}
