// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on a file that a shell cannot do:
 *
 *	markerio drain FILE [COMMAND]	copy it to stdout until EAGAIN or its end,
 *					without ever waiting; then run COMMAND and copy
 *					once more through the same open file
 *	markerio splice FILE [wait]	the same by splice(), through a pipe; "wait"
 *					goes on and waits for more
 *	markerio try FILE		one read() that does not wait: prints the
 *					number of bytes, or the error
 *	markerio poll FILE MS		"readable" or "timeout"
 *	markerio poll-busy FILE		poll() while another read() of the open file
 *					waits for a page of its memory: "returns" or
 *					"waits"; or the reason why it cannot try
 *	markerio hold FILE COMMAND	keep FILE by O_PATH and by inotify, and a directory as
 *					the current one, too; run COMMAND, and try what can be done with it then:
 *					prints the errors, or "works"
 *	markerio through FILE COMMAND	open FILE for reading and writing, or only for reading;
 *					read, run COMMAND, and go on: prints the same
 *	markerio write-busy FILE TEXT COMMAND
 *					start COMMAND while a write() of TEXT waits for a page of
 *					its memory: prints "waits" once COMMAND waits for users of
 *					files (SRCU), or "ends", and lets both end; then what
 *					write() returned; or the reason why it cannot try
 *	markerio toggle N FILE...	write 1 to each of the files in turn, then
 *					0, until there were N writes
 *	markerio parts FILE PART...	open it anew (O_TRUNC), write each PART by itself, and
 *					close it: prints the errors, as "write 2: Invalid
 *					argument, close: ...", or "none"; a PART "@" is from
 *					an address where nothing is; what follows "@" is a
 *					command to run
 *	markerio writev FILE PART...	the same by one writev(), and by more for the rest if
 *					that was short
 *	markerio bad-pointer FILE	write 100 bytes from an address where nothing is: prints
 *					the error, or "none"
 *	markerio empty FILE		write 0 bytes: the same
 *	markerio direct FILE		open it anew with O_DIRECT, and close it: the same
 *	markerio landlock FILE		open it anew where Landlock forbids O_TRUNC: the same; or
 *					"cannot forbid it" before Linux 6.2, or without Landlock
 *	markerio rename FILE OLD NEW	copy it to stdout with NEW for each OLD, which
 *					is as long: makes a module with another name
 *	markerio kcore ADDRESS LENGTH
 *					copy kernel memory to stdout, from /proc/kcore
 *	markerio checksum FILE SYMBOL	copy the module to stdout with another checksum of
 *					SYMBOL, which it imports; fails if it has none
 *	markerio packets FILE		for each packet: the number of missing events so
 *					far, and the number of events in it
 *	markerio soak PIPE PROC N [odd]
 *					tell PROC (of test_soak) to start, check the
 *					events of PIPE one by one, at least N, tell it to
 *					stop, check the rest: "N verified, N losses, N
 *					frames"; "odd": expect only events with an odd seq
 *	markerio fail-nth WHAT FILE [TEXT [COMMAND [CHECK]]]
 *					do WHAT again and again: the first time the
 *					first allocation of the kernel fails, the
 *					second time the second, until none is left.
 *					WHAT is "insmod" (TEXT: parameters; it is
 *					removed again), "write" (TEXT), "append" (TEXT,
 *					without O_TRUNC), "read" or
 *					"truncate" (open it to read and write, O_TRUNC);
 *					COMMAND undoes it, after each success.
 *					CHECK is another command, after each failure.
 *					Both have to succeed.
 *					Prints how often WHAT failed, how often it
 *					succeeded nevertheless, and how often a write
 *					failed once the file was open; an error other than
 *					ENOMEM ends it. For kernels with fault injection.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/landlock.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../markers/uapi/ctf.h"

#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE	(1ULL << 14)	/* Linux 6.2 */
#endif

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

static int drain_once(const char *name, int fd)
{
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		if (fwrite(buf, 1, n, stdout) != (size_t)n)
			return fail("stdout");
	}
	if (n < 0 && errno != EAGAIN)
		return fail(name);
	return fflush(stdout) ? fail("stdout") : 0;
}

