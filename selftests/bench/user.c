// SPDX-License-Identifier: GPL-2.0
/*
 * The part of the benchmark that is a process: it counts the ticks of the CPU's
 * counter and the interrupts between CPUs while it makes one system call,
 * or reads a file to its end.  Prints one line of numbers.
 *
 *	user write FILE TEXT	ticks, and function call interrupts of all CPUs meanwhile
 *	user command FILE TEXT	the same, with a newline: without, it waits for close()
 *	user run OP COUNT REPEAT	count, least and median ticks, the same interrupts
 *	user read FILE SIZE	ticks, bytes, calls; SIZE bytes at a time
 *	user splice FILE SIZE	the same, to /dev/null, without copying
 *	user copy FROM TO	ticks of this process, without its waits: writing
 *				FROM to TO, which is truncated, 64 KiB at a time
 *	user insmod FILE	the same: loading a module
 *	user rmmod NAME		and unloading it
 *	user perf EVENT COMMAND...	run COMMAND while CPU 0 records the event SYSTEM/EVENT as
 *				perf record does, the newest ones; then a line "hits N"
 *
 * TRACING_ON may be set to the path of ftrace's tracing_on.  Then ftrace records while "write",
 * "command" and "run" measure.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

static void die(const char *what)
{
	fprintf(stderr, "user: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int open_or_die(const char *path, int flags)
{
	int fd = open(path, flags);

	if (fd < 0)
		die(path);
	return fd;
}

/* The CPU's counter. */
static unsigned long long ticks(void)
{
#ifdef __x86_64__
	return __rdtsc();
#else
	unsigned long long now;

	asm volatile("isb; mrs %0, cntvct_el0" : "=r" (now) : : "memory");
	return now;
#endif
}

/* The sum of the line CAL of /proc/interrupts; 0 with one CPU. */
static unsigned long call_interrupts(void)
{
	FILE *file = fopen("/proc/interrupts", "r");
	unsigned long sum = 0;
	char line[4096], *at, *end;

	if (!file)
		die("/proc/interrupts");
	while (fgets(line, sizeof(line), file)) {
		at = strstr(line, "CAL:");
		if (!at)
			continue;
		for (at += 4;; at = end) {
			unsigned long n = strtoul(at, &end, 10);

			if (end == at)
				break;
			sum += n;
		}
	}
	fclose(file);
	return sum;
}

static void trace(const char *on)
{
	const char *path = getenv("TRACING_ON");
	int fd;

	if (!path)
		return;
	fd = open_or_die(path, O_WRONLY);
	if (write(fd, on, 1) != 1)
		die(path);
	close(fd);
}

static void time_write(const char *path, const char *text, const char *end)
{
	char line[256];
	unsigned long long from, to;
	unsigned long calls;
	ssize_t len = snprintf(line, sizeof(line), "%s%s", text, end);
	int fd = open_or_die(path, O_WRONLY);

	trace("1");
	calls = call_interrupts();
	from = ticks();
	if (write(fd, line, len) != len)
		die(path);
	to = ticks();
	calls = call_interrupts() - calls;
	trace("0");
	printf("%llu %lu\n", to - from, calls);
}

static void run(const char *op, const char *count, const char *repeat)
{
	char text[128];
	unsigned long calls;
	ssize_t len;
	int fd = open_or_die("/proc/bench", O_RDWR);

	len = snprintf(text, sizeof(text), "%s %s %s", op, count, repeat);
	trace("1");
	calls = call_interrupts();
	if (write(fd, text, len) != len)
		die(op);
	calls = call_interrupts() - calls;
	trace("0");
	len = pread(fd, text, sizeof(text) - 1, 0);
	if (len <= 0)
		die(op);
	text[len - 1] = '\0';
	printf("%s %lu\n", text, calls);
}

static void time_read(const char *path, size_t size)
{
	unsigned long long from, bytes = 0, calls = 0;
	char *buf = calloc(1, size);
	int fd = open_or_die(path, O_RDONLY | O_NONBLOCK);
	ssize_t len;

	if (!buf)
		die("calloc");
	from = ticks();
	while ((len = read(fd, buf, size)) > 0) {
		bytes += len;
		calls++;
	}
	from = ticks() - from;
	if (len < 0 && errno != EAGAIN)
		die(path);
	printf("%llu %llu %llu\n", from, bytes, calls);
}

