// SPDX-License-Identifier: GPL-2.0
/*
 * markers record: record a command, or some seconds, to a CTF trace.
 *
 * The main thread waits for signals, for the end of the command and for the conditions of
 * --snapshot-on. The threads of streams.c move the packets. The process of guard.c restores
 * the settings and completes the directory.
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../base/number.h"
#include "../control/control.h"
#include "../control/settings.h"
#include "../record/child.h"
#include "../record/flight.h"
#include "../record/kallsyms.h"
#include "../record/recording.h"
#include "../record/session.h"
#include "../record/streams.h"
#include "commands.h"

enum { OPTION_SNAPSHOT_ON = 256, OPTION_ROTATE, OPTION_KEEP, OPTION_LIMIT, OPTION_STRICT,
	OPTION_AFTER, OPTION_SNAPSHOTS };

static const struct option_def options[] = {
	SESSION_OPTIONS,
	SESSION_OPTION_KEEP,
	{ 'o', "output", "DIR", "Directory of the recording; by default a new one in this directory." },
	SESSION_OPTION_OVERWRITE,
	{ OPTION_SNAPSHOT_ON, "snapshot-on", "COND", "Save only what was just before COND; see above.",
	  "fail signal kmsg:" },
	{ OPTION_AFTER, "after", "TIME", "Of --snapshot-on, save so much after it, too, as 5s." },
	{ OPTION_SNAPSHOTS, "snapshots", "N", "Of --snapshot-on, take N snapshots at most, default 100." },
	{ OPTION_ROTATE, "rotate", "SIZE|TIME", "Begin another part after 100M, or 1h, or both." },
	{ OPTION_KEEP, "keep-parts", "N", "Of --rotate, keep the last N parts, and remove the oldest." },
	{ OPTION_LIMIT, "limit", "SIZE", "Remove the oldest parts when all parts together exceed SIZE." },
	{ OPTION_STRICT, "strict", NULL, "Exit status 3 if events were lost." },
	{ }
};

/* The state of a run. */
struct record {
	struct session session;
	struct flight flight;
	struct streams streams;
	struct rotation_limits limits;
	char *output;
	bool strict;
	char **command;
	struct child_signals found;
	pid_t child;
	bool asked;		/* a signal has asked us to end */
	struct recording recording;
	struct kallsyms kallsyms;
	int signals;
	bool stopped;		/* somebody has switched recording off, and we have said so */
	struct timespec began;
};

static int parse_value(struct record *record, int option, const char *value)
{
	uint64_t number;

	switch (option) {
	case 'o':
		record->output = need_memory(strdup(value));
		break;
	case OPTION_SNAPSHOT_ON:
		if (!flight_add(&record->flight, value))
			return usage_error("record", "%s: neither fail nor signal nor kmsg:TEXT nor 'latency NAME > TIME' nor MODULE:MARKER nor 'MARKER if FILTER'",
					   value);
		record->session.overwrite = true;
		break;
	case OPTION_AFTER:
		if (!duration_parse(value, &record->flight.after))
			return usage_error("record", "%s: not a time as 500ms or 5s", value);
		break;
	case OPTION_SNAPSHOTS:
		if (!number_parse(value, 1, INT_MAX, &record->flight.max))
			return usage_error("record", "%s: not a number of snapshots", value);
		break;
	case OPTION_ROTATE:
		if (!duration_parse(value, &record->limits.time) &&
		    !size_parse(value, 1, &record->limits.size))
			return usage_error("record", "%s: neither a size as 100M nor a time as 30s, 10min, 1h or 1d",
					   value);
		break;
	case OPTION_KEEP:
		if (!number_parse(value, 2, INT_MAX, &number))
			return usage_error("record", "%s: not a number of parts from 2 on", value);
		record->limits.keep = number;
		break;
	case OPTION_LIMIT:
		if (!size_parse(value, 1, &record->limits.limit))
			return usage_error("record", "%s: not a size", value);
		break;
	case OPTION_STRICT:
		record->strict = true;
		break;
	default:
		return session_option(&record->session, "record", option, value);
	}
	return STATUS_OK;
}