static int drain(const char *name, const char *command)
{
	int fd = open_file(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (drain_once(name, fd))
		return 1;
	if (!command)
		return 0;
	if (system(command))
		return fail(command);
	return drain_once(name, fd);
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

#define PAGE	4096UL

/* A userfaultfd, which supplies the page when we let it; or -1. */
static int uffd_of(char *page)
{
	struct uffdio_register where = {
		.range = { (unsigned long)page, PAGE },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	struct uffdio_api api = { .api = UFFD_API };

	if (page == MAP_FAILED || uffd < 0 || ioctl(uffd, UFFDIO_API, &api) ||
	    ioctl(uffd, UFFDIO_REGISTER, &where))
		return -1;
	return uffd;
}

static int busy_fd;
static char *busy_page;

static int read_page(void *unused)
{
	(void)unused;
	return read(busy_fd, busy_page, PAGE) <= 0;
}

static int poll_busy(const char *name)
{
	struct uffdio_zeropage zero = { .range.len = PAGE };
	static char stack[16 * PAGE];
	int uffd, ms = 0;
	struct uffd_msg msg;
	struct pollfd p;
	pid_t reader, poller;

	busy_page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	zero.range.start = (unsigned long)busy_page;
	uffd = uffd_of(busy_page);
	if (uffd < 0) {
		printf("userfaultfd: %s\n", strerror(errno));
		return 0;
	}
	busy_fd = open_file(name, O_RDONLY);
	p = (struct pollfd) { .fd = busy_fd, .events = POLLIN };
	reader = clone(read_page, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
	if (reader < 0 || read(uffd, &msg, sizeof(msg)) != sizeof(msg))
		return fail("reader");
	poller = fork();
	if (!poller)
		_exit(poll(&p, 1, 0) < 0);
	while (!waitpid(poller, NULL, WNOHANG) && ms++ < 3000)
		usleep(1000);
	printf("%s\n", ms < 3000 ? "returns" : "waits");
	if (ioctl(uffd, UFFDIO_ZEROPAGE, &zero))
		return fail("page");
	waitpid(reader, NULL, 0);
	return 0;
}

static void put_result(const char *what, bool works)
{
	printf("%s: %s\n", what, works ? "works" : strerror(errno));
}

/* readdir() takes ENOENT of a removed directory for its end. */
static void list_dir(const char *name)
{
	DIR *dir = opendir(name);
	int nr = 0;

	while (dir && readdir(dir))
		nr++;
	if (dir)
		closedir(dir);
	printf("list: %d names\n", nr);
}

static int hold(const char *name, const char *command)
{
	int fd = open_file(name, O_PATH | O_CLOEXEC), watch = inotify_init1(IN_CLOEXEC), info;
	/* a kernel may have no inotify */
	bool is_watched = !access("/proc/sys/fs/inotify", F_OK), is_dir;
	char path[64];
	struct stat st;

	if (fstat(fd, &st) || (is_watched && inotify_add_watch(watch, name, IN_ALL_EVENTS) < 0))
		return fail(name);
	is_dir = S_ISDIR(st.st_mode);
	if (is_dir && fchdir(fd))
		return fail(name);
	if (system(command))
		return fail(command);
	/* the watch has the inode, and no name */
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", watch);
	if (is_watched) {
		info = open_file(path, O_RDONLY);
		if (read(info, buf, sizeof(buf)) <= 0 || close(watch))
			return fail(path);
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	put_result("stat", !fstat(fd, &st));
	put_result("open", open(path, O_RDONLY) >= 0);
	put_result("chmod", !chmod(path, 0700));
	if (!is_dir)
		return 0;
	list_dir(".");
	put_result("enable", open("enable", O_RDONLY) >= 0);
	put_result("create", open("new", O_WRONLY | O_CREAT, 0600) >= 0);
	put_result("mkdir", !mkdir("new", 0700));
	put_result("up", !chdir(".."));
	return 0;
}

static int go_through(const char *name, const char *command)
{
	int fd = open(name, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		fd = open_file(name, O_RDONLY | O_CLOEXEC);
	if (read(fd, buf, 1) != 1)
		return fail(name);
	if (system(command))
		return fail(command);
	put_result("read", read(fd, buf, sizeof(buf)) >= 0);
	put_result("lseek", !lseek(fd, 0, SEEK_SET));
	put_result("write", write(fd, "0\n", 2) == 2);
	put_result("close", !close(fd));
	return 0;
}

struct busy_write {
	int fd;
	char *page;
	size_t size;
	ssize_t done;
	int error;
};

static int write_page(void *data)
{
	struct busy_write *busy = data;

	busy->done = write(busy->fd, busy->page, busy->size);
	busy->error = errno;
	return 0;
}

/* Does the kernel wait for users of files, for this task? */
static bool waits_for_files(pid_t pid)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stack", pid);
	fd = open(path, O_RDONLY);
	n = fd < 0 ? 0 : read(fd, buf, sizeof(buf) - 1);
	if (fd >= 0)
		close(fd);
	buf[n < 0 ? 0 : n] = '\0';
	return strstr(buf, "synchronize_srcu");
}

static int write_busy(const char *name, const char *text, const char *command)
{
	static char source[PAGE], stack[16 * PAGE];
	struct busy_write busy = { .size = strlen(text) };
	struct uffdio_copy copy = { .src = (unsigned long)source, .len = PAGE };
	struct uffd_msg msg;
	pid_t writer, other, ended;
	int uffd, status;

	busy.page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uffd = uffd_of(busy.page);
	if (uffd < 0) {
		printf("userfaultfd: %s\n", strerror(errno));
		return 0;
	}
	strncpy(source, text, sizeof(source) - 1);
	busy.fd = open_file(name, O_WRONLY | O_CLOEXEC);
	writer = clone(write_page, stack + sizeof(stack), CLONE_VM | SIGCHLD, &busy);
	if (writer < 0 || read(uffd, &msg, sizeof(msg)) != sizeof(msg))
		return fail("writer");
	other = fork();
	if (!other) {
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	while (!(ended = waitpid(other, &status, WNOHANG)) && !waits_for_files(other))
		usleep(1000);
	puts(ended ? "ends" : "waits");
	fflush(stdout);
	copy.dst = (unsigned long)busy.page;
	if (ioctl(uffd, UFFDIO_COPY, &copy))
		return fail("page");
	waitpid(writer, NULL, 0);
	if (!ended)
		waitpid(other, &status, 0);
	printf("command: %d\n", WEXITSTATUS(status));
	if (busy.done < 0)
		printf("write: %s\n", strerror(busy.error));
	else
		printf("write: %zd\n", busy.done);
	return 0;
}

/* A copy of a file, in memory. */
static char *copy_of(const char *name, off_t *size)
{
	int fd = open_file(name, O_RDONLY);
	char *text;

	*size = lseek(fd, 0, SEEK_END);
	text = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (text == MAP_FAILED)
		exit(fail(name));
	return text;
}

static int write_out(const char *text, off_t size)
{
	ssize_t n;

	for (; size; text += n, size -= n) {
		n = write(STDOUT_FILENO, text, size);
		if (n < 0)
			return fail("stdout");
	}
	return 0;
}

static int list_packets(const char *name)
{
	struct ctf_packet_header packet;
	off_t size, at = 0;
	char *text;

	for (text = copy_of(name, &size); at < size; at += packet.packet_size / 8) {
		if (size - at < (off_t)sizeof(packet))
			break;
		memcpy(&packet, text + at, sizeof(packet));
		if (packet.magic != CTF_MAGIC || packet.packet_size < 8 * sizeof(packet))
			break;
		printf("%" PRIu64 " %" PRIu32 "\n", packet.events_discarded, packet.nr_events);
	}
	if (at == size)
		return 0;
	fprintf(stderr, "markerio: %s: no packet at %lld\n", name, (long long)at);
	return 1;
}

static int rename_in(const char *name, const char *old, const char *new)
{
	const size_t len = strlen(old);
	char *text, *end, *p;
	off_t size;

	if (!len || strlen(new) != len) {
		fprintf(stderr, "markerio: %s and %s are not equally long\n", old, new);
		return 1;
	}
	text = copy_of(name, &size);
	end = text + size;
	for (p = text; (p = memmem(p, end - p, old, len)); p += len)
		memcpy(p, new, len);
	return write_out(text, size);
}

/* Section __versions has for each import: u64 checksum; char name[56]. */
static int change_checksum(const char *name, const char *symbol)
{
	struct {
		unsigned int high;
		char name[56];
	} want = { };
	off_t size;
	char *text, *p;

	snprintf(want.name, sizeof(want.name), "%s", symbol);
	text = copy_of(name, &size);
	p = memmem(text, size, &want, sizeof(want));
	if (!p) {
		fprintf(stderr, "markerio: %s has no checksum of %s\n", name, symbol);
		return 1;
	}
	p[-1] ^= 0x55;
	return write_out(text, size);
}

/* /proc/kcore is an ELF core: a segment says where in the file its addresses are. */
static int copy_kcore(unsigned long addr, size_t len)
{
	int fd = open_file("/proc/kcore", O_RDONLY);
	Elf64_Phdr segment;
	Elf64_Ehdr head;
	ssize_t n;
	int i;

	if (pread(fd, &head, sizeof(head), 0) != sizeof(head))
		return fail("/proc/kcore");
	for (i = 0; i < head.e_phnum; i++) {
		if (pread(fd, &segment, sizeof(segment),
			  head.e_phoff + i * sizeof(segment)) != sizeof(segment))
			return fail("/proc/kcore");
		if (segment.p_type == PT_LOAD && addr >= segment.p_vaddr &&
		    addr - segment.p_vaddr < segment.p_memsz)
			break;
	}
	if (i == head.e_phnum) {
		fprintf(stderr, "markerio: no segment of /proc/kcore has %#lx\n", addr);
		return 1;
	}
	addr += segment.p_offset - segment.p_vaddr;
	for (; len; len -= n, addr += n) {
		n = pread(fd, buf, len < sizeof(buf) ? len : sizeof(buf), addr);
		if (n <= 0 || fwrite(buf, 1, n, stdout) != (size_t)n)
			return fail("/proc/kcore");
	}
	return fflush(stdout) ? fail("stdout") : 0;
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

static const char *separator = "";

/* Add to the line of errors. */
static void put_error(const char *what, int nr)
{
	const char *why = strerror(errno);

	printf("%s%s", separator, what);
	if (nr)
		printf(" %d", nr);
	printf(": %s", why);
	separator = ", ";
}

static int close_parts(int fd)
{
	if (close(fd))
		put_error("close", 0);
	puts(*separator ? "" : "none");
	return 0;
}

static int write_parts(const char *name, int nr, char **parts)
{
	const char *nowhere = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open_file(name, O_WRONLY | O_TRUNC), i;
	size_t size;

	if (nowhere == MAP_FAILED)
		return fail("mmap");
	for (i = 0; i < nr; i++) {
		size = strlen(parts[i]);
		if (*parts[i] == '@' && size > 1) {
			if (system(parts[i] + 1))
				return fail(parts[i] + 1);
			continue;
		}
		if (write(fd, strcmp(parts[i], "@") ? parts[i] : nowhere, size) != (ssize_t)size)
			put_error("write", i + 1);
	}
	return close_parts(fd);
}

static int write_vector(const char *name, int nr, char **parts)
{
	int fd = open_file(name, O_WRONLY | O_TRUNC), at = 0, i;
	struct iovec vector[64];
	ssize_t n;

	if (nr > 64)
		nr = 64;
	for (i = 0; i < nr; i++)
		vector[i] = (struct iovec){ parts[i], strlen(parts[i]) };
	while (at < nr) {
		n = writev(fd, vector + at, nr - at);
		if (n < 0) {
			put_error("writev", 0);
			break;
		}
		for (; at < nr && (size_t)n >= vector[at].iov_len; at++)
			n -= vector[at].iov_len;
		if (at < nr) {
			vector[at].iov_base = (char *)vector[at].iov_base + n;
			vector[at].iov_len -= n;
		}
	}
	return close_parts(fd);
}

static int write_from_nowhere(const char *name, size_t count)
{
	int fd = open_file(name, O_WRONLY);
	char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return fail("mmap");
	puts(write(fd, page, count) < 0 ? strerror(errno) : "none");
	return 0;
}

/* For this process, from here on. */
static bool forbid_truncation(void)
{
	struct landlock_ruleset_attr rules = { .handled_access_fs = LANDLOCK_ACCESS_FS_TRUNCATE };
	int fd = syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);

	return fd >= 0 && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !syscall(SYS_landlock_restrict_self, fd, 0);
}

static int open_anew(const char *name, int flag)
{
	int fd = open(name, O_WRONLY | O_TRUNC | flag);

	puts(fd < 0 ? strerror(errno) : "none");
	return 0;
}

static int load_module(const char *name, const char *text)
{
	int fd = open(name, O_RDONLY);
	int ret = fd < 0 || syscall(SYS_finit_module, fd, text, 0) ? -errno : 0;

	if (fd >= 0)
		close(fd);
	return ret;
}

static void unload_module(const char *name)
{
	const char *base = strrchr(name, '/');
	char module[64], *p;

	snprintf(module, sizeof(module), "%s", base ? base + 1 : name);
	module[strcspn(module, ".")] = '\0';
	for (p = module; (p = strchr(p, '-')); )
		*p = '_';
	if (syscall(SYS_delete_module, module, O_NONBLOCK))
		exit(fail(module));
}

/* @opened: whether it came past open() */
static int write_text(const char *name, const char *text, int flag, bool *opened)
{
	int fd = open(name, O_WRONLY | flag);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));
	int ret = n < 0 ? -errno : 0;

	*opened = fd >= 0;
	/* carries out what no newline ends */
	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	return ret;
}

static int read_all(const char *name)
{
	int fd = open(name, O_RDONLY | O_NONBLOCK);
	ssize_t n = fd;
	int ret;

	while (n >= 0 && (n = read(fd, buf, sizeof(buf))) > 0)
		;
	ret = n < 0 ? -errno : 0;
	if (fd >= 0)
		close(fd);
	return ret == -EAGAIN ? 0 : ret;
}

static int truncate_file(const char *name)
{
	int fd = open(name, O_RDWR | O_TRUNC);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* See fail-nth in the kernel's Documentation/fault-injection. */
static int fail_nth(const char *what, const char *name, const char *text, const char *undo,
		    const char *check)
{
	int fd = open_file("/proc/thread-self/fail-nth", O_RDWR);
	int failed = 0, survived = 0, after_open = 0, ret, n;
	char left[16];
	bool opened;

	for (n = 1;; n++) {
		opened = false;
		snprintf(left, sizeof(left), "%d", n);
		if (pwrite(fd, left, strlen(left), 0) < 0)
			return fail("fail-nth");
		if (!strcmp(what, "insmod"))
			ret = load_module(name, text);
		else if (!strcmp(what, "write"))
			ret = write_text(name, text, O_TRUNC, &opened);
		else if (!strcmp(what, "append"))
			ret = write_text(name, text, O_APPEND, &opened);
		else if (!strcmp(what, "truncate"))
			ret = truncate_file(name);
		else
			ret = read_all(name);
		memset(left, 0, sizeof(left));
		if (pread(fd, left, sizeof(left) - 1, 0) < 0 || pwrite(fd, "0", 1, 0) < 0)
			return fail("fail-nth");
		if (ret && ret != -ENOMEM) {
			printf("allocation %d of %s %s: %s\n", n, what, name, strerror(-ret));
			return 1;
		}
		if (!ret && !strcmp(what, "insmod"))
			unload_module(name);
		if (!ret && undo && system(undo))
			return fail(undo);
		if (ret && check && system(check)) {
			printf("allocation %d of %s %s: it failed, and not all is as before\n", n,
			       what, name);
			return 1;
		}
		if (atoi(left)) {
			if (ret)
				return fail("out of memory without a fault");
			break;
		}
		if (ret)
			failed++;
		else
			survived++;
		after_open += ret && opened;
	}
	printf("%d failed, %d survived, %d failed after open\n", failed, survived, after_open);
	return 0;
}

static void tell(const char *name, const char *what)
{
	int fd = open_file(name, O_WRONLY);

	if (write(fd, what, strlen(what)) < 0)
		exit(fail(name));
	close(fd);
}

/* For test_soak: next[context][cpu] is the least seq that can come next. */
static bool soak_line(const char *line, const char *end, bool odd)
{
	static const char *const names[] = { "thread", "interrupt", "nmi" };
	static unsigned long long next[3][1024];
	static const char *const letters[] = { ".", "hH", "zZ" };
	unsigned int on, context, cpu, check, text;
	char flags[5], name[16], string[32];
	unsigned long long seq;
	int len = -1;

	/* The task is the one that was interrupted; the flags have its context. */
	line = strstr(line, " [");
	if (!line ||
	    sscanf(line, " [%u] %4s %*u.%*u: test_soak:soak_%15[a-z]: context %u cpu %u seq %llu text %31s check %u%n",
		   &on, flags, name, &context, &cpu, &seq, string, &check, &len) != 8 ||
	    line + len != end || context > 2 || cpu > 1023 || (odd && seq % 2 == 0))
		return false;
	text = 'a' + seq % 26;
	if (strlen(flags) != 4 || !strchr(letters[context], flags[2]) || on != cpu || strcmp(name, names[context]) || seq < next[context][cpu] ||
	    check != (31 * seq + 7 * context + cpu) % 65521 ||
	    strlen(string) != 'z' + 1 - text)
		return false;
	for (len = 0; string[len]; len++) {
		if ((unsigned char)string[len] != text + len)
			return false;
	}
	next[context][cpu] = seq + 1;
	return true;
}

static int soak(const char *pipe, const char *proc, unsigned long long least, bool odd)
{
	int fd = open_file(pipe, O_RDONLY | O_NONBLOCK);
	unsigned long long verified = 0, losses = 0, frames = 0;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	bool running = true;
	size_t rest = 0;
	char *line, *end;
	ssize_t n;

	tell(proc, "start");
	for (;;) {
		if (running && verified >= least) {
			tell(proc, "stop");
			running = false;
		}
		n = read(fd, buf + rest, sizeof(buf) - 1 - rest);
		if (n < 0 && errno == EAGAIN && running) {
			poll(&p, 1, 1000);
			continue;
		}
		if (n < 0 && errno == EAGAIN)
			break;
		if (n <= 0)
			return fail(pipe);
		rest += n;
		buf[rest] = '\0';
		for (line = buf; (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			if (strstr(line, " *** lost ")) {
				losses++;
			} else if (verified && !strncmp(line, " => ", 4)) {
				frames++;
			} else if (soak_line(line, end, odd)) {
				verified++;
			} else {
				printf("damaged, doubled or out of order: %s\n", line);
				return 1;
			}
		}
		rest -= line - buf;
		memmove(buf, line, rest);
	}
	printf("%llu verified, %llu losses, %llu frames\n", verified, losses, frames);
	return rest != 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	if (!strcmp(what, "drain"))
		return drain(argv[2], argv[3]);
	if (!strcmp(what, "splice"))
		return splice_out(argv[2], argc > 3);
	if (!strcmp(what, "try"))
		return try(argv[2]);
	if (!strcmp(what, "poll") && argc > 3)
		return wait_readable(argv[2], atoi(argv[3]));
	if (!strcmp(what, "poll-busy"))
		return poll_busy(argv[2]);
	if (!strcmp(what, "hold") && argc > 3)
		return hold(argv[2], argv[3]);
	if (!strcmp(what, "through") && argc > 3)
		return go_through(argv[2], argv[3]);
	if (!strcmp(what, "write-busy") && argc > 4)
		return write_busy(argv[2], argv[3], argv[4]);
	if (!strcmp(what, "toggle") && argc > 3)
		return toggle(atol(argv[2]), argc - 3, argv + 3);
	if (!strcmp(what, "parts"))
		return write_parts(argv[2], argc - 3, argv + 3);
	if (!strcmp(what, "writev"))
		return write_vector(argv[2], argc - 3, argv + 3);
	if (!strcmp(what, "bad-pointer"))
		return write_from_nowhere(argv[2], 100);
	if (!strcmp(what, "empty"))
		return write_from_nowhere(argv[2], 0);
	if (!strcmp(what, "direct"))
		return open_anew(argv[2], O_DIRECT);
	if (!strcmp(what, "landlock")) {
		if (forbid_truncation())
			return open_anew(argv[2], 0);
		puts("cannot forbid it");
		return 0;
	}
	if (!strcmp(what, "rename") && argc > 4)
		return rename_in(argv[2], argv[3], argv[4]);
	if (!strcmp(what, "checksum") && argc > 3)
		return change_checksum(argv[2], argv[3]);
	if (!strcmp(what, "packets"))
		return list_packets(argv[2]);
	if (!strcmp(what, "kcore") && argc > 3)
		return copy_kcore(strtoul(argv[2], NULL, 16), strtoul(argv[3], NULL, 0));
	if (!strcmp(what, "soak") && argc > 4)
		return soak(argv[2], argv[3], strtoull(argv[4], NULL, 0), argc > 5);
	if (!strcmp(what, "fail-nth") && argc > 3)
		return fail_nth(argv[2], argv[3], argc > 4 ? argv[4] : "",
				argc > 5 ? argv[5] : NULL, argc > 6 ? argv[6] : NULL);
	fprintf(stderr, "usage: see the top of markerio.c\n");
	return 1;
}
