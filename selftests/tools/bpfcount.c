// SPDX-License-Identifier: GPL-2.0
/*
 * bpfcount: attach a BPF program to an event, run a command, and print how often the event was
 * hit, and the sum of one of its values. Needs no compiler and no library of BPF.
 *
 * usage: bpfcount raw NAME NUMBER COMMAND [ARGUMENT]...
 *	  bpfcount tracepoint SYSTEM/EVENT FIELD COMMAND [ARGUMENT]...
 *
 *	raw		at the raw tracepoint NAME; NUMBER is that of the argument, from 0 on;
 *			"-": the program does nothing, and fits to any event
 *	tracepoint	at an event of tracefs; FIELD has 1, 2, 4 or 8 bytes
 *
 * Prints "hits N sum N" when COMMAND has ended. Exit status: that of COMMAND; 125 if the
 * program could not be attached.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRACEFS	"/sys/kernel/tracing"

struct counts {
	unsigned long long hits;
	unsigned long long sum;
};

__attribute__((noreturn, format(printf, 1, 2)))
static void die(const char *fmt, ...)
{
	int err = errno;
	va_list args;

	fprintf(stderr, "bpfcount: ");
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fprintf(stderr, ": %s\n", strerror(err));
	exit(125);
}

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(__NR_bpf, command, attr, sizeof(*attr));
}

static int create_map(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = sizeof(int),
		.value_size = sizeof(struct counts),
		.max_entries = 1,
	};
	int map = bpf(BPF_MAP_CREATE, &attr);

	if (map < 0)
		die("no map");
	return map;
}

static void read_map(int map, struct counts *counts)
{
	int key = 0;
	union bpf_attr attr = {
		.map_fd = map,
		.key = (unsigned long)&key,
		.value = (unsigned long)counts,
	};

	if (bpf(BPF_MAP_LOOKUP_ELEM, &attr))
		die("cannot read the map");
}

#define INSN(c, to, from, offset, number)	\
	{ .code = c, .dst_reg = to, .src_reg = from, .off = offset, .imm = number }

/*
 * Add 1 and the value at @offset of the context, of @size bytes, to element 0 of the map; do
 * nothing if @size is 0.
 */
static int load_program(int type, int map, int offset, int size)
{
	static const int widths[] = { [1] = BPF_B, [2] = BPF_H, [4] = BPF_W, [8] = BPF_DW };
	const struct bpf_insn program[] = {
		INSN(BPF_LDX | BPF_MEM | widths[size], 7, 1, offset, 0),
		INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		INSN(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, map),
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem),
		INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 0, 1),
		INSN(BPF_STX | BPF_XADD | BPF_DW, 0, 1, 0, 0),
		INSN(BPF_STX | BPF_XADD | BPF_DW, 0, 7, sizeof(long long), 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	static const struct bpf_insn nothing[] = {
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	static char log[1 << 16];
	union bpf_attr attr = {
		.prog_type = type,
		.insns = (unsigned long)(size ? program : nothing),
		.insn_cnt = (size ? sizeof(program) : sizeof(nothing)) / sizeof(*program),
		.license = (unsigned long)"GPL",
		.log_level = 1,
		.log_buf = (unsigned long)log,
		.log_size = sizeof(log),
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0) {
		fputs(log, stderr);
		die("the kernel refuses the program");
	}
	return fd;
}

static void attach_raw(const char *name, const char *number, int map)
{
	union bpf_attr attr = {
		.raw_tracepoint.name = (unsigned long)name,
		.raw_tracepoint.prog_fd = load_program(BPF_PROG_TYPE_RAW_TRACEPOINT, map,
						       8 * atoi(number), strcmp(number, "-") ? 8 : 0),
	};

	if (bpf(BPF_RAW_TRACEPOINT_OPEN, &attr) < 0)
		die("raw tracepoint %s", name);
}

static FILE *open_file(const char *event, const char *name)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), TRACEFS "/events/%s/%s", event, name);
	file = fopen(path, "r");
	if (!file)
		die("%s", path);
	return file;
}

/* A line of the file format: "field:TYPE NAME;	offset:N;	size:N;	signed:N;" */
static void find_field(const char *event, const char *field, int *offset, int *size)
{
	FILE *file = open_file(event, "format");
	char line[1024], *end, *name;

	while (fgets(line, sizeof(line), file)) {
		end = strchr(line, ';');
		if (!end || !strstr(line, "field:"))
			continue;
		*end = '\0';
		name = strrchr(line, ' ');
		if (!name || strcmp(name + 1, field) ||
		    sscanf(end + 1, " offset:%d; size:%d;", offset, size) != 2)
			continue;
		fclose(file);
		if (*size == 1 || *size == 2 || *size == 4 || *size == 8)
			return;
		break;
	}
	errno = EINVAL;
	die("%s has no number %s", event, field);
}

static void attach_tracepoint(const char *event, const char *field, int map)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_RAW,
	};
	FILE *file = open_file(event, "id");
	int fd, offset, size;
	long id;

	if (fscanf(file, "%ld", &id) != 1)
		die("%s: no id", event);
	fclose(file);
	attr.config = id;
	find_field(event, field, &offset, &size);
	fd = syscall(__NR_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		die("%s: perf_event_open", event);
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF,
		  load_program(BPF_PROG_TYPE_TRACEPOINT, map, offset, size)) ||
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		die("%s: cannot attach the program", event);
}

static int run(char **command)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		execvp(*command, command);
		die("%s", *command);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		die("%s", *command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	struct counts counts;
	int map, status;

	if (argc < 5 || (strcmp(argv[1], "raw") && strcmp(argv[1], "tracepoint"))) {
		fprintf(stderr, "usage: see the top of bpfcount.c\n");
		return 125;
	}
	map = create_map();
	if (!strcmp(argv[1], "raw"))
		attach_raw(argv[2], argv[3], map);
	else
		attach_tracepoint(argv[2], argv[3], map);
	status = run(argv + 4);
	read_map(map, &counts);
	printf("hits %llu sum %llu\n", counts.hits, counts.sum);
	return status;
}
