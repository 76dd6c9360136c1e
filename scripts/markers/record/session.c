// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/number.h"
#include "../control/cgroups.h"
#include "../control/control.h"
#include "../control/enable.h"
#include "../control/instances.h"
#include "clock.h"
#include "session.h"

static void add_wish(struct session *session, const char *pattern)
{
	session->wishes = need_memory(realloc(session->wishes,
				(session->nr_wishes + 1) * sizeof(*session->wishes)));
	session->wishes[session->nr_wishes++] = (struct wish){ .pattern = pattern };
}

/* Does one of the patterns have a filter after it? */
static bool has_filter(const char *pattern)
{
	struct word word;
	bool has = false;

	while (!has && word_next(&pattern, &word))
		has = word.filter_size;
	return has;
}

/* Give the last pattern a filter. */
static int add_filter(struct session *session, const char *command, const char *filter)
{
	struct wish *last = session->wishes + session->nr_wishes - 1;

	if (!session->nr_wishes)
		return usage_error(command, "-f \"%s\": there is no -e before it", filter);
	if (last->filter || has_filter(last->pattern))
		return usage_error(command, "-f \"%s\": -e \"%s\" has a filter: join the two by &&",
				   filter, last->pattern);
	last->filter = filter;
	return STATUS_OK;
}

#define INITIAL_NAMESPACE	0xeffffffc	/* the inode of the initial pid namespace */

/*
 * Filters have the numbers of the initial pid namespace. In another one we do not know them. A
 * kernel without pid namespaces has no other one.
 */
static bool knows_pids(void)
{
	struct stat namespace;

	if (!stat("/proc/self/ns/pid", &namespace))
		return namespace.st_ino == INITIAL_NAMESPACE;
	return errno == ENOENT && !access("/proc/self/ns", F_OK);
}

static int add_pids(struct session *session, const char *command, const char *value)
{
	const char *at = value;
	char *before;
	uint64_t pid;

	if (!knows_pids())
		return usage_error(command, "--pid %s: this pid namespace hides the numbers that the kernel compares",
				   value);
	do {
		if (!number_take(&at, &pid) || pid > INT_MAX || (*at && *at != ','))
			return usage_error(command, "--pid %s: not numbers of processes with commas between them",
					   value);
		before = session->pids;
		session->pids = format_text("%s%s$ctx.pid == %llu", before ?: "",
					    before ? " || " : "", (unsigned long long)pid);
		free(before);
	} while (*at++);
	return STATUS_OK;
}

static int add_group(struct session *session, const char *command, const char *path)
{
	char *before = session->groups;
	char *why = cgroups_filter(path, before, &session->groups);
	int status = STATUS_OK;

	if (why)
		status = usage_error(command, "--cgroup %s: %s", path, why);
	else
		free(before);
	free(why);
	return status;
}

/* What all hits have to pass, or NULL. */
static char *whose(const struct session *session)
{
	if (session->pids && session->groups)
		return format_text("(%s) && (%s)", session->pids, session->groups);
	return session->pids ?: session->groups;
}

