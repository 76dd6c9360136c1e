// SPDX-License-Identifier: GPL-2.0
/*
 * feed STREAM PIPE [STEP [N]]: write the packets of a stream to a pipe, which stands for trace_pipe_raw. As
 * the kernel's file does, the pipe has whole packets only: the next one follows when all is read.
 * With STEP, it waits after each 16 packets, or N, until there is a file STEP.1, STEP.2 and so on, or STEP.all.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <markers/uapi/ctf.h>

#define PER_STEP	16

/* Wait for the step before a packet, if there is one. */
static void wait_for_step(const char *step, unsigned int packet, unsigned int per_step)
{
	char next[4096], all[4096];

	if (!packet || packet % per_step)
		return;
	snprintf(next, sizeof(next), "%s.%u", step, packet / per_step);
	snprintf(all, sizeof(all), "%s.all", step);
	while (access(next, F_OK) && access(all, F_OK))
		usleep(20000);
}

int main(int argc, char **argv)
{
	FILE *in = argc >= 3 ? fopen(argv[1], "r") : NULL;
	int out = in ? open(argv[2], O_WRONLY) : -1, waits;
	struct pollfd pipe = { .fd = out };
	struct ctf_packet_header header;
	static char data[1 << 16];
	unsigned int packet = 0;
	size_t size;

	if (out < 0)
		return 1;
	while (fread(&header, sizeof(header), 1, in) == 1) {
		size = header.packet_size / 8;
		if (size > sizeof(data) || fseek(in, -(long)sizeof(header), SEEK_CUR) ||
		    fread(data, 1, size, in) != size)
			return 1;
		if (argc >= 4)
			wait_for_step(argv[3], packet++, argc > 4 ? atoi(argv[4]) : PER_STEP);
		while (!ioctl(out, FIONREAD, &waits) && waits) {
			if (poll(&pipe, 1, 0) == 1 && pipe.revents & POLLERR)
				return 0;	/* the reader has ended */
			usleep(100);
		}
		if (write(out, data, size) != (ssize_t)size)
			return 1;
	}
	return 0;
}
