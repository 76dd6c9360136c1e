// SPDX-License-Identifier: GPL-2.0
/*
 * Messages to stderr. One write() prints a message, so lines of several threads and
 * processes do not mix.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

static void write_line(const char *end, const char *fmt, va_list args)
{
	char line[4096];
	int at, n;

	at = snprintf(line, sizeof(line), "markers: ");
	n = vsnprintf(line + at, sizeof(line) - at, fmt, args);
	if (n > 0)
		at += n;
	if (at > (int)sizeof(line) - 1)
		at = sizeof(line) - 1;
	n = snprintf(line + at, sizeof(line) - at, "%s\n", end);
	if (n > 0)
		at += n;
	if (at > (int)sizeof(line) - 1) {
		at = sizeof(line) - 1;
		line[at - 1] = '\n';
	}
	if (write(STDERR_FILENO, line, at) < 0)
		return;		/* nobody reads stderr any more */
}

int say(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write_line("", fmt, args);
	va_end(args);
	return STATUS_FAILED;
}

int say_errno(const char *fmt, ...)
{
	char end[256];
	va_list args;

	snprintf(end, sizeof(end), ": %s", strerror(errno));
	va_start(args, fmt);
	write_line(end, fmt, args);
	va_end(args);
	return STATUS_FAILED;
}

int usage_error(const char *command, const char *fmt, ...)
{
	char end[128];
	va_list args;

	snprintf(end, sizeof(end), "%s \"markers %s%s--help\"",
		 fmt[strlen(fmt) - 1] == '?' ? " Try" : "; try", command ? command : "",
		 command ? " " : "");
	va_start(args, fmt);
	write_line(end, fmt, args);
	va_end(args);
	return STATUS_USAGE;
}

void *need_memory(void *memory)
{
	if (!memory) {
		say("out of memory");
		exit(STATUS_FAILED);
	}
	return memory;
}

char *format_text(const char *fmt, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, fmt);
	n = vasprintf(&text, fmt, args);
	va_end(args);
	return need_memory(n < 0 ? NULL : text);
}
