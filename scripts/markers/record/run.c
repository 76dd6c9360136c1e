// SPDX-License-Identifier: GPL-2.0
/*
 * The main thread waits for signals, for the end of the command and for the conditions of
 * --snapshot-on. The threads of streams.c move the packets. The process of guard.c restores
 * the settings and completes the directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../control/control.h"
#include "../control/settings.h"
#include "progress.h"
#include "run.h"

/* Read signals from a file from now on. */
static int take_signals(struct record *record)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t set;

	session_endings(&set);
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
		if (!is_flight_recorder(record))
			streams_look(&record->streams);
		err = streams_failed(&record->streams);
		if (err) {
			progress_clear();
			errno = err;
			return say_errno("recording ends here");
		}
		look_whether_on(record);
		progress_show(&record->streams, &record->began);
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

#define ROOM_FOR_DIR	(64 << 10)	/* for a directory, and the first files there */
#define ROOM_TO_BEGIN	(16 << 20)	/* for the symbols of the kernel, and what each recording has */

/* If parts may go, those of earlier starts make room. */
static void make_room(struct record *record, size_t size)
{
	if (record->limits.keep || record->limits.limit)
		earlier_make_room(&record->earlier, size);
}

/* Also if this start fails: they are gone. */
static void say_removed(const struct record *record)
{
	if (record->earlier.nr_removed)
		say("%u parts of earlier starts were removed", record->earlier.nr_removed);
}

static int begin(struct record *record)
{
	if (session_begin(&record->session, &record->recording))
		return STATUS_FAILED;
	/* not before: most starts that fail have failed by now */
	make_room(record, ROOM_TO_BEGIN);
	if (recording_begin(&record->recording, &record->session.found))
		return STATUS_FAILED;
	begin_symbols(record);
	if (start_streams(record) || flight_arm(&record->flight, record->session.own) ||
	    session_record(&record->session))
		return STATUS_FAILED;
	clock_gettime(CLOCK_MONOTONIC, &record->began);
	ask_for_tasks();
	if (record->command)
		record->child = child_start(record->command, &record->found);
	if (record->child < 0)
		return STATUS_FAILED;
	if (record->streams.rotates)
		rotation_begun(&record->streams.rotation);
	return STATUS_OK;
}

static int record_until_end(struct record *record)
{
	int status = wait_for_end(record);

	progress_clear();
	if (record->child > 0)
		say("the command goes on, as process %d", record->child);
	return status;
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
		say_removed(record);
		lost = progress_summarize(&record->streams, record->output);
	}
	kallsyms_end(&record->kallsyms);
	streams_close(&record->streams);
	status |= session_end(&record->session, status);
	if (!status && record->strict && lost)
		return STATUS_LOST;
	return status ?: fired;
}

/* Of --keep: are there events which are nowhere else now? */
static bool has_kept(struct record *record)
{
	int i;

	if (!record->session.keep)
		return false;
	streams_drain(&record->streams);
	for (i = 0; i < record->streams.nr; i++)
		if (record->streams.stream[i].bytes)
			return true;
	return false;
}

/* The recording could not begin: leave nothing of our own. */
static int give_up(struct record *record)
{
	bool kept;

	if (record->session.guard.pid)
		session_stop();
	kept = has_kept(record);
	kallsyms_end(&record->kallsyms);
	streams_close(&record->streams);
	session_end(&record->session, true);
	if (kept)
		say("what was in the buffers is in %s", record->output);
	else
		recording_remove(&record->recording);
	say_removed(record);
	return STATUS_FAILED;
}

/* Make the directory. Each start below another one has its own. */
static int create_output(struct record *record)
{
	char *name;
	int status;

	if (record->below) {
		name = recording_name();
		record->output = earlier_open(&record->earlier, record->below, name);
		free(name);
		if (!record->output)
			return STATUS_FAILED;
		record->limits.earlier = &record->earlier;
		make_room(record, ROOM_FOR_DIR);
	}
	status = record->output ? recording_create(&record->recording, record->output) :
		 recording_create_new(&record->recording, &record->output);
	record->flight.output = record->output;
	return status ?: recording_take(&record->recording);
}

int record_run(struct record *record)
{
	if (record->command && child_find(record->command[0]))
		return STATUS_FAILED;
	if (control_open() || take_signals(record) || flight_open(&record->flight))
		return STATUS_FAILED;
	if (create_output(record)) {
		say_removed(record);
		return STATUS_FAILED;
	}
	if (begin(record))
		return give_up(record);
	return finish(record, record_until_end(record));
}