static void time_splice(const char *path, size_t size)
{
	unsigned long long from, bytes = 0, calls = 0;
	int fd = open_or_die(path, O_RDONLY | O_NONBLOCK);
	int null = open_or_die("/dev/null", O_WRONLY);
	ssize_t len, rest, done;
	int ends[2];

	if (pipe(ends))
		die("pipe");
	fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
	from = ticks();
	while ((len = splice(fd, NULL, ends[1], NULL, size,
			     SPLICE_F_NONBLOCK)) > 0) {
		for (rest = len; rest; rest -= done) {
			done = splice(ends[0], NULL, null, NULL, rest, 0);
			if (done <= 0)
				die("/dev/null");
		}
		bytes += len;
		calls++;
	}
	from = ticks() - from;
	if (len < 0 && errno != EAGAIN)
		die(path);
	printf("%llu %llu %llu\n", from, bytes, calls);
}

/* While qemu counts instructions, each one is a nanosecond, and a tick. */
static unsigned long long cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void time_copy(const char *from, const char *to)
{
	static char text[4 << 20];
	int in = open_or_die(from, O_RDONLY), out;
	unsigned long long begin;
	ssize_t size, done, at;

	size = read(in, text, sizeof(text));
	if (size < 0)
		die(from);
	begin = cpu_time();
	out = open_or_die(to, O_WRONLY | O_TRUNC);
	for (at = 0; at < size; at += done) {
		done = write(out, text + at, size - at < 65536 ? size - at : 65536);
		if (done <= 0)
			die(to);
	}
	if (close(out))
		die(to);
	printf("%llu\n", cpu_time() - begin);
}

static void time_insmod(const char *path)
{
	int fd = open_or_die(path, O_RDONLY);
	unsigned long long begin = cpu_time();

	if (syscall(SYS_finit_module, fd, "", 0))
		die(path);
	printf("%llu\n", cpu_time() - begin);
}

static void time_rmmod(const char *name)
{
	unsigned long long begin = cpu_time();

	if (syscall(SYS_delete_module, name, O_NONBLOCK))
		die(name);
	printf("%llu\n", cpu_time() - begin);
}

/* A buffer that only we map for reading overwrites its oldest events, so none is lost. */
static void record_with_perf(const char *event, char **command)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW,
		.watermark = 1,
		.wakeup_watermark = 1 << 18,
	};
	char path[256], id[32] = "";
	unsigned long long hits;
	int fd, status;
	pid_t pid;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", event);
	fd = open_or_die(path, O_RDONLY);
	if (read(fd, id, sizeof(id) - 1) <= 0)
		die(path);
	close(fd);
	attr.config = atol(id);
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		die("perf_event_open");
	if (mmap(NULL, (1 << 19) + 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
		die("mmap");
	pid = fork();
	if (!pid) {
		execv(command[0], command);
		die(command[0]);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		die("the command of perf");
	if (read(fd, &hits, sizeof(hits)) != sizeof(hits))
		die("read");
	printf("hits %llu\n", hits);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "write") && argc == 4)
		time_write(argv[2], argv[3], "");
	else if (!strcmp(what, "command") && argc == 4)
		time_write(argv[2], argv[3], "\n");
	else if (!strcmp(what, "run") && argc == 5)
		run(argv[2], argv[3], argv[4]);
	else if (!strcmp(what, "read") && argc == 4)
		time_read(argv[2], atol(argv[3]));
	else if (!strcmp(what, "splice") && argc == 4)
		time_splice(argv[2], atol(argv[3]));
	else if (!strcmp(what, "copy") && argc == 4)
		time_copy(argv[2], argv[3]);
	else if (!strcmp(what, "insmod") && argc == 3)
		time_insmod(argv[2]);
	else if (!strcmp(what, "rmmod") && argc == 3)
		time_rmmod(argv[2]);
	else if (!strcmp(what, "perf") && argc > 3)
		record_with_perf(argv[2], argv + 3);
	else
		return 2;
	return 0;
}