#define MIN_LIMIT	(1 << 20)
#define MAX_SNAPSHOTS	100

/* Do the limits fit together? Fill in what follows from others. */
static int check_limits(struct rotation_limits *limits)
{
	char size[32];

	if (limits->keep && !limits->size && !limits->time)
		return usage_error("record", "--keep-parts needs --rotate");
	if (limits->limit && limits->limit < MIN_LIMIT)
		return usage_error("record", "--limit: 1M is the least");
	if (limits->limit && limits->size > limits->limit / 2)
		return usage_error("record", "--limit is less than two parts: --rotate %llu is possible, or less",
				   (unsigned long long)limits->limit / 2);
	if (limits->limit && !limits->size) {
		limits->size = limits->limit / 16;
		say("a part has %s, a 16th of --limit, or less",
		    size_text(limits->size, size, sizeof(size)));
	}
	if (limits->time && !limits->size)
		limits->size = UINT64_MAX;
	return STATUS_OK;
}

static int parse(struct record *record, struct arguments *args)
{
	const char *value;
	int option, status;

	while ((option = option_next(args, &value))) {
		status = parse_value(record, option, value);
		if (status)
			return status;
	}
	record->command = args->argc ? args->argv : NULL;
	if (session_check(&record->session, "record"))
		return STATUS_USAGE;
	if (record->flight.nr && record->session.keep)
		return usage_error("record", "--snapshot-on saves what is in the buffers without --keep");
	status = check_limits(&record->limits);
	if (status)
		return status;
	if (record->flight.nr && record->limits.size)
		return usage_error("record", "--snapshot-on has nothing to rotate");
	if (flight_has(&record->flight, CONDITION_FAIL) && !record->command)
		return usage_error("record", "--snapshot-on fail needs a COMMAND");
	if (!record->flight.nr && (record->flight.after || record->flight.max != MAX_SNAPSHOTS))
		return usage_error("record", "--after and --snapshots are for --snapshot-on");
	if (!record->output)
		record->output = recording_name();
	record->recording.parts = record->flight.nr || record->limits.size;
	record->flight.output = record->output;
	record->flight.kallsyms = &record->kallsyms;
	return STATUS_OK;
}

/* Read signals from a file from now on. If SIGHUP is ignored (nohup), leave it so. */
static int take_signals(struct record *record)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, on_hangup;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaction(SIGHUP, NULL, &on_hangup);
	if (on_hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	if (flight_has(&record->flight, CONDITION_SIGNAL))
		sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &record->found.mask);
	sigaction(SIGPIPE, &ignore, &record->found.on_pipe);
	record->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return record->signals < 0 ? say_errno("signalfd") : STATUS_OK;
}

static bool is_flight_recorder(const struct record *record)
{
	return record->flight.nr;
}

static double seconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - then->tv_sec + (now.tv_nsec - then->tv_nsec) / 1e9;
}

/* Rewrite the line that shows the progress, if stderr is a terminal. */
static void show_progress(const struct record *record)
{
	uint64_t events = 0, lost = 0, bytes = 0;
	struct cpu_stats stats;
	char line[160], size[32];
	int i, n, nr, *cpus;

	if (!isatty(STDERR_FILENO))
		return;
	nr = control_cpus(&cpus);
	for (i = 0; i < nr; i++) {
		if (control_stats(cpus[i], &stats))
			break;
		events += stats.written - stats.lost;
		lost += stats.lost;
	}
	for (i = 0; i < record->streams.nr; i++)
		bytes += record->streams.stream[i].bytes;
	free(cpus);
	n = snprintf(line, sizeof(line), "\r%llu events, %s saved, %llu lost, %.0f s \033[K",
		     (unsigned long long)events, size_text(bytes, size, sizeof(size)),
		     (unsigned long long)lost, seconds_since(&record->began));
	if (write(STDERR_FILENO, line, n) < 0)
		return;
}

