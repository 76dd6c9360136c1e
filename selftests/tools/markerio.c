// SPDX-License-Identifier: GPL-2.0
/*
 * What a shell cannot do with a file:
 *
 *	markerio drain FILE		copy it to stdout until it says EAGAIN or
 *					ends, without ever waiting
 *	markerio splice FILE [wait]	the same by splice(), through a pipe; or go on
 *					and wait for more
 *	markerio try FILE		one read() that does not wait: prints the
 *					number of bytes, or the error
 *	markerio poll FILE MS		"readable" or "timeout"
 *	markerio toggle N FILE...	write 1 to each of the files in turn, then
 *					0, until there were N writes
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buf[65536];

static int fail(const char *what)
{
	fprintf(stderr, "markerio: %s: %s\n", what, strerror(errno));
	return 1;
}

static int open_file(const char *name, int flags)
{
	int fd = open(name, flags);

	if (fd < 0)
		exit(fail(name));
	return fd;
}

static int drain(const char *name)
{
	int fd = open_file(name, O_RDONLY | O_NONBLOCK);
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		if (fwrite(buf, 1, n, stdout) != (size_t)n)
			return fail("stdout");
	}
	if (n < 0 && errno != EAGAIN)
		return fail(name);
	return fflush(stdout) ? fail("stdout") : 0;
}

static int splice_out(const char *name, bool wait)
{
	int fd = open_file(name, O_RDONLY);
	ssize_t n, got;
	int p[2];

	if (pipe(p))
		return fail("pipe");
	while ((n = splice(fd, NULL, p[1], NULL, 1 << 20,
			   wait ? 0 : SPLICE_F_NONBLOCK)) > 0) {
		for (; n; n -= got) {
			got = read(p[0], buf, sizeof(buf));
			if (got <= 0 || fwrite(buf, 1, got, stdout) != (size_t)got)
				return fail("stdout");
		}
		if (fflush(stdout))
			return fail("stdout");
	}
	if (n < 0 && errno != EAGAIN)
		return fail(name);
	return 0;
}

static int try(const char *name)
{
	int fd = open(name, O_RDONLY | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, sizeof(buf));

	if (n < 0)
		printf("%s\n", strerror(errno));
	else
		printf("%zd\n", n);
	return 0;
}

static int wait_readable(const char *name, int ms)
{
	struct pollfd p = {
		.fd = open_file(name, O_RDONLY),
		.events = POLLIN,
	};
	int n = poll(&p, 1, ms);

	if (n < 0)
		return fail("poll");
	printf("%s\n", n ? p.revents & POLLIN ? "readable" : "error" : "timeout");
	return 0;
}

static int toggle(long nr, int nr_files, char **names)
{
	int fd[256];
	long i;

	if (nr_files > 256)
		nr_files = 256;
	for (i = 0; i < nr_files; i++)
		fd[i] = open_file(names[i], O_WRONLY);
	for (i = 0; i < nr; i++) {
		if (pwrite(fd[i % nr_files], i / nr_files % 2 ? "0" : "1", 1, 0) != 1)
			return fail(names[i % nr_files]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	if (!strcmp(what, "drain"))
		return drain(argv[2]);
	if (!strcmp(what, "splice"))
		return splice_out(argv[2], argc > 3);
	if (!strcmp(what, "try"))
		return try(argv[2]);
	if (!strcmp(what, "poll") && argc > 3)
		return wait_readable(argv[2], atoi(argv[3]));
	if (!strcmp(what, "toggle") && argc > 3)
		return toggle(atol(argv[2]), argc - 3, argv + 3);
	fprintf(stderr, "usage: see the top of markerio.c\n");
	return 1;
}
