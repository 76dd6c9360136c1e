// SPDX-License-Identifier: GPL-2.0
/*
 * The threads that move packets from a pipe, which stands for trace_pipe_raw, to a file
 * system with splice() and to one without.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "control.h"
#include "parts.h"
#include "streams.h"
#include "streams_kit.h"
#include "tap.h"

#define NR_PACKETS	20

static bool out_has_splice = true;

/* Replaces the function of the C library. */
ssize_t splice(int in, off64_t *in_at, int out, off64_t *out_at, size_t size, unsigned int flags)
{
	struct stat file;

	if (!out_has_splice && !fstat(out, &file) && S_ISREG(file.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	return syscall(SYS_splice, in, in_at, out, out_at, size, flags);
}

static atomic_int waits;	/* milliseconds for which a thread waits for its buffer */

/* Replaces the function of the C library. */
int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	struct timespec time = { timeout / 1000, timeout % 1000 * 1000000l };

	if (nr == 3)
		waits = timeout;
	return ppoll(fds, nr, timeout < 0 ? NULL : &time, NULL);
}

static struct rotation *described;	/* while it completes a part, a module comes */

/* Replaces the function of the C library. */
int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	struct rotation *rotation = described;

	described = NULL;
	if (rotation)
		rotation_describe(rotation);
	return syscall(SYS_renameat, from_dir, from, to_dir, to);
}

static const char *seen;	/* is a part seen while files are removed? */
static int removals, seen_then;

/* Replaces the function of the C library. */
int unlinkat(int dir, const char *name, int flags)
{
	int err = syscall(SYS_unlinkat, dir, name, flags);

	/* stream_3 goes before it has its hidden name */
	if (seen && !err && !(flags & AT_REMOVEDIR)) {
		removals++;
		seen_then += *name != 's' && !access(seen, F_OK);
	}
	return err;
}

static int probes;	/* how often another command has its shared lock when we want ours */

/* Replaces the function of the C library. */
int flock(int fd, int operation)
{
	if (operation & LOCK_EX && probes > 0) {
		probes--;
		errno = EWOULDBLOCK;
		return -1;
	}
	return syscall(SYS_flock, fd, operation);
}

/* Files of this recording that were brought to the disk, by their paths in it */
static const char *const to_sync[4] = {
	"late/000001.open/metadata", "late/000001.open",
	"late/000002.open/metadata", "late/000002.open",
};
static atomic_bool synced[4];

/* Replaces the function of the C library. */
int fsync(int fd)
{
	char link[32], path[256];
	ssize_t size;
	size_t i, length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, path, sizeof(path));
	for (i = 0; i < 4; i++) {
		length = strlen(to_sync[i]);
		if (size > (ssize_t)length && !memcmp(path + size - length, to_sync[i], length))
			synced[i] = true;
	}
	return syscall(SYS_fsync, fd);
}

/* Wait until the metadata of a part and the part itself are on the disk. */
static bool is_synced(unsigned int part)
{
	const size_t i = 2 * (part - 1);
	int times;

	for (times = 0; times < 3000 && !(synced[i] && synced[i + 1]); times++)
		usleep(10000);
	return synced[i] && synced[i + 1];
}

static void test(const char *what)
{
	int dir = open("recording", O_RDONLY | O_DIRECTORY), out;
	struct streams streams;
	struct stat file = {};

	ok(!streams_open(&streams, dir, &(struct rotation_limits){}, NULL), "%s: open", what);
	out = open("fake/per_cpu/cpu0/trace_pipe_raw", O_WRONLY);
	write_packets(out, NR_PACKETS, 100);
	ok(!streams_start(&streams), "%s: start", what);
	streams_drain(&streams);
	is_int(streams_failed(&streams), 0, "%s: errors", what);
	is_int(streams.stream[0].events, 3 * NR_PACKETS, "%s: events", what);
	ok(!fstatat(dir, "stream_0", &file, 0), "%s: a file", what);
	is_int(file.st_size, SIZE * NR_PACKETS, "%s: its size", what);
	streams_close(&streams);
	close(out);
	close(dir);
}

static bool has_text(const char *path, const char *text)
{
	char line[64] = "";
	FILE *file = fopen(path, "r");

	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	return !strcmp(line, text);
}

