// SPDX-License-Identifier: GPL-2.0
/*
 * The threads that move packets, on a disk that is full, or loses what it got.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "message.h"
#include "parts.h"
#include "streams.h"
#include "streams_kit.h"
#include "tap.h"

static const char *full_while;	/* the disk is full as long as this is there */
static int full_err = ENOSPC;	/* what it says */
static const char *full_once;	/* it is full once when something gets this name */

/* Return: whether it fails. */
static bool is_full(const char *name)
{
	if (!full_once || strcmp(name, full_once))
		return false;
	full_once = NULL;
	errno = full_err;
	return true;
}

/* Replaces the function of the C library. */
int mkdirat(int dir, const char *name, mode_t mode)
{
	return is_full(name) ? -1 : syscall(SYS_mkdirat, dir, name, mode);
}

/* Replaces the function of the C library. */
int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	return is_full(to) ? -1 : syscall(SYS_renameat, from_dir, from, to_dir, to);
}

/* Replaces the function of the C library. */
ssize_t splice(int in, off64_t *in_at, int out, off64_t *out_at, size_t size, unsigned int flags)
{
	struct stat file;

	if (full_while && !access(full_while, F_OK) && !fstat(out, &file) && S_ISREG(file.st_mode)) {
		errno = full_err;
		return -1;
	}
	return syscall(SYS_splice, in, in_at, out, out_at, size, flags);
}

static const char *unwritten;	/* what is written to this file does not come to the disk */
static int unwritten_err;	/* which is told once, as the kernel does */

static bool is_unwritten(int fd)
{
	struct stat file, other;

	if (!unwritten || fstat(fd, &file) || stat(unwritten, &other) ||
	    file.st_ino != other.st_ino)
		return false;
	unwritten = NULL;
	errno = unwritten_err;
	return true;
}

/* Replaces the function of the C library. */
int fdatasync(int fd)
{
	return is_unwritten(fd) ? -1 : syscall(SYS_fdatasync, fd);
}

static bool out_tells_close;	/* as a file system that writes in close() */

/* Replaces the function of the C library. */
int close(int fd)
{
	bool fails = out_tells_close && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR &&
		     is_unwritten(fd);
	int err = syscall(SYS_close, fd);

	if (fails)
		errno = unwritten_err;
	return fails ? -1 : err;
}

/* Record into a new directory. Return: its file descriptor; @out: of what is recorded */
static int begin(struct streams *streams, const char *name, const struct rotation_limits *limits,
		 int *out)
{
	int dir;

	ok(!mkdir(name, 0700), "%s: a directory", name);
	dir = open(name, O_RDONLY | O_DIRECTORY);
	ok(!streams_open(streams, dir, limits, NULL), "%s: open", name);
	*out = open("fake/per_cpu/cpu0/trace_pipe_raw", O_WRONLY);
	ok(!streams_start(streams), "%s: start", name);
	return dir;
}

static void end(struct streams *streams, int dir, int out)
{
	streams_close(streams);
	close(out);
	close(dir);
}

/* Without a limit nothing goes, and the recording ends. */
static void test_full(const char *name, unsigned int keep)
{
	const struct rotation_limits limits = { .size = 5 * SIZE, .keep = keep };
	int dir, out, i;
	char path[64];
	struct streams streams;

	dir = begin(&streams, name, &limits, &out);
	for (i = 1; i <= 3; i++) {
		write_packets(out, 5, 0);
		snprintf(path, sizeof(path), "%s/%06d", name, i);
		ok(came(path), "%s: part %d", name, i);
	}
	snprintf(path, sizeof(path), "%s/000001", name);
	full_while = path;
	write_packets(out, 1, 0);
	streams_drain(&streams);
	full_while = NULL;
	is_int(streams_failed(&streams), keep ? 0 : full_err, "%s: errors", name);
	is_int(streams.stream[0].events, keep ? 3 * 16 : 3 * 15, "%s: events", name);
	ok(is_there(path) == !keep, "%s: the oldest part has %s", name, keep ? "gone" : "stayed");
	is_int(streams.rotation.nr_removed, !!keep, "%s: that many are removed", name);
	end(&streams, dir, out);
}