static void clear_progress(void)
{
	if (isatty(STDERR_FILENO) && write(STDERR_FILENO, "\r\033[K", 4) < 0)
		return;
}

/*
 * A signal came: the recording ends when the command ends. The terminal has sent the signal to
 * the command, too; a signal from a process we pass on. A second signal ends the recording at
 * once.
 */
static bool end_by(struct record *record, const struct signalfd_siginfo *info)
{
	if (record->child <= 0 || record->asked)
		return true;
	record->asked = true;
	if (info->ssi_code <= 0)
		kill(record->child, info->ssi_signo);
	return false;
}

/* Handle the signals that came. Return: whether the recording ends. */
static bool take_signal(struct record *record)
{
	struct signalfd_siginfo info;
	bool end = false, failed;

	while (read(record->signals, &info, sizeof(info)) == sizeof(info)) {
		switch (info.ssi_signo) {
		case SIGCHLD:
			if (record->child > 0 && child_ended(record->child, &failed)) {
				record->child = 0;
				end = true;
				if (failed)
					flight_take(&record->flight, CONDITION_FAIL);
			}
			break;
		case SIGUSR1:
			flight_take(&record->flight, CONDITION_SIGNAL);
			break;
		default:
			end |= end_by(record, &info);
		}
	}
	return end;
}

/* A trigger may switch recording off. Say so once: what comes now is missing. */
static void look_whether_on(struct record *record)
{
	record->stopped = record->stopped || !session_is_on();
}

/* A module has come. If nothing here ends as it should, its events can be read all the same. */
static void describe(struct record *record)
{
	if (is_flight_recorder(record))
		return;
	if (record->streams.rotates)
		rotation_describe(&record->streams.rotation);
	else
		file_copy(control_fd(), "ctf/metadata", record->recording.dir, "metadata");
}

/* Conditions that come within this time may share a snapshot. */
#define FLIGHT_MS 50

/* Return: whether the recording ends: no snapshot will be taken any more. */
static bool look_at_flight(struct record *record, bool ending)
{
	flight_look(&record->flight);
	return !flight_goes_on(&record->flight, ending) && (ending || record->child <= 0);
}

/* Wait for a signal, the end of the command, or an error of a thread. */
static int wait_for_end(struct record *record)
{
	struct pollfd fds[] = {
		{ .fd = record->signals, .events = POLLIN },
		{ .fd = record->kallsyms.fd, .events = POLLIN },
	};
	bool ending = false;
	int err;

	for (;;) {
		if (poll(fds, 2, record->flight.nr ? FLIGHT_MS : 250) < 0 && errno != EINTR)
			return say_errno("poll");
		if (fds[0].revents && take_signal(record)) {
			/* the command has ended; or a signal says that we do */
			flight_look(&record->flight);
			if (ending || !flight_goes_on(&record->flight, true))
				return STATUS_OK;
			ending = true;
		}
		if (record->flight.nr && look_at_flight(record, ending))
			return STATUS_OK;
		if (kallsyms_update(&record->kallsyms))
			describe(record);
		err = streams_failed(&record->streams);
		if (err) {
			clear_progress();
			errno = err;
			return say_errno("recording ends here");
		}
		look_whether_on(record);
		show_progress(record);
	}
}

/* With --keep, the recording has what is in the buffers, and not what was there before. */
static int count_before(struct streams *streams)
{
	struct cpu_stats stats;
	int i;

	for (i = 0; i < streams->nr; i++) {
		if (control_stats(streams->stream[i].cpu, &stats))
			return STATUS_FAILED;
		streams->stream[i].before = stats.written - stats.unread - stats.open;
	}
	return STATUS_OK;
}