/* Wait until the thread has taken what was signalled. Return: whether it has. */
static bool pending_is_taken(const struct rotation *rotation)
{
	struct pollfd fd = { .fd = rotation->wake, .events = POLLIN };
	int i;

	for (i = 0; i < 3000 && poll(&fd, 1, 0) == 1; i++)
		usleep(10000);
	return !poll(&fd, 1, 0);
}

/* A part is complete when the streams of all CPUs have left it. */
static void test_parts(void)
{
	const struct rotation_limits limits = { .size = 5 * SIZE, .keep = 3 };
	int dir = open("recording", O_RDONLY | O_DIRECTORY), out[2], i;
	char path[64];
	struct streams streams;

	write_text("fake/ctf/metadata", "the markers at the beginning");
	ok(!mkdir("recording/info", 0700), "parts: info");
	write_text("recording/info/uname", "a machine");
	write_text("recording/info/symbols", "of the beginning");
	write_text("recording/info/clock", "begin: ");
	ok(!streams_open(&streams, dir, &limits, NULL), "parts: open");
	out[0] = open("fake/per_cpu/cpu0/trace_pipe_raw", O_WRONLY);
	out[1] = open("fake/per_cpu/cpu1/trace_pipe_raw", O_WRONLY);
	ok(is_there("recording/000001.open/metadata") && !is_there("recording/metadata"),
	   "parts: the first has metadata, the directory has none");
	write_text("fake/ctf/metadata", "the markers at the end");
	ok(!streams_start(&streams), "parts: start");
	rotation_begun(&streams.rotation);
	write_packets(out[0], 5, 0);
	ok(came("recording/000001/stream_0"), "parts: the first is complete");
	ok(has_text("recording/000001/metadata", "the markers at the end"),
	   "parts: it describes the markers of a module that was loaded in it");
	ok(!is_there("recording/000001.open"), "parts: it is not open any more");
	ok(has_text("recording/000001/info/uname", "a machine") &&
	   has_text("recording/000001/info/symbols", "of the beginning"), "parts: it has info");
	write_text("fake/ctf/metadata", "a module has come");
	rotation_describe(&streams.rotation);
	ok(has_text("recording/000002.open/metadata", "a module has come"),
	   "parts: an open one describes markers that are new");
	for (i = 2; i <= 6; i++) {
		write_packets(out[i % 2], 5, 0);
		snprintf(path, sizeof(path), "recording/%06d", i);
		ok(came(path), "parts: number %d", i);
	}
	streams_drain(&streams);
	is_int(streams_failed(&streams), 0, "parts: errors");
	for (i = 1; i <= 4; i++) {
		snprintf(path, sizeof(path), "recording/%06d", i);
		ok(!is_there(path), "parts: number %d is removed", i);
	}
	ok(is_there("recording/000005/stream_1") && is_there("recording/000006/stream_0"),
	   "parts: the last two stay");
	ok(is_there("recording/000007.open"), "parts: and the one that is open");
	is_int(streams.rotation.nr_removed, 4, "parts: that many are removed");
	is_int(streams.rotation.gone.events, 4 * 15, "parts: events in these");
	ok(!parts_complete(dir) && is_there("recording/000007/metadata"), "parts: the last one");
	streams_close(&streams);
	close(out[0]);
	close(out[1]);
	close(dir);
}

/* Return: whether the thread waits that long at most. */
static bool waits_for(int out, int timeout)
{
	int i;

	for (i = 0; i < 3000 && waits != timeout; i++) {
		write_packets(out, 1, 0);
		usleep(10000);
	}
	return waits == timeout;
}

/* While somebody follows, a packet is to come soon. */
static void test_followed(void)
{
	int dir, out, other;
	struct streams streams;

	ok(!mkdir("followed", 0700), "followed: a directory");
	dir = open("followed", O_RDONLY | O_DIRECTORY);
	other = open("followed", O_RDONLY | O_DIRECTORY);
	ok(!streams_open(&streams, dir, &(struct rotation_limits){}, NULL), "followed: open");
	out = open("fake/per_cpu/cpu0/trace_pipe_raw", O_WRONLY);
	ok(!streams_start(&streams), "followed: start");
	streams_look(&streams);
	ok(waits_for(out, 1000), "followed: by nobody");
	flock(other, LOCK_SH);
	streams_look(&streams);
	ok(waits_for(out, 200), "followed: the thread takes the buffer more often");
	flock(other, LOCK_UN);
	streams_look(&streams);
	ok(waits_for(out, 1000), "followed: by nobody again");
	is_int(flock(other, LOCK_EX | LOCK_NB), 0, "followed: a look keeps no lock");
	streams_drain(&streams);
	streams_close(&streams);
	close(out);
	close(other);
	close(dir);
}