/* The first part goes for another one, or for the name of one. */
static void test_full_once(const char *name, const char *once)
{
	const struct rotation_limits limits = { .size = 5 * SIZE, .keep = 100 };
	int dir, out, i;
	char path[64];
	struct streams streams;

	dir = begin(&streams, name, &limits, &out);
	for (i = 1; i <= 4; i++) {
		if (i == 4)
			full_once = once;
		write_packets(out, 5, 0);
		snprintf(path, sizeof(path), "%s/%06d", name, i);
		ok(came(path), "%s: part %d", name, i);
	}
	streams_drain(&streams);
	ok(!full_once, "%s: it was full", name);
	is_int(streams_failed(&streams), 0, "%s: errors", name);
	is_int(streams.rotation.nr_removed, 1, "%s: one part is removed", name);
	end(&streams, dir, out);
}

/* A part that did not come to the disk keeps ".open", though the guard completes parts, too. */
static void test_unwritten(const char *name, bool in_close)
{
	const struct rotation_limits limits = { .size = 5 * SIZE, .keep = 100 };
	int dir, out, i;
	char path[64], stream[64];
	struct streams streams;

	dir = begin(&streams, name, &limits, &out);
	for (i = 1; i <= 2; i++) {
		write_packets(out, 5, 0);
		snprintf(path, sizeof(path), "%s/%06d", name, i);
		ok(came(path), "%s: part %d", name, i);
	}
	snprintf(stream, sizeof(stream), "%s/000003.open/stream_0", name);
	ok(came(stream), "%s: part 3 begins", name);
	out_tells_close = in_close;
	unwritten_err = ENOSPC;
	unwritten = stream;
	write_packets(out, 5, 0);
	streams_drain(&streams);
	ok(!unwritten, "%s: the error is told", name);
	is_int(streams_failed(&streams), in_close ? ENOSPC : EIO, "%s: errors", name);
	snprintf(path, sizeof(path), "%s/000001", name);
	ok(is_there(path), "%s: room would not help, so no part goes for it", name);
	ok(parts_complete(dir) == STATUS_FAILED, "%s: not all parts can be completed", name);
	ok(is_there(stream), "%s: that part stays open", name);
	snprintf(path, sizeof(path), "%s/000004.open", name);
	ok(!is_there(path), "%s: no other part is open", name);
	ok(!parts_remove_one(dir, "000003.open") && !is_there(stream), "%s: it can be removed", name);
	end(&streams, dir, out);
}

/* Without parts only close() can tell. */
static void test_close(void)
{
	int dir, out;
	struct streams streams;

	dir = begin(&streams, "close", &(struct rotation_limits){}, &out);
	write_packets(out, 1, 0);
	ok(came("close/stream_0"), "close: a stream");
	out_tells_close = true;
	unwritten_err = EDQUOT;
	unwritten = "close/stream_0";
	streams_drain(&streams);
	is_int(streams_failed(&streams), EDQUOT, "close: its error is that of the recording");
	end(&streams, dir, out);
}

int main(void)
{
	char work[] = "/tmp/disk-XXXXXX";

	if (!begin_work(work) || !ok(!mkdir("fake/ctf", 0700), "for metadata"))
		return tap_done();
	write_text("fake/ctf/metadata", "the markers");
	test_full("full", 100);
	test_full("unlimited", 0);
	test_full_once("no room to begin", "000005.open");
	test_full_once("no room to complete", "000004");
	full_err = EDQUOT;
	test_full("quota", 100);
	test_full("unlimited quota", 0);
	test_full_once("no quota to begin", "000005.open");
	test_full_once("no quota to complete", "000004");
	test_unwritten("unwritten", false);
	test_unwritten("unwritten at close", true);
	test_close();
	end_work(work);
	return tap_done();
}