int session_option(struct session *session, const char *command, int option,
		   const char *value)
{
	const char *at = value;
	struct word word;
	uint64_t size;

	switch (option) {
	case 'e':
		if (!word_next(&at, &word))
			return usage_error(command, "-e \"%s\": names no marker", value);
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
	case SESSION_CONTEXTS:
		session->contexts = value;
		break;
	case SESSION_PID:
		return add_pids(session, command, value);
	case SESSION_CGROUP:
		return add_group(session, command, value);
	case SESSION_TOP:
		session->top = true;
		break;
	case SESSION_KEEP:
		session->keep = true;
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

void session_endings(sigset_t *set)
{
	struct sigaction on_hangup;

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaction(SIGHUP, NULL, &on_hangup);
	if (on_hangup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

int session_signals(void)
{
	sigset_t set;
	int fd;

	session_endings(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (fd < 0)
		say_errno("signalfd");
	return fd;
}

#define STILL_MS 2000

int session_write(int signals, const char *text, size_t size)
{
	struct pollfd fds[] = {
		{ .fd = STDOUT_FILENO, .events = POLLOUT },
		{ .fd = signals, .events = POLLIN },
	};
	ssize_t part;

	for (; size; text += part, size -= part) {
		if (poll(fds, 2, -1) > 0 && !fds[0].revents && !poll(fds, 1, STILL_MS)) {
			say("stdout: its reader stands still: the rest is not shown");
			errno = ETIMEDOUT;
			return -1;
		}
		/* no more than a pipe takes at once when it has room */
		part = write(STDOUT_FILENO, text, size < PIPE_BUF ? size : PIPE_BUF);
		if (part < 0) {
			if (errno != EPIPE)
				say_errno("stdout");
			return -1;
		}
	}
	return 0;
}

int session_check(const struct session *session, const char *command)
{
	if (session->top && control_instance)
		return usage_error(command, "--top and --instance: it is one or the other");
	if (session->keep && (session->discard || session->buffer_kb || session->clock ||
			      session->contexts || session->overwrite))
		return usage_error(command, "--keep: --discard, -b, -C, --contexts and --overwrite drop what is in the buffers");
	if ((session->pids || session->groups) && !session->nr_wishes)
		return usage_error(command, "--pid and --cgroup are for -e");
	return STATUS_OK;
}

static bool wants_stack(const struct session *session)
{
	int i;

	for (i = 0; i < session->nr_wishes; i++)
		if (strstr(session->wishes[i].pattern, "+stack"))
			return true;
	return false;
}

/* Markers with "+stack" need room for it in their events. */
static int set_contexts(const struct session *session)
{
	char *now = setting_read("contexts"), *text;
	int status = STATUS_OK;

	if (session->contexts) {
		text = format_text("%s\n", session->contexts);
		status = control_write("contexts", 0, text);
		free(text);
	} else if (now && session->own && wants_stack(session) &&
		   !strstr(now, "callstack_kernel")) {
		text = format_text("%s callstack_kernel\n", now);
		status = control_write("contexts", 0, text);
		free(text);
	}
	free(now);
	return status;
}

static int apply(const struct session *session)
{
	char number[32];

	if (session->keep)
		return session->buffer_percent ?
		       control_write("buffer_percent", 0, session->buffer_percent) : STATUS_OK;
	if (control_write("tracing_on", 0, "0"))
		return STATUS_FAILED;
	if (session->clock && control_write("trace_clock", 0, session->clock))
		return STATUS_FAILED;
	snprintf(number, sizeof(number), "%llu", (unsigned long long)session->buffer_kb);
	if (session->buffer_kb && control_write("buffer_size_kb", 0, number))
		return STATUS_FAILED;
	if (set_contexts(session) ||
	    control_write("overwrite", 0, session->overwrite ? "1" : "0"))
		return STATUS_FAILED;
	if (session->buffer_percent &&
	    control_write("buffer_percent", 0, session->buffer_percent))
		return STATUS_FAILED;
	return session->own ? STATUS_OK : control_write("trace", 0, "0");
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
		return say("there are %llu events in the buffers: \"markers extract\" copies them, \"markers record --keep\" begins with them, --discard drops them",
			   (unsigned long long)events);
	return STATUS_OK;
}

/* In an instance of its own, a session without -e enables what is enabled at the top. */
static int take_rules(struct session *session)
{
	struct settings top;
	int status;

	if (session->nr_wishes)
		return STATUS_OK;
	status = settings_save(&top);
	if (!status && *top.enabled)
		add_wish(session, settings_rules(&top));
	settings_free(&top);
	return status;
}

/* Make an instance, or lock the recording that is there. */
static int choose(struct session *session)
{
	enum instance_made made = INSTANCE_NONE;
	int nr_wishes = session->nr_wishes;

	if (!session->top && !session->keep && !control_instance) {
		if (take_rules(session))
			return STATUS_FAILED;
		made = instance_make();
	}
	if (made == INSTANCE_FAILED)
		return STATUS_FAILED;
	session->own = made == INSTANCE_MADE;
	if (session->own) {
		say("the instance is %s", instance_name());
		return STATUS_OK;
	}
	/* what is enabled there stays */
	session->nr_wishes = nr_wishes;
	return control_lock();
}

int session_begin(struct session *session, const struct recording *recording)
{
	session->guard.pid = 0;
	if (choose(session) || settings_save(&session->found))
		return STATUS_FAILED;
	if (!session->own && !session->discard && !session->keep && check_buffers())
		return STATUS_FAILED;
	if (!session->nr_wishes && !*session->found.enabled)
		say("no marker is enabled, and none is asked for with -e");
	if (guard_start(&session->guard, session->own ? NULL : &session->found, recording)) {
		session->guard.pid = 0;
		return STATUS_FAILED;
	}
	return apply(session);
}

int session_record(struct session *session)
{
	struct scope scope = {
		.without = session->without_own && knows_pids() ? getpid() : 0,
		.only = whose(session),
	};

	if (session->nr_wishes &&
	    enable_patterns(session->nr_wishes, session->wishes, &scope, O_APPEND))
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

/* When was that seen? As people read it, and in nanoseconds as the events have it. */
static void say_stopped(void)
{
	char *name = setting_read("trace_clock"), *of_events, day[32];
	uint64_t now = name && strcmp(name, "tsc") ? clock_read(name) : 0;
	time_t seconds = time(NULL);
	struct tm tm;

	localtime_r(&seconds, &tm);
	strftime(day, sizeof(day), "%F %T", &tm);
	of_events = format_text(", %llu.%09llu in the events", (unsigned long long)now / 1000000000,
				(unsigned long long)now % 1000000000);
	say("recording has stopped before its end: a trigger or another program has set tracing_on to 0; seen at %s%s",
	    day, now ? of_events : "");
	free(of_events);
	free(name);
}

bool session_is_on(void)
{
	char *value = setting_read("tracing_on");
	bool on = !value || strcmp(value, "0");

	free(value);
	if (on)
		return true;
	say_stopped();
	say_triggers();
	return false;
}

int session_stop(void)
{
	return control_write("tracing_on", 0, "0");
}

int session_end(struct session *session, bool failed)
{
	if (!session->guard.pid) {
		if (session->own)
			instance_remove();
		return STATUS_FAILED;
	}
	if (!failed && !session_stop() && !session->own && !session->keep)
		control_write("trace", 0, "0");
	return guard_end(&session->guard);
}
