/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For tests of the threads that move packets: a directory that stands for that of markers.ko,
 * with a pipe for trace_pipe_raw of CPU 0, and packets for it.
 */
#ifndef _STREAMS_KIT_H
#define _STREAMS_KIT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control.h"
#include "packets.h"
#include "tap.h"

#define SIZE		1000	/* of each packet */

/* Write packets, and of one more the first @rest bytes. */
static inline void write_packets(int out, int nr, size_t rest)
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

	for (i = 0; i < nr; i++)
		if (write(out, &packet, SIZE) != SIZE)
			return;
	if (write(out, &packet, rest) != (ssize_t)rest)
		return;
}

static inline void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
}

static inline bool is_there(const char *path)
{
	return !access(path, F_OK);
}

/* Wait for a file. Return: whether it came. */
static inline bool came(const char *path)
{
	int i;

	for (i = 0; i < 3000 && !is_there(path); i++)
		usleep(10000);
	return is_there(path);
}

/* Make a directory from a template, and go there. Return: whether the rest can be tested. */
static inline bool begin_work(char *work)
{
	if (!ok(mkdtemp(work) && !chdir(work), "a directory") ||
	    !ok(!mkdir("fake", 0700) && !mkdir("fake/per_cpu", 0700) &&
		!mkdir("fake/per_cpu/cpu0", 0700) &&
		!mkfifo("fake/per_cpu/cpu0/trace_pipe_raw", 0600), "that of markers.ko"))
		return false;
	write_text("fake/per_cpu/cpu0/stats", "unread: 0\nopen: 0\n");
	setenv("MARKERS_DIR", "fake", 1);
	return ok(!control_open(), "it is found");
}

static inline void end_work(const char *work)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", work);
	ok(!system(command), "removed");
}

#endif /* _STREAMS_KIT_H */