/* Another CPU writes nothing: at the end no more parts are kept than otherwise. */
static void test_idle(void)
{
	const struct rotation_limits limits = { .size = 5 * SIZE, .keep = 3 };
	int dir = open("idle", O_RDONLY | O_DIRECTORY), out[2], i;
	char path[64];
	struct streams streams;

	ok(!streams_open(&streams, dir, &limits, NULL), "idle: open");
	out[0] = open("fake/per_cpu/cpu0/trace_pipe_raw", O_WRONLY);
	out[1] = open("fake/per_cpu/cpu1/trace_pipe_raw", O_WRONLY);
	ok(!streams_start(&streams), "idle: start");
	rotation_begun(&streams.rotation);
	for (i = 2; i <= 9; i++) {
		write_packets(out[0], 5, 0);
		snprintf(path, sizeof(path), "idle/%06d.open", i);
		ok(came(path), "idle: part %d begins", i);
	}
	streams_drain(&streams);
	is_int(streams_failed(&streams), 0, "idle: errors");
	for (i = 1; i <= 9; i++) {
		snprintf(path, sizeof(path), "idle/%06d%s", i, i == 9 ? ".open" : "");
		ok(is_there(path) == (i > 6), "idle: part %d is %s", i, i > 6 ? "there" : "removed");
	}
	is_int(streams.rotation.nr_removed, 6, "idle: that many are removed");
	streams_close(&streams);
	close(out[0]);
	close(out[1]);
	close(dir);
}

/* A thread may begin when the stream of another CPU is in the second part; a module at any time. */
static void test_late(void)
{
	const struct rotation_limits limits = { .size = 5 * SIZE };
	struct rotation rotation;
	int dir;

	ok(!mkdir("late", 0700), "late: a directory");
	dir = open("late", O_RDONLY | O_DIRECTORY);
	ok(!rotation_open(&rotation, dir, &limits, NULL, 2), "late: open");
	ok(synced[0] && synced[1], "late: the metadata of the first part are on the disk");
	is_int(rotation_enter(&rotation, 0), 1, "late: the first stream");
	rotation.bytes = limits.size;
	is_int(rotation_turn(&rotation, 1), 1, "late: it turns");
	rotation_leave(&rotation, 0, 15, limits.size);
	is_int(rotation_enter(&rotation, 0), 2, "late: to the second part");
	ok(!rotation_start(&rotation), "late: the thread that completes parts");
	ok(pending_is_taken(&rotation), "late: it has nothing to do");
	ok(is_synced(2), "late: but to bring the metadata of the second part to the disk");
	is_int(rotation_enter(&rotation, 1), 2, "late: the second stream begins there");
	ok(came("late/000001"), "late: the first part is complete");
	rotation.bytes = limits.size;
	is_int(rotation_turn(&rotation, 2), 1, "late: the second one is full");
	rotation_leave(&rotation, 0, 15, limits.size);
	described = &rotation;
	rotation_leave(&rotation, 1, 0, 0);
	ok(came("late/000002"), "late: it is completed while a module comes");
	is_int(rotation.error, 0, "late: errors");
	rotation_close(&rotation);
	close(dir);
}

/* Parts of a time, and a limit for all of them. */
static void test_time(void)
{
	const struct rotation_limits limits = { .size = UINT64_MAX, .time = 1000000 };
	int dir, out, i;
	struct streams streams;
	char path[64];

	ok(!mkdir("time", 0700), "time: a directory");
	dir = open("time", O_RDONLY | O_DIRECTORY);
	ok(!streams_open(&streams, dir, &limits, NULL), "time: open");
	out = open("fake/per_cpu/cpu0/trace_pipe_raw", O_WRONLY);
	ok(!streams_start(&streams), "time: start");
	for (i = 1; i <= 2; i++) {
		write_packets(out, 1, 0);
		snprintf(path, sizeof(path), "time/%06d", i);
		ok(came(path), "time: part %d", i);
	}
	streams_drain(&streams);
	is_int(streams_failed(&streams), 0, "time: errors");
	is_int(streams.rotation.part, 3, "time: nothing comes, and no part begins");
	streams_close(&streams);
	close(out);
	close(dir);
}

