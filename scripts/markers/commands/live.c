// SPDX-License-Identifier: GPL-2.0
/*
 * markers live: print events as text while they are recorded.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "../base/message.h"
#include "../base/number.h"
#include "../control/control.h"
#include "../record/session.h"
#include "commands.h"

enum { OPTION_OWN = 256, OPTION_DISCARD };

static const struct option_def options[] = {
	{ 'e', "event", "PATTERN", "Enable markers, as \"markers enable\" does; may be repeated." },
	{ 'f', "filter", "FILTER", "Of the -e before it, show only hits that pass: 'sector > 100'." },
	{ OPTION_OWN, "own", NULL, "Of -e, show the hits of this program, too." },
	{ OPTION_DISCARD, "discard", NULL, "Drop the events that are in the buffers." },
	{ 'b', "buffer-size", "SIZE", "Buffer of each CPU, as 512K or 8M; in KiB without a letter." },
	{ 'C', "clock", "CLOCK", "Trace clock: tsc, mono, boot or counter.",
	  "tsc mono boot counter" },
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

static int take_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

/* Copy some text. Return: 1 after a copy, 0 if there is nothing now, -1 on error. */
static int copy_some(int pipe)
{
	static char data[65536];
	ssize_t n, done, part;

	n = read(pipe, data, sizeof(data));
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		say_errno("trace_pipe");
		return -1;
	}
	for (done = 0; done < n; done += part) {
		part = write(STDOUT_FILENO, data + done, n - done);
		if (part < 0) {
			if (errno != EPIPE)
				say_errno("stdout");
			return -1;
		}
	}
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
		n = copy_some(pipe);
		if (n < 0)
			return errno == EPIPE ? STATUS_OK : STATUS_FAILED;
	}
	/* print what was recorded before the signal */
	if (session_stop())
		return STATUS_FAILED;
	do {
		n = copy_some(pipe);
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
		if (option == 'e')
			session_add(&session, (char *)value);
		else if (option == 'f' && session_filter(&session, "live", value))
			return STATUS_USAGE;
		else if (option == OPTION_OWN)
			session.without_own = false;
		else if (option == OPTION_DISCARD)
			session.discard = true;
		else if (option == 'C')
			session.clock = value;
		else if (option == 'c')
			cpu = value;
		else if (option == 'b' && !session_buffer(&session, value))
			return usage_error("live", "%s: not a size", value);
	}
	if (args->argc)
		return usage_error("live", "unexpected argument \"%s\"", args->argv[0]);
	if (cpu && !number_parse(cpu, 0, INT_MAX, &number))
		return usage_error("live", "%s: not the number of a CPU", cpu);
	if (control_open())
		return STATUS_FAILED;
	signals = take_signals();
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
		"where, until SIGINT (Ctrl-C). Takes them out of the buffers, and restores the\n"
		"settings at the end. Refuses to begin if there are events in the buffers, unless\n"
		"--discard says that nobody needs them.\n"
		"\n"
		WISH_TEXT,
	.examples = "\tmarkers live -e 'mydriver:*'\n"
		"Long requests only:\n"
		"\tmarkers live -e mydriver:request -f 'bytes > 65536'\n",
	.see = "record top",
	.options = options,
	.run = run,
};