static int start_streams(struct record *record)
{
	if (is_flight_recorder(record))
		return STATUS_OK;
	if (streams_open(&record->streams, record->recording.dir, &record->limits,
			 &record->kallsyms))
		return STATUS_FAILED;
	if (record->session.keep && count_before(&record->streams))
		return STATUS_FAILED;
	return streams_start(&record->streams);
}

/*
 * If the sample kernel_events is there, its process_state says which tasks there are. Another
 * process asks, because our own hits are left out.
 */
static void ask_for_tasks(void)
{
	int fd = open("/sys/module/kernel_events/parameters/statedump", O_WRONLY | O_CLOEXEC);
	int status = 0;
	pid_t pid;

	/* a recording without it is good, too */
	if (fd < 0)
		return;
	pid = fork();
	if (!pid)
		_exit(write(fd, "1", 1) < 0 ? errno : 0);
	close(fd);
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status)) {
		say("kernel_events was not asked for the tasks");
	} else if (WEXITSTATUS(status)) {
		errno = WEXITSTATUS(status);
		say_errno("statedump of kernel_events");
	}
}

static void begin_symbols(struct record *record)
{
	char *clock = setting_read("trace_clock");

	kallsyms_begin(&record->kallsyms, record->recording.dir, clock ? clock : "?");
	free(clock);
}

static int begin(struct record *record)
{
	if (session_begin(&record->session, &record->recording) ||
	    recording_begin(&record->recording, &record->session.found))
		return STATUS_FAILED;
	begin_symbols(record);
	if (start_streams(record) || flight_arm(&record->flight, record->session.own) ||
	    session_record(&record->session))
		return STATUS_FAILED;
	clock_gettime(CLOCK_MONOTONIC, &record->began);
	ask_for_tasks();
	if (record->command)
		record->child = child_start(record->command, &record->found);
	return record->child < 0 ? STATUS_FAILED : STATUS_OK;
}

static int record_until_end(struct record *record)
{
	int status = wait_for_end(record);

	clear_progress();
	if (record->child > 0)
		say("the command goes on, as process %d", record->child);
	return status;
}

/* Print the last line: saved and lost events by CPU. */
static uint64_t summarize(const struct record *record)
{
	const struct rotation *rotation = &record->streams.rotation;
	uint64_t events = 0, bytes = 0, lost = 0, missing;
	char *losses = NULL, size[32];
	struct cpu_stats stats;
	size_t room;
	FILE *out;
	int i;

	out = need_memory(open_memstream(&losses, &room));
	for (i = 0; i < record->streams.nr; i++) {
		const struct stream *stream = &record->streams.stream[i];

		events += stream->events;
		bytes += stream->bytes;
		if (control_stats(stream->cpu, &stats))
			continue;
		stats.written -= stream->before;
		missing = stats.written > stream->events ? stats.written - stream->events : 0;
		lost += missing;
		if (missing)
			fprintf(out, "%scpu%d %llu", ftell(out) ? ", " : " (", stream->cpu,
				(unsigned long long)missing);
	}
	fclose(out);
	events -= rotation->gone.events;
	bytes -= rotation->gone.bytes;
	if (rotation->nr_removed)
		say("the oldest %u parts, with %llu events, were removed",
		    rotation->nr_removed, (unsigned long long)rotation->gone.events);
	say("%llu events, %s in %s; lost %llu%s%s", (unsigned long long)events,
	    size_text(bytes, size, sizeof(size)), record->output,
	    (unsigned long long)lost, losses, *losses ? ")" : "");
	free(losses);
	return lost;
}

static int finish(struct record *record, int status)
{
	int fired = STATUS_OK;
	uint64_t lost = 0;

	look_whether_on(record);
	if (is_flight_recorder(record)) {
		fired = flight_end(&record->flight);
		status |= session_stop() | (fired == STATUS_FIRED ? STATUS_OK : fired);
	} else {
		status |= session_stop();
		streams_drain(&record->streams);
		if (!status && streams_failed(&record->streams)) {
			errno = streams_failed(&record->streams);
			status = say_errno("not all of it is recorded");
		}
		lost = summarize(record);
	}
	kallsyms_end(&record->kallsyms);
	streams_close(&record->streams);
	status |= session_end(&record->session, status);
	if (!status && record->strict && lost)
		return STATUS_LOST;
	return status ?: fired;
}

