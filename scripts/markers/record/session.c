// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/number.h"
#include "../control/control.h"
#include "../control/enable.h"
#include "session.h"

static void add_wish(struct session *session, const char *pattern)
{
	session->wishes = need_memory(realloc(session->wishes,
				(session->nr_wishes + 1) * sizeof(*session->wishes)));
	session->wishes[session->nr_wishes++] = (struct wish){ .pattern = pattern };
}

/* Give the last pattern a filter. */
static int add_filter(struct session *session, const char *command, const char *filter)
{
	struct wish *last = session->wishes + session->nr_wishes - 1;

	if (!session->nr_wishes)
		return usage_error(command, "-f \"%s\": there is no -e before it", filter);
	if (last->filter)
		return usage_error(command, "-f \"%s\": -e \"%s\" has a filter: join the two by &&",
				   filter, last->pattern);
	last->filter = filter;
	return STATUS_OK;
}

int session_option(struct session *session, const char *command, int option,
		   const char *value)
{
	uint64_t size;

	switch (option) {
	case 'e':
		add_wish(session, value);
		break;
	case 'f':
		return add_filter(session, command, value);
	case 'b':
		if (!size_parse(value, 1024, &size))
			return usage_error(command, "%s: not a size", value);
		session->buffer_kb = (size + 1023) / 1024;
		break;
	case 'C':
		session->clock = value;
		break;
	case SESSION_OWN:
		session->without_own = false;
		break;
	case SESSION_DISCARD:
		session->discard = true;
		break;
	case SESSION_OVERWRITE:
		session->overwrite = true;
		break;
	}
	return STATUS_OK;
}

int session_signals(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (fd < 0)
		say_errno("signalfd");
	return fd;
}

static int apply(const struct session *session)
{
	char number[32];

	if (control_write("tracing_on", 0, "0"))
		return STATUS_FAILED;
	if (session->clock && control_write("trace_clock", 0, session->clock))
		return STATUS_FAILED;
	snprintf(number, sizeof(number), "%llu", (unsigned long long)session->buffer_kb);
	if (session->buffer_kb && control_write("buffer_size_kb", 0, number))
		return STATUS_FAILED;
	if (control_write("overwrite", 0, session->overwrite ? "1" : "0"))
		return STATUS_FAILED;
	if (session->buffer_percent &&
	    control_write("buffer_percent", 0, session->buffer_percent))
		return STATUS_FAILED;
	return control_write("trace", 0, "0");
}

/* Refuse to drop events that somebody may want. */
static int check_buffers(void)
{
	uint64_t events = 0;
	struct cpu_stats stats;
	int i, nr, *cpus;

	nr = control_cpus(&cpus);
	for (i = 0; i < nr && !control_stats(cpus[i], &stats); i++)
		events += stats.unread + stats.open;
	free(cpus);
	if (i < nr)
		return STATUS_FAILED;
	if (events)
		return say("there are %llu events in the buffers: \"markers extract\" copies them, --discard drops them",
			   (unsigned long long)events);
	return STATUS_OK;
}

int session_begin(struct session *session, const struct recording *recording)
{
	session->guard.pid = 0;
	if (control_lock() || settings_save(&session->found))
		return STATUS_FAILED;
	if (!session->discard && check_buffers())
		return STATUS_FAILED;
	if (!session->nr_wishes && !*session->found.enabled)
		say("no marker is enabled, and none is asked for with -e");
	if (guard_start(&session->guard, &session->found, recording)) {
		session->guard.pid = 0;
		return STATUS_FAILED;
	}
	return apply(session);
}

#define INITIAL_NAMESPACE	0xeffffffc	/* the inode of the initial pid namespace */

/*
 * Filters have the numbers of the initial pid namespace. In another one we do not know which of
 * them is ours. Return: 0 then.
 */
static pid_t filter_pid(void)
{
	struct stat namespace;

	if (stat("/proc/self/ns/pid", &namespace) || namespace.st_ino != INITIAL_NAMESPACE)
		return 0;
	return getpid();
}

int session_record(struct session *session)
{
	pid_t without = session->without_own ? filter_pid() : 0;

	if (session->nr_wishes &&
	    enable_patterns(session->nr_wishes, session->wishes, without, O_APPEND))
		return STATUS_FAILED;
	if (session->count)
		count_enabled();
	return control_write("tracing_on", 0, "1");
}

/* Which trigger can it have been? In the file, "# markers 1 hits 2 ..." follows each one. */
static void say_triggers(void)
{
	char *text = file_read(control_fd(), "triggers", NULL), *rest = text, *line, *last = NULL;
	const char *hits;

	while (rest && (line = strsep(&rest, "\n"))) {
		hits = *line == '#' ? strstr(line, " hits ") : NULL;
		if (hits && strtoul(hits + strlen(" hits "), NULL, 10) && last &&
		    strstr(last, " traceoff"))
			say("the trigger \"%s\" was hit", last);
		if (*line != '#')
			last = line;
	}
	free(text);
}

bool session_is_on(void)
{
	char *value = setting_read("tracing_on");
	bool on = !value || strcmp(value, "0");

	free(value);
	if (on)
		return true;
	say("recording has stopped before its end: a trigger or another program has set tracing_on to 0");
	say_triggers();
	return false;
}

int session_stop(void)
{
	return control_write("tracing_on", 0, "0");
}

int session_end(struct session *session, bool failed)
{
	if (!session->guard.pid)
		return STATUS_FAILED;
	if (!failed && !session_stop())
		control_write("trace", 0, "0");
	return guard_end(&session->guard);
}
