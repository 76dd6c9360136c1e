// SPDX-License-Identifier: GPL-2.0
/*
 * The threads that move packets from a pipe, which stands for trace_pipe_raw, to a file
 * system with splice() and to one without.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "control.h"
#include "streams.h"
#include "tap.h"

#define NR_PACKETS	20
#define SIZE		1000	/* of each */

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

static void write_packets(int out)
{
	union {
		struct ctf_packet_header header;
		char data[SIZE];
	} packet = {
		.header = {
			.magic = CTF_MAGIC, .uuid = { 1, 2, 3, 4 }, .stream_id = 0x04030201,
			.content_size = 8 * SIZE, .packet_size = 8 * SIZE, .nr_events = 3,
		},
	};
	int i;

	for (i = 0; i < NR_PACKETS; i++)
		if (write(out, &packet, SIZE) != SIZE)
			return;
	/* the beginning of one more */
	if (write(out, &packet, 100) != 100)
		return;
}

static void test(const char *what)
{
	int dir = open("recording", O_RDONLY | O_DIRECTORY), out;
	struct streams streams;
	struct stat file = {};

	ok(!streams_open(&streams, dir, 0), "%s: open", what);
	out = open("fake/per_cpu/cpu0/trace_pipe_raw", O_WRONLY);
	write_packets(out);
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

int main(void)
{
	char work[] = "/tmp/streams-XXXXXX", command[64];
	FILE *stats;

	if (!ok(mkdtemp(work) && !chdir(work), "a directory") ||
	    !ok(!mkdir("recording", 0700) && !mkdir("fake", 0700) &&
		!mkdir("fake/per_cpu", 0700) && !mkdir("fake/per_cpu/cpu0", 0700) &&
		!mkfifo("fake/per_cpu/cpu0/trace_pipe_raw", 0600), "that of markers.ko"))
		return tap_done();
	stats = fopen("fake/per_cpu/cpu0/stats", "w");
	fputs("unread: 0\nopen: 0\n", stats);
	fclose(stats);
	setenv("MARKERS_DIR", "fake", 1);
	ok(!control_open(), "it is found");
	test("splice");
	out_has_splice = false;
	test("no splice");
	snprintf(command, sizeof(command), "rm -r %s", work);
	ok(!system(command), "removed");
	return tap_done();
}
