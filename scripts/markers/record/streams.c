// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/message.h"
#include "../control/control.h"
#include "parts.h"
#include "streams.h"

#define PIPE_SIZE	(1 << 20)
#define MOVE_SIZE	(1 << 20)
#define MOVE_SIZE_MIN	(1 << 16)
/* A buffer that is not filled waits this long. SIGKILL leaves at most the events of this time. */
#define WAIT_MS		1000
/* While somebody follows: less than half of what "markers send --live" grants a CPU. */
#define FOLLOWED_MS	200

static void name_out(const struct stream *stream, char *name, size_t room)
{
	if (stream->part)
		part_stream(stream->part, stream->cpu, name, room);
	else
		snprintf(name, room, "stream_%d", stream->cpu);
}

static int open_out(struct stream *stream)
{
	char name[64];

	name_out(stream, name, sizeof(name));
	stream->out = openat(stream->streams->dir, name,
			     O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	stream->size = 0;
	memset(&stream->packets, 0, sizeof(stream->packets));
	return stream->out < 0 ? -1 : 0;
}

/*
 * Close the file. Remove it if it has no packet: an empty file is no stream. Return: 0; or -1 with
 * errno, if not all of it was written.
 */
static int close_out(struct stream *stream)
{
	char name[64];
	int err;

	if (stream->out < 0)
		return 0;
	if (stream->size != stream->packets.whole &&
	    ftruncate(stream->out, stream->packets.whole))
		say_errno("the end of the stream of CPU %d", stream->cpu);
	if (!stream->packets.whole) {
		name_out(stream, name, sizeof(name));
		unlinkat(stream->streams->dir, name, 0);
	}
	err = close(stream->out) ? errno : 0;
	stream->out = -1;
	if (err && stream->part)
		part_keep_open(stream->streams->dir, stream->part);
	errno = err;
	return err ? -1 : 0;
}

static int begin_stream(struct stream *stream)
{
	struct streams *streams = stream->streams;

	if (streams->rotates)
		stream->part = rotation_enter(&streams->rotation, stream - streams->stream);
	return open_out(stream);
}

/* Its file is closed. */
static void leave_part(struct stream *stream)
{
	rotation_leave(&stream->streams->rotation, stream - stream->streams->stream,
		       stream->packets.events, stream->packets.whole);
}

/* Between two packets: switch to the next part if this one is full. */
static int rotate(struct stream *stream)
{
	struct streams *streams = stream->streams;
	int turn;

	if (!streams->rotates || stream->packets.whole != stream->size)
		return 0;
	turn = rotation_turn(&streams->rotation, stream->part);
	if (turn <= 0)
		return turn;
	if (close_out(stream))
		return -1;
	leave_part(stream);
	return begin_stream(stream);
}

/* Count the packets that have become complete. */
static int count_packets(struct stream *stream)
{
	uint64_t events = stream->packets.events;
	off_t whole = stream->packets.whole;
	const char *wrong;

	wrong = packets_walk(&stream->packets, stream->out, stream->size);
	stream->events += stream->packets.events - events;
	stream->bytes += stream->packets.whole - whole;
	if (stream->streams->rotates)
		stream->streams->rotation.bytes += stream->packets.whole - whole;
	if (!wrong)
		return 0;
	say("stream_%d, offset %lld: %s", stream->cpu,
	    (long long)stream->packets.whole, wrong);
	errno = EIO;
	return -1;
}

/* Bytes to move at a time. A part exceeds its limit by at most this. */
static size_t move_size(const struct streams *streams)
{
	uint64_t quarter = streams->rotation.limits.size / 4;

	if (!streams->rotates || quarter > MOVE_SIZE)
		return MOVE_SIZE;
	return quarter > MOVE_SIZE_MIN ? quarter : MOVE_SIZE_MIN;
}

/* After an error: is there room on the disk again? */
static bool has_room(struct stream *stream)
{
	return file_disk_is_full(errno) && stream->streams->rotates &&
	       rotation_make_room(&stream->streams->rotation);
}

/* For a file that splice() cannot write to. */
static int copy_out(struct stream *stream, size_t size)
{
	char data[4096];
	ssize_t n, part, done;

	for (; size; size -= n) {
		n = read(stream->pipe[0], data, size < sizeof(data) ? size : sizeof(data));
		if (n <= 0)
			return -1;
		for (done = 0; done < n; done += part) {
			part = write(stream->out, data + done, n - done);
			if (part < 0 && !has_room(stream))
				return -1;
			part = part < 0 ? 0 : part;
			stream->size += part;
		}
	}
	return 0;
}

static int move_out(struct stream *stream, size_t size)
{
	ssize_t n;

	for (; size; size -= n) {
		n = splice(stream->pipe[0], NULL, stream->out, NULL, size, SPLICE_F_MOVE);
		if (n < 0 && errno == EINVAL)
			return copy_out(stream, size);
		if (!n)
			errno = ENOSPC;
		if (n <= 0 && !has_room(stream))
			return -1;
		n = n < 0 ? 0 : n;
		stream->size += n;
	}
	return 0;
}

/* Move what the buffer has. Return: bytes; 0: nothing now; -1 with errno. */
static ssize_t move_some(struct stream *stream)
{
	ssize_t got;
	int err;

	got = splice(stream->in, NULL, stream->pipe[1], NULL,
		     move_size(stream->streams), SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
	if (got <= 0)
		return got && errno != EAGAIN && errno != EINTR ? -1 : 0;
	err = move_out(stream, got) ? errno : 0;
	if (count_packets(stream))
		return -1;
	errno = err;
	return err ? -1 : got;
}

static bool is_empty(int cpu)
{
	struct cpu_stats stats;

	return control_stats(cpu, &stats) || !(stats.unread + stats.open);
}

/* Recording is off, but an interrupted writer may still have to finish its record. */
static int drain(struct stream *stream)
{
	ssize_t n;
	int i;

	for (i = 0; i < 1000; i++) {
		while ((n = move_some(stream)) > 0)
			if (rotate(stream))
				return -1;
		if (n < 0)
			return -1;
		if (is_empty(stream->cpu))
			return 0;
		poll(NULL, 0, 1);
	}
	say("CPU %d: events are left in its buffer", stream->cpu);
	return 0;
}

static int move_all(struct stream *stream)
{
	struct pollfd fds[] = {
		{ .fd = stream->in, .events = POLLIN },
		{ .fd = stream->streams->wake, .events = POLLIN },
		{ .fd = stream->turn, .events = POLLIN },	/* or -1 */
	};
	eventfd_t turns;
	ssize_t n;

	for (;;) {
		n = move_some(stream);
		if (n < 0 || rotate(stream))
			return -1;
		/*
		 * Always wait until the buffer is as full as buffer_percent says. splice() would
		 * take a sub-buffer that is still being written, too, and if our own calls are
		 * recorded there is always one.
		 */
		if (poll(fds, 3, stream->streams->followed ? FOLLOWED_MS : WAIT_MS) < 0 && errno != EINTR)
			return -1;
		if (fds[1].revents)
			return drain(stream);
		if (fds[2].revents)
			eventfd_read(stream->turn, &turns);
	}
}

static void *stream_main(void *arg)
{
	struct stream *stream = arg;

	stream->out = -1;
	if (begin_stream(stream) || move_all(stream))
		stream->error = errno ? errno : EIO;
	if (close_out(stream) && !stream->error)
		stream->error = errno;
	if (stream->part && !stream->error)
		leave_part(stream);
	return NULL;
}

static int open_stream(struct stream *stream)
{
	char name[64];

	snprintf(name, sizeof(name), "per_cpu/cpu%d/trace_pipe_raw", stream->cpu);
	stream->in = control_open_file(name, O_RDONLY | O_NONBLOCK);
	if (stream->in < 0)
		return STATUS_FAILED;
	if (pipe2(stream->pipe, O_CLOEXEC))
		return say_errno("pipe");
	if (stream->streams->rotates)
		stream->turn = stream->streams->rotation.turn[stream - stream->streams->stream];
	/* Try to get a larger pipe than the default: it saves system calls. */
	fcntl(stream->pipe[1], F_SETPIPE_SZ, PIPE_SIZE);
	return STATUS_OK;
}

int streams_open(struct streams *streams, int dir, const struct rotation_limits *limits,
		 struct kallsyms *kallsyms)
{
	int i, *cpus;

	memset(streams, 0, sizeof(*streams));
	streams->dir = dir;
	streams->wake = eventfd(0, EFD_CLOEXEC);
	if (streams->wake < 0)
		return say_errno("eventfd");
	streams->nr = control_cpus(&cpus);
	streams->stream = need_memory(calloc(streams->nr + 1, sizeof(*streams->stream)));
	for (i = 0; i < streams->nr; i++) {
		streams->stream[i].streams = streams;
		streams->stream[i].cpu = cpus[i];
		streams->stream[i].in = -1;
		streams->stream[i].turn = -1;
		streams->stream[i].pipe[0] = -1;
		streams->stream[i].pipe[1] = -1;
	}
	free(cpus);
	streams->rotates = limits->size;
	if (streams->rotates &&
	    rotation_open(&streams->rotation, dir, limits, kallsyms, streams->nr))
		return STATUS_FAILED;
	for (i = 0; i < streams->nr; i++)
		if (open_stream(&streams->stream[i]))
			return STATUS_FAILED;
	return streams->nr ? STATUS_OK : STATUS_FAILED;
}

static void join(struct streams *streams, int nr)
{
	int i;

	if (eventfd_write(streams->wake, 1))
		say_errno("eventfd");
	for (i = 0; i < nr; i++)
		pthread_join(streams->stream[i].thread, NULL);
}

int streams_start(struct streams *streams)
{
	int i, err = streams->rotates ? rotation_start(&streams->rotation) : 0;

	if (err) {
		errno = err;
		return say_errno("a thread for the parts");
	}
	for (i = 0; i < streams->nr; i++) {
		err = pthread_create(&streams->stream[i].thread, NULL, stream_main,
				     &streams->stream[i]);
		if (err) {
			errno = err;
			say_errno("a thread for CPU %d", streams->stream[i].cpu);
			join(streams, i);
			return STATUS_FAILED;
		}
	}
	streams->running = true;
	return STATUS_OK;
}

void streams_look(struct streams *streams)
{
	if (flock(streams->dir, LOCK_EX | LOCK_NB)) {
		streams->followed = errno == EWOULDBLOCK;
		return;
	}
	flock(streams->dir, LOCK_UN);
	streams->followed = false;
}

int streams_failed(const struct streams *streams)
{
	int i;

	for (i = 0; i < streams->nr; i++)
		if (streams->stream[i].error)
			return streams->stream[i].error;
	return streams->rotates ? streams->rotation.error : 0;
}

void streams_drain(struct streams *streams)
{
	if (streams->running)
		join(streams, streams->nr);
	streams->running = false;
	if (streams->rotates)
		rotation_end(&streams->rotation);
}

static void close_valid(int fd)
{
	if (fd >= 0)
		close(fd);
}

void streams_close(struct streams *streams)
{
	int i;

	streams_drain(streams);
	for (i = 0; i < streams->nr; i++) {
		close_valid(streams->stream[i].in);
		close_valid(streams->stream[i].pipe[0]);
		close_valid(streams->stream[i].pipe[1]);
	}
	if (streams->rotates)
		rotation_close(&streams->rotation);
	streams->rotates = false;
	free(streams->stream);
	streams->stream = NULL;
	streams->nr = 0;
	close_valid(streams->wake);
}