/* The recording could not begin: leave nothing. */
static int give_up(struct record *record)
{
	if (record->session.guard.pid)
		session_stop();
	kallsyms_end(&record->kallsyms);
	streams_close(&record->streams);
	session_end(&record->session, true);
	recording_remove(&record->recording);
	return STATUS_FAILED;
}

static int run(struct arguments *args)
{
	struct record record = {
		.flight.max = MAX_SNAPSHOTS,
		.kallsyms.fd = -1,
		.session.buffer_percent = "25",
		.session.without_own = true,
		.streams.wake = -1,
	};
	int status = parse(&record, args);

	if (status)
		return status;
	if (record.command && child_find(record.command[0]))
		return STATUS_FAILED;
	if (control_open() || take_signals(&record) || flight_open(&record.flight) ||
	    recording_create(&record.recording, record.output))
		return STATUS_FAILED;
	if (begin(&record))
		return give_up(&record);
	return finish(&record, record_until_end(&record));
}

const struct command command_record = {
	.name = "record",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Record into a CTF trace",
	.text = "Records until COMMAND ends; without one, until SIGINT (Ctrl-C) or SIGTERM. With\n"
		"one, the first of these signals is for COMMAND, a second one ends the recording.\n"
		"The recording is a directory that babeltrace2 and \"markers report\" read.\n"
		"\n"
		SESSION_TEXT " With\n"
		"--keep the recording begins with them, and what is enabled there stays enabled.\n"
		"\n"
		WISH_TEXT "\n"
		"\n"
		"With --rotate it is a directory of such recordings, 000001 and so on. The one that\n"
		"is being written has .open after its number: those without it are complete, and on\n"
		"the disk. --keep-parts and --limit remove the oldest complete one when there are more,\n"
		"and also when the disk is full.\n"
		"\n"
		"With --snapshot-on it saves nothing until COND comes, and then the buffers:\n"
		"\tfail                 COMMAND ends with another status than 0\n"
		"\tsignal               SIGUSR1 comes\n"
		"\tkmsg:TEXT            the kernel's log gets a line with TEXT\n"
		"\tMARKER if FILTER     a hit of the marker passes the filter\n"
		"\tMODULE:MARKER        it is hit\n"
		"\tlatency NAME > 5ms   a pair of markers that is known at the top takes longer\n"
		"The option may be repeated. Each snapshot is a trace of its own, DIR/snapshot-1 and so on;\n"
		"what came in the time of --after is DIR/snapshot-1-after. info/fired there says which COND\n"
		"it was. The exit status is 4 if there is one.\n"
		"\n"
		"The last line has the number of events and bytes, and events that were lost,\n"
		"by CPU.",
	.examples = "Record a command:\n"
		"\tmarkers record -e 'mydriver:*' -o trace -- dd if=/dev/mydriver of=/dev/null\n"
		"Two markers, each with its filter:\n"
		"\tmarkers record -e m:request -f 'bytes > 4096' -e m:done -f 'error < 0' -o trace\n"
		"Weeks, in a part for each hour, or 100 MiB, and 10 GiB of them on the disk:\n"
		"\tmarkers record -e 'mydriver:*' --rotate 1h --rotate 100M --limit 10G -o weeks\n"
		"What was just before the kernel complains:\n"
		"\tmarkers record -e 'mydriver:*' --snapshot-on 'kmsg:I/O error' -o flight\n"
		"What was before the first slow request, and a second after it:\n"
		"\tmarkers record -e 'mydriver:*' --snapshot-on 'mydriver:done if ms > 50' --snapshots 1 --after 1s -o slow\n",
	.see = "report check export snapshot live",
	.options = options,
	.run = run,
	.completes = "command",
};
