// SPDX-License-Identifier: GPL-2.0
/*
 * markers live: print events as text while they are recorded.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/message.h"
#include "../base/number.h"
#include "../control/control.h"
#include "../record/session.h"
#include "commands.h"

static const struct option_def options[] = {
	SESSION_OPTIONS,
	{ 'c', "cpu", "N", "Only this CPU." },
	{ }
};

static int open_pipe(const char *cpu)
{
	char *name = cpu ? format_text("per_cpu/cpu%s/trace_pipe", cpu)
			 : format_text("trace_pipe");
	int fd = control_open_file(name, O_RDONLY | O_NONBLOCK);

	free(name);
	return fd;
}

/* Copy some text. Return: 1 after a copy, 0 if there is nothing now, -1 on error. */
static int copy_some(int pipe, int signals)
{
	static char data[65536];
	ssize_t n;

	n = read(pipe, data, sizeof(data));
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		say_errno("trace_pipe");
		return -1;
	}
	if (n > 0 && session_write(signals, data, n))
		return -1;
	return n > 0;
}

static int copy_until_signal(int pipe, int signals)
{
	struct pollfd fds[] = {
		{ .fd = pipe, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
		{ .fd = STDOUT_FILENO },	/* only for POLLERR: the reader has closed it */
	};
	int n;

	while (!fds[1].revents && !(fds[2].revents & POLLERR)) {
		if (poll(fds, 3, -1) < 0 && errno != EINTR)
			return say_errno("poll");
		if (!(fds[0].revents & POLLIN))
			continue;
		n = copy_some(pipe, signals);
		if (n < 0)
			return errno == EPIPE ? STATUS_OK : STATUS_FAILED;
	}
	/* print what was recorded before the signal */
	if (session_stop())
		return STATUS_FAILED;
	do {
		n = copy_some(pipe, signals);
	} while (n > 0);
	return n < 0 && errno != EPIPE ? STATUS_FAILED : STATUS_OK;
}

static int run(struct arguments *args)
{
	struct session session = { .without_own = true };
	const char *value, *cpu = NULL;
	uint64_t number;
	int option, signals, pipe, status = STATUS_FAILED;

	while ((option = option_next(args, &value))) {
		if (option == 'c')
			cpu = value;
		else if (session_option(&session, "live", option, value))
			return STATUS_USAGE;
	}
	if (session_check(&session, "live"))
		return STATUS_USAGE;
	if (cpu && !number_parse(cpu, 0, INT_MAX, &number))
		return usage_error("live", "%s: not the number of a CPU", cpu);
	signals = session_signals();
	if (signals < 0 || control_open())
		return STATUS_FAILED;
	if (!session_begin(&session, NULL)) {
		pipe = open_pipe(cpu);
		if (pipe >= 0 && !session_record(&session))
			status = copy_until_signal(pipe, signals);
		if (pipe >= 0)
			close(pipe);
	}
	return status | session_end(&session, false);
}

const struct command command_live = {
	.name = "live",
	.summary = "Show events as text, as they come",
	.text = "Shows the events of all CPUs in the order of their times, and how many were lost\n"
		"where, until SIGINT (Ctrl-C).\n"
		"\n"
		SESSION_TEXT "\n"
		"\n"
		WISH_TEXT,
	.examples = "\tmarkers live -e 'mydriver:*'\n"
		"Long requests only:\n"
		"\tmarkers live -e mydriver:request -f 'bytes > 65536'\n",
	.see = "record top",
	.options = options,
	.run = run,
};