static void test_limit(void)
{
	/* a part has its metadata, too */
	const struct rotation_limits limits = { .size = 5 * SIZE, .limit = 18 * SIZE };
	int dir, out, i;
	struct streams streams;
	char path[64];

	ok(!mkdir("limit", 0700), "limit: a directory");
	dir = open("limit", O_RDONLY | O_DIRECTORY);
	ok(!streams_open(&streams, dir, &limits, NULL), "limit: open");
	out = open("fake/per_cpu/cpu0/trace_pipe_raw", O_WRONLY);
	ok(!streams_start(&streams), "limit: start");
	rotation_begun(&streams.rotation);
	for (i = 1; i <= 5; i++) {
		write_packets(out, 5, 0);
		snprintf(path, sizeof(path), "limit/%06d", i);
		ok(came(path), "limit: part %d", i);
	}
	streams_drain(&streams);
	is_int(streams.rotation.nr_removed, 3, "limit: two complete parts and the open one have room");
	is_int(streams.rotation.gone.bytes, 3 * 5 * SIZE, "limit: bytes of the others");
	ok(!is_there("limit/000003") && is_there("limit/000004"), "limit: the oldest have gone");
	streams_close(&streams);
	close(out);
	close(dir);
}

/* A kill while the metadata was replaced has left the new copy; one of a removal, a part of a part. */
static void test_remove(void)
{
	int dir = open("idle", O_RDONLY | O_DIRECTORY);

	ok(!mkdir("idle/000050", 0700), "remove: a part");
	write_text("idle/000050/metadata", "of the beginning");
	write_text("idle/000050/.metadata.new", "half of that of the e");
	ok(!mkdir("idle/.000050.gone", 0700), "remove: what a kill has left of another one");
	write_text("idle/.000050.gone/stream_3", "");
	seen = "idle/000050";
	ok(!part_remove(dir, 50) && !is_there("idle/000050"), "remove: nothing is left of it");
	is_int(removals, 3, "remove: three files");
	is_int(seen_then, 0, "remove: nobody sees it without one");
	seen = NULL;
	ok(!is_there("idle/.000050.gone"), "remove: nor of the other one");
	ok(!mkdir("idle/000051", 0700), "remove: a part with a file of somebody else");
	write_text("idle/000051/notes", "mine");
	ok(part_remove(dir, 51) && errno == ENOTEMPTY && is_there("idle/000051/notes"),
	   "remove: which stays");
	close(dir);
}

/* "markers enable" looks with a shared lock whether somebody records. */
static void test_lock(void)
{
	int other = open("fake", O_RDONLY | O_DIRECTORY);

	probes = 3;
	ok(!control_is_locked(), "lock: nobody records");
	ok(!control_lock() && !probes, "lock: one that only looks does not keep us from it");
	is_int(flock(other, LOCK_SH | LOCK_NB), -1, "lock: we have it");
	flock(control_fd(), LOCK_UN);
	is_int(flock(other, LOCK_EX | LOCK_NB), 0, "lock: another one has it");
	ok(control_is_locked() && control_lock(), "lock: so we are refused");
	close(other);
}

int main(void)
{
	char work[] = "/tmp/streams-XXXXXX";

	if (!begin_work(work) || !ok(!mkdir("recording", 0700), "for a recording"))
		return tap_done();
	test_lock();
	test("splice");
	out_has_splice = false;
	test("no splice");
	out_has_splice = true;
	ok(!mkdir("fake/ctf", 0700) && !mkdir("fake/per_cpu/cpu1", 0700) &&
	   !mkfifo("fake/per_cpu/cpu1/trace_pipe_raw", 0600), "a second CPU");
	write_text("fake/per_cpu/cpu1/stats", "unread: 0\nopen: 0\n");
	test_parts();
	ok(!mkdir("idle", 0700), "a directory");
	test_idle();
	test_followed();
	test_late();
	test_time();
	test_limit();
	test_remove();
	end_work(work);
	return tap_done();
}
