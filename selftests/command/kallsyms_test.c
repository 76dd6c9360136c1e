// SPDX-License-Identifier: GPL-2.0
/*
 * info/symbols while modules come and go. Files of /proc, the kernel's messages and the clock
 * are those of the test.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static const char *symbols, *modules;
static const char *messages[8];
static unsigned int nr_messages;
static unsigned long now;

static FILE *open_fake(const char *path)
{
	const char *text = strstr(path, "modules") ? modules : symbols;

	return fmemopen((void *)text, strlen(text), "r");
}

static ssize_t take_fake(char *text, size_t room)
{
	const char *message = messages[0];

	if (!nr_messages || !message) {
		errno = nr_messages ? ENOBUFS : EAGAIN;
		nr_messages -= !!nr_messages;
		return -1;
	}
	memmove(messages, messages + 1, --nr_messages * sizeof(*messages));
	return snprintf(text, room, "%s", message);
}

#define fopen(path, mode)		open_fake(path)
#define recv(fd, text, room, flags)	take_fake(text, room)
#define poll(fds, nr, ms)		((void)(fds), (int)nr_messages)
#include "kallsyms.c"

uint64_t clock_read(const char *clock)
{
	(void)clock;
	return now;
}

static struct kallsyms kallsyms;
static char text[4096];

static bool full;	/* the disk has room for half of a line */

static void update_in_room(void)
{
	struct rlimit found, limit;
	struct stat file = {};

	fstatat(kallsyms.info, "symbols", &file, 0);
	getrlimit(RLIMIT_FSIZE, &found);
	limit = found;
	if (full)
		limit.rlim_cur = file.st_size + 20;
	setrlimit(RLIMIT_FSIZE, &limit);
	kallsyms_update(&kallsyms);
	/* the output of this test is a file, too */
	setrlimit(RLIMIT_FSIZE, &found);
}

/* The messages that came up to a time. Return: what they add to the file. */
static const char *update(unsigned long time, const char *first, const char *second)
{
	static size_t before;
	FILE *file;
	size_t size;

	now = time;
	if (first)
		messages[nr_messages++] = first;
	if (second)
		messages[nr_messages++] = second;
	update_in_room();
	file = fdopen(openat(kallsyms.info, "symbols", O_RDONLY), "r");
	size = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[size] = '\0';
	size = before;
	before = strlen(text);
	return text + size;
}

int main(void)
{
	char dir[] = "/tmp/kallsyms-XXXXXX", *info;
	struct stat file;
	int fd;

	if (!mkdtemp(dir))
		return 1;
	info = format_text("%s/info", dir);
	mkdir(info, 0700);
	fd = open(dir, O_RDONLY | O_DIRECTORY);
	symbols = "01 T _text\n02 D data\n10 t f\t[a]\n20 t g\t[b]\n30 t h\t[c]\n";
	modules = "a 1 0 - Live 0x10\nb 1 0 - Loading 0x20\n";
	now = 100;
	kallsyms_begin(&kallsyms, fd, "mono");
	ok(kallsyms.fd >= 0, "the kernel's messages");
	is_str(update(110, NULL, NULL), "01 T _text\n10 t f\t[a]\n", "functions of the kernel and of live modules");
	modules = "a 1 0 - Live 0x10\nb 1 0 - Live 0x20\n";
	is_str(update(120, NULL, NULL), "# came 0 b\n20 t g\t[b]\n", "of one that has become live");
	is_str(update(130, "remove@/module/a", NULL), "# gone 130 a\n", "one goes");
	is_str(update(140, "add@/module/c", "add@/devices/x/module/d"), "", "one comes, not yet live");
	modules = "b 1 0 - Live 0x20\nc 1 0 - Live 0x30\n";
	is_str(update(150, NULL, NULL), "# came 130 c\n30 t h\t[c]\n", "when it is: since it came");
	symbols = "10 t f\t[a]\n20 t g\t[b]\n";
	modules = "a 1 0 - Live 0x10\nb 1 0 - Live 0x20\n";
	is_str(update(160, "remove@/module/c", "add@/module/a"), "# gone 150 c\n# came 160 a\n10 t f\t[a]\n",
	       "both: the time between is of none");
	modules = "b 1 0 - Live 0x20\n";
	is_str(update(170, "add@/module/e", "remove@/module/e"), "", "one that was too short there");
	update(180, NULL, NULL);
	modules = "b 1 0 - Live 0x20\n";
	messages[0] = NULL;
	nr_messages = 1;
	update(190, NULL, NULL);
	ok(strstr(text, "# gone 180 a\n") && strstr(text, "# gone 180 b\n"), "lost messages: each may have gone");
	ok(strstr(text, "# came 190 b\n20 t g\t[b]\n"), "and those that are there have come");
	signal(SIGXFSZ, SIG_IGN);
	full = true;
	symbols = "20 t g\t[b]\n30 t h\t[c]\n";
	modules = "b 1 0 - Live 0x20\nc 1 0 - Live 0x30\n";
	is_str(update(200, "add@/module/c", NULL), "", "a full disk: there is no half of a line");
	modules = "c 1 0 - Live 0x30\n";
	is_str(update(210, "remove@/module/b", NULL), "", "still full");
	full = false;
	is_str(update(220, NULL, NULL), "# came 190 c\n30 t h\t[c]\n# gone 210 b\n",
	       "when there is room, all of it comes");
	is_str(update(230, NULL, NULL), "", "once");
	symbols = "00 T _text\n00 t f\t[a]\n";
	is_int(kallsyms_copy(kallsyms.info), 0, "where addresses are hidden");
	is_int(fstatat(kallsyms.info, "symbols", &file, 0), 0, "there is a file");
	is_int(file.st_size, 0, "which is empty");
	is_int(kallsyms_give(&kallsyms, fd), 0, "a copy for a snapshot");
	is_int(unlinkat(fd, "symbols", 0), 0, "is there");
	kallsyms_end(&kallsyms);
	unlinkat(fd, "info/symbols", 0);
	mkdirat(fd, "info/symbols", 0700);
	kallsyms_begin(&kallsyms, fd, "mono");
	is_int(kallsyms_give(&kallsyms, fd), 0, "if there are no symbols, a snapshot has none");
	is_int(faccessat(fd, "symbols", F_OK, 0), -1, "and no file");
	unlinkat(fd, "info/symbols", AT_REMOVEDIR);
	unlinkat(fd, "info/symbols", 0);
	rmdir(info);
	rmdir(dir);
	free(info);
	return tap_done();
}
